import { randomUUID } from 'node:crypto';
import { type Actor, recordVersion, type SessionRecord } from '../../machines/index.ts';
import { systemClock } from '../clock.ts';
import { openModel } from '../llm/index.ts';
import type { ModelPort, SessionSummary } from '../ports.ts';
import { loadPrompts } from '../prompts.ts';
import { createDispatcher, RuntimeSession, type RuntimeWorld } from '../runtime/index.ts';
import { createFileStore } from '../store/index.ts';
import { createWorkspace } from '../workspace/workspace.ts';
import type { Process, Settings } from './settings.ts';

/** The person who typed the command line; the owner of what it starts (D29). */
export const terminalPerson: Actor = {
  entry: 'interactive',
  surface: 'tui',
  person: 'terminal',
  owner: true,
};

/** Puts the parts together; nothing here decides anything. `home` is a writable folder, links followed. */
export async function compose(
  settings: Settings,
  { env, userHome }: Process,
  home: string,
): Promise<RuntimeWorld> {
  const secrets = [settings.openai.apiKey].filter((value) => value !== null);
  return composeWith({ home, userHome, env, secrets, model: await modelOf(settings) });
}

export interface Parts {
  home: string;
  userHome: string;
  env: Process['env'];
  secrets: readonly string[];
  model: ModelPort;
}

export function composeWith({ model, ...places }: Parts): RuntimeWorld {
  const store = createFileStore({ home: places.home });
  const workspace = createWorkspace(places);
  const process = randomUUID();
  return {
    store,
    workspace,
    model,
    process,
    clock: systemClock,
    prompts: loadPrompts(new URL('../prompts/', import.meta.url)),
    dispatcher: createDispatcher({ store, workspace, process, clock: systemClock }),
  };
}

async function modelOf(settings: Settings): Promise<ModelPort> {
  return openModel(settings.model, {
    ...settings.openai,
    rehearsal: async () => (await import('../rehearsal/index.ts')).createRehearsalModel(),
  });
}

/** `--session`, else a new one where asked for, else the folder's last one (D36). `error` is one line. */
export async function openSession(
  world: RuntimeWorld,
  settings: Pick<Settings, 'session' | 'fresh' | 'cwd' | 'cwdGiven' | 'yolo'>,
): Promise<RuntimeSession | { error: string }> {
  const known = await world.store.list();
  const fault = sessionFault(settings, known);
  if (fault !== null) return { error: fault };
  const id =
    settings.session ??
    (settings.fresh ? null : lastIn(settings.cwd, known)) ??
    (await create(world, settings.cwd));
  const session = await RuntimeSession.open(id, world);
  if (!settings.yolo) return session;
  // The person who types --yolo at the command line does what /approve yolo does (D2).
  const answer = await session.send({ type: 'user.policy', by: terminalPerson, yolo: true });
  if (!('code' in answer)) return session;
  await session.close();
  return { error: `${answer.code}: ${answer.text}` };
}

function sessionFault(
  { session, cwd, cwdGiven }: Pick<Settings, 'session' | 'cwd' | 'cwdGiven'>,
  known: readonly SessionSummary[],
): string | null {
  if (session === null) return null;
  const found = known.find(({ id }) => id === session);
  if (found === undefined)
    return `There is no session ${session}. planchart status lists the sessions of this home.`;
  const folder = found.record?.cwd ?? cwd;
  if (!cwdGiven || folder === cwd) return null;
  return `Session ${session} works in ${folder}. Leave --cwd out, or start a new session there.`;
}

function lastIn(cwd: string, known: readonly SessionSummary[]): string | null {
  const here = known.filter(({ record }) => record?.cwd === cwd);
  return (
    here.toSorted((a, b) => (a.record?.used ?? '').localeCompare(b.record?.used ?? '')).at(-1)?.id ?? null
  );
}

export async function create({ store, clock }: RuntimeWorld, cwd: string): Promise<string> {
  const at = clock.now();
  const record: SessionRecord = {
    v: recordVersion,
    id: clock.id(),
    cwd,
    project: null,
    created: at,
    used: at,
    yolo: false,
    goal: { user: null, task: null },
    lease: null,
    queue: [],
    interrupted: false,
  };
  await store.create(record);
  return record.id;
}
