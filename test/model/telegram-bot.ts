import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../adapters/clock.ts';
import type { ModelPart, ModelPort } from '../../adapters/ports.ts';
import type { Dispatched } from '../../adapters/runtime/dispatch.ts';
import { type Dispatcher, RuntimeSession, type RuntimeWorld } from '../../adapters/runtime/index.ts';
import { createOpenAiModel } from '../../adapters/llm/openai.ts';
import { runBot } from '../../adapters/telegram/index.ts';
import { systemTimers, type Timers } from '../../adapters/telegram/outbox.ts';
import type { Said, SessionView } from '../../machines/index.ts';
import type { Shown } from '../support/bot-api/people.ts';
import { type BotApi, startBotApi } from '../support/bot-api/server.ts';
import { emptyWorld } from '../support/explore.ts';
import { harnessWorld } from '../support/harness-world.ts';
import { sessionId } from '../support/samples.ts';
import { type Desk, openDesk } from './desk.ts';
import type { Room } from './telegram-lacks.ts';

export const people = { owner: 1001, bob: 2002, eve: 3003 } as const;
export const botId = 777_000_001;
const groupId = -100;

/** What was asked of the session, and what it answered. */
export interface Asked {
  said: Said;
  answer: Dispatched['answer'];
}

const speed = 60;
const began = Date.now();

/** From here on a wait gives a call up: what a busy machine answers late is not lost. In ms. */
const patience = 30_000;

/** The bot's own pace, faster, so that nobody waits a second for each message of a chat. */
const quick: Timers = {
  now: () => began + (Date.now() - began) * speed,
  after: (ms, run) => systemTimers.after(ms < patience ? ms / speed : ms / 3, run),
};

/** A provider that is slow to let go of a request: a turn that was stopped stands still until it is told to end. */
class SlowModel {
  private gate = Promise.withResolvers<void>();
  private now: 'holds' | 'is open' = 'holds';

  of(inner: ModelPort): ModelPort {
    return {
      name: inner.name,
      label: inner.label,
      step: (request, signal) => {
        if (this.now === 'holds') this.gate = Promise.withResolvers<void>();
        return this.stepped(inner.step(request, signal));
      },
    };
  }

  letGo(): void {
    this.gate.resolve();
  }

  open(): void {
    this.now = 'is open';
    this.letGo();
  }

  private async *stepped(parts: AsyncIterable<ModelPart>): AsyncIterable<ModelPart> {
    for await (const part of parts) {
      if (part.type === 'end' && part.reason === 'aborted') await this.gate.promise;
      yield part;
    }
  }
}

/** One chat with the real bot: a local Bot API server, the real runtime, a model whose seat is the test's. */
export class ChatBot {
  readonly api: BotApi;
  readonly desk: Desk;
  /** Holds `.opencrabs` and the person's folder. */
  readonly root: string;
  readonly chat: number;
  readonly room: Room;
  readonly asked: Asked[] = [];
  /** Codes of the tool calls that ended, null where one was done. */
  readonly tools: (string | null)[] = [];
  readonly lines: string[] = [];
  readonly defects: unknown[] = [];
  model = new SlowModel();
  private session: RuntimeSession | null = null;
  private ending = new AbortController();
  private ended: Promise<unknown> = Promise.resolve();
  private offset = 0;

  private constructor(api: BotApi, desk: Desk, room: Room) {
    this.api = api;
    this.desk = desk;
    this.room = room;
    this.chat = room === 'group' ? groupId : people.owner;
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'planchart-chat-')));
    for (const path of [this.home, this.project]) mkdirSync(path);
    for (const id of [...Object.values(people), groupId]) api.addChat(id);
  }

  static async open(room: Room): Promise<ChatBot> {
    const api = await startBotApi();
    const bot = new ChatBot(api, await openDesk(), room);
    await bot.start();
    // The session of a chat begins with its first message.
    api.say(bot.chat, people.owner, '/help');
    await until(
      () => bot.shown().length > 0,
      () => bot.told('nobody answers'),
    );
    return bot;
  }

  get home(): string {
    return join(this.root, '.opencrabs');
  }

  get project(): string {
    return join(this.root, 'project');
  }

  view(): SessionView | null {
    return this.session?.view() ?? null;
  }

  /** Lets the session's clock jump: a `.md` has to stay away for a while before it is taken for deleted (D10). */
  jump(ms: number): void {
    this.offset += ms;
  }

  async start(): Promise<void> {
    this.model = new SlowModel();
    const world = this.world();
    this.ending = new AbortController();
    const ready = this.lines.length;
    this.ended = runBot({
      token: this.api.token,
      apiRoot: this.api.apiRoot,
      people: { owner: people.owner, allowed: [people.bob, people.eve] },
      sessions: {
        open: async (id) => this.opened(await RuntimeSession.open(id, world)),
        create: async () => {
          await world.store.create({ ...emptyWorld().stored.record, cwd: this.project });
          return sessionId;
        },
        list: async () => [],
      },
      folder: join(this.home, 'planchart', 'telegram'),
      line: (text) => this.lines.push(text),
      defect: (error) => this.defects.push(error),
      signal: this.ending.signal,
      retryMs: 20,
      timers: quick,
    }).catch((error: unknown) => this.defects.push(error));
    const isReady = (): boolean => this.lines.slice(ready).some((line) => line.endsWith('is ready.'));
    await until(isReady, () => this.told('the bot does not poll'));
  }

  async stop(): Promise<void> {
    this.model.open();
    this.ending.abort();
    await this.ended;
  }

  /** The files are as they were when it died, and nothing that it does from then on gets to Telegram. */
  async crash(): Promise<void> {
    await until(
      () => this.isKept(),
      () => this.told('what the chat shows is not in its record'),
    );
    const kept = join(this.root, 'kept');
    cpSync(this.home, kept, { recursive: true });
    // One that was planned before would let a call through.
    this.api.clearFaults();
    this.api.fault(
      '*',
      { kind: 'error', status: 400, description: 'Bad Request: chat not found' },
      { times: 1e9 },
    );
    await this.stop();
    // A call that was under way has arrived before this one is answered.
    await fetch(`${this.api.apiRoot}/bot${this.api.token}/getMe`);
    this.api.clearFaults();
    rmSync(this.home, { recursive: true, maxRetries: 5 });
    cpSync(kept, this.home, { recursive: true });
    rmSync(kept, { recursive: true });
    await this.start();
  }

  async close(): Promise<void> {
    await this.stop();
    await this.api.close();
    await this.desk.close();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
    if (this.defects.length > 0) throw this.defects[0];
  }

  /** The bot's messages, oldest first. */
  shown(): Shown[] {
    return this.api.view(this.chat).filter(({ from }) => from === botId);
  }

  told(what: string): string {
    const texts = this.api
      .view(this.chat)
      .map(
        ({ id, from, text, buttons }) =>
          `#${id}${from === botId ? '' : ` <${from}>`} ${text} ${JSON.stringify(buttons)}`,
      );
    return [what, ...texts.slice(-14), ...this.lines.slice(-4), ...this.defects.map(String)].join('\n   | ');
  }

  /** The newest message of a turn is in the record; one whose sending was cut off by a crash stays as it is (D34). */
  private isKept(): boolean {
    const live = this.shown().findLast(({ text }) => text.startsWith('⚙️'));
    return live === undefined || this.knows(live.id);
  }

  /** Whether the bot has heard of a message of its own: an answer that is lost leaves one that it does not know. */
  knows(message: number): boolean {
    const folder = join(this.home, 'planchart', 'telegram');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const records = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
    return new RegExp(`"message":\\s*${message}\\b`, 'u').test(records.join('\n'));
  }

  private opened(session: RuntimeSession): RuntimeSession {
    this.session = session;
    session.subscribe((published) => {
      if (published.type === 'tool.ended') this.tools.push(published.code ?? null);
    });
    return session;
  }

  private world(): RuntimeWorld {
    const inner = createOpenAiModel({
      model: 'test',
      baseUrl: this.desk.baseUrl,
      apiKey: null,
      sleep: () => Promise.resolve(),
    });
    const now = (): string => new Date(Date.now() + this.offset).toISOString();
    const world = harnessWorld({
      home: this.home,
      model: this.model.of(inner),
      clock: { ...systemClock, now },
    });
    return { ...world, dispatcher: this.heard(world.dispatcher) };
  }

  private heard(inner: Dispatcher): Dispatcher {
    return {
      ...inner,
      dispatch: async (id, said) => {
        const dispatched = await inner.dispatch(id, said);
        this.asked.push({ said, answer: dispatched.answer });
        return dispatched;
      },
    };
  }
}

/** Polls until it holds; throws what `told` says after `ms`. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  told: () => string,
  ms = 20_000,
): Promise<void> {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${told()}`);
    await new Promise((resolve) => setTimeout(resolve, 8));
  }
}
