import { randomUUID } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import type { ShellOutcome } from '../../tools/types.ts';
import { causeOf, errnoOf } from './cause.ts';
import { childEnvironment, readOnlyEnvironment } from './environment.ts';
import { filterObjection } from './git-filters.ts';
import type { Group } from './group.ts';
import { type Order, runCommand } from './run-command.ts';
import {
  filterFor,
  type Places,
  probeSandbox,
  readOnlyObjection,
  sandboxArguments,
  type SandboxMode,
} from './sandbox.ts';
import { markName } from './strays.ts';

export interface ShellOptions {
  /** The session's folder; commands run there. */
  cwd: string;
  /** Marks the commands of this turn, so that none outlives it. */
  turn: string;
  /** Planchart's home, closed to every command. */
  home: string;
  /** Parts of the home that commands may read outside pre-init, asked for at each call (D21). */
  visible?: () => readonly string[];
  /** The program's environment; keys are taken out of it (D22). */
  env: Readonly<Record<string, string | undefined>>;
  /** Values of keys and tokens in use; no variable that holds one is passed on. */
  secrets?: readonly string[];
  /** Told the running command's process group for the lease, null when the command is over (D16). */
  onGroup?: (group: Group | null) => void;
  /** Bubblewrap's name or path. */
  bubblewrap?: string;
  /** Whether commands of the read-only sandbox reach the network (D22); absent: they do not. */
  network?: 'none' | 'open';
  outputLimitBytes?: number;
}

export interface Shell {
  /** Whether a command runs with the person's rights alone, and could write planchart's own files (D22). */
  unguarded(mode: SandboxMode): Promise<boolean>;
  /** The level in force in words, for the approval prompt and the result. */
  level(mode: SandboxMode): Promise<string>;
  /** Contract: never throws. */
  run(command: string, mode: SandboxMode, timeoutMs: number, signal: AbortSignal): Promise<ShellOutcome>;
}

const levels = {
  readOnly: { works: 'read-only sandbox, no network', missing: 'read-only commands, no sandbox' },
  project: { works: "your rights, planchart's own files closed", missing: 'your rights, no sandbox' },
} as const;

/** Bash for one session. Which mode holds is the gate's to say, at each call. */
export function createShell(options: ShellOptions): Shell {
  const env = childEnvironment(options.env, options.secrets ?? []);
  const bubblewrap = options.bubblewrap ?? 'bwrap';
  // A failure is probed again at the next call: the user may just have installed it, as the text asks.
  let works = false;
  const probe = async (): Promise<string | null> => {
    if (works) return null;
    const found = await probeSandbox(bubblewrap, env);
    works = found.works;
    return found.works ? null : found.cause;
  };
  return {
    unguarded: async (mode) => mode === 'project' && (await probe()) !== null,
    level: async (mode) => {
      const words = levels[mode][(await probe()) === null ? 'works' : 'missing'];
      return options.network === 'open' ? words.replace('no network', 'with network') : words;
    },
    async run(command, mode, timeoutMs, signal) {
      const places = await placesOf(options);
      if ('cause' in places) return { kind: 'refused', text: places.cause };
      const { outputLimitBytes = 30_000, onGroup = () => undefined } = options;
      const mark = `${options.turn}/${randomUUID()}`;
      const limits = { timeoutMs, outputLimitBytes, onGroup, mark, around: 'nothing', filter: null } as const;
      const order = { cwd: places.cwd, env: { ...env, [markName]: mark }, ...limits };
      const missing = await probe();
      if (mode === 'readOnly' && missing !== null)
        return runReadOnly(command, places, order, missing, signal);
      const objection = mode === 'readOnly' ? readOnlyObjection(places.cwd) : null;
      if (objection !== null) return { kind: 'refused', text: `${refusalStart}: ${objection}` };
      if (missing !== null) return runCommand({ ...order, argv: ['bash', '-c', command] }, signal);
      const closed = sandboxArguments(mode, places);
      const sandbox = options.network === 'open' ? closed.filter((word) => word !== '--unshare-net') : closed;
      const argv = [bubblewrap, ...sandbox, 'bash', '-c', command];
      return runCommand({ ...order, argv, around: 'sandbox', filter: filterFor(mode) }, signal);
    },
  };
}

async function placesOf(options: ShellOptions): Promise<Places | { cause: string }> {
  const { cwd, visible = () => [] } = options;
  try {
    const real = await realpath(cwd);
    if (!(await stat(real)).isDirectory()) return { cause: `${cwd} is not a folder. Nothing was run.` };
    const home = await realOrNull(options.home);
    const shown = home === null ? [] : await Promise.all(visible().map(realOrNull));
    // A link out of the home needs no opening, and one that leads back in is another file's secret.
    const inside = shown.filter((path): path is string => path?.startsWith(`${home}/`) === true);
    return { cwd: real, home, visible: inside, user: process.getuid?.() === 0 ? 'root' : 'other' };
  } catch (error) {
    return { cause: `The folders of the session can't be used: ${causeOf(cwd, error)}. Nothing was run.` };
  }
}

async function realOrNull(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

const refusalStart = 'Nothing was run. Before `plan init` commands run only in a read-only sandbox';

/** The second level of D22: commands of one table over plain bash, with nothing around them. */
async function runReadOnly(
  command: string,
  places: Places,
  order: Omit<Order, 'argv'>,
  missing: string,
  signal: AbortSignal,
): Promise<ShellOutcome> {
  const mark = order.mark === undefined ? {} : { [markName]: order.mark };
  const env = { ...readOnlyEnvironment(order.env, places.cwd), ...mark };
  // Loaded here, with its parser: where bubblewrap works nobody needs it.
  const { judgeCommand } = await import('./allow-list.ts');
  const judged = await judgeCommand(command, { ...places, env });
  if (!judged.allowed) return { kind: 'refused', text: refusal(judged.text, missing) };
  for (const folder of new Set(judged.git)) {
    const objection = await filterObjection(folder, env);
    if (objection !== null) return { kind: 'refused', text: refusal(objection, missing) };
  }
  return runCommand({ ...order, env, argv: ['bash', '--norc', '--noprofile', '-c', judged.line] }, signal);
}

const refusal = (objection: string, missing: string): string =>
  `Nothing was run. Before \`plan init\` and without a sandbox only read-only commands run, and ${objection}. ` +
  `Explore with read_file, ls, glob and grep. For other commands ask the user to install bubblewrap, since ` +
  `${missing} (Debian and Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap).`;
