import {
  acceptedAnswer,
  type Answer,
  answerOf,
  applyCommit,
  type Commit,
  derive,
  type Effect,
  idsNeeded,
  keepFiles,
  projectCommit,
  restoring,
  type SessionSnapshot,
  step,
  type Step,
  type StoredSession,
  verdict,
} from '../../machines/index.ts';
import { type Asked, hashOf, type Stamps } from './two-process-log.ts';

export interface Decided {
  answer: Answer | null;
  effects: readonly Effect[];
  snapshot: SessionSnapshot;
}

/**
 * One stay under the lock by the machine alone: no disk, no lock, no clock. Yields each commit, in order, before
 * it counts as written; ends with what the caller is told. Written anew from the rules (D6, D7, D8, D10), not
 * shared with the dispatcher that it judges.
 */
export function* decide(
  read: StoredSession,
  asked: Asked,
  process: string,
  stamps: () => Stamps,
): Generator<Commit, Decided> {
  let stored = read;
  const effects: Effect[] = [];
  const clock = { ats: 0, ids: 0 };
  const stamp = (ids: number) => {
    const given = stamps();
    const taken = {
      at: given.ats[clock.ats] ?? '',
      ids: given.ids.slice(clock.ids, clock.ids + ids),
      process,
    };
    clock.ats += 1;
    clock.ids += ids;
    return taken;
  };
  const carryOut = function* (next: Step, at: string): Generator<Commit, void> {
    const planned = projectCommit(stored, next.snapshot, next.archive, at);
    const commit = keepFiles(stored, planned, next.snapshot.context.record, hashOf);
    effects.push(...next.effects);
    if (commit === null) return;
    yield commit;
    const before = stored.record.lease?.turn;
    stored = applyCommit(stored, commit, hashOf);
    const { lease } = stored.record;
    // Who claims a turn is alive; nobody else's life changes.
    if (lease !== null && lease.turn !== before) stored = { ...stored, leaseAlive: true };
  };
  // What a command did to the plan files is undone first (D22).
  if ((stored.record.lease?.files ?? null) !== null) {
    const undo = restoring(stored, stamp(0).at);
    if (undo !== null) {
      yield undo.commit;
      stored = applyCommit(stored, undo.commit, hashOf);
    }
  }
  const bringsBack = 'said' in asked ? /^(user|queue)\./u.test(asked.said.type) : asked.look === 'missing';
  for (let rounds = 0; rounds < 8; rounds += 1) {
    const { snapshot, found } = derive(stored);
    const event = found.find(({ type }) => type !== 'file.lost' || bringsBack);
    if (event === undefined) break;
    const facts = stamp(2);
    yield* carryOut(step(snapshot, { ...event, ...facts }), facts.at);
  }
  const before = derive(stored).snapshot;
  if (!('said' in asked)) return { answer: null, effects, snapshot: before };
  const event = { ...asked.said, ...stamp(idsNeeded(asked.said)) };
  const judged = verdict(before, event);
  if (judged.kind !== 'accepted' && judged.kind !== 'queued')
    return { answer: answerOf(judged, before, event), effects, snapshot: before };
  yield* carryOut(step(before, event), event.at);
  const { snapshot } = derive(stored);
  const answer =
    judged.kind === 'queued' ? answerOf(judged, before, event) : acceptedAnswer(before, snapshot, event);
  return { answer, effects, snapshot };
}
