import { type Actor, phaseOf, type Said } from '../../machines/index.ts';
import type { Move, World } from '../support/explore.ts';
import { isModels, modelLacks } from './calls.ts';
import { type Next, nextByItself, ownMessage, viewOf } from './views.ts';

/** Why nobody at the terminal, neither the model nor an editor can make this happen; null when they can. */
export function tuiLacks(at: World, move: Move): string | null {
  const next = nextByItself(at);
  if (next !== null) return byItself(at, move) === next ? null : 'the program goes on by itself first';
  if ('said' in move) return saidLacks(at, move);
  if (move.type === 'command') return commandLacks(at);
  if (move.name === 'disk: the process dies') return deathLacks(at);
  return hadCommand(at) ? 'the command has ended by then' : null;
}

/** The model has a command begin and nothing else happen before it ends: so no other process has to be waited for. */
const hadCommand = ({ snapshot }: World): boolean => (snapshot.context.record.lease?.files?.calls ?? 0) > 0;

/** Commands that nothing is around run where the project may be changed (D22). */
function commandLacks(at: World): string | null {
  const { lease } = at.snapshot.context.record;
  if (lease === null) return 'no turn runs';
  if (lease.cancel !== null) return 'the model of a turn that is being stopped is not asked any more';
  if (lease.kind === 'compact') return 'a summary is asked for, without tools';
  if (hadCommand(at)) return 'commands run one after another';
  const phase = phaseOf(at.snapshot);
  return phase === 'noPlan' || phase === 'checklist'
    ? null
    : 'no command that could write runs in this state';
}

function byItself(at: World, move: Move): Next {
  const { lease } = at.snapshot.context.record;
  if (!('said' in move)) return null;
  const { said } = move;
  if (said.type === 'queue.take') return ownMessage(at) === said.item ? 'the next message is taken' : null;
  // A turn that is cut short has failed, as far as the model tells outcomes apart.
  if (said.type === 'turn.end' && said.turn === lease?.turn && said.outcome === 'failed')
    return 'the turn ends';
  return null;
}

const deathLacks = (at: World): string | null =>
  ownMessage(at) === null ? null : 'a program that dies takes along who sends its messages';

function saidLacks(at: World, move: Extract<Move, { said: Said }>): string | null {
  const { said } = move;
  if ('by' in said) return personLacks(said.by) ?? ('button' in said ? 'a button' : actLacks(at, move));
  if (isModels(said)) return modelLacks(at, said) ?? endLacks(at, said);
  if (said.type === 'turn.note') return noteLacks(at, said);
  return said.type === 'queue.drop' ? dropLacks(at, said.item) : 'the program sends what waits by itself';
}

function personLacks({ entry, owner }: Actor): string | null {
  if (!owner) return 'another person';
  return entry === 'interactive' ? null : 'a headless entry';
}

/** What the owner can say at the terminal, and where. */
function actLacks(at: World, { said, name }: Extract<Move, { said: Said }>): string | null {
  const { decisions } = viewOf(at);
  switch (said.type) {
    case 'user.plan':
      return said.text?.trim() === '' ? 'the input trims white space' : null;
    case 'user.place':
      return 'a folder is chosen when the program starts';
    case 'user.approveText':
      return name.includes('another text') ? 'what is approved is on the screen' : approveTextLacks(at);
    case 'user.restore':
      return decisions.restore ? null : 'a key that is only there where it applies';
    case 'user.revise':
      return decisions.revise ? null : 'a key that is only there where it applies';
    case 'queue.send':
      return isUnsent(at, said.item) ? null : 'a key that is only there where it applies';
    case 'user.compact':
      return compactLacks(at);
    default:
      return null;
  }
}

function approveTextLacks(at: World): string | null {
  const { decisions, seedError } = viewOf(at);
  const offered = seedError !== null && decisions.restore && !decisions.retry;
  if (!offered) return 'a key that is only there where it applies';
  return at.snapshot.context.document === null ? 'a text that is gone is not on the screen' : null;
}

/** What the implement turn was told stays word for word (decision 0040), so there may be nothing to make shorter. */
function compactLacks({ snapshot }: World): string | null {
  const { record, plan } = snapshot.context;
  const kept = phaseOf(snapshot) === 'checklist' && plan?.track === 'design';
  return kept && record.lease === null ? 'the conversation since Approve is kept' : null;
}

const isUnsent = (at: World, item: string): boolean =>
  viewOf(at).queue.find(({ state }) => state === 'not sent')?.id === item;

/** Ctrl+X takes back the first that was not sent, Up the newest of this terminal. */
function dropLacks(at: World, item: string): string | null {
  const { queue } = viewOf(at);
  const own = queue.findLast(({ owner }) => owner === 'here');
  return isUnsent(at, item) || own?.id === item ? null : 'a key that is only there where it applies';
}

/** A turn that is cut short has failed, as far as the model tells outcomes apart. */
function endLacks({ snapshot }: World, said: Said): string | null {
  const cancel = snapshot.context.record.lease?.cancel ?? null;
  const done = said.type === 'turn.end' && said.outcome === 'done';
  return cancel !== null && done ? 'a turn that is cut short is not done' : null;
}

function noteLacks(at: World, said: Extract<Said, { type: 'turn.note' }>): string | null {
  const { lease } = at.snapshot.context.record;
  if (lease === null || lease.turn !== said.turn) return 'a turn that is over';
  if (said.shell === 'begins') return commandLacks(at);
  if (said.shell === 'ended') return hadCommand(at) ? null : 'no command runs';
  if (lease.cancel !== null) return 'the model of a turn that is being stopped is not asked any more';
  if (lease.kind === 'compact') return 'a summary is asked for, without tools';
  return phaseOf(at.snapshot) === 'seeding' ? 'no question is asked while the checklist is built' : null;
}
