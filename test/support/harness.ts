import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createAnthropicModel } from '../../adapters/llm/anthropic.ts';
import type { Protocol } from '../../adapters/llm/choice.ts';
import { createOpenAiModel } from '../../adapters/llm/openai.ts';
import type { Clock, ModelPort, Prompt, PromptAnswer, Published } from '../../adapters/ports.ts';
import { RuntimeSession, type RuntimeWorld } from '../../adapters/runtime/index.ts';
import type { FileHook } from '../../adapters/store/file-ops.ts';
import type { Answer, Said } from '../../machines/index.ts';
import { harnessWorld, newSession, person } from './harness-world.ts';
import { type ModelServer, type Script, startModelServer } from './model-server.ts';

/** What the person answers to a prompt; null leaves it open. */
export type Policy = (prompt: Prompt) => PromptAnswer | null;

const allow = (answer: 'once' | 'session' | 'no'): Policy => {
  return (prompt) =>
    prompt.kind === 'approval' ? { kind: 'approval', allow: answer } : { kind: 'question', text: 'yes' };
};
export const policies = {
  yes: allow('once'),
  session: allow('session'),
  no: allow('no'),
  open: (() => null) satisfies Policy,
};

export interface HarnessOptions {
  /** Replies of the model server; absent: the server answers nothing but errors. */
  script?: Script;
  /** What the model client and the server speak; OpenAI's protocol unless given. */
  protocol?: Protocol;
  /** Takes the place of the model behind the server. */
  model?: ModelPort;
  openModel?: RuntimeWorld['openModel'];
  /** Files of the project, by relative path. */
  files?: Readonly<Record<string, string>>;
  policy?: Policy;
  /** Fails or watches file calls of the store. */
  hook?: FileHook;
  clock?: Clock;
  /** Another program as bubblewrap, e.g. one that is not there. */
  bubblewrap?: string;
  /** Skills and MCP servers of the session; the servers end with the test. */
  extensions?: (places: Pick<Harness, 'home' | 'project'>) => Pick<RuntimeWorld, 'skills' | 'more'>;
  /** An earlier harness whose home, project and session are opened again by another runtime. */
  from?: Pick<Harness, 'home' | 'project' | 'id'>;
}

/** The real runtime, tools, store and model client on temporary folders; only the provider is scripted. */
export interface Harness {
  id: string;
  home: string;
  project: string;
  session: RuntimeSession;
  world: RuntimeWorld;
  server: ModelServer;
  /** Everything the surface was told, in order. */
  published: Published[];
  prompts: Prompt[];
  /** Changes how the next prompts are answered. */
  policy: Policy;
  send(said: Said): Promise<Answer>;
  chat(text: string): Promise<Answer>;
  /** Approves the revision on disk, unless another hash is given. */
  execute(shown?: string | null): Promise<Answer>;
  discard(): Promise<Answer>;
  stop(): Promise<Answer>;
  /** Does something that starts a turn, and waits for its end. */
  turn(act: () => Promise<Answer>): Promise<Ended>;
  ended(count: number): Promise<Ended>;
  /** Text of the session `.md`. */
  document(): string;
  notices(): string[];
}

export type Ended = Extract<Published, { type: 'turn.ended' }>;

export async function openHarness(options: HarnessOptions = {}): Promise<Harness> {
  const { home, project } = options.from ?? makePlaces(options.files ?? {});
  const server = await startModelServer(options.script ?? []);
  const model = options.model ?? modelOf(server.baseUrl, options.protocol);
  const world = harnessWorld({
    home,
    model,
    ...(options.openModel === undefined ? {} : { openModel: options.openModel }),
    hook: options.hook,
    clock: options.clock,
    bubblewrap: options.bubblewrap,
    extensions: options.extensions?.({ home, project }),
  });
  const id = options.from?.id ?? (await newSession(world, project));
  const session = await RuntimeSession.open(id, world);
  const harness = new Driven({ id, home, project, session, world, server }, options.policy ?? policies.yes);
  onTestFinished(async () => {
    await session.close();
    await world.more?.close();
    await server.close();
    // A program that shares the home may still be letting go of a lock file.
    if (options.from === undefined) rmSync(dirname(home), { recursive: true, force: true, maxRetries: 5 });
  });
  return harness;
}

const clients = { openai: createOpenAiModel, anthropic: createAnthropicModel };

/** A model behind a scripted server, whose retries do not wait. */
export const modelOf = (baseUrl: string, protocol: Protocol = 'openai'): ModelPort =>
  clients[protocol]({ model: 'test', baseUrl, apiKey: null, sleep: () => Promise.resolve() });

function makePlaces(files: Readonly<Record<string, string>>): { home: string; project: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'planchart-run-')));
  const home = join(root, 'home');
  const project = join(root, 'project');
  mkdirSync(home);
  mkdirSync(project);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  return { home, project };
}

type Parts = Pick<Harness, 'id' | 'home' | 'project' | 'session' | 'world' | 'server'>;

class Driven implements Harness {
  readonly id: string;
  readonly home: string;
  readonly project: string;
  readonly session: RuntimeSession;
  readonly world: RuntimeWorld;
  readonly server: ModelServer;
  readonly published: Published[] = [];
  readonly prompts: Prompt[] = [];
  policy: Policy;

  constructor(parts: Parts, policy: Policy) {
    this.id = parts.id;
    this.home = parts.home;
    this.project = parts.project;
    this.session = parts.session;
    this.world = parts.world;
    this.server = parts.server;
    this.policy = policy;
    this.session.subscribe((published) => {
      this.published.push(published);
      if (published.type === 'prompt.opened') this.answer(published.prompt);
    });
  }

  private answer(prompt: Prompt): void {
    this.prompts.push(prompt);
    const answer = this.policy(prompt);
    if (answer !== null) this.session.answer(prompt.id, answer);
  }

  send(said: Said): Promise<Answer> {
    return this.session.send(said);
  }

  chat(text: string): Promise<Answer> {
    return this.send({ type: 'user.chat', by: person, text, origin: 'typed' });
  }

  execute(shown: string | null = this.session.view().document?.hash ?? null): Promise<Answer> {
    return this.send({ type: 'user.execute', by: person, shown });
  }

  discard(): Promise<Answer> {
    return this.send({ type: 'user.discard', by: person });
  }

  stop(): Promise<Answer> {
    return this.send({ type: 'user.stop', by: person });
  }

  async turn(act: () => Promise<Answer>): Promise<Ended> {
    const before = this.published.filter(({ type }) => type === 'turn.ended').length;
    const answer = await act();
    if (answer.kind !== 'accepted') throw new Error(`no turn: ${JSON.stringify(answer)}`);
    return this.ended(before + 1);
  }

  async ended(count: number): Promise<Ended> {
    const all = (): Ended[] => this.published.filter((published) => published.type === 'turn.ended');
    await until(
      () => `turn ${count} ended: ${this.trace()}`,
      () => all().length >= count,
    );
    const ended = all()[count - 1];
    if (ended === undefined) throw new Error('no such turn');
    return ended;
  }

  document(): string {
    return readFileSync(this.session.paths.document, 'utf8');
  }

  notices(): string[] {
    return this.published.flatMap((published) => (published.type === 'notice' ? [published.text] : []));
  }

  private trace(): string {
    return this.published.map(({ type }) => type).join(' ');
  }
}

/** Polls until it holds; fails after the deadline, with what is known then. */
export async function until(
  what: string | (() => string),
  holds: () => boolean | Promise<boolean>,
  ms = 10_000,
): Promise<void> {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Every file below a folder with the hash of its bytes: equal maps mean that nothing changed. */
export function hashes(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')] as const);
  return Object.fromEntries(entries);
}
