import type { Answer, Commit, Effect } from '../../machines/index.ts';
import type { Asked, Hashes, LineOf, LogLine, Stamps } from './two-process-log.ts';

/** One stay of one process under the lock. Positions are those of lines in the log. */
export interface Stay {
  by: string;
  n: number;
  began: number;
  /** Position of its last line. */
  left: number;
  read: LineOf<'read'>;
  commits: { change: Commit; files: Hashes | null }[];
  stamps: Stamps;
  end: 'done' | 'failed' | 'killed';
  error: string;
  told: { answer: Answer | null; effects: readonly Effect[]; view: string } | null;
}

/** One write of an editor, which takes no lock. */
export interface Edit {
  by: string;
  path: string;
  texts: readonly (string | null)[];
  began: number;
  /** From here on it is over; Infinity: never. */
  over: number;
}

export interface History {
  /** In the order in which they had the files. */
  stays: Stay[];
  edits: Edit[];
  /** Dispatches that failed before they had read anything, in words. */
  failures: string[];
  /** Per process its mark in queue items, and where in the log it may have begun to die, and had died. */
  processes: Map<string, { process: string; dying: number; died: number }>;
}

/** Puts the lines of each stay together. What a process did not live to read has changed nothing. */
export function historyOf(lines: readonly LogLine[]): History {
  const gathered = new Gathered();
  for (const [at, line] of lines.entries()) gathered.add(line, at);
  const stays = [...gathered.stays.values()].flatMap(({ read, ...rest }) =>
    read === null ? [] : [{ ...rest, read }],
  );
  const { edits, failures, processes } = gathered;
  const inOrder = stays.toSorted((a, b) => a.began - b.began);
  return { stays: inOrder, edits: [...edits.values()], failures, processes };
}

type Parts = Omit<Stay, 'read'> & { read: LineOf<'read'> | null };

/** Until its lines say otherwise, a stay ended with its process. */
const blank = { read: null, stamps: { ats: [], ids: [] }, end: 'killed', error: '', told: null } as const;

class Gathered {
  readonly stays = new Map<string, Parts>();
  readonly edits = new Map<string, Edit>();
  readonly failures: string[] = [];
  readonly processes: History['processes'] = new Map();

  add(line: LogLine, at: number): void {
    const { by } = line;
    switch (line.t) {
      case 'start':
        this.processes.set(by, { process: line.process, dying: Infinity, died: Infinity });
        return;
      case 'killing':
      case 'died':
        return this.dies(by, line.t, at);
      case 'edit':
        this.edits.set(keyOf(line), { by, path: line.path, texts: line.texts, began: at, over: Infinity });
        return;
      case 'edited':
        return this.over(this.edits.get(keyOf(line)), at);
      case 'begin':
        this.stays.set(keyOf(line), { ...blank, by, n: line.n, began: at, left: at, commits: [] });
        return;
      case 'failed':
        return this.fails(line);
      default:
        return this.inside(line, at);
    }
  }

  private inside(line: Inside, at: number): void {
    const stay = this.stays.get(keyOf(line));
    if (stay !== undefined) add(stay, line, at);
  }

  private dies(by: string, how: 'killing' | 'died', at: number): void {
    const process = this.processes.get(by);
    if (process === undefined) return;
    process[how === 'died' ? 'died' : 'dying'] = at;
    if (how === 'died') for (const edit of this.edits.values()) if (edit.by === by) this.over(edit, at);
  }

  private over(edit: Edit | undefined, at: number): void {
    if (edit !== undefined) edit.over = Math.min(edit.over, at);
  }

  private fails(line: LineOf<'failed'>): void {
    const stay = this.stays.get(keyOf(line));
    if (stay === undefined || stay.read === null) this.failures.push(`${line.by} #${line.n}: ${line.error}`);
    else Object.assign(stay, { end: 'failed', error: line.error });
  }
}

const keyOf = ({ by, n }: { by: string; n: number }): string => `${by} ${n}`;
type Inside = LineOf<'read'> | LineOf<'commit'> | LineOf<'committed'> | LineOf<'done'> | LineOf<'answer'>;

function add(stay: Parts, line: Inside, at: number): void {
  if (line.t === 'answer') {
    stay.told = { answer: line.answer, effects: line.effects, view: line.view };
    return;
  }
  stay.left = at;
  if (line.t === 'read') stay.read = line;
  if (line.t === 'commit') stay.commits.push({ change: line.change, files: null });
  const last = stay.commits.at(-1);
  if (line.t === 'committed' && last !== undefined) last.files = line.files;
  if ('stamps' in line) stay.stamps = line.stamps;
  if (line.t === 'done') stay.end = 'done';
}

/** The stay in words: `A1 #12 user.discard`. */
export function nameOf({ by, n, read: { asked } }: Stay): string {
  return `${by} #${n} ${nameOfAsked(asked)}`;
}

const nameOfAsked = (asked: Asked): string => ('said' in asked ? asked.said.type : `look (${asked.look})`);
