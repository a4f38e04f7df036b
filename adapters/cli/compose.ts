import { randomUUID } from 'node:crypto';
import { type Actor, recordVersion, type Said, type SessionRecord } from '../../machines/index.ts';
import { systemClock } from '../clock.ts';
import { openModel } from '../llm/index.ts';
import type { ModelPort, SessionSummary } from '../ports.ts';
import { loadPrompts } from '../prompts.ts';
import { createDispatcher, RuntimeSession, type RuntimeWorld } from '../runtime/index.ts';
import { createFileStore, StoreError } from '../store/index.ts';
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
  places: { home: string; root: string },
): Promise<RuntimeWorld> {
  const secrets = [settings.openai.apiKey].filter((value) => value !== null);
  const fallbackCwd = settings.cwd;
  return composeWith({ ...places, userHome, env, secrets, fallbackCwd, model: await modelOf(settings) });
}

export interface Parts {
  home: string;
  /** The root home of `home`, which tools never touch either; absent: the home itself. */
  root?: string;
  userHome: string;
  env: Process['env'];
  secrets: readonly string[];
  model: ModelPort;
  /** Folder of a session whose damaged record lost its own; absent: the home. */
  fallbackCwd?: string;
}

export function composeWith({ model, fallbackCwd, ...places }: Parts): RuntimeWorld {
  const { home, root = home } = places;
  const store = createFileStore({ home, root, ...(fallbackCwd === undefined ? {} : { fallbackCwd }) });
  const workspace = createWorkspace({ ...places, home: root });
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

type Wanted = Pick<Settings, 'session' | 'fresh' | 'cwd' | 'cwdGiven' | 'yolo' | 'project'>;

/** `--session`, else a new one where asked for, else the folder's last one (D36). `error` is one line. */
export async function openSession(
  world: RuntimeWorld,
  wanted: Wanted,
): Promise<RuntimeSession | { error: string }> {
  const known = await world.store.list();
  const fault = sessionFault(wanted, known);
  if (fault !== null) return { error: fault };
  const id = wanted.session ?? (wanted.fresh ? null : lastIn(wanted.cwd, known));
  const opened = known.some((one) => one.id === id && one.record !== null) ? id : null;
  const session = await RuntimeSession.open(opened ?? (await adopted(world, wanted.cwd, id)), world);
  const bound = known.find((one) => one.id === session.id)?.record?.project ?? null;
  for (const said of typed(wanted, bound)) {
    const answer = await session.send(said);
    if (!('code' in answer)) continue;
    await session.close();
    return { error: `${answer.code}: ${answer.text}` };
  }
  return session;
}

/** Plan files of another program lack a record of ours and get one (D4); a damaged one is mended when it is opened. */
async function adopted(world: RuntimeWorld, cwd: string, id: string | null): Promise<string> {
  try {
    return await create(world, cwd, id);
  } catch (error) {
    if (id !== null && error instanceof StoreError && error.code === 'SESSION_EXISTS') return id;
    throw error;
  }
}

/** What the person who types an option does by it: /approve yolo (D2), the binding to a project (D14). */
function typed({ yolo, project }: Wanted, bound: string | null): Said[] {
  const by = terminalPerson;
  return [
    ...(project !== null && project !== bound ? [{ type: 'user.place', by, project } as const] : []),
    ...(yolo ? [{ type: 'user.policy', by, yolo: true } as const] : []),
  ];
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

/** A new session, or the record that plan files of another program lack. */
export async function create(
  { store, clock }: Pick<RuntimeWorld, 'store' | 'clock'>,
  cwd: string,
  id: string | null = null,
): Promise<string> {
  const at = clock.now();
  const record: SessionRecord = {
    v: recordVersion,
    id: id ?? clock.id(),
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
