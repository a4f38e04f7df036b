import {
  type Commit,
  derive,
  phaseOf,
  restoring,
  select,
  type SessionSnapshot,
  type StoredSession,
} from '../../machines/index.ts';
import { decide, type Decided } from './two-process-decide.ts';
import {
  applied,
  type Disk,
  hashesOf,
  leftovers,
  restarted,
  storedIn,
  type Whose,
} from './two-process-disk.ts';
import { type Edit, type History, nameOf, type Stay } from './two-process-history.ts';
import { hashOf, type Hashes } from './two-process-log.ts';

/**
 * `lost`: what one process read is not what the other had written. `third`: what a killed process left is
 * neither the old state nor the new one. `owner`: a live turn was taken for dead or a dead one for alive.
 * `differs`: the machine alone answers, commits or shows something else. `threw`: a dispatch failed.
 */
export interface Fault {
  kind: 'lost' | 'third' | 'owner' | 'differs' | 'threw';
  text: string;
}

export interface Replayed {
  events: number;
  commits: number;
  /** How often the lock went to the other process. */
  switches: number;
  /** Answers that told a person or a tool that a change is saved. */
  acknowledged: number;
  /** Commits in whose middle a process died. */
  torn: number;
  /** How often what an editor wrote while a command ran was undone (D22). */
  restored: number;
  /** How often each answer was given, as `accepted` or `refused BUSY`. */
  answers: Map<string, number>;
  /** How often each phase was decided in. */
  phases: Map<string, number>;
  faults: Fault[];
  /** What the model expects on disk; more than one after a kill or an edit that nobody has read yet. */
  ends: readonly Disk[];
}

/** Replays what two processes did through the machine and a model of the store; stops at the first fault. */
export function replay(history: History, start: Disk, whose: Whose): Replayed {
  const run = new Replay(history, start, whose);
  for (const stay of history.stays) {
    const fault = run.follow(stay);
    if (fault === null) continue;
    run.result.faults.push({ kind: fault.kind, text: `${nameOf(stay)}: ${fault.text}` });
    break;
  }
  return { ...run.result, ends: run.possible };
}

class Replay {
  readonly result: Omit<Replayed, 'ends'> = {
    events: 0,
    commits: 0,
    switches: 0,
    acknowledged: 0,
    torn: 0,
    restored: 0,
    answers: new Map(),
    phases: new Map(),
    faults: [],
  };
  /** What may be on disk now. */
  possible: readonly Disk[];
  private readonly history: History;
  private readonly whose: Whose;
  private edits: readonly Edit[];
  /** Which process claimed each turn. */
  private readonly owners = new Map<string, string>();
  private before: Stay | null = null;

  constructor(history: History, start: Disk, whose: Whose) {
    this.history = history;
    this.whose = whose;
    this.possible = [start];
    this.edits = history.edits;
  }

  follow(stay: Stay): Fault | null {
    const { before, result } = this;
    result.events += 1;
    if (before !== null && before.by[0] !== stay.by[0]) result.switches += 1;
    this.before = stay;
    const disk = this.found(stay);
    if (disk === null) return this.unexplained(stay, before);
    // What an editor had finished before this read cannot come up later.
    this.edits = this.edits.filter(({ over }) => over >= stay.began);
    return this.ownerFault(disk, stay) ?? this.goneFault(disk, stay) ?? this.judge(disk, stay);
  }

  private found({ left, read }: Stay): Disk | null {
    const names = [...read.archives].sort().join();
    const fits = this.withEdits(this.possible, left).filter(
      (disk) => same(hashesOf(disk), read.files) && [...disk.archives.keys()].sort().join() === names,
    );
    // Where two differ only in what cannot be seen here, the one that promises less.
    return fits.toSorted((a, b) => a.revisions.size - b.revisions.size)[0] ?? null;
  }

  /** An editor takes no lock, so what it writes may or may not be there. */
  private withEdits(disks: readonly Disk[], until: number): Disk[] {
    const edits = this.edits.filter(({ began }) => began < until);
    return disks.flatMap((disk) => {
      const { path } = this.stored(disk, 'dead').document;
      const here = edits.filter((edit) => edit.path === path).flatMap(({ texts }) => texts);
      return [disk, ...here.map((document) => ({ ...disk, document }))];
    });
  }

  private stored(disk: Disk, owner: 'alive' | 'dead'): StoredSession {
    return storedIn(disk, this.whose, owner);
  }

  private unexplained({ read }: Stay, before: Stay | null): Fault {
    const found = `${show(read.files)} and ${read.archives.length} copies`;
    const expected = this.possible.map((disk) => `${show(hashesOf(disk))} and ${disk.archives.size} copies`);
    const text = `it read ${found}; ${before === null ? 'the start' : nameOf(before)} left ${[...new Set(expected)].join(' or ')}`;
    return { kind: before?.end === 'killed' ? 'third' : 'lost', text };
  }

  private ownerFault(disk: Disk, { began, left, read }: Stay): Fault | null {
    const { lease } = this.stored(disk, 'dead').record;
    const owner = this.history.processes.get(this.owners.get(lease?.turn ?? '') ?? '');
    if (lease === null || owner === undefined)
      return read.alive ? fault('owner', 'a turn is alive that nobody claimed') : null;
    if (!read.alive && owner.dying > left)
      return fault('owner', `the live turn ${lease.turn} was taken for dead`);
    return read.alive && owner.died < began
      ? fault('owner', `the dead turn ${lease.turn} counts as alive`)
      : null;
  }

  /** A message is left when its process has died, and not before. */
  private goneFault(disk: Disk, { began, left, read }: Stay): Fault | null {
    const marks = new Set(this.stored(disk, 'dead').record.queue.map(({ process }) => process));
    const lives = [...this.history.processes.values()].filter(({ process }) => marks.has(process));
    const early = lives.find(({ process, dying }) => read.gone.includes(process) && dying > left);
    if (early !== undefined) return fault('owner', `${early.process}, which waits, was taken for dead`);
    const late = lives.find(({ process, died }) => !read.gone.includes(process) && died < began);
    return late === undefined ? null : fault('owner', `${late.process}, which is dead, counts as waiting`);
  }

  private judge(disk: Disk, stay: Stay): Fault | null {
    const { read, commits, stamps, end } = stay;
    const process = this.history.processes.get(stay.by)?.process ?? '';
    const stored = storedIn(disk, this.whose, read.alive ? 'alive' : 'dead', read.gone);
    count(this.result.phases, phaseOf(derive(stored).snapshot));
    if (restoring(stored, '') !== null) this.result.restored += 1;
    const run = decide(stored, read.asked, process, () => stamps);
    this.possible = [disk];
    for (const { change, files } of commits) {
      const next = run.next();
      if (next.done === true)
        return fault('differs', `it committed ${brief(change)}, the machine nothing more`);
      if (!same(change, next.value))
        return fault('differs', `it committed ${brief(change)}, the machine ${brief(next.value)}`);
      const wrong = this.committed(stay, change, files);
      if (wrong !== null) return wrong;
    }
    // What a process would have decided next if it had lived, nobody knows.
    if (end === 'killed') return null;
    if (end === 'failed') return fault('threw', stay.error);
    const last = run.next();
    return last.done === true
      ? this.toldFault(stay, last.value)
      : fault('differs', `it did not commit ${brief(last.value)}`);
  }

  private committed(stay: Stay, change: Commit, files: Hashes | null): Fault | null {
    const { session } = this.whose;
    const disk = this.possible[0];
    if (disk === undefined) return fault('lost', 'there is nothing to commit to');
    const turn = this.stored(applied(disk, change, session), 'dead').record.lease?.turn;
    if (turn !== undefined && !this.owners.has(turn)) this.owners.set(turn, stay.by);
    this.result.commits += 1;
    const bases = this.withEdits([disk], stay.left);
    if (files === null) return this.tornFault(bases, disk, change, stay);
    const ends = this.withEdits(
      bases.map((base) => applied(base, change, session)),
      stay.left,
    );
    this.possible = ends.filter((end) => same(hashesOf(end), files));
    if (this.possible.length > 0) return null;
    const expected = ends.map((end) => show(hashesOf(end)));
    return fault(
      'differs',
      `its commit left ${show(files)}, the model of the store ${expected.join(' or ')}`,
    );
  }

  /** A process died in this commit: each file is the old one or the new one, and so is what a restart makes of them. */
  private tornFault(bases: readonly Disk[], disk: Disk, change: Commit, stay: Stay): Fault | null {
    const { session } = this.whose;
    this.result.torn += 1;
    this.possible = this.withEdits(
      bases.flatMap((base) => leftovers(base, change, session)),
      stay.left,
    );
    const allowed = [disk, applied(disk, change, session)].map((one) => restarted(one, this.whose));
    const third = leftovers(disk, change, session)
      .map((one) => restarted(one, this.whose))
      .find((one) => !allowed.includes(one));
    return third === undefined
      ? null
      : fault('third', `a restart would find ${third}, not ${allowed.join(' or ')}`);
  }

  private toldFault({ told }: Stay, { answer, effects, snapshot }: Decided): Fault | null {
    count(this.result.answers, kindOf(answer));
    // It was killed between the commit and the answer.
    if (told === null) return null;
    if (answer?.kind === 'accepted' || answer?.kind === 'queued') this.result.acknowledged += 1;
    const machine = { answer, effects, view: viewHash(snapshot) };
    return same(told, machine)
      ? null
      : fault('differs', `it told ${JSON.stringify(told)}, the machine ${JSON.stringify(machine)}`);
  }
}

const fault = (kind: Fault['kind'], text: string): Fault => ({ kind, text });
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const viewHash = (snapshot: SessionSnapshot): string => hashOf(JSON.stringify(select(snapshot)));
const brief = (commit: Commit): string => JSON.stringify(commit).slice(0, 400);

function count(map: Map<string, number>, name: string): void {
  map.set(name, (map.get(name) ?? 0) + 1);
}

function kindOf(answer: Decided['answer']): string {
  if (answer === null) return 'look';
  return 'code' in answer ? `${answer.kind} ${answer.code}` : answer.kind;
}

function show({ record, sidecar, document }: Hashes): string {
  const short = (hash: string): string => (hash === '' ? 'none' : hash.slice(0, 8));
  return `record ${short(record)}, sidecar ${short(sidecar)}, .md ${short(document)}`;
}
