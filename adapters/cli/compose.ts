import { randomUUID } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { type Actor, recordVersion, type SessionRecord } from '../../machines/index.ts';
import { systemClock } from '../clock.ts';
import { openModel } from '../llm/index.ts';
import type { ModelPort, SessionStore } from '../ports.ts';
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

/** Puts the parts together; nothing here decides anything. */
export async function compose(settings: Settings, { env, userHome }: Process): Promise<RuntimeWorld> {
  mkdirSync(settings.home, { recursive: true });
  const home = realpathSync(settings.home);
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

/** `--session`, else a new one where asked for, else the folder's last one (D36). */
export async function openSession(
  world: RuntimeWorld,
  settings: Pick<Settings, 'session' | 'fresh' | 'cwd' | 'yolo'>,
): Promise<RuntimeSession | { error: string }> {
  const known = await world.store.list();
  if (settings.session !== null && !known.some(({ id }) => id === settings.session)) {
    return {
      error: `There is no session ${settings.session}. planchart status lists the sessions of this home.`,
    };
  }
  const id =
    settings.session ??
    (settings.fresh ? null : lastIn(settings.cwd, known)) ??
    (await create(world, settings.cwd));
  const session = await RuntimeSession.open(id, world);
  if (settings.yolo) await session.send({ type: 'user.policy', by: terminalPerson, yolo: true });
  return session;
}

function lastIn(cwd: string, known: Awaited<ReturnType<SessionStore['list']>>): string | null {
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
