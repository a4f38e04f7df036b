import { desiredKeyboard, phaseOf, type PlanKeyboard, type Said, select } from '../../machines/index.ts';
import { isRestorable } from '../../machines/session/context.ts';
import type { Move, World } from '../support/explore.ts';
import { isModels, modelLacks } from './calls.ts';
import { asksWhatWasShown, nextByItself } from './views.ts';

/** Where the chat is: the owner's own, or a group with two more people who may write. */
export type Room = 'private' | 'group';

type Of<T extends Said['type']> = Extract<Said, { type: T }>;
export type PlanSaid = Of<
  'user.execute' | 'user.approveText' | 'user.restore' | 'user.revise' | 'user.discard' | 'user.continue'
>;

const planSaid: readonly string[] = [
  'user.execute',
  'user.approveText',
  'user.restore',
  'user.revise',
  'user.discard',
  'user.continue',
];

/** A decision about a plan, which a button may carry. */
export const isPlanSaid = (said: Said): said is PlanSaid => planSaid.includes(said.type);

/** The plan keyboard that a chat shows in this place once everything has landed. */
export const keyboardAt = ({ snapshot }: World): PlanKeyboard | null => desiredKeyboard(select(snapshot));

/** Why people, a model and an editor can't make this happen here, in a few words; null: they can. */
export function lacksIn(room: Room) {
  return (at: World, move: Move): string | null => {
    const next = nextByItself(at);
    if (next !== null) return isNext(at, move, next) ? null : 'the program goes on by itself first';
    if (!('said' in move)) return outsideLacks(at, move);
    const { said } = move;
    if (isModels(said)) return modelLacks(at, said) ?? endLacks(at, said);
    return 'by' in said ? personLacks(at, said, room) : programLacks(said);
  };
}

function isNext(at: World, move: Move, next: ReturnType<typeof nextByItself>): boolean {
  if (!('said' in move)) return false;
  const { lease, queue } = at.snapshot.context.record;
  const { said } = move;
  if (next === 'the next message is taken') return said.type === 'queue.take' && said.item === queue[0]?.id;
  return said.type === 'turn.end' && said.turn === lease?.turn && said.outcome === 'failed';
}

/** A turn that is cut short has failed, as far as the model tells outcomes apart. */
function endLacks({ snapshot }: World, said: Said): string | null {
  const cancel = snapshot.context.record.lease?.cancel ?? null;
  const done = said.type === 'turn.end' && said.outcome === 'done';
  return cancel !== null && done ? 'a turn that is cut short is not done' : null;
}

function outsideLacks({ snapshot }: World, { type, name }: Move): string | null {
  if (type === 'command') return 'commands run in a sandbox';
  if (name === 'disk: who said the next message has died') return 'one program keeps the chat';
  const waits = snapshot.context.record.queue.length > 0;
  return waits && name === 'disk: the process dies' ? 'what waits for the program dies with it' : null;
}

const inTheChat = ['user.plan', 'user.show', 'user.chat', 'user.stop', 'user.switch', 'user.policy'];

function personLacks(at: World, said: Extract<Said, { by: object }>, room: Room): string | null {
  const { entry, owner, person } = said.by;
  if (entry !== 'interactive') return 'a headless run has no chat';
  if (!owner && room === 'private') return 'nobody else is in the chat';
  if (!owner && person === 'ann') return 'the owner is the owner';
  if (isPlanSaid(said)) return decisionLacks(at, said);
  if (!inTheChat.includes(said.type)) return 'the chat has no command for it';
  if (said.type === 'user.plan' && said.text?.trim() === '') return 'a blank text is none in the chat';
  if (said.type === 'user.switch' && at.snapshot.context.record.lease === null) return 'it leaves the walk';
  return said.type === 'user.chat' && said.origin === 'command' ? 'the chat knows no own commands' : null;
}

const commands: readonly string[] = ['user.execute', 'user.discard', 'user.continue'];

function decisionLacks(at: World, said: PlanSaid): string | null {
  if (!said.by.owner) return null;
  const typed = said.button === undefined && commands.includes(said.type);
  if (typed) return said.type === 'user.execute' ? shownLacks(at, said) : null;
  if (said.button?.owns === false) return null;
  if (said.type === 'user.revise' && said.button === undefined) return 'a button asks for changes';
  const keyboard = keyboardAt(at);
  if (keyboard === null) return 'no message has buttons of a plan here';
  const approvesText = keyboard.buttons.includes('approveText');
  if (said.type === 'user.approveText') {
    if (!approvesText) return 'no button approves a changed text here';
    return null;
  }
  if (said.type === 'user.restore' && restoresUnseen(at)) return 'no button restores the text here';
  if (said.type === 'user.execute' && approvesText) return 'the button approves the changed text here';
  if (said.type !== 'user.revise') return null;
  // The question is closed, and a reply to it refused, as soon as the plan is not under review.
  return phaseOf(at.snapshot) === 'postInit' && stands(at, said)
    ? null
    : 'changes are asked for while a plan is under review';
}

/** D30: a text that no button was drawn for is not restored by one. */
const restoresUnseen = (at: World): boolean =>
  at.snapshot.context.record.lease === null &&
  isRestorable(at.snapshot.context) &&
  ['checklist', 'seedFailedEmpty'].includes(phaseOf(at.snapshot)) &&
  keyboardAt(at)?.buttons.includes('restore') !== true;

const stands = ({ snapshot }: World, { button }: PlanSaid): boolean =>
  button === undefined || (button.plan === snapshot.context.plan?.id && button.phase === 'editing');

/** D45: where it is asked, the text on disk is the one that the chat has shown, or the edit has not arrived yet. */
function shownLacks(at: World, { shown }: Of<'user.execute'>): string | null {
  const { document } = at.snapshot.context;
  if (shown !== null || !asksWhatWasShown(at) || document?.scan.faults.length !== 0) return null;
  return 'the chat has shown some text of the plan';
}

function programLacks(said: Exclude<Said, { by: object }>): string | null {
  if (said.type === 'queue.take') return 'a message waits for the end of the turn';
  if (said.type === 'turn.note')
    return 'the runtime says it of its own turn, of commands without a sandbox only';
  return 'the chat takes back nothing that waits';
}
