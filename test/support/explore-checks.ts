import {
  acceptedAnswer,
  answerOf,
  derive,
  type FileFound,
  type StoredSession,
} from '../../machines/index.ts';
import { loadSidecar, projectSidecar } from '../../machines/sidecar.ts';
import type { Move, Place, Taken, World } from './explore.ts';
import { faultsLetThrough } from './explore-branches.ts';
import { sessionId } from './samples.ts';
import { roundTripFaults } from './samples-rows.ts';

/** Events that a state does not handle at all, and why that is right. Any other one is a hole. */
const ignored: readonly { type: string; why: string }[] = [
  { type: 'file.lost', why: 'the plan that lost its text was just discarded with its dead turn' },
  { type: 'file.edited', why: 'the plan that was edited was just discarded with its dead turn' },
];

/** What becomes of a message that is taken from the queue; anything else would lose it (D26, D44). */
const takenUp: readonly string[] = ['turn.start', 'plan.armed', 'queue.returned'];

/** Accepted although nothing changes: what is asked for is so already. */
const mayChangeNothing: readonly string[] = [
  'user.policy',
  'user.goal',
  'user.rename',
  'user.place',
  'turn.note',
  'file.finished',
];

/** Everything that has to hold for one move in one place; each fault names the payload. */
export function edgeFaults(place: Place, { move, next }: { move: Move; next: World }): string[] {
  const last = next.taken.at(-1);
  const faults = next.taken.flatMap((taken, index) =>
    takenFaults(taken, index > 0, taken === last).map((fault) => `${taken.event.type}: ${fault}`),
  );
  const open = derive(next.stored).found.map((found) => found.type);
  if (open.length > 0) faults.push(`still to be found afterwards: ${open.join(', ')}`);
  if (move.type === 'command' && 'disk' in move)
    faults.push(...putBackFaults(place.world, move.disk(place.world.stored), next));
  const said = 'said' in move ? JSON.stringify(move.said) : move.name;
  return faults.map((fault) => `${place.name} × ${move.name}: ${fault} (payload ${said})`);
}

/** Whatever a command did to the plan files, they are as the last commit left them, and so is the session (D22). */
function putBackFaults(before: World, changed: StoredSession, after: World): string[] {
  const names = ['sidecar', 'document'] as const;
  const left = names.filter((name) => textOf(before.stored[name]) !== textOf(after.stored[name]));
  const faults = left.map((name) => `the ${name} is not put back`);
  const was = JSON.stringify(before.snapshot.value);
  // A reader without the lock comes before the files are put back.
  for (const { value } of [derive(changed).snapshot, after.snapshot])
    if (JSON.stringify(value) !== was) faults.push(`${was} became ${JSON.stringify(value)}`);
  return after.taken.length === 0 ? faults : [...faults, 'it was taken for what a person did'];
}

const textOf = (found: FileFound): string | null => (found.kind === 'text' ? found.text : null);

function takenFaults(taken: Taken, afterAnother: boolean, isLast: boolean): string[] {
  const { asked, before, event, committed } = taken;
  const deciders = asked.selected.length;
  if (deciders === 0 && afterAnother && ignored.some(({ type }) => type === event.type)) return [];
  const faults = [...answerFaults(taken), ...faultsLetThrough(before, event, asked)];
  if (deciders !== 1) faults.push(`${deciders} branches decide it`);
  const left = isLast ? committed.left : [];
  return [...faults, ...roundTripFaults({ ...committed, left }), ...sidecarFaults(taken)];
}

function answerFaults({ answer, before, event, committed }: Taken): string[] {
  const emitted = committed.effects.length > 0 || committed.archive !== null;
  const changed = JSON.stringify(committed.shown.context) !== JSON.stringify(before.context);
  const moved = JSON.stringify(committed.shown.value) !== JSON.stringify(before.value);
  if (answer.kind === 'accepted' || answer.kind === 'queued') {
    const text = acceptedAnswer(before, committed.shown, event).text;
    if (typeof text !== 'string') return ['an accepted event has no text'];
    const sent = event.type === 'queue.take' || (event.type === 'queue.send' && answer.kind === 'accepted');
    if (sent && !committed.effects.some(({ type }) => takenUp.includes(type))) {
      return ['the message is lost'];
    }
    const counts = emitted || changed || moved || mayChangeNothing.includes(event.type);
    return counts ? [] : ['accepted, and nothing came of it'];
  }
  const faults = emitted || changed || moved ? [`${answer.kind}, and yet something happened`] : [];
  const text = answerOf(answer, before, event).text;
  return answer.kind === 'view' || text.length > 20 ? faults : [...faults, 'the answer says nothing'];
}

/** The text of a sidecar is stable: read and written again it is the same (D12). */
function sidecarFaults({ committed: { stored } }: Taken): string[] {
  if (stored.sidecar.kind !== 'text') return [];
  const facts = { session: sessionId, document: stored.document.kind === 'text' };
  const loaded = loadSidecar(stored.sidecar.text, facts);
  if (!('plan' in loaded)) return [];
  const wasOurs = stored.sidecar.text.endsWith('}\n');
  if (!wasOurs || projectSidecar(loaded.plan) === stored.sidecar.text) return [];
  return ['the sidecar reads back as another text'];
}
