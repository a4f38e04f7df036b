import type { Workspace } from '../ports.ts';
import { createFiles } from './files.ts';
import { killGroup } from './group.ts';
import { createHttp } from './http.ts';
import { resolveTarget } from './resolve.ts';
import { createShell } from './shell.ts';
import { endMarked } from './strays.ts';

export interface WorkspaceOptions {
  /** Home of plans and settings, resolved. */
  home: string;
  /** The user's own folder, for `~`. */
  userHome: string;
  /** The program's environment; what a command may see of it is decided in `environment.ts`. */
  env: Readonly<Record<string, string | undefined>>;
  secrets: readonly string[];
  /** Bubblewrap's name or path; absent: as it is called. */
  bubblewrap?: string;
  /** Whether commands of the read-only sandbox reach the network (D22); absent: they do not. */
  network?: 'none' | 'open';
  /** Seconds for a command that names no time. */
  commandSeconds?: number;
  watchSettings?: Workspace['watchSettings'];
}

/** The folders and processes of this machine. */
export function createWorkspace({
  home,
  userHome,
  commandSeconds,
  watchSettings,
  ...rest
}: WorkspaceOptions): Workspace {
  return {
    home,
    ...(commandSeconds === undefined ? {} : { commandSeconds }),
    ...(watchSettings === undefined ? {} : { watchSettings }),
    files: createFiles({ masked: [home] }),
    http: createHttp(),
    resolve: (given, access, cwd) => resolveTarget(given, access, { cwd, home: userHome }),
    shell: (options) => createShell({ ...options, ...rest, home }),
    async endGroup(group, turn) {
      if (group !== null) await killGroup(group);
      await endMarked(`${turn}/`);
    },
  };
}
