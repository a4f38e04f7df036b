import { adjacencyMapToArray, getAdjacencyMap } from '@xstate/graph';
import { type ActorLogic, createActor, type Snapshot } from 'xstate';
import {
  derive,
  type Said,
  type SessionEvent,
  sessionMachine,
  type SessionSnapshot,
  type Stamp,
  step,
  type StoredSession,
  verdict,
  type Verdict,
} from '../../machines/index.ts';
import { type Asked, askedOf, type Branch } from './explore-branches.ts';
import { keyOf } from './explore-key.ts';
import { fileOf, sessionIn, stampOf } from './samples.ts';
import { type Committed, persist, putBack } from './samples-world.ts';

/** Something that can happen to a session: an actor speaks, or the files change from outside. */
export type Move =
  | { type: string; name: string; said: Said }
  | { type: string; name: string; disk: (stored: StoredSession) => StoredSession };

/** One event as the machine took it. */
export interface Taken {
  event: SessionEvent;
  before: SessionSnapshot;
  answer: Verdict;
  /** Branches that the event itself selected; exactly one where one region decides. */
  asked: Asked;
  /** Branches taken in the whole macrostep, those of raised events included. */
  took: readonly Branch[];
  committed: Committed;
}

/** The files of a session with nothing left to find in them; `taken` is how they came about. */
export type World = Extract<Snapshot<unknown>, { status: 'active' }> & {
  stored: StoredSession;
  snapshot: SessionSnapshot;
  taken: readonly Taken[];
};

const world = (stored: StoredSession, snapshot: SessionSnapshot, taken: readonly Taken[]): World => ({
  status: 'active',
  output: undefined,
  error: undefined,
  stored,
  snapshot,
  taken,
});

/** Changes files that were just written, to keep what can be reached small; a walk of the real thing does not. */
type Trim = (stored: StoredSession) => StoredSession;

/** Fresh ids for each length of the checklist, so that no two tasks share one. */
const stampFor = ({ stored, snapshot }: Pick<World, 'stored' | 'snapshot'>) =>
  stampOf(2 + (snapshot.context.plan?.tasks.length ?? 0) + stored.record.queue.length);

/** What a move makes of a world; the stamp holds for every event of it. */
export function advance(before: World, move: Move, stamp: Stamp, trim: Trim = (stored) => stored): World {
  if ('said' in move) {
    const taken = take(before.stored, before.snapshot, { ...move.said, ...stamp });
    const stored = trim(taken.committed.stored);
    return world(stored, stored === before.stored ? before.snapshot : derive(stored).snapshot, [taken]);
  }
  const taken: Taken[] = [];
  let stored = putBack(move.disk(before.stored), stamp.at);
  const derived = derive(stored);
  let { snapshot } = derived;
  for (const found of derived.found) {
    const last = take(stored, snapshot, { ...found, ...stamp });
    taken.push(last);
    stored = last.committed.stored;
    snapshot = last.committed.shown;
  }
  const files = trim(stored);
  return world(files, derive(files).snapshot, taken);
}

function take(stored: StoredSession, before: SessionSnapshot, event: SessionEvent): Taken {
  const asked = askedOf(before, event);
  const answer = verdict(before, event);
  const stepped = step(before, event);
  const same = stepped.snapshot === before && stepped.effects.length === 0 && stepped.archive === null;
  const committed = same ? untouched(stored, before) : persist(stored, stepped, event.at);
  const still = answer.kind === 'refused' || answer.kind === 'info' || answer.kind === 'view';
  return { event, before, answer, asked, took: still ? asked.selected : macrostep(before, event), committed };
}

/** Nothing to write: the files say what they said. */
const untouched = (stored: StoredSession, before: SessionSnapshot): Committed => ({
  stored,
  shown: before,
  found: before,
  left: [],
  effects: [],
  archive: null,
});

/** `transition` does not tell which branches it took; an actor's inspector does. */
function macrostep(snapshot: SessionSnapshot, event: SessionEvent): readonly Branch[] {
  const took: Branch[] = [];
  const actor = createActor(sessionMachine, {
    snapshot,
    input: snapshot.context,
    inspect: (inspected) => {
      if (inspected.type === '@xstate.microstep') took.push(...(inspected._transitions as Branch[]));
    },
  });
  actor.start();
  actor.send(event);
  actor.stop();
  return took;
}

/** Retries are bounded to one: with the three of a new task there are four times as many checklists. */
function bounded(stored: StoredSession): StoredSession {
  if (stored.sidecar.kind !== 'text') return stored;
  if (!stored.sidecar.text.includes('"max_retries": 3')) return stored;
  const text = stored.sidecar.text.replaceAll('"max_retries": 3', '"max_retries": 1');
  return { ...stored, sidecar: fileOf(stored.sidecar.path, text) };
}

const empty = sessionIn('noPlan');

/** A session with nothing said in it, and no files of a plan. */
export const emptyWorld = (): World => world(empty, derive(empty).snapshot, []);

/** What a move makes of a world while exploring: few ids, few retries, so that there is an end to it. */
export const explored = (before: World, move: Move): World =>
  advance(before, move, stampFor(before), bounded);

const logic: ActorLogic<World, Move> = {
  transition: explored,
  getInitialSnapshot: emptyWorld,
  getPersistedSnapshot: (snapshot) => snapshot,
};

/** A place that can be reached, and what each move makes of it. */
export interface Place {
  name: string;
  world: World;
  edges: readonly { move: Move; next: World }[];
}

/** Checklists of more than two tasks are reached, not explored further. */
const tooLong = ({ snapshot }: World): boolean => (snapshot.context.plan?.tasks.length ?? 0) > 2;

/**
 * Everything that can be reached from an empty session, each place with an edge for every move.
 * Two worlds are one place when the guards that can be asked there see the same (`keyOf`).
 */
export function explore(moves: (world: World) => readonly Move[]): Place[] {
  const map = getAdjacencyMap(logic, {
    events: (at: World) => moves(at),
    serializeState: (at: World) => keyOf(at.snapshot),
    serializeEvent: (move: Move) => move.name,
    stopWhen: tooLong,
    limit: 200_000,
  });
  const edges = Map.groupBy(adjacencyMapToArray(map), ({ state }) => state);
  return [...edges].map(([at, from]) => ({
    name: keyOf(at.snapshot),
    world: at,
    edges: from.map(({ event, nextState }) => ({ move: event, next: nextState })),
  }));
}
