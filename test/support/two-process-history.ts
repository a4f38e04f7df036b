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
  /** Per process its mark in queue items, and where in the log it may have begun to die, and had died. */
  processes: Map<string, { process: string; dying: number; died: number }>;
}

/** Puts the lines of each stay together. What a process did not live to read has changed nothing. */
export function historyOf(lines: readonly LogLine[]): History {
  const stays = new Map<
    string,
    Partial<Stay> & Pick<Stay, 'by' | 'n' | 'began' | 'left' | 'commits' | 'stamps'>
  >();
  const edits = new Map<string, Edit>();
  const processes: History['processes'] = new Map();
  for (const [at, line] of lines.entries()) {
    const { by } = line;
    const key = 'n' in line ? `${by} ${line.n}` : '';
    const process = processes.get(by);
    if (line.t === 'start') processes.set(by, { process: line.process, dying: Infinity, died: Infinity });
    else if (line.t === 'killing' && process !== undefined) process.dying = at;
    else if (line.t === 'died' && process !== undefined) {
      process.died = at;
      for (const edit of edits.values()) if (edit.by === by) edit.over = Math.min(edit.over, at);
    } else if (line.t === 'edit')
      edits.set(key, { by, path: line.path, texts: line.texts, began: at, over: Infinity });
    else if (line.t === 'edited') {
      const edit = edits.get(key);
      if (edit !== undefined) edit.over = at;
    } else if (line.t === 'begin') {
      stays.set(key, { by, n: line.n, began: at, left: at, commits: [], stamps: { ats: [], ids: [] } });
    } else add(stays.get(key), line, at);
  }
  const whole = [...stays.values()].flatMap((stay) => (stay.read === undefined ? [] : [toStay(stay)]));
  return { stays: whole.toSorted((a, b) => a.began - b.began), edits: [...edits.values()], processes };
}

type Parts = Partial<Stay> & Pick<Stay, 'by' | 'n' | 'began' | 'left' | 'commits' | 'stamps'>;

function add(stay: Parts | undefined, line: LogLine, at: number): void {
  if (stay === undefined) return;
  if (line.t === 'answer') {
    const { answer, effects, view } = line;
    stay.told = { answer, effects, view };
    return;
  }
  stay.left = at;
  if (line.t === 'read') stay.read = line;
  if ('stamps' in line) stay.stamps = line.stamps;
  if (line.t === 'commit') stay.commits.push({ change: line.change, files: null });
  const last = stay.commits.at(-1);
  if (line.t === 'committed' && last !== undefined) last.files = line.files;
  if (line.t === 'done' || line.t === 'failed') stay.end = line.t;
  if (line.t === 'failed') stay.error = line.error;
}

const noRead: LineOf<'read'> = {
  t: 'read',
  by: '',
  n: 0,
  asked: { look: 'watch' },
  files: { record: '', sidecar: '', document: '' },
  alive: false,
  archives: [],
};

const toStay = (stay: Parts): Stay => ({ end: 'killed', error: '', told: null, read: noRead, ...stay });

/** The stay in words: `A1 #12 user.discard`. */
export function nameOf({ by, n, read: { asked } }: Stay): string {
  return `${by} #${n} ${nameOfAsked(asked)}`;
}

const nameOfAsked = (asked: Asked): string => ('said' in asked ? asked.said.type : `look (${asked.look})`);
