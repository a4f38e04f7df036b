import { parseArgs } from 'node:util';

export const usage = `npm run soak -- [options] [crash] [two] [kill]

Runs the named parts, or all of them. docs/durability.md says what they show.

  crash   a process killed at every file change of a whole job
  two     two processes with random lists on one session
  kill    the same, while one of the two is killed and started again

  --minutes <n>   how long it may take in all; each part begins what fits, and at least one run (10)
  --seed <n>      of the first lists; the next ones count up (from the clock)
  --events <n>    moves of each list (1000)
  --unlocked      gives the two processes no lock in common: the parts two and kill must fail
`;

export const partNames = ['crash', 'two', 'kill'] as const;
export type PartName = (typeof partNames)[number];

export interface SoakOptions {
  parts: readonly PartName[];
  minutes: number;
  seed: number;
  events: number;
  lock: 'shared' | 'none';
}

/** What the command line asks for; `help`, or in words what is wrong with it. */
export function readOptions(args: readonly string[]): SoakOptions | 'help' | { cause: string } {
  const found = parsed(args);
  if ('cause' in found) return found;
  const { values, positionals } = found;
  if (values.help === true) return 'help';
  const wrong = positionals.find((name) => !isPart(name));
  if (wrong !== undefined) return { cause: `There is no part ${JSON.stringify(wrong)}.` };
  const minutes = Number(values.minutes ?? 10);
  if (!(minutes >= 0)) return { cause: '--minutes takes a number.' };
  const seed = Number(values.seed ?? Date.now() % 0x3fff_ffff);
  const events = Number(values.events ?? 1000);
  if (!Number.isInteger(seed) || !Number.isInteger(events) || events < 1)
    return { cause: '--seed and --events take whole numbers.' };
  const parts = positionals.length === 0 ? partNames : positionals.filter(isPart);
  return { parts, minutes, seed, events, lock: values.unlocked === true ? 'none' : 'shared' };
}

const isPart = (name: string): name is PartName => partNames.some((part) => part === name);

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        minutes: { type: 'string' },
        seed: { type: 'string' },
        events: { type: 'string' },
        unlocked: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    if (error instanceof TypeError) return { cause: error.message };
    throw error;
  }
}
