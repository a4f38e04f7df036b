import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { sessionChoices } from '../../../adapters/cli/sessions-command.ts';
import type { ModelPort } from '../../../adapters/ports.ts';
import { RuntimeSession, type RuntimeWorld } from '../../../adapters/runtime/index.ts';
import { type BotEnd, runBot } from '../../../adapters/telegram/index.ts';
import { systemTimers, type Timers } from '../../../adapters/telegram/outbox.ts';
import { planText as planOf, call, inOrder, plan, reply, says } from '../../support/harness-script.ts';
import { modelOf, until } from '../../support/harness.ts';
import { harnessWorld, newSession } from '../../support/harness-world.ts';
import type { SayOptions } from '../../support/bot-api/people.ts';
import { type BotApi, startBotApi } from '../../support/bot-api/server.ts';
import { type Script, startModelServer } from '../../support/model-server.ts';
import type { SessionView } from '../../../machines/index.ts';

export const owner = 1001;
export const friend = 2002;
export const nobody = 3003;

export interface BotOptions {
  /** Replies of a scripted model server. */
  script?: Script;
  /** Takes its place. */
  model?: ModelPort;
  owner?: number | null;
  /** Every tool that asks is allowed at once, as if somebody were quick; `open`: a test presses itself. */
  tools?: 'allowed' | 'open';
  files?: Readonly<Record<string, string>>;
}

/** The bot of one test: a local Bot API server, the real runtime on temporary folders, and a model that is scripted. */
export interface TestBot {
  api: BotApi;
  home: string;
  project: string;
  lines: string[];
  defects: unknown[];
  sessions: RuntimeSession[];
  /** A session as the bot has it open. */
  view(index?: number): SessionView;
  /** Ends the bot as a signal does. */
  stop(): Promise<BotEnd>;
  /** Another program on the same home. */
  start(): Promise<void>;
  /** Ends it as a crash does: nothing is written any more. */
  ended: Promise<BotEnd>;
  /** Texts of the messages of the bot in a chat. */
  texts(chat?: number, topic?: number): string[];
  /** Waits for a message of the bot that fits. */
  sees(wanted: RegExp, chat?: number): Promise<void>;
  /** Waits for this row of buttons, and answers the id of the message that has it. */
  buttons(labels: readonly string[], chat?: number): Promise<number>;
  /** Presses and waits for the answer. */
  press(
    button: string,
    from?: number,
    message?: number,
    chat?: number,
  ): Promise<{ text: string | null; alert: string }>;
  /** Allows every tool that asks, until something holds. */
  allowing(what: string, holds: () => boolean): Promise<void>;
  say(text: string, from?: number, options?: SayOptions & { chat?: number }): number;
  /** Waits until no turn runs and something holds. */
  settles(what: string, holds: () => boolean): Promise<void>;
  world(): RuntimeWorld;
}

function places(files: Readonly<Record<string, string>>): { home: string; project: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'planchart-bot-')));
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  for (const path of [home, project]) mkdirSync(path);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  return { home, project };
}

export async function openBot(options: BotOptions = {}): Promise<TestBot> {
  const { home, project } = places(options.files ?? {});
  const api = await startBotApi();
  api.addChat(owner);
  api.addChat(friend);
  api.addChat(nobody);
  const server = await startModelServer(options.script ?? []);
  const model = options.model ?? modelOf(server.baseUrl);
  const who = options.owner === undefined ? owner : options.owner;
  const bot = new Driven({ api, home, project, model, owner: who, tools: options.tools ?? 'allowed' });
  onTestFinished(async () => {
    await bot.stop();
    await api.close();
    await server.close();
    rmSync(dirname(home), { recursive: true, force: true, maxRetries: 5 });
    if (bot.defects.length > 0) throw bot.defects[0];
  });
  await bot.start();
  return bot;
}

const speed = 5;
const began = Date.now();

/** A clock that runs faster, so that nobody waits a second for each message of a chat. */
const quick: Timers = {
  now: () => began + (Date.now() - began) * speed,
  after: (ms, run) => systemTimers.after(ms / speed, run),
};

interface Parts {
  api: BotApi;
  home: string;
  project: string;
  model: ModelPort;
  owner: number | null;
  tools: 'allowed' | 'open';
}

class Driven implements TestBot {
  readonly api: BotApi;
  readonly home: string;
  readonly project: string;
  readonly lines: string[] = [];
  readonly defects: unknown[] = [];
  sessions: RuntimeSession[] = [];
  ended: Promise<BotEnd> = Promise.resolve({ kind: 'stopped' });
  private readonly parts: Parts;
  private ending = new AbortController();
  private now: RuntimeWorld | null = null;

  constructor(parts: Parts) {
    this.parts = parts;
    this.api = parts.api;
    this.home = parts.home;
    this.project = parts.project;
  }

  world(): RuntimeWorld {
    if (this.now === null) throw new Error('The bot was not started');
    return this.now;
  }

  async start(): Promise<void> {
    const { api, home, project, model } = this.parts;
    const world = harnessWorld({ home, model });
    this.now = world;
    this.sessions = [];
    this.ending = new AbortController();
    const ready = this.lines.length;
    this.ended = runBot({
      token: api.token,
      apiRoot: api.apiRoot,
      people: { owner: this.parts.owner, allowed: [friend] },
      sessions: {
        open: async (id) => {
          const session = await RuntimeSession.open(id, world);
          this.sessions.push(session);
          session.subscribe((published) => {
            if (published.type !== 'prompt.opened' || published.prompt.kind !== 'approval') return;
            const { id: asked } = published.prompt;
            if (this.parts.tools === 'allowed')
              queueMicrotask(() => session.answer(asked, { kind: 'approval', allow: 'once' }));
          });
          return session;
        },
        create: () => newSession(world, project),
        list: () => sessionChoices(world.store),
      },
      folder: join(home, 'planchart', 'telegram'),
      line: (text) => this.lines.push(text),
      defect: (error) => this.defects.push(error),
      signal: this.ending.signal,
      retryMs: 20,
      timers: quick,
    });
    // Its end is looked at where a test asks for it.
    this.ended.catch((error: unknown) => this.defects.push(error));
    await until(
      () => `the bot polls: ${this.lines.join(' | ')} ${this.defects.map(String).join(' | ')}`,
      () => this.lines.slice(ready).some((line) => line.endsWith('is ready.')),
    );
  }

  stop(): Promise<BotEnd> {
    this.ending.abort();
    return this.ended;
  }

  view(index = 0): SessionView {
    const session = this.sessions[index];
    if (session === undefined) throw new Error(`There is no session ${index}`);
    return session.view();
  }

  texts(chat = owner, topic?: number): string[] {
    const me = 777_000_001;
    return this.api
      .view(chat, topic)
      .filter(({ from }) => from === me)
      .map(
        ({ text, buttons }) => `${text}${buttons.length === 0 ? '' : `\n[${buttons.flat().join('] [')}]`}`,
      );
  }

  async sees(wanted: RegExp, chat = owner): Promise<void> {
    await until(
      () => `${String(wanted)} in chat ${chat}: ${this.trace(chat)}`,
      () => this.texts(chat).some((text) => wanted.test(text)),
    );
  }

  async buttons(labels: readonly string[], chat = owner): Promise<number> {
    const has = (): number | undefined =>
      this.api.view(chat).findLast(({ buttons }) => buttons.flat().join('|') === labels.join('|'))?.id;
    await until(
      () => `buttons ${labels.join(', ')}: ${this.trace(chat)}`,
      () => has() !== undefined,
    );
    return has() ?? 0;
  }

  async press(
    button: string,
    from = owner,
    message?: number,
    chat = owner,
  ): Promise<{ text: string | null; alert: string }> {
    const id = this.api.press(chat, button, from, message);
    const query = () => this.api.queries.find((one) => one.id === id);
    await until(`an answer to ${button}`, () => query()?.state === 'answered');
    return { text: query()?.text ?? null, alert: query()?.alert ?? '' };
  }

  say(text: string, from = owner, options: SayOptions & { chat?: number } = {}): number {
    const { chat = owner, ...rest } = options;
    return this.api.say(chat, from, text, rest);
  }

  async allowing(what: string, holds: () => boolean): Promise<void> {
    await until(
      () => `${what}: ${this.trace(owner)}`,
      async () => {
        const asked = this.api.view(owner).some(({ buttons }) => buttons.flat().includes('Allow once'));
        if (asked) await this.press('Allow once');
        return holds();
      },
      30_000,
    );
  }

  async settles(what: string, holds: () => boolean): Promise<void> {
    await until(
      () => `${what}: ${this.trace(owner)}`,
      () => this.view().turn === 'idle' && holds(),
    );
  }

  private trace(chat: number): string {
    return `\n---\n${this.texts(chat).join('\n---\n')}\n${this.lines.join('\n')}\n${this.defects.map(String).join('\n')}`;
  }
}

/** A turn that writes a session plan with two steps; what follows are the replies of the turns after it. */
export const planning = (
  bot: () => TestBot,
  after: () => Parameters<typeof reply>[0][][] = () => [],
): ReturnType<typeof inOrder> =>
  inOrder(() => [
    reply(plan('init', { title: 'Split the key', mode: 'design' })),
    () => reply(call('read_file', { path: bot().sessions[0]?.paths.document })),
    () =>
      reply(
        call('write_file', {
          path: bot().sessions[0]?.paths.document,
          content: planOf('Split the key', 'Split it.', 'Move the readers.'),
        }),
      ),
    says('The plan is ready.'),
    ...after().map((calls) => (calls.length === 0 ? says('Done.') : reply(...calls))),
  ]);

export const review = ['✅ Approve', '✏️ Ask for changes', '🗑 Discard'] as const;

/** Says what to plan, and waits until the chat offers to decide about it. Answers the message with the buttons. */
export async function planned(bot: TestBot): Promise<number> {
  bot.say('/plan split the key');
  return bot.buttons(review);
}
