import type { Actor, Answer, Said } from '../../machines/index.ts';
import type { SessionHandle } from '../ports.ts';
import { policyWords } from './chrome/words.ts';
import { parseCommand, type Command } from './commands.ts';
import { helpText } from './help.ts';
import { ownCommand } from './own-commands.ts';
import type { Choice } from './picker/picker.ts';
import { createSwitching, type Switching } from './picker/switching.ts';
import type { Store } from './store.ts';
import { visibleLine } from './text.ts';
import { answerItem, notice, type Item } from './transcript/items.ts';

/** The person at the terminal is the owner (D29). */
export const actor: Actor = { entry: 'interactive', surface: 'tui', person: 'terminal', owner: true };

/** Why the surface ended: the person left, or asked for another session (null: a new one). */
export type Leaving = { reason: 'left' } | { reason: 'switch'; session: string | null };

export interface ControllerDeps {
  handle: SessionHandle;
  store: Store;
  /** The sessions to go to, the last used first; null: this program stays with one. */
  sessions: (() => Promise<readonly Choice[]>) | null;
  leave: (leaving: Leaving) => void;
  now: () => number;
}

/** What the surface does for a person: turns lines and keys into events and prints the answers. */
export interface Controller {
  /** Runs one submitted line. */
  submit(line: string): Promise<void>;
  /** Sends an event; an outside failure becomes an error notice and answers null. */
  send(said: Said): Promise<Answer | null>;
  /** Sends and prints the answer as a notice line. */
  tell(said: Said): Promise<Answer | null>;
  show(): Promise<void>;
  switching: Switching;
  stop(): Promise<void>;
  /** Sends, or takes back, a message that waits; nothing while that is under way for the same one. */
  waiting(said: Extract<Said, { type: 'queue.send' | 'queue.drop' }>): Promise<void>;
  /** Leaves: by key the second time, by a typed command at once unless a turn runs. */
  leave(how: 'key' | 'typed'): void;
}

/** How long a second press counts, in milliseconds. */
const twiceMs = 3000;
const quitTwiceMs = 15_000;

function failure(error: unknown): Item {
  const text = error instanceof Error ? error.message : String(error);
  return notice('error', text);
}

/** Accepted without a word: what happened is on the screen anyway. */
const silent: ReadonlySet<Said['type']> = new Set(['user.chat', 'user.stop']);

function print(store: Store, ...items: readonly (Item | null)[]): void {
  store.dispatch({ type: 'items', items: items.filter((item) => item !== null) });
}

function busy(store: Store): boolean {
  return store.get().view.turn !== 'idle';
}

type Sending = Pick<Controller, 'send' | 'tell'>;

function sending({ handle, store }: ControllerDeps): Sending {
  const send = async (said: Said): Promise<Answer | null> => {
    try {
      return await handle.send(said);
    } catch (error) {
      print(store, failure(error));
      return null;
    }
  };
  const tell = async (said: Said): Promise<Answer | null> => {
    const answer = await send(said);
    if (answer === null) return null;
    if (answer.kind !== 'accepted' || !silent.has(said.type)) print(store, answerItem(answer));
    return answer;
  };
  return { send, tell };
}

function policyText(store: Store): string {
  const words = policyWords(store.get().view.policy);
  return `Policy: ${words}. /approve ask or /approve yolo changes it. Plans are approved with /execute.`;
}

function goalText(store: Store): string {
  const { user, task } = store.get().view.goal;
  const lines = [
    user === null ? 'You have set no goal: /goal <text> sets one.' : `Your goal: ${visibleLine(user)}`,
    ...(task === null ? [] : [`Goal of the running task: ${visibleLine(task)}`]),
  ];
  return lines.join('\n');
}

function nameText(store: Store): string {
  const { name } = store.get().view;
  const called =
    name === null ? 'This session has no name yet' : `This session is called: ${visibleLine(name)}`;
  return `${called}. /rename <name> gives it one.`;
}

const canSwitch = (sessions: ControllerDeps['sessions']): 'fixed' | 'switchable' =>
  sessions === null ? 'fixed' : 'switchable';

function modelText({ model }: SessionHandle): string {
  const how =
    '/model openai:<model>, /model anthropic:<model> or /model rehearsal takes another for the next turn.';
  return `Model: ${visibleLine(model.label ?? model.name)}. ${how}`;
}

async function useModel(name: string, { handle, store }: ControllerDeps): Promise<void> {
  try {
    const answer = await handle.useModel(name, actor);
    const item =
      answer.kind === 'wrong'
        ? notice('error', `${answer.text} The model stays ${visibleLine(handle.model.name)}.`)
        : answerItem(answer);
    print(store, item);
  } catch (error) {
    print(store, failure(error));
  }
}

/** The event that a command is; null for those that are answered here or leave. */
function saidOf(command: Command, shown: string | null): Said | null {
  switch (command.kind) {
    case 'chat':
      return { type: 'user.chat', by: actor, text: command.text, origin: 'typed' };
    case 'plan':
      return command.text === null
        ? { type: 'user.plan', by: actor }
        : { type: 'user.plan', by: actor, text: command.text };
    case 'execute':
      return { type: 'user.execute', by: actor, shown };
    case 'discard':
    case 'stop':
    case 'continue':
    case 'compact':
      return { type: `user.${command.kind}`, by: actor };
    case 'setPolicy':
      return { type: 'user.policy', by: actor, yolo: command.policy === 'yolo' };
    case 'setGoal':
      return { type: 'user.goal', by: actor, text: command.text };
    case 'rename':
      return { type: 'user.rename', by: actor, name: command.name };
    default:
      return null;
  }
}

/** What a command that sends nothing says; null for those that leave or show. */
function localItem(command: Command, { handle, store }: ControllerDeps): Item | null {
  switch (command.kind) {
    case 'policy':
      return notice('info', policyText(store));
    case 'goal':
      return notice('info', goalText(store));
    case 'model':
      return notice('info', modelText(handle));
    case 'name':
      return notice('info', nameText(store));
    case 'usage':
      return notice('error', command.text);
    default:
      return null;
  }
}

async function sendCommand(said: Said, line: string, store: Store, sends: Sending): Promise<void> {
  const answer = await sends.tell(said);
  const kept = answer !== null && (answer.kind === 'accepted' || answer.kind === 'queued');
  // Text that was not run goes back to where it was written (D26).
  if (!kept && 'text' in said) store.dispatch({ type: 'restore', text: line });
  // This refusal says that the text has to be read first, so it is shown (D45).
  if (answer !== null && 'code' in answer && answer.code === 'TEXT_CHANGED') {
    store.dispatch({ type: 'overlay', to: 'open' });
  }
}

async function run(line: string, deps: ControllerDeps, sends: Sending, self: Controller): Promise<void> {
  const { store } = deps;
  const command = parseCommand(line, canSwitch(deps.sessions));
  const said = saidOf(command, store.get().shown);
  if (said !== null) return sendCommand(said, line, store, sends);
  if (command.kind === 'own') return runOwn(command, line, deps, sends);
  if (command.kind === 'help') return print(store, await helpItem(deps));
  if (command.kind === 'show') return self.show();
  if (command.kind === 'useModel') return useModel(command.name, deps);
  if (command.kind === 'quit') return self.leave('typed');
  if (command.kind === 'new') return self.switching.fresh();
  if (command.kind === 'session') return self.switching.named(command.id);
  if (command.kind === 'sessions') return self.switching.pick();
  print(store, localItem(command, deps));
}

const helpItem = async ({ handle, sessions }: ControllerDeps): Promise<Item> =>
  notice('info', helpText(canSwitch(sessions), await handle.skills()));

async function runOwn(
  command: Extract<Command, { kind: 'own' }>,
  line: string,
  { handle, store }: ControllerDeps,
  sends: Sending,
): Promise<void> {
  const found = ownCommand(command, await handle.skills(), actor);
  if ('said' in found) return sendCommand(found.said, line, store, sends);
  print(store, found.item);
}

function leaving({ store, leave, now }: ControllerDeps, how: 'key' | 'typed'): void {
  const { armed } = store.get();
  const again = armed?.what === 'leave' && now() < armed.until;
  if (again || (how === 'typed' && !busy(store))) return leave({ reason: 'left' });
  const armedNow =
    how === 'key'
      ? { what: 'leave' as const, until: now() + twiceMs, text: 'Press Ctrl+C again to leave' }
      : {
          what: 'leave' as const,
          until: now() + quitTwiceMs,
          text: 'A turn is running: /quit again interrupts it and leaves',
        };
  store.dispatch({ type: 'arm', armed: armedNow });
}

export function createController(deps: ControllerDeps): Controller {
  const sends = sending(deps);
  const { store } = deps;
  const acted = new Set<string>();
  const self: Controller = {
    ...sends,
    submit: (line) => run(line, deps, sends, self),
    async show() {
      const answer = await sends.send({ type: 'user.show', by: actor });
      if (answer === null) return;
      if (answer.kind === 'view') store.dispatch({ type: 'overlay', to: 'open' });
      else print(store, answerItem(answer));
    },
    switching: createSwitching(deps, sends, actor),
    async stop() {
      await sends.tell({ type: 'user.stop', by: actor });
    },
    async waiting(said) {
      if (acted.has(said.item)) return;
      acted.add(said.item);
      await sends.tell(said);
      acted.delete(said.item);
    },
    leave: (how) => leaving(deps, how),
  };
  return self;
}
