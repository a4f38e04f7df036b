import type { GrammyError } from 'grammy';
import type { Published } from '../../../adapters/ports.ts';
import { Chat } from '../../../adapters/telegram/chat.ts';
import { type ChatRecord, newChat } from '../../../adapters/telegram/chat-record.ts';
import { Hub } from '../../../adapters/telegram/hub.ts';
import { type BotCalls, createOutboxes } from '../../../adapters/telegram/outbox.ts';
import { createWire } from '../../../adapters/telegram/wire.ts';
import type { SessionView } from '../../../machines/index.ts';
import { methods } from '../../support/bot-api/methods.ts';
import { createPeople, type Shown } from '../../support/bot-api/people.ts';
import { Refusal } from '../../support/bot-api/refusal.ts';
import { createUpdates, type Updates } from '../../support/bot-api/updates.ts';
import { me, type World } from '../../support/bot-api/world.ts';
import { type FakeHandle, fakeHandle, running, viewOf } from '../../support/fake-handle.ts';
import { refusal, testTimers, type TestTimers } from './outbox-world.ts';

const tickMs = 1_500;

/** One call that the bot made, with the time of the test's clock in milliseconds from its start. */
export interface Called {
  method: string;
  chat: number;
  payload: Readonly<Record<string, unknown>>;
  at: number;
  /** Whether it was done. */
  ok: 'yes' | 'no';
}

/** A chat of the bot with a session that the test plays. */
export interface PlayedChat {
  chat: Chat;
  hub: Hub;
  handle: FakeHandle;
  record(): ChatRecord;
  /** A turn that was started here begins; the view says that it runs. */
  begin(turn: string, view?: SessionView): void;
  /** The turn ends, and the session is idle with this view. */
  end(turn: string, view?: SessionView, outcome?: string, cause?: string | null): void;
  say(...published: Published[]): void;
  /** Messages of the bot as they stand: text, and the buttons in brackets. */
  texts(): string[];
  messages(): Shown[];
}

export interface ChatWorld {
  timers: TestTimers;
  calls: Called[];
  /** Lines of the log. */
  lines: string[];
  open(chat: number, options?: { record?: Partial<ChatRecord>; view?: SessionView }): PlayedChat;
  /** What a call is answered instead; null: it is done. */
  answer(rule: (called: Called) => GrammyError | Error | null): void;
  /** Virtual time passes; the chats tick. */
  advance(ms: number): Promise<void>;
}

/**
 * Chats, wire and outbox of the bot on a clock that a test moves, against the rules of the local Bot API without HTTP:
 * what takes minutes there takes milliseconds here.
 */
export function chatWorld(): ChatWorld {
  const timers = testTimers();
  const start = timers.now();
  const world: World = {
    token: 'x',
    me,
    rooms: new Map(),
    queries: [],
    commands: new Map(),
    typing: [],
    now: () => timers.now(),
  };
  const updates = createUpdates();
  const people = createPeople(world, updates);
  const calls: Called[] = [];
  const lines: string[] = [];
  const chats: Chat[] = [];
  let rule: (called: Called) => GrammyError | Error | null = () => null;
  const now = (): number => timers.now();
  const made = (called: Omit<Called, 'at'>): Called => {
    const one = { ...called, at: now() - start };
    calls.push(one);
    return one;
  };
  const outboxes = createOutboxes({
    calls: callsOn(world, updates, { made, instead: (called) => rule(called) }),
    timers,
    signal: new AbortController().signal,
    heard: (chat, failure) => {
      for (const one of chats)
        if (one.place.chat === chat) one.failed(failure === null ? null : { text: failure, lost: 'no' });
    },
  });
  const at = (chat: number): Chat | undefined => chats.find(({ place }) => place.chat === chat);
  const wire = createWire({
    outbox: (chat) => outboxes.of(chat),
    moved: () => undefined,
    lost: (place, text) => void lines.push(`${place.chat} lost: ${text}`),
    trouble: (text) => void lines.push(text),
    undelivered: (place, text) => at(place.chat)?.failed({ text, lost: 'yes' }),
  });
  const tick = (): void => {
    for (const chat of chats) chat.tick();
    timers.after(tickMs, tick);
  };
  timers.after(tickMs, tick);
  return {
    timers,
    calls,
    lines,
    open: (id, { record = {}, view = viewOf() } = {}) => {
      people.addChat(id);
      const handle = fakeHandle({ view });
      const hub = new Hub(handle);
      let stored: ChatRecord = {
        ...newChat({ chat: id, topic: null, kind: id < 0 ? 'group' : 'private' }, view.session, []),
        ...record,
      };
      const chat = new Chat(stored, { handle, wire, now, save: (next) => (stored = next) });
      hub.add(chat);
      chats.push(chat);
      return played(chat, { hub, handle, record: () => stored, messages: () => people.view(id) });
    },
    answer: (next) => {
      rule = next;
    },
    advance: (ms) => timers.advance(ms),
  };
}

const neverLeft = new AbortController().signal;
const names = ['sendMessage', 'editMessageText', 'editMessageReplyMarkup', 'deleteMessage', 'sendChatAction'];

/** The calls of an outbox, done by the methods of the local server. */
function callsOn(
  world: World,
  updates: Updates,
  {
    made,
    instead,
  }: { made: (called: Omit<Called, 'at'>) => Called; instead: (called: Called) => Error | null },
): BotCalls {
  const call = (method: string) => async (given: Record<string, unknown>) => {
    const payload = JSON.parse(JSON.stringify(given)) as Record<string, unknown>;
    const called = made({ method, chat: Number(payload['chat_id']), payload, ok: 'no' });
    const refused = instead(called);
    if (refused !== null) throw refused;
    const sent = { payload, files: new Map<string, never>() };
    const result = carriedOut(() => methods[method]?.(world, sent, updates, neverLeft));
    called.ok = 'yes';
    return result;
  };
  return Object.fromEntries(names.map((name) => [name, call(name)])) as unknown as BotCalls;
}

function carriedOut(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw refusal(error.status, error.message, { ...error.parameters });
  }
}

function played(
  chat: Chat,
  { hub, handle, record, messages }: Pick<PlayedChat, 'hub' | 'handle' | 'record' | 'messages'>,
): PlayedChat {
  return {
    chat,
    hub,
    handle,
    record,
    messages,
    begin: (turn, view = handle.view()) => {
      handle.see(running(view, { turn, surface: 'telegram' }));
      handle.publish({ type: 'turn.started', turn, kind: 'chat', label: null });
    },
    end: (turn, view = handle.view(), outcome = 'done', cause = null) => {
      handle.see({ ...view, turn: 'idle', running: null });
      handle.publish({ type: 'turn.ended', turn, outcome, cause });
    },
    say: (...published) => handle.publish(...published),
    texts: () =>
      messages()
        .filter(({ from }) => from === me.id)
        .map(({ text, buttons }) =>
          buttons.length === 0 ? text : `${text}\n[${buttons.flat().join('] [')}]`,
        ),
  };
}

/** A tool call of a turn. */
export const toolStarted = (
  turn: string,
  call: string,
  name = 'read_file',
  summary = 'src/a.ts',
): Published => ({
  type: 'tool.started',
  turn,
  call,
  name,
  summary,
});
export const toolEnded = (turn: string, call: string, name = 'read_file'): Published => ({
  type: 'tool.ended',
  turn,
  call,
  name,
  text: 'ok',
  failed: false,
});
export const said = (turn: string, text: string): Published => ({ type: 'message.ended', turn, text });
