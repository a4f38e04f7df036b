import { derive, type SessionEvent, type StoredSession } from '../../../machines/index.ts';
import { readJournal, type ReplayFiles, type ReplayStep } from './replay-input.ts';
import { leavesOf, type SceneAnswer } from './scene.ts';
import { sceneOf, taken } from './session-scene.ts';
import { emptyWorld, fileOf, type SessionWorld } from './session-world.ts';
import { startWalk, type Walk, type WalkStep } from './walk.ts';

/** A journal walked through the machine as it is now; each step says where it went another way than then. */
export function replay(encoded: string): Walk {
  const walk = startWalk('session', sceneOf(emptyWorld()));
  const journal = readJournal(encoded);
  if ('cause' in journal)
    return { ...walk, problem: `The journal in the link cannot be read: ${journal.cause}.` };
  const steps: WalkStep[] = [];
  let world = emptyWorld();
  for (const [index, step] of journal.steps.entries()) {
    const [walked, next] = replayed(withFiles(world, step.before ?? {}), step, index + 1);
    steps.push(walked);
    world = next;
  }
  return { ...walk, journal: encoded, steps };
}

function replayed(world: SessionWorld, step: ReplayStep, number: number): [WalkStep, SessionWorld] {
  const { at, ids, process, said } = step;
  const event = { ...said, at, ids, process } as SessionEvent;
  const { answer, did, next, world: after } = taken(world, event);
  const deviation = differences(step, answer, leavesOf(after.snapshot.value));
  const label = `${said.type}${'by' in said ? ` (${said.by.person})` : ''}`;
  return [
    {
      id: null,
      label,
      answer,
      did,
      scene: next,
      deviation: deviation === '' ? null : `Step ${number}: ${deviation}`,
    },
    after,
  ];
}

function differences({ verdict, to }: ReplayStep, answer: SceneAnswer, states: readonly string[]): string {
  const then = inWords(verdict.kind, 'code' in verdict ? verdict.code : null);
  const now = inWords(answer.kind, answer.code);
  const said = then === now ? [] : [`expected ${then}, got ${now}`];
  const led =
    to === undefined || to.join() === states.join()
      ? []
      : [`expected ${to.join(' and ')}, got ${states.join(' and ')}`];
  return [...said, ...led].join('; ');
}

const inWords = (kind: string, code: string | null): string => (code === null ? kind : `${kind} ${code}`);

/** The files as the journal says they were found; without a word about them, as the last step left them. */
function withFiles(world: SessionWorld, found: ReplayFiles): SessionWorld {
  const { files } = world;
  const file = (name: 'sidecar' | 'document') => {
    const told = found[name];
    return told === undefined ? files[name] : fileOf(files[name].path, told?.text ?? null, told?.hash);
  };
  const changed: StoredSession = {
    ...files,
    record: found.record ?? files.record,
    sidecar: file('sidecar'),
    document: file('document'),
    leaseAlive: found.leaseAlive ?? files.leaseAlive,
    gone: found.gone ?? files.gone,
  };
  return { ...world, files: changed, snapshot: derive(changed).snapshot };
}
