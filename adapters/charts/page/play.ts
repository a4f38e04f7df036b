import { replay } from './replay.ts';
import { startScenes } from './scenes.ts';
import { follow, linkOf, readLink, startWalk, type Walk } from './walk.ts';

/** The paths of all machines, and which machine is at hand. No browser in it. */
export interface Play {
  walk(): Walk;
  /** Another machine, where its path was left. */
  open(machine: string): void;
  go(walk: Walk): void;
  /** The path from the beginning. */
  reset(): void;
  /** Goes where a link leads, as far as it leads anywhere; its problem is in the walk. */
  read(hash: string): void;
  /** Whether a link leads where we are, however a browser writes it. */
  isAt(hash: string): boolean;
}

/** `machines`: ids of those that the page draws, at least one. */
export function createPlay(machines: readonly string[]): Play {
  const walks = new Map<string, Walk>();
  let machine = machines[0] ?? '';
  const walk = (): Walk => walks.get(machine) ?? freshWalk(machine);
  const go = (next: Walk): void => void walks.set(machine, next);
  return {
    walk,
    go,
    open: (name) => void (machine = machines.includes(name) ? name : machine),
    reset: () => go(freshWalk(machine)),
    read: (hash) => {
      const link = readLink(hash);
      const problem = `The link names no machine of this page. They are ${machines.join(', ')}.`;
      if (link.machine === '') return;
      if (!machines.includes(link.machine)) {
        go({ ...freshWalk(machine), problem });
        return;
      }
      machine = link.machine;
      const start =
        link.journal === null || machine !== 'session' ? freshWalk(machine) : replay(link.journal);
      go(start.problem === null ? follow(start, link) : start);
    },
    isAt: (hash) => hash === linkOf(walk()) || decoded(hash) === linkOf(walk()),
  };
}

/** The beginning of a machine; one that is only drawn has no events. */
function freshWalk(machine: string): Walk {
  const start = startScenes[machine];
  const unknown = { states: [], hint: 'This chart can only be read here.', facts: [], choices: () => [] };
  return startWalk(machine, start === undefined ? unknown : start());
}

function decoded(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

/** What a journal says otherwise, in one sentence; null where nothing is. */
export function deviationsOf({ steps }: Walk): string | null {
  const different = steps.flatMap(({ deviation }) => deviation ?? []);
  const [first] = different;
  if (first === undefined) return null;
  return `${different.length} of ${steps.length} steps went another way than in the journal. ${first}.`;
}
