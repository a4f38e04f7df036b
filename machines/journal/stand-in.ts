import { scaffold } from '../document.ts';
import { type Actor, Said, type Stamp, type TaskDraft } from '../events.ts';
import type { Lease, QueueItem } from '../record.ts';
import { type Plan, projectSidecar, unreadFields } from '../sidecar.ts';
import type { FileFound, StoredSession } from '../stored.ts';
import type { Task } from '../tasks.ts';
import type { EventFacts, JournalLine, StateFacts, TaskFacts, WhoFacts } from './line.ts';
import type { Spoken } from './note.ts';

/** Ids and names of the session that a line is played in; whatever is `other` is called so. */
const known = { plan: 'plan', turn: 'turn', person: 'starter', process: 'process' } as const;
const other = 'other';

/** Files of the same shape as those that were noted, with words of our own: `derive` makes the noted state of them. */
export function standInFiles(line: JournalLine): StoredSession {
  const { before, at } = line;
  const text = documentText(before);
  return {
    record: {
      v: 1,
      id: 'session',
      cwd: '/',
      project: null,
      created: at,
      used: at,
      yolo: before.yolo ?? false,
      goal: { user: null, task: null },
      lease: leaseOf(before, at),
      queue: (before.queue ?? []).map((item, index) => queueItem(item, { index, at, before })),
      interrupted: false,
    },
    sidecar: fileOf('plan.json', sidecarText(line, text), ''),
    document: fileOf('plan.md', text, hashOf(before.document?.hash ?? '')),
    leaseAlive: before.turn !== undefined,
    gone: ['gone'],
    archives: [],
  };
}

const fileOf = (path: string, text: string | null, hash: string): FileFound =>
  text === null ? { kind: 'absent', path } : { kind: 'text', path, text, hash };

type QueueFacts = NonNullable<StateFacts['queue']>[number];

function queueItem(
  { of, said }: QueueFacts,
  { index, at, before }: { index: number; at: string; before: StateFacts },
): QueueItem {
  const process = of === 'this' ? known.process : of;
  return { id: itemId(index + 1), at, process, said: saidOf(said, before) };
}

const itemId = (place: number): string => (place === 0 ? other : `item-${place}`);

function leaseOf({ turn }: StateFacts, since: string): Lease | null {
  if (turn === undefined) return null;
  const { kind, entry, owner, cancel } = turn;
  const person = known.person;
  return {
    turn: known.turn,
    kind,
    by: { entry, owner, surface: other, person },
    since,
    group: null,
    waiting: null,
    cancel: cancel === undefined ? null : { then: cancel, by: person, via: other, at: since },
    closed: null,
  };
}

/** A session plan with as many steps; one that can't be approved lacks what it is for. */
function documentText({ document, plan }: StateFacts): string | null {
  if (document === undefined) return null;
  if (plan?.text === 'empty') return '';
  const { steps, faults } = document;
  const intent = faults.length === 0 ? ['- **Intent:** As noted.'] : [];
  const list = Array.from({ length: steps }, (_, index) => `${index + 1}. Step`);
  const context = ['## Context', '- **Problem:** As noted.', '- **Target state:** As noted.', ...intent];
  return ['# The plan', ...context, '## Implementation steps', ...list, ''].join('\n');
}

/** Never empty: an empty hash would be that of a text nobody has read back. */
const hashOf = (hash: string): string => `hash ${hash}`;

function sidecarText({ before, event, at }: JournalLine, document: string | null): string | null {
  if (before.unreadable === true) return '{';
  const plan = planOf(before, document, at);
  if (plan === null) return null;
  const text = projectSidecar(plan);
  // A plan whose end was written but not cleared away says so itself.
  if (event.type !== 'file.finished') return text;
  const status = event.as === 'discarded' ? 'Cancelled' : 'Completed';
  return JSON.stringify({ ...(JSON.parse(text) as object), status });
}

function planOf(facts: StateFacts, document: string | null, at: string): Plan | null {
  const { plan, document: noted } = facts;
  if (plan === undefined) return null;
  const { status, track, seed, text, approved, tasks = [] } = plan;
  const hash = approved === 'this' && noted !== undefined ? hashOf(noted.hash) : other;
  const texts = { none: '', empty: '', document: document ?? '', another: 'Another text' };
  return {
    id: known.plan,
    session_id: 'session',
    title: 'The plan',
    description: texts[text],
    tasks: tasks.map((task, index) => taskOf(task, index + 1)),
    status,
    created_at: at,
    updated_at: at,
    approved_at: null,
    pre_init_editing: plan.flag ?? false,
    track,
    seed,
    rev: 1,
    approval: approved === undefined ? null : { by: known.person, via: other, at, hash },
    origin: null,
    rest: unreadFields,
  };
}

const taskId = (number: number): string => (number === 0 ? other : `task-${number}`);

function taskOf(facts: TaskFacts, order: number): Task {
  const { is = 'Pending', tries = 0, of = 3, after = [], twin } = facts;
  return {
    id: taskId(twin ?? order),
    order,
    title: `Task ${order}`,
    description: 'As noted',
    task_type: 'other',
    dependencies: after.map(taskId),
    complexity: 3,
    acceptance_criteria: [],
    status: is,
    notes: null,
    completed_at: null,
    retry_count: tries,
    max_retries: of,
    artifacts: [],
    rest: {},
  };
}

/** The event of a line, as it is said to the stand-in. Throws on an event that lacks what its type has. */
export function standInEvent({ event, before, at }: JournalLine): Spoken {
  const tasks = event.tasks ?? 0;
  const ids = Array.from({ length: 2 + tasks }, (_, index) => idOf(index));
  const stamp: Stamp = { at, ids, process: known.process };
  switch (event.type) {
    case 'file.orphan':
    case 'file.edited':
    case 'file.lost':
      return { type: event.type, ...stamp };
    case 'file.finished':
      return { type: event.type, as: event.as ?? 'completed', ...stamp };
    default:
      return { ...saidOf(event, before), ...stamp };
  }
}

const idOf = (index: number): string => `00000000-0000-4000-9000-${index.toString(16).padStart(12, '0')}`;

/** Checked by the schema of events, so that a line which lacks something is told and not played. */
function saidOf(facts: EventFacts, before: StateFacts): Said {
  const { type, by, button, turn, child } = facts;
  const said = Said.safeParse({
    type,
    ...(by === undefined ? {} : { by: actorOf(by) }),
    ...(button === undefined
      ? {}
      : {
          button: {
            plan: button.plan === 'this' ? known.plan : other,
            phase: button.phase,
            owns: button.owns,
            ...(button.hash === undefined ? {} : { hash: hashIn(before, button.hash) }),
          },
        }),
    ...(turn === undefined ? {} : { turn: turn === 'this' ? known.turn : other }),
    ...(child === undefined ? {} : { child }),
    ...ownFields(facts, before),
  });
  if (said.success) return said.data;
  throw new TypeError(`a ${type} lacks ${said.error.issues[0]?.path.join('.') ?? 'something'}`);
}

const actorOf = ({ surface, entry, owner, starter }: WhoFacts): Actor => ({
  surface,
  entry,
  owner,
  person: starter === true ? known.person : other,
});

/** The hash of the session's text, which is none without a `.md`, or another one. */
function hashIn({ document }: StateFacts, of: 'this' | 'other' | null): string | null {
  if (of === null) return null;
  if (of === 'other') return other;
  return document === undefined ? null : hashOf(document.hash);
}

const messages = { blank: ' ', command: '/execute', 'plan words': 'make a plan', plain: 'hello' } as const;

function ownFields(facts: EventFacts, before: StateFacts): object {
  const { type, text, shown = null, task, action } = facts;
  switch (type) {
    case 'user.plan':
      return text === undefined ? {} : { text: messages[text] };
    case 'user.chat':
      return { text: messages[text ?? 'plain'], origin: facts.origin };
    case 'user.execute':
    case 'user.approveText':
      return { shown: hashIn(before, shown) };
    case 'user.revise':
      return { note: 'hello', seen: hashIn(before, shown) };
    case 'user.policy':
      return { yolo: facts.yolo };
    case 'user.goal':
      return { text: null };
    case 'user.rename':
      return { name: 'Session' };
    case 'tool.init':
      return initFields(facts);
    case 'tool.addTasks':
      return { tasks: drafts(facts) };
    case 'tool.start':
      return task === undefined ? {} : { task };
    case 'tool.complete':
      return { action, ...(task === undefined ? {} : { task }) };
    case 'tool.unknown':
      return { operation: other };
    case 'tool.document':
      return {
        text: scaffold('The plan'),
        base: hashIn(before, facts.base ?? 'other'),
        plan: facts.plan === 'this' ? (before.plan === undefined ? null : known.plan) : other,
      };
    case 'queue.take':
    case 'queue.send':
    case 'queue.drop':
      return { item: itemId(facts.item ?? 0) };
    case 'turn.end':
      return { outcome: facts.outcome };
    case 'turn.note':
      return facts.shell === undefined ? {} : { shell: facts.shell };
    default:
      return {};
  }
}

/** As many tasks, good or faulty, as there were. */
function drafts({ tasks = 0, faulty = false }: EventFacts): TaskDraft[] {
  const title = faulty ? ' ' : 'Task';
  return Array.from({ length: tasks }, () => ({ title, description: 'As noted' }));
}

const imports = {
  invalid: '{',
  empty: JSON.stringify({ title: 'Plan', description: 'As noted' }),
  faulty: JSON.stringify({
    title: 'Plan',
    description: 'As noted',
    tasks: [{ title: ' ', description: '' }],
  }),
  good: JSON.stringify({
    title: 'Plan',
    description: 'As noted',
    tasks: [{ title: 'Task', description: 'It' }],
  }),
} as const;

function initFields(facts: EventFacts): object {
  const { title, mode, tasks, file } = facts;
  return {
    title: title === 'given' ? 'The plan' : '',
    ...(mode === undefined ? {} : { mode }),
    ...(tasks === undefined ? {} : { tasks: drafts(facts) }),
    ...(file === undefined
      ? {}
      : {
          file:
            file === 'unreadable'
              ? { path: 'file', cause: 'as noted' }
              : { path: 'file', text: imports[file] },
        }),
  };
}
