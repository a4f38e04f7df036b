import {
  derive,
  type Phase,
  type SessionEvent,
  type SessionSnapshot,
  verdict,
} from '../../machines/index.ts';
import { planId, rawTask, sessionIn, stampOf } from '../support/samples.ts';
import { everyCall, people, presses, turnEnd } from '../support/samples-said.ts';
import { median, quantile } from './measure.ts';
import type { Row } from './table.ts';

const phases: readonly Phase[] = [
  'noPlan',
  'preInit',
  'postInit',
  'seeding',
  'seedFailedEmpty',
  'seedFailedPartial',
  'checklist',
  'unreadable',
];
/** Calls that one reading of the clock covers: a single one is too short for it. */
const batch = 40;

interface Pair {
  name: string;
  snapshot: SessionSnapshot;
  event: SessionEvent;
  ours: number[];
  peer: number[];
}

/** `verdict` on every phase, idle and in a turn, for every event that has a sample; beside it XState's own `can`. */
export function measureVerdict(rounds: number): Row[] {
  const pairs = samplePairs();
  for (let round = -2; round < rounds; round += 1) {
    for (const pair of pairs) {
      const ours = perCall(() => verdict(pair.snapshot, pair.event));
      const peer = perCall(() => pair.snapshot.can(pair.event));
      if (round < 0) continue;
      pair.ours.push(ours);
      pair.peer.push(peer);
    }
  }
  const ours = pairs.map((pair) => median(pair.ours));
  const peer = pairs.map((pair) => median(pair.peer));
  const slowest = pairs[ours.indexOf(Math.max(...ours))]?.name ?? '';
  const note = `median of ${pairs.length} pairs of phase and event, ${rounds} × ${batch} calls each`;
  return [
    {
      name: 'verdict',
      ours: median(ours),
      floor: median(peer),
      unit: 'µs',
      goal: { of: 'value', most: 5 },
      note: `${note}; the peer is XState's own snapshot.can(event)`,
    },
    {
      name: 'verdict, slowest pairs',
      ours: quantile(ours, 0.99),
      floor: quantile(peer, 0.99),
      unit: 'µs',
      goal: null,
      note: `99 of 100 pairs are faster; the slowest is ${slowest} with ${Math.max(...ours).toFixed(1)} µs`,
    },
  ];
}

function samplePairs(): Pair[] {
  const { plan, planText, show, execute, approveText, restore, revise, discard } = people;
  const { resume, chat, command, stop, policy, goal } = people;
  const events = [
    ...[plan, show, execute, approveText, restore, revise, discard, resume, stop, people.switch].map((say) =>
      say(),
    ),
    ...[planText, chat, command, goal].map((say) => say('Split it')),
    policy('yolo'),
    ...presses({ plan: planId, phase: 'editing', owns: true }),
    ...everyCall(),
    turnEnd(),
  ].map((said) => ({ ...said, ...stampOf(1) }));
  return snapshots().flatMap(({ name, snapshot }) =>
    events.map((event) => ({ name: `${name} × ${event.type}`, snapshot, event, ours: [], peer: [] })),
  );
}

function snapshots(): { name: string; snapshot: SessionSnapshot }[] {
  const tasks = Array.from({ length: 30 }, (_, index) =>
    rawTask(index + 1, index === 0 ? 'InProgress' : 'Pending'),
  );
  return phases.flatMap((phase) =>
    (['idle', 'running'] as const)
      .filter((turn) => phase !== 'seeding' || turn === 'running')
      .map((turn) => {
        const shape = phase === 'checklist' ? { turn, tasks } : { turn };
        return { name: `${phase} ${turn}`, snapshot: derive(sessionIn(phase, shape)).snapshot };
      }),
  );
}

/** µs per call. */
function perCall(work: () => unknown): number {
  const from = performance.now();
  for (let call = 0; call < batch; call += 1) work();
  return ((performance.now() - from) * 1000) / batch;
}
