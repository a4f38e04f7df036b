import { basename, join } from 'node:path';
import { runCommand } from './run-command.ts';
import { socketFilter } from './socket-filter.ts';

/** `readOnly`: pre-init (D22). `project`: NoPlan and Active, where only the home is protected. */
export type SandboxMode = 'readOnly' | 'project';

/** What the mounts are about; all absolute and real. */
export interface Places {
  /** The project's folder, where commands run. */
  cwd: string;
  /** Planchart's home: config, keys, every session. Null when it does not exist. */
  home: string | null;
  /** The parts of the home that a command may read in `project` mode. */
  visible: readonly string[];
  /** Whose rights commands have. */
  user: 'root' | 'other';
}

/** Private and empty inside the read-only sandbox. */
const privateFolders = ['/tmp', '/run', '/var/tmp', '/dev/shm'];

/** All that the sandbox has its own of. Binding one of these, or a folder above, would uncover the real one. */
const ownFolders = [...privateFolders, '/dev', '/proc'];

/**
 * The read-only line, with its three holes closed: empty `/tmp` and `/run` (a Unix socket does not ask
 * whether its mount is read-only; those elsewhere are the filter's), `/proc/sys` (global settings stay
 * writable for root through a fresh proc), and the home, which no command may reach in any state.
 */
const closed = [
  '--ro-bind / / --dev /dev --proc /proc --ro-bind /proc/sys /proc/sys',
  ...privateFolders.map((folder) => `--tmpfs ${folder}`),
].flatMap((part) => part.split(' '));

const isolation = [
  '--setenv TMPDIR /tmp --unshare-pid --unshare-ipc --unshare-uts --unshare-net',
  '--die-with-parent --new-session --cap-drop ALL',
].flatMap((part) => part.split(' '));

/** The descriptor through which bubblewrap reads the system call filter of a read-only command. */
const filterDescriptor = 3;

/**
 * Processes of their own, which end with the command or with planchart, whatever they did to stay (D22): nothing
 * that an earlier command started can write when Plan mode begins.
 */
const bound = '--proc /proc --unshare-pid --die-with-parent'.split(' ');

/**
 * What root keeps, as in an ordinary container. Left out is whatever would undo the mounts or look past
 * them: unmounting, another process's memory or root folder, a raw disk, files by handle.
 */
const kept =
  'CHOWN DAC_OVERRIDE FOWNER FSETID KILL SETGID SETUID SETPCAP SETFCAP NET_BIND_SERVICE NET_RAW SYS_CHROOT';

/** Arguments for bubblewrap, up to and including the `--` before the command. */
export function sandboxArguments(mode: SandboxMode, places: Places): string[] {
  const { cwd } = places;
  if (mode === 'readOnly') {
    const project = isShown(cwd) ? [] : ['--ro-bind', cwd, cwd];
    const filter = socketFilter(process.arch) === null ? [] : ['--seccomp', String(filterDescriptor)];
    return [...closed, ...inOrder(places, project, []), '--chdir', cwd, ...isolation, ...filter, '--'];
  }
  const project = places.home !== null && isInside(cwd, places.home) ? ['--bind', cwd, cwd] : [];
  const root = ['--dev-bind', '/', '/'];
  const mounts = inOrder(places, project, places.visible);
  // The next start loads it, so only a person writes there (D21, decision 0028).
  const settings = ['--ro-bind-try', join(cwd, '.planchart'), join(cwd, '.planchart')];
  return [...root, ...bound, ...mounts, ...settings, '--chdir', cwd, ...rightsOf(places.user), '--'];
}

/** What the descriptor of `--seccomp` has to deliver; null where the arguments name none. */
export const filterFor = (mode: SandboxMode): Uint8Array | null =>
  mode === 'readOnly' ? socketFilter(process.arch) : null;

// An ordinary user has nothing to lose, and would be given rights over its own files by the additions.
function rightsOf(user: Places['user']): string[] {
  const additions = user === 'root' ? kept.split(' ') : [];
  return ['--cap-drop', 'ALL', ...additions.flatMap((name) => ['--cap-add', `CAP_${name}`])];
}

/** Why commands can't run read-only in this folder, or null: the sandbox has a folder of its own there. */
export function readOnlyObjection(cwd: string): string | null {
  if (!ownFolders.includes(cwd)) return null;
  return `${cwd} is not the real one inside the read-only sandbox. Start the session in a folder of its own.`;
}

/** A later mount covers an earlier one, so the outer folder comes first; the home wins a tie. */
function inOrder({ cwd, home }: Places, project: string[], visible: readonly string[]): string[] {
  if (home === null) return project;
  const shown = visible.flatMap((path) => ['--ro-bind-try', path, path]);
  const mask = ['--tmpfs', home, ...shown];
  const seal = ['--remount-ro', home];
  return isInside(cwd, home) ? [...mask, ...project, ...seal] : [...project, ...mask, ...seal];
}

const isInside = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

/** The read-only root shows it already. */
const isShown = (cwd: string): boolean =>
  cwd === '/' || ownFolders.some((folder) => folder === cwd || isInside(folder, cwd));

/**
 * Whether bubblewrap works here, found by running it with the mounts and the filter that it will get (D22):
 * being installed says little, since containers and hardened kernels refuse the namespaces.
 */
export async function probeSandbox(
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<{ works: true } | { works: false; cause: string }> {
  const line = sandboxArguments('readOnly', { cwd: '/', home: null, visible: [], user: 'other' });
  const argv = [program, ...line, 'true'];
  const limits = {
    timeoutMs: 5000,
    outputLimitBytes: 4000,
    onGroup: () => undefined,
    around: 'sandbox',
  } as const;
  const order = { argv, cwd: '/', env: { ...env }, filter: filterFor('readOnly'), ...limits };
  const outcome = await runCommand(order, new AbortController().signal);
  if (outcome.kind === 'refused') return { works: false, cause: outcome.text };
  if (outcome.exit === 0) return { works: true };
  if (outcome.exit === 127) return { works: false, cause: `${program} is not installed` };
  const said = outcome.output.trim().split('\n').at(-1);
  return { works: false, cause: said === undefined || said === '' ? `${basename(program)} failed` : said };
}
