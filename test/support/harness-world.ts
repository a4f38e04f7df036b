import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../adapters/clock.ts';
import type { Clock, ModelPort } from '../../adapters/ports.ts';
import { loadPrompts } from '../../adapters/prompts.ts';
import { createDispatcher, type RuntimeWorld } from '../../adapters/runtime/index.ts';
import { createFileOps, type FileHook } from '../../adapters/store/file-ops.ts';
import { createFileStore } from '../../adapters/store/index.ts';
import { createWorkspace } from '../../adapters/workspace/workspace.ts';
import { type Actor, SessionRecord } from '../../machines/index.ts';

export const promptFolder = fileURLToPath(new URL('../../prompts/', import.meta.url));

export const person: Actor = { entry: 'interactive', surface: 'tui', person: 'terminal', owner: true };

export interface WorldOptions {
  /** Resolved; the folder above it stands for the user's own. */
  home: string;
  model: ModelPort;
  openModel?: RuntimeWorld['openModel'];
  clock?: Clock | undefined;
  /** Folder of the prompts, where this file is not in its place (bundled). */
  prompts?: string | undefined;
  /** Fails, watches or kills at file calls of the store. */
  hook?: FileHook | undefined;
  /** Another program as bubblewrap, e.g. one that is not there. */
  bubblewrap?: string | undefined;
  /** Skills and MCP servers; absent: there are none. */
  extensions?: Pick<RuntimeWorld, 'skills' | 'more'> | undefined;
}

/** The parts as the product composes them (`adapters/cli/compose.ts`), from their sources. */
export function harnessWorld(options: WorldOptions): RuntimeWorld {
  const { home, model, clock = systemClock, hook, prompts = promptFolder } = options;
  const userHome = dirname(home);
  const env = { PATH: process.env['PATH'], HOME: userHome };
  const store = createFileStore({ home, ops: createFileOps(hook) });
  const { bubblewrap = 'bwrap' } = options;
  const workspace = createWorkspace({ home, userHome, env, secrets: [], bubblewrap });
  const self = randomUUID();
  return {
    store,
    workspace,
    model,
    openModel: options.openModel ?? (async () => ({ error: 'No other model in this test.' })),
    process: self,
    clock,
    prompts: loadPrompts(prompts),
    ...options.extensions,
    dispatcher: createDispatcher({ store, workspace, process: self, clock }),
  };
}

export async function newSession({ store, clock }: RuntimeWorld, cwd: string): Promise<string> {
  const id = clock.id();
  const at = clock.now();
  await store.create(SessionRecord.parse({ v: 1, id, cwd, created: at, used: at }));
  return id;
}
