import {
  acceptedAnswer,
  type Answer,
  answerOf,
  desiredKeyboard,
  type Said,
  select,
  type SessionEvent,
  type SessionView,
  verdict,
} from '../../../machines/index.ts';
import {
  accepted,
  type Choice,
  type Fact,
  leavesOf,
  type Scene,
  type SceneAnswer,
  type Taken,
} from './scene.ts';
import { diskChoices } from './session-disk.ts';
import { peopleChoices } from './session-people.ts';
import { textName } from './session-samples.ts';
import { toolChoices } from './session-tools.ts';
import { disturb, type Done, emptyWorld, type SessionWorld, stampOf, take } from './session-world.ts';

const groups: Readonly<Record<string, string>> = {
  owner: 'The owner',
  button: 'A plan button, pressed by the owner',
  other: 'Another person',
  run: 'A run without a person',
  agent: 'The agent’s tools',
  child: 'A sub-agent’s tools',
  ended: 'Tools of a turn that has ended',
  turn: 'The turn',
  queue: 'The queue',
  disk: 'Files and processes',
};

const groupOf = (id: string): string => groups[id.split('.')[0] ?? ''] ?? '';

/** The session machine, from a session in which nothing was said. */
export const sessionScene = (): Scene => sceneOf(emptyWorld());

/** The session machine with these files. */
export function sceneOf(world: SessionWorld): Scene {
  const { snapshot } = world;
  const view = select(snapshot);
  return {
    states: leavesOf(snapshot.value),
    hint: view.hint,
    facts: factsOf(world, view),
    choices: () => [...said(world), ...happened(world)],
  };
}

function said(world: SessionWorld): Choice[] {
  const spoken = { ...peopleChoices(world.snapshot), ...toolChoices(world.snapshot) };
  return Object.entries(spoken).map(([id, [label, one]]) => ({
    id,
    label,
    group: groupOf(id),
    event: one.type,
    answer: () => judge(world, eventOf(world, one)),
    take: () => taken(world, eventOf(world, one)),
  }));
}

const eventOf = ({ count }: SessionWorld, one: Said): SessionEvent => ({ ...one, ...stampOf(count) });

/** What the machine answers here; the text of an accepted event is worded on what it led to. */
function judge({ snapshot }: SessionWorld, event: SessionEvent): SceneAnswer {
  return inScene(answerOf(verdict(snapshot, event), snapshot, event));
}

/** One event taken, refused ones too: what it led to, and the files that it left. */
export function taken(world: SessionWorld, event: SessionEvent): Taken & { world: SessionWorld } {
  const judged = judge(world, event);
  const { world: next, did } = take(world, event);
  const answer =
    judged.kind === 'accepted' ? inScene(acceptedAnswer(world.snapshot, next.snapshot, event)) : judged;
  return { answer, did, next: sceneOf(next), world: next };
}

const inScene = (answer: Answer): SceneAnswer => ({
  kind: answer.kind,
  code: 'code' in answer ? answer.code : null,
  text: answer.text,
});

function happened(world: SessionWorld): Choice[] {
  return Object.entries(diskChoices(world)).map(([id, [label, change]]) => ({
    id,
    label,
    group: groupOf(id),
    event: 'disk',
    answer: () => accepted(),
    take: () => {
      const { world: next, did }: Done = disturb(world, change);
      return { answer: accepted(), did, next: sceneOf(next) };
    },
  }));
}

function factsOf({ snapshot, files }: SessionWorld, view: SessionView): Fact[] {
  const { plan, document } = snapshot.context;
  const facts: Fact[] = [
    { label: 'Plan', text: plan === null ? 'none' : view.badge + (view.title ? `: ${view.title}` : '') },
  ];
  if (document !== null) facts.push({ label: 'Session plan', text: documentText(document.text, view) });
  if (view.tasks.length > 0) {
    const tasks = view.tasks.map(({ number, title, status }) => `${number}. ${title}: ${status}`);
    facts.push({ label: 'Tasks', text: tasks.join('\n') });
  }
  const buttons = desiredKeyboard(view)?.buttons ?? [];
  return [
    ...facts,
    { label: 'Turn', text: turnText(view, files.record.lease?.files ?? null) },
    {
      label: 'Waiting',
      text: view.queue.map(({ text, state }) => `${text || '/plan'} (${state})`).join('\n') || 'nothing',
    },
    { label: 'Buttons', text: buttons.join(', ') || 'none' },
    { label: 'Approvals', text: view.policy },
  ];
}

function documentText(text: string, { document }: SessionView): string {
  const faults = document?.faults.length ?? 0;
  const drifted = document?.drifted === true ? ', not the approved one' : '';
  return `${textName(text)}, ${faults === 0 ? 'no faults' : `${faults} faults`}${drifted}`;
}

function turnText({ running, turn, closed }: SessionView, watched: unknown): string {
  if (running === null) return 'none';
  const waits = running.waiting === null ? '' : `, waits for ${running.waiting.what}`;
  const command = watched === null ? '' : ', a command runs';
  const done = closed === null ? '' : `, shows "${closed.title}" as ended`;
  return `${running.kind}, ${turn}${waits}${command}${done}`;
}
