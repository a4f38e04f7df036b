import { Api, GrammyError } from 'grammy';
import type { UserFromGetMe } from 'grammy/types';
import { createConcurrentSink, createRunner, createSource } from '@grammyjs/runner';
import type { People } from './access.ts';
import { createChatFiles } from './chat-files.ts';
import { menu } from './commands.ts';
import { read } from './messages.ts';
import { createOutboxes, systemTimers, type Timers } from './outbox.ts';
import { Pieces } from './pieces.ts';
import { Poll, PollError, type Taken } from './poll.ts';
import { press } from './presses.ts';
import { placeKey, placeOf } from './place.ts';
import { Rooms, type Sessions } from './rooms.ts';
import { createWire } from './wire.ts';

export interface BotOptions {
  token: string;
  /** Address of another Bot API server; null: Telegram's. */
  apiRoot: string | null;
  people: People;
  sessions: Sessions;
  /** `<home>/planchart/telegram` */
  folder: string;
  /** One line for people who watch the program: no token, no chat text. */
  line: (text: string) => void;
  /** A defect while an update was handled; the bot goes on. */
  defect: (error: unknown) => void;
  /** Ends the bot. */
  signal: AbortSignal;
  /** First wait after a poll that failed, in ms. */
  retryMs?: number;
  /** Paces what the chat sees; the machine's clock unless given. */
  timers?: Timers;
}

/** Why the bot ended. `refused`: the token; `conflict`: another poller. The text is one line. */
export type BotEnd = { kind: 'stopped' } | { kind: 'refused' | 'conflict'; text: string };

const tickMs = 1_500;
/** How long the last edits of a bot that ends are waited for, in ms. */
const leaveMs = 4_000;
/** The next poll waits this long at most for handlers, so that presses never wait behind one (B112), in ms. */
const handledMs = 300;

/** Runs the bot until the signal, or until going on makes no sense. */
export async function runBot(options: BotOptions): Promise<BotEnd> {
  const { token, apiRoot, line, timers = systemTimers } = options;
  const api = new Api(token, apiRoot === null ? {} : { apiRoot: apiRoot.replace(/\/+$/u, '') });
  const me = await introduce(api, options);
  if ('kind' in me) return me;
  if (options.people.owner === null)
    line('No owner is set, so nobody is answered: set TELEGRAM_OWNER_ID to your numeric Telegram id.');
  if (!me.can_read_all_group_messages)
    line('Group privacy is on: in groups only commands and replies reach the bot.');
  const sending = new AbortController();
  const outboxes = createOutboxes({
    calls: api.raw,
    timers,
    signal: sending.signal,
    heard: (chat, failure) => bot.rooms.heard(chat, failure),
  });
  const bot = assemble(options, { api, me, outbox: (chat) => outboxes.of(chat) });
  const stopTicks = repeat(timers, () => {
    try {
      bot.rooms.tick();
    } catch (error) {
      options.defect(error);
    }
  });
  try {
    await bot.rooms.load();
    return await poll(bot, options);
  } finally {
    await bot.rooms.close();
    await settled(bot.rooms);
    stopTicks();
    sending.abort();
    await outboxes.ended;
  }
}

function repeat(timers: Timers, tick: () => void): () => void {
  let cancel = timers.after(tickMs, next);
  function next(): void {
    cancel = timers.after(tickMs, next);
    tick();
  }
  return () => cancel();
}

/** What the end of a turn owes its chat is still sent, as far as that goes quickly. */
async function settled(rooms: Rooms): Promise<void> {
  const deadline = AbortSignal.timeout(leaveMs);
  while (rooms.owes && !deadline.aborted) await waited(100, deadline);
}

/** Who the bot is, and its menu (D51). A network that is not there is waited for. */
async function introduce(
  api: Api,
  { line, signal, retryMs = 1_000 }: BotOptions,
): Promise<UserFromGetMe | BotEnd> {
  for (let tries = 0; !signal.aborted; tries += 1) {
    try {
      const me = await api.getMe();
      await api.setMyCommands(menu);
      return me;
    } catch (error) {
      if (error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404))
        return { kind: 'refused', text: 'Telegram does not accept the bot token. Check TELEGRAM_BOT_TOKEN.' };
      if (tries === 0)
        line(`Telegram can't be reached: ${error instanceof Error ? error.message : error}. Trying again.`);
      await waited(Math.min(30_000, retryMs * 2 ** tries), signal);
    }
  }
  return { kind: 'stopped' };
}

type Assembled = ReturnType<typeof assemble>;
type Parts = { api: Api; me: UserFromGetMe; outbox: Parameters<typeof createWire>[0]['outbox'] };

function assemble(
  { people, sessions, folder, line, defect, timers = systemTimers }: BotOptions,
  { api, me, outbox }: Parts,
) {
  const files = createChatFiles(folder);
  const lost = new Set<string>();
  const wire = createWire({
    outbox,
    moved: (from, to) => void rooms.migrate(from, to).catch(defect),
    lost: (place, text) => {
      // Said once, to the owner alone, and the plan stays as it is (B117).
      const key = placeKey(place);
      if (lost.has(key)) return;
      lost.add(key);
      line(`Chat ${place.chat} can't be written to any more: ${text}`);
      const home = people.owner === null ? null : rooms.at({ chat: people.owner, topic: null });
      if (people.owner !== place.chat)
        home?.chat.say(`A chat of mine can't be written to any more (${text}). Its plan is as it was.`, {
          notify: 'yes',
        });
    },
    trouble: line,
    undelivered: (place, text) => rooms.at(place)?.chat.failed({ text, lost: 'yes' }),
  });
  const rooms = new Rooms({ sessions, files, wire, now: () => timers.now(), line });
  const privacy = me.can_read_all_group_messages ? 'off' : 'on';
  const messages = { rooms, sessions, wire, privacy, people, me, line, told: new Set<number>() } as const;
  const answer = async (query: string, text: string, how: 'toast' | 'alert'): Promise<void> => {
    try {
      await api.answerCallbackQuery(query, { text, show_alert: how === 'alert' });
    } catch (error) {
      line(`A press could not be answered: ${error instanceof Error ? error.message : error}`);
    }
  };
  const presses = { rooms, wire, people, answer };
  const chains = new Map<string, Promise<void>>();
  /** Messages of one place one after the other; presses at once. */
  const pieces = new Pieces(timers, async (message, age) => {
    const key = placeKey(placeOf(message));
    const next = (chains.get(key) ?? Promise.resolve())
      .then(() => read(message, age, messages))
      .catch(defect);
    chains.set(key, next);
    await next;
    if (chains.get(key) === next) chains.delete(key);
  });
  async function handle({ update, age }: Taken): Promise<void> {
    if (update.update_id <= files.update()) return;
    files.begin(update.update_id);
    const { message, callback_query: query } = update;
    if (query !== undefined) return press(query, age, presses);
    if (message !== undefined) await pieces.take(message, age);
  }
  return { api, rooms, handle, ready: () => line(`@${me.username} is ready.`) };
}

async function poll({ api, handle, ready }: Assembled, options: BotOptions): Promise<BotEnd> {
  const { line, defect, signal, retryMs = 1_000 } = options;
  const running = new Set<Promise<void>>();
  const handled = async (): Promise<void> => {
    if (running.size > 0) await Promise.race([Promise.allSettled(running), waited(handledMs, signal)]);
  };
  const source = new Poll({ api, line, now: Date.now, retryMs, ready, handled });
  const consume = (taken: Taken): Promise<void> => {
    const work = handle(taken).catch(defect);
    running.add(work);
    return work.finally(() => running.delete(work));
  };
  const runner = createRunner(
    createSource<Taken>({ supply: (_, ended) => source.take(ended as AbortSignal) }),
    createConcurrentSink<Taken>({ consume }, async (error) => defect(error)),
  );
  const stop = (): void => void runner.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    runner.start();
    if (signal.aborted) stop();
    await runner.task();
    await Promise.allSettled(running);
    await source.confirm();
    return { kind: 'stopped' };
  } catch (error) {
    if (!(error instanceof PollError)) throw error;
    return { kind: error.code === 'CONFLICT' ? 'conflict' : 'refused', text: error.message };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A pause that the end cuts short. */
function waited(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}
