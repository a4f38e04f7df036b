import {
  desiredKeyboard,
  keyboardMachine,
  keyboardRecord,
  type KeyboardEffect,
  type KeyboardEvent,
  type KeyboardSnapshot,
  keyboardStep,
  type PlanKeyboard,
  restoreKeyboard,
  select,
} from '../../machines/index.ts';
import type { Place } from './explore.ts';
import { pressed } from './samples-keyboard.ts';

/** What a chat sees of a session: the row it asks for; plan and text are names that only tell apart. */
export interface Asked {
  row: string;
  plan: string;
  text: string;
}

type Edit = Extract<KeyboardEffect, { type: 'edit.markup' }>;

/** A chat as Telegram has it, the keyboard machine of it, and the session as committed. */
export interface Chat {
  session: Asked;
  keyboard: KeyboardSnapshot;
  /** Edits that were sent and have no answer, oldest first. */
  flight: readonly Edit[];
  /** Every message that there is, by id, with the keyboard that people see there. */
  messages: ReadonlyMap<number, PlanKeyboard | null>;
}

/** How one commit changes what a session asks for. */
export interface Commit {
  from: string;
  to: string;
  plan: 'same' | 'other';
  text: 'same' | 'other';
}

const rowOf = (keyboard: PlanKeyboard | null): string =>
  keyboard === null ? '' : `${keyboard.phase}: ${keyboard.buttons.join(' ')}`;

export const rowIn = ({ world }: Pick<Place, 'world'>): string =>
  rowOf(desiredKeyboard(select(world.snapshot)));

const resumable = 'active: continue discard';

/** Every way in which one event of a session changes what it asks for, from its reachable places. */
export function commitsOf(places: readonly Place[]): Commit[] {
  const commits = places.flatMap((place) =>
    place.edges.map(({ next }): Commit => {
      const [a, b] = [place.world.snapshot, next.snapshot].map((one) => select(one));
      return {
        from: rowIn(place),
        to: rowIn({ world: next }),
        plan: a?.plan === b?.plan ? 'same' : 'other',
        text: a?.document?.hash === b?.document?.hash ? 'same' : 'other',
      };
    }),
  );
  // The exploration does not tell an interrupted checklist from another one, as no guard does.
  const interrupted = commits.flatMap((commit): Commit[] => [
    ...(commit.from === 'active: discard' ? [{ ...commit, from: resumable }] : []),
    ...(commit.to === 'active: discard' ? [{ ...commit, to: resumable }] : []),
  ]);
  const distinct = new Map([...commits, ...interrupted].map((commit) => [JSON.stringify(commit), commit]));
  return [...distinct.values()].filter(
    ({ from, to, plan, text }) => from !== to || plan === 'other' || text === 'other',
  );
}

/** The keyboard that the session asks for. */
export function wanted({ row, plan, text }: Asked): PlanKeyboard | null {
  const [phase, names = ''] = row.split(': ');
  if (row === '') return null;
  const buttons = names.split(' ') as PlanKeyboard['buttons'];
  const bound = buttons.some((button) => button !== 'discard' && button !== 'continue');
  return { plan, phase: phase as PlanKeyboard['phase'], hash: bound ? text : null, buttons };
}

export const emptyChat: Chat = {
  session: { row: '', plan: 'plan 1', text: 'text 1' },
  keyboard: keyboardStep(null, null)[0],
  flight: [],
  messages: new Map(),
};

/** The machine is told, and what it sends is on its way. */
export function tell(chat: Chat, event: KeyboardEvent): Chat {
  const [keyboard, effects] = keyboardStep(chat.keyboard, event);
  const edits = effects.filter((effect): effect is Edit => effect.type === 'edit.markup');
  return { ...chat, keyboard, flight: [...chat.flight, ...edits] };
}

const withEdit = (messages: Chat['messages'], { message, keyboard }: Edit): Chat['messages'] =>
  messages.has(message) ? new Map(messages).set(message, keyboard) : messages;

/** Telegram answers the oldest edit: it did it, did it but the answer is lost, or refused it for now. */
export function answer(chat: Chat, how: 'done' | 'lost' | 'refused', now = 0): Chat {
  const [edit, ...flight] = chat.flight;
  if (edit === undefined) return chat;
  const { message } = edit;
  if (!chat.messages.has(message)) return tell({ ...chat, flight }, { type: 'gone', message });
  const messages = how === 'refused' ? chat.messages : withEdit(chat.messages, edit);
  const next = { ...chat, flight, messages };
  if (how !== 'done') return tell(next, { type: 'failed', message, until: null, now });
  return tell(next, { type: edit.keyboard === null ? 'stripped' : 'attached', message });
}

export function post(chat: Chat): Chat {
  const { home, shows } = chat.keyboard.context;
  // Ids are never used again, those of deleted messages either.
  const message = Math.max(0, home ?? 0, shows?.message ?? 0, ...chat.messages.keys()) + 1;
  const messages = new Map(chat.messages).set(message, null);
  return tell({ ...chat, messages }, { type: 'home', message });
}

/** The program ends with an edit on its way, which lands or does not, and starts again. */
export function restart(chat: Chat, flight: 'lands' | 'lost'): Chat {
  const messages = flight === 'lands' ? chat.flight.reduce(withEdit, chat.messages) : chat.messages;
  const stored: unknown = JSON.parse(JSON.stringify(keyboardRecord(chat.keyboard)));
  return { ...chat, messages, flight: [], keyboard: restoreKeyboard(stored) };
}

export const see = (chat: Chat): Chat => tell(chat, { type: 'want', keyboard: wanted(chat.session) });

/** A commit of the session, which this chat has not read yet. */
export const commit = (chat: Chat, { to, plan, text }: Commit, fresh: string): Chat => ({
  ...chat,
  session: {
    row: to,
    plan: plan === 'same' ? chat.session.plan : `plan ${fresh}`,
    text: text === 'same' ? chat.session.text : `text ${fresh}`,
  },
});

export const remove = (chat: Chat, message: number): Chat => ({
  ...chat,
  messages: new Map([...chat.messages].filter(([id]) => id !== message)),
});

/** Everything that can happen to a chat that reads each commit, by name. */
export function chatMoves(chat: Chat, commits: readonly Commit[]): Record<string, Chat> {
  const moves: Record<string, Chat> = {};
  for (const one of commits.filter(({ from }) => from === chat.session.row)) {
    moves[`commit: ${one.to || 'no keyboard'}, ${one.plan} plan, ${one.text} text`] = see(
      commit(chat, one, 'new'),
    );
  }
  for (const how of ['done', 'lost', 'refused'] as const) {
    if (chat.flight.length > 0) moves[`the edit is ${how}`] = answer(chat, how);
  }
  if (chat.messages.size < 3) moves['a newer message'] = post(chat);
  for (const [message, keyboard] of chat.messages) {
    if (keyboard === null) continue;
    moves[`${message} is deleted`] = remove(chat, message);
    moves[`Discard on ${message}`] = tell(chat, pressed('discard', message, { keyboard }));
  }
  moves['a tick'] = tell(chat, { type: 'tick', now: 10_000 });
  moves['a minute later'] = tell(chat, { type: 'tick', now: 100_000 });
  moves['a restart, the edit lands'] = restart(chat, 'lands');
  moves['a restart, the edit is lost'] = restart(chat, 'lost');
  return moves;
}

/** A new name for each name, in the order in which they are met. */
function namer(kind: string): (name: string) => string {
  const names = new Map<string, string>();
  return (name) => {
    const known = names.get(name) ?? `${kind} ${names.size + 1}`;
    names.set(name, known);
    return known;
  };
}

/**
 * The same chat with names, ids and times that only tell apart: without it there is no end to plans, texts, messages
 * and retries. Messages that nothing knows and nobody can press are dropped.
 */
export function canonical(chat: Chat): Chat {
  const { context, value } = chat.keyboard;
  const [plan, text] = [namer('plan'), namer('text')];
  const known = new Set([context.home, context.shows?.message, ...context.strays.map((one) => one.message)]);
  for (const edit of chat.flight) known.add(edit.message);
  for (const [message, keyboard] of chat.messages) if (keyboard !== null) known.add(message);
  const order = [...known].filter((id): id is number => typeof id === 'number').toSorted((a, b) => a - b);
  const id = (message: number): number => order.indexOf(message) + 1;
  const keyboard = (one: PlanKeyboard): PlanKeyboard => ({
    ...one,
    plan: plan(one.plan),
    hash: one.hash === null ? null : text(one.hash),
  });
  const maybe = (one: PlanKeyboard | null): PlanKeyboard | null => (one === null ? null : keyboard(one));
  const session = { ...chat.session, plan: plan(chat.session.plan), text: text(chat.session.text) };
  const due = (at: number | null): number | null => (at === null ? null : 5000);
  const next = {
    home: context.home === null ? null : id(context.home),
    wish: maybe(context.wish),
    shows:
      context.shows === null
        ? null
        : { message: id(context.shows.message), keyboard: keyboard(context.shows.keyboard) },
    askedUntil: context.askedUntil === null ? null : 60_000,
    due: due(context.due),
    tries: 0,
    strays: context.strays.map((one) => ({ message: id(one.message), due: due(one.due), tries: 0 })),
  };
  return {
    session,
    keyboard: keyboardMachine.resolveState({ value, context: next }),
    flight: chat.flight.map((edit) => ({
      ...edit,
      message: id(edit.message),
      keyboard: maybe(edit.keyboard),
    })),
    messages: new Map(
      [...chat.messages].filter(([one]) => known.has(one)).map(([one, shown]) => [id(one), maybe(shown)]),
    ),
  };
}

export const chatKey = ({ session, keyboard, flight, messages }: Chat): string =>
  JSON.stringify([session, keyboard.value, keyboard.context, flight, [...messages]]);

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The newest commit has been read. */
const isRead = ({ session, keyboard }: Chat): boolean => same(keyboard.context.wish, wanted(session));

/** Nothing is on its way, nothing has to be tried again, and the newest commit has been read. */
export function isSettled(chat: Chat): boolean {
  const { due, strays } = chat.keyboard.context;
  return chat.flight.length === 0 && due === null && strays.length === 0 && isRead(chat);
}

/** What must hold in every reachable chat, read from its messages, not from the machine's own record. */
export function chatFaults(chat: Chat): string[] {
  const shown = [...chat.messages].filter(([, keyboard]) => keyboard !== null);
  const faults = shown.length > 1 ? [`${shown.length} messages have a plan keyboard`] : [];
  if (!isSettled(chat)) return faults;
  const { home, askedUntil } = chat.keyboard.context;
  const wish = wanted(chat.session);
  const place = home !== null && chat.messages.has(home) ? home : null;
  for (const [message, keyboard] of shown) {
    if (message !== place) faults.push(`${message} has it, and not the newest, ${place}`);
    if (keyboard?.plan !== chat.session.plan) faults.push(`it names ${keyboard?.plan}, an old plan`);
  }
  const visible = place === null ? null : (chat.messages.get(place) ?? null);
  const expected =
    wish === null || askedUntil === null ? wish : { ...wish, hash: null, buttons: ['confirm', 'keep'] };
  if (place !== null && !same(visible, expected)) faults.push(`shows ${JSON.stringify(visible)}`);
  return faults;
}
