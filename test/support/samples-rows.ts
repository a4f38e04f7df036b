import {
  type Code,
  derive,
  type Phase,
  phaseOf,
  type Said,
  type SessionSnapshot,
  type StoredSession,
  turnOf,
  verdict,
} from '../../machines/index.ts';
import { askedOf } from './explore-branches.ts';
import { stampOf } from './samples.ts';
import { turnEnd } from './samples-said.ts';
import { type Committed, dispatch, open } from './samples-world.ts';

/** One row of `command-matrix.json` or `own-matrix.json`. */
export interface Row {
  group: string;
  event: string;
  state: Phase;
  turn: 'idle' | 'busy';
  result: 'ok' | 'info' | 'queue' | 'refuse';
  next: Phase;
  code?: Code;
  note?: string;
  /** What holds until the turn has ended. */
  during?: { state: Phase; turn: string };
}

/** What came of a row's event: `files` and `snapshot` after everything, turn end included. */
export interface Played {
  before: SessionSnapshot;
  /** Right after the event, before the turn has ended. */
  event: Committed | null;
  steps: readonly Committed[];
  files: StoredSession;
  snapshot: SessionSnapshot;
}

/** One way to act a row out. `check` looks at what the row's note says; it names what is wrong. */
export interface Play {
  session: StoredSession;
  /** Null: loading alone is the event. */
  said: Said | null;
  check?: (played: Played) => readonly string[];
}

export type Recipe = (row: Row) => Play | readonly Play[];
export type Recipes = Readonly<Record<string, Recipe>>;

export const nameOf = (row: Row): string =>
  `${row.state} ${row.turn}: ${row.event} → ${row.result}${row.code === undefined ? '' : ` ${row.code}`}, ${row.next}`;

/** Acts a row out in every way its recipe knows; empty when all of them agree with the row. */
export function failuresOf(row: Row, recipes: Recipes): string[] {
  const recipe = recipes[row.event];
  if (recipe === undefined) return [`no recipe for the event ${JSON.stringify(row.event)}`];
  const played = recipe(row);
  const plays: readonly Play[] = 'session' in played ? [played] : played;
  if (plays.length === 0) return ['the recipe plays nothing'];
  return plays.flatMap((play, index) => {
    const said = play.said === null ? 'load' : JSON.stringify(play.said);
    return playFailures(row, play).map((failure) => `play ${index + 1} (${said}): ${failure}`);
  });
}

function playFailures(row: Row, play: Play): string[] {
  const stamp = stampOf(1);
  if (play.said === null) return loadFailures(row, play);
  const opened = open(play.session, stamp);
  const event = { ...play.said, ...stamp };
  const before = opened.snapshot;
  const faults = [...placeFaults('before', before, row.state, row.turn), ...verdictFaults(row, before, play)];
  const committed = dispatch(opened.stored, event);
  faults.push(...roundTripFaults(committed), ...stillFaults(row, committed, before));
  if (row.during !== undefined) faults.push(...duringFaults(row.during, committed.found));
  const ended = row.result === 'ok' ? endCancelled(committed) : null;
  if (ended !== null) faults.push(...roundTripFaults(ended));
  const last = ended ?? committed;
  if (phaseOf(last.found) !== row.next) faults.push(`ends in ${phaseOf(last.found)}, not ${row.next}`);
  const steps = ended === null ? [committed] : [committed, ended];
  const played = { before, event: committed, steps, files: last.stored, snapshot: last.found };
  return [...faults, ...(play.check?.(played) ?? [])];
}

function loadFailures(row: Row, play: Play): string[] {
  const before = derive(play.session).snapshot;
  const { steps, stored, snapshot } = open(play.session, stampOf(1));
  const again = open(stored, stampOf(2));
  const faults = steps.flatMap(roundTripFaults);
  if (!row.event.startsWith('load ')) faults.push(...placeFaults('before', before, row.state, row.turn));
  if (phaseOf(snapshot) !== row.next) faults.push(`loads as ${phaseOf(snapshot)}, not ${row.next}`);
  if (JSON.stringify(again.snapshot.value) !== JSON.stringify(snapshot.value)) {
    faults.push('a second start finds something else');
  }
  if (again.steps.length > 0) faults.push('a second start has still something to commit');
  const played = { before, event: null, steps, files: stored, snapshot };
  return [...faults, ...(play.check?.(played) ?? [])];
}

/** A cancel is carried out when the turn ends; `next` is the state after that (D16). */
function endCancelled({ stored, found }: Committed): Committed | null {
  const turn = turnOf(found);
  if (turn !== 'stopping' && turn !== 'discarding') return null;
  const lease = stored.record.lease;
  return dispatch(stored, { ...turnEnd('cancelled', lease?.turn), ...stampOf(2) });
}

function placeFaults(when: string, snapshot: SessionSnapshot, phase: Phase, turn: 'idle' | 'busy'): string[] {
  const found = `${phaseOf(snapshot)} ${turnOf(snapshot) === 'idle' ? 'idle' : 'busy'}`;
  return found === `${phase} ${turn}` ? [] : [`${when} the event the session is ${found}`];
}

function verdictFaults(row: Row, before: SessionSnapshot, play: Play): string[] {
  if (play.said === null) return [];
  const answer = verdict(before, { ...play.said, ...stampOf(1) });
  const deciders = askedOf(before, { ...play.said, ...stampOf(1) }).selected.length;
  if (deciders !== 1) return [`${deciders} branches decide it`];
  const kinds = { ok: ['accepted', 'view'], info: ['info'], queue: ['queued'], refuse: ['refused'] }[
    row.result
  ];
  const code = 'code' in answer ? answer.code : undefined;
  if (kinds.includes(answer.kind) && code === row.code) return [];
  return [`answered ${answer.kind}${code === undefined ? '' : ` ${code}`}`];
}

/** What is refused, or only told, leaves everything as it is: no state, no file, no effect. */
function stillFaults(row: Row, committed: Committed, before: SessionSnapshot): string[] {
  if (row.result === 'ok' || row.result === 'queue') return [];
  const faults: string[] = [];
  if (!sameState(committed.shown, before)) faults.push('state or context changed');
  if (committed.effects.length > 0 || committed.archive !== null) faults.push('an effect was emitted');
  return faults;
}

const sameState = (a: SessionSnapshot, b: SessionSnapshot): boolean =>
  JSON.stringify([a.value, a.context]) === JSON.stringify([b.value, b.context]);

function duringFaults(during: { state: Phase; turn: string }, found: SessionSnapshot): string[] {
  const is = `${phaseOf(found)} ${turnOf(found)}`;
  return is === `${during.state} ${during.turn}` ? [] : [`until the turn has ended it is ${is}`];
}

/** What a restart finds is what was shown (architecture, "Decide purely, commit, then publish"). */
export function roundTripFaults({ shown, found, left }: Committed): string[] {
  const faults: string[] = [];
  const [was, is] = [JSON.stringify(shown.value), JSON.stringify(found.value)];
  if (was !== is) faults.push(`shown as ${was}, found as ${is}`);
  const open = left.filter((type) => type !== 'turn.end');
  if (open.length > 0) faults.push(`the commit leaves ${open.join(', ')} to find`);
  return faults;
}
