import { randomUUID } from 'node:crypto';
import { type Actor, recordVersion, type Said, type SessionRecord } from '../../machines/index.ts';
import { systemClock } from '../clock.ts';
import { readProjectNotes } from '../config/index.ts';
import { type ModelChoice, parseModelChoice } from '../llm/choice.ts';
import { openModel } from '../llm/index.ts';
import { createObserver, type Log, loggedDispatcher, loggedModel } from '../logs/index.ts';
import type { ModelPort, SessionSummary } from '../ports.ts';
import { loadPrompts } from '../prompts.ts';
import { createDispatcher, RuntimeSession, type RuntimeWorld } from '../runtime/index.ts';
import { createFileStore, StoreError } from '../store/index.ts';
import { createWorkspace } from '../workspace/workspace.ts';
import { extensionsOf } from './extensions.ts';
import type { Process, Settings } from './settings.ts';
import { watchSettings } from './trust.ts';

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
  invoked: Process,
  places: { home: string; root: string; log: Log },
): Promise<RuntimeWorld> {
  const { env, userHome } = invoked;
  return composeWith({
    ...places,
    ...extensionsOf(settings, invoked, places),
    userHome,
    env,
    secrets: settings.config.secrets,
    network: settings.shell.network,
    commandSeconds: settings.shell.timeoutSeconds,
    fallbackCwd: settings.cwd,
    model: await modelOf(settings.model, settings),
    openModel: async (name) => {
      const choice = parseModelChoice(name);
      return 'error' in choice ? choice : modelOf(choice, settings);
    },
  });
}

export interface Parts {
  home: string;
  /** The root home of `home`, which tools never touch either; absent: the home itself. */
  root?: string;
  userHome: string;
  env: Process['env'];
  secrets: readonly string[];
  /** Of the workspace: `shell.network` and `shell.timeout`. */
  network?: Settings['shell']['network'];
  commandSeconds?: number;
  model: ModelPort;
  /** For `/model`; absent: the model stays. */
  openModel?: RuntimeWorld['openModel'];
  /** Absent: there are none. */
  skills?: RuntimeWorld['skills'];
  more?: RuntimeWorld['more'];
  /** Folder of a session whose damaged record lost its own; absent: the home. */
  fallbackCwd?: string;
  /** Absent: nothing is logged. */
  log?: Log;
}

export function composeWith({
  model,
  openModel: open = onlyOne,
  fallbackCwd,
  log,
  skills,
  more,
  ...places
}: Parts): RuntimeWorld {
  const { home, root = home } = places;
  const store = createFileStore({ home, root, ...(fallbackCwd === undefined ? {} : { fallbackCwd }) });
  const workspace = createWorkspace({ ...places, home: root, watchSettings: () => watchSettings(home) });
  const process = randomUUID();
  const world: RuntimeWorld = {
    store,
    workspace,
    model,
    openModel: open,
    process,
    clock: systemClock,
    prompts: loadPrompts(new URL('../prompts/', import.meta.url)),
    projectNotes: (cwd) => readProjectNotes(cwd, root),
    ...(skills === undefined ? {} : { skills }),
    ...(more === undefined ? {} : { more }),
    dispatcher: createDispatcher({
      store,
      workspace,
      process,
      clock: systemClock,
      journalFailed: (error) => log?.info('journal.failed', { error }),
    }),
  };
  return log === undefined ? world : logged(world, log);
}

/** The same parts; what goes through them is logged (D54). */
function logged(world: RuntimeWorld, log: Log): RuntimeWorld {
  return {
    ...world,
    model: loggedModel(world.model, log),
    openModel: async (name) => {
      const opened = await world.openModel(name);
      return 'error' in opened ? opened : loggedModel(opened, log);
    },
    dispatcher: loggedDispatcher(world.dispatcher, log),
    observe: createObserver(log),
  };
}

const onlyOne = async (): Promise<{ error: string }> => ({ error: 'This program has one model only.' });

/** What is configured of the first model does not hold for one that `/model` takes. */
type Chosen = ModelChoice & { context?: number | null; maxOutput?: number | null };

async function modelOf(
  choice: Chosen,
  { servers, config }: Pick<Settings, 'servers' | 'config'>,
): Promise<ModelPort> {
  return openModel(choice, {
    servers,
    secrets: config.secrets,
    context: choice.context ?? null,
    maxOutput: choice.maxOutput ?? null,
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
    return `There is no session ${session}. planchart sessions lists the sessions of this home.`;
  const folder = found.record?.cwd ?? cwd;
  if (!cwdGiven || folder === cwd) return null;
  return `Session ${session} works in ${folder}. Leave --cwd out, or start a new session there.`;
}

/** The session of a folder that was used last. */
export function lastIn(cwd: string, known: readonly SessionSummary[]): string | null {
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
