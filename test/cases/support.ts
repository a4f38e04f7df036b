import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Published } from '../../adapters/ports.ts';
import type { Answer, SessionView } from '../../machines/index.ts';
import { type Harness, type HarnessOptions, openHarness, until } from '../support/harness.ts';
import type { ChatRequest } from '../support/model-server/reply.ts';
import { call, inOrder, plan, reply, says, systemOf } from '../support/harness-script.ts';
import { person } from '../support/harness-world.ts';

/** `VALID.md` of the cases, word for word. */
export const VALID = `# Split the cache key
## Context
- **Problem:** two services share one key.
- **Target state:** each service owns its key.
- **Intent:** the next release needs it.
## Implementation steps
1. Split the key — edit \`src/cache.ts\`.
2. Move the readers — edit \`src/read.ts\`.
   - Done when: the old key has no readers.
`;

export const files = { 'src/app.ts': 'export const app = 1;\n' } as const;

/** Replies in order; made for the session that asks, so that they can name its paths. */
export type Replies = (h: Harness) => ReturnType<Parameters<typeof inOrder>[0]>;

export async function open(
  replies: Replies = () => [],
  more: Omit<HarnessOptions, 'script' | 'files'> = {},
): Promise<Harness> {
  const h: Harness = await openHarness({ files, script: inOrder(() => replies(h)), ...more });
  return h;
}

export const design = (title = 'Split the cache key') => plan('init', { mode: 'design', title });
export const writeMd = (h: Harness, content: string) =>
  call('write_file', { path: h.session.paths.document, content });
export const writeApp = call('write_file', { path: 'src/app.ts', content: 'x' });
export const checklist = (...tasks: object[]) =>
  plan('init', { mode: 'checklist', title: 'Two things', tasks });

/** Post-init Editing, idle, with this text as session plan; two requests are used up. */
export async function inReview(
  text = VALID,
  more: Replies = () => [],
  options: Parameters<typeof open>[1] = {},
): Promise<Harness> {
  const h = await open((at) => [reply(design(), writeMd(at, text)), says('Ready.'), ...more(at)], options);
  await h.turn(() => h.chat('make a plan'));
  return h;
}

type Result = Extract<Published, { type: 'tool.ended' }>;
export const results = (h: Harness): Result[] =>
  h.published.filter((told): told is Result => told.type === 'tool.ended');
/** Code of each call's refusal, `ok` for one that went through. */
export const codes = (h: Harness): string[] =>
  results(h).map(({ failed, text }) => (failed ? (/^[A-Z_]+(?=:)/u.exec(text)?.[0] ?? text) : 'ok'));

/** The approval prompts that a person saw, by tool. */
export const asked = (h: Harness): string[] =>
  h.prompts.map((prompt) => (prompt.kind === 'approval' ? prompt.tool : prompt.kind));

export const codeOf = (answer: Answer): string => ('code' in answer ? answer.code : answer.kind);

export const plans = {
  arm: (h: Harness) => h.send({ type: 'user.plan', by: person }),
  show: (h: Harness) => h.send({ type: 'user.show', by: person }),
  revise: (h: Harness, note: string) => h.send({ type: 'user.revise', by: person, note, seen: null }),
  yolo: (h: Harness, yolo: boolean) => h.send({ type: 'user.policy', by: person, yolo }),
};

export interface StoredPlan {
  id: string;
  title: string;
  description: string;
  status: string;
  approved_at: string | null;
  origin?: string;
  approval?: { by: string; via: string; hash: string };
  rev: number;
  tasks: { title: string; status: unknown; order: number; dependencies: string[] }[];
}

export const sidecarText = (h: Harness): string => readFileSync(h.session.paths.sidecar, 'utf8');
export const sidecar = (h: Harness): StoredPlan => JSON.parse(sidecarText(h)) as StoredPlan;

/** A person's editor saves the `.md`; waits until the session has taken it over. */
export async function editMd(h: Harness, text: string): Promise<void> {
  writeFileSync(h.session.paths.document, text);
  await until('the edit is mirrored', () => {
    const { document } = h.session.view();
    return document?.text === text && sidecar(h).description === text;
  });
}

/** Contents of the archive by the end of each name, `.discarded.md` for instance. */
export function archived(h: Harness): Record<string, string> {
  const folder = h.session.paths.archive;
  if (!existsSync(folder)) return {};
  const end = (name: string): string => name.replace(/^opencrabs_plan_.*?-\d{8}-\d{6}(?:-\d+)?/u, '');
  return Object.fromEntries(
    readdirSync(folder).map((name) => [end(name), readFileSync(join(folder, name), 'utf8')]),
  );
}

/** Files of this session in the plan folder itself. */
export function liveFiles(h: Harness): string[] {
  const { dir } = h.session.paths;
  return existsSync(dir) ? readdirSync(dir).filter((name) => name.includes(h.id)) : [];
}

export const shows = (h: Harness, phase: SessionView['phase'], ms?: number): Promise<void> =>
  until(`it shows ${phase}`, () => h.session.view().phase === phase, ms);

/** Leaves the session and opens it again with another runtime, as a restart does. */
export async function restart(h: Harness, replies: Replies = () => []): Promise<Harness> {
  await h.session.close();
  const next: Harness = await openHarness({ from: h, script: inOrder(() => replies(next)) });
  return next;
}

/** What a request is reminded of, without the preamble that every request has. */
export const reminderIn = (request: ChatRequest | undefined): string =>
  /^Working folder: .*$([^]*)/mu.exec(systemOf(request))?.[1]?.trim() ?? '';
