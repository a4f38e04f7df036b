import { parseArgs } from 'node:util';
import { type OtherMachine, otherMachines } from './machines.ts';
import type { SurfaceName } from './surface.ts';

export const usage = `npm run paths -- [options]

Walks paths that are generated from the machines, and compares each step with what the machine says (docs/paths.md).

  --machine <name>   session, keyboard, flow, agent or all (all; with --only session); may be repeated
  --surface <name>   where the session machine's paths are walked: engine, tui, telegram or all (engine)
  --two-switch       every pair of consecutive transitions of the session machine too, in the model
  --seed <n>         other paths to the same ends; 0 is the standard order (0)
  --only <state>     only what happens in this state of the session machine, such as preInit
  --longest <n>      steps after which a path ends where another one is as near (15; 60 on tui and telegram)
  --id <path>        only the path with this id, its steps printed; seed and state as they were
  --junit <file>     writes the results as JUnit XML
  --html <file>      writes the results as one page
`;

export const machineNames = ['session', ...otherMachines] as const;
export type MachineName = 'session' | OtherMachine;
export const surfaceNames = ['engine', 'tui', 'telegram'] as const satisfies readonly SurfaceName[];

export interface PathsOptions {
  machines: readonly MachineName[];
  surfaces: readonly SurfaceName[];
  pairs: 'two-switch' | 'none';
  seed: number;
  longest: number | null;
  only: string | null;
  id: string | null;
  junit: string | null;
  html: string | null;
}

/** What the command line asks for; `help`, or one line about what is wrong with it. */
export function readOptions(args: readonly string[]): PathsOptions | 'help' | { cause: string } {
  const values = parsed(args);
  if ('cause' in values) return values;
  if (values.help === true) return 'help';
  const machines = listed(
    'machine',
    machineNames,
    values.machine ?? (values.only === undefined ? ['all'] : ['session']),
  );
  if ('cause' in machines) return machines;
  const surfaces = listed('surface', surfaceNames, values.surface ?? ['engine']);
  if ('cause' in surfaces) return surfaces;
  const seed = whole(values.seed ?? '0', 0);
  if (seed === null) return { cause: '--seed takes a whole number from 0.' };
  const longest = values.longest === undefined ? null : whole(values.longest, 1);
  if (values.longest !== undefined && longest === null)
    return { cause: '--longest takes a whole number from 1.' };
  return {
    machines: machines.names,
    surfaces: surfaces.names,
    pairs: values['two-switch'] === true ? 'two-switch' : 'none',
    seed,
    longest,
    only: values.only ?? null,
    id: values.id ?? null,
    junit: values.junit ?? null,
    html: values.html ?? null,
  };
}

/** A whole number in the range that a seed can have. */
function whole(text: string, least: number): number | null {
  const number = /^\d{1,9}$/u.test(text) ? Number(text) : -1;
  return number >= least ? number : null;
}

function listed<T extends string>(
  option: string,
  all: readonly T[],
  given: readonly string[],
): { names: readonly T[] } | { cause: string } {
  const wrong = given.find((name) => name !== 'all' && !all.some((one) => one === name));
  if (wrong !== undefined)
    return { cause: `--${option} takes ${all.join(', ')} or all, not ${JSON.stringify(wrong)}.` };
  return { names: given.includes('all') ? all : all.filter((name) => given.includes(name)) };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        machine: { type: 'string', multiple: true },
        surface: { type: 'string', multiple: true },
        'two-switch': { type: 'boolean' },
        seed: { type: 'string' },
        longest: { type: 'string' },
        only: { type: 'string' },
        id: { type: 'string' },
        junit: { type: 'string' },
        html: { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { cause: error.message.split('\n')[0] ?? error.message };
  }
}
