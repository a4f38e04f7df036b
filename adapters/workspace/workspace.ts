import type { Workspace } from '../ports.ts';
import { createFiles } from './files.ts';
import { killGroup } from './group.ts';
import { createHttp } from './http.ts';
import { resolveTarget } from './resolve.ts';
import { createShell } from './shell.ts';

export interface WorkspaceOptions {
  /** Home of plans and settings, resolved. */
  home: string;
  /** The user's own folder, for `~`. */
  userHome: string;
  /** The program's environment; what a command may see of it is decided in `environment.ts`. */
  env: Readonly<Record<string, string | undefined>>;
  secrets: readonly string[];
}

/** The folders and processes of this machine. */
export function createWorkspace({ home, userHome, env, secrets }: WorkspaceOptions): Workspace {
  return {
    home,
    files: createFiles({ masked: [home] }),
    http: createHttp(),
    resolve: (given, access, cwd) => resolveTarget(given, access, { cwd, home: userHome }),
    shell: (options) => createShell({ ...options, home, env, secrets }),
    async endGroup(group) {
      await killGroup(group);
    },
  };
}
