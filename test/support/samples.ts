import { createHash } from 'node:crypto';
import type {
  Actor,
  EntryKind,
  FileFound,
  Lease,
  Phase,
  SessionRecord,
  Stamp,
  StoredSession,
  TurnState,
} from '../../machines/index.ts';

/** sha-256 in hex, as the store gives it for a file's text. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const uuid = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** Facts of one dispatch. Ids of different numbers never collide, so a plan can be built step by step. */
export function stampOf(number: number): Stamp {
  const ids = Array.from({ length: 8 }, (_, index) => uuid(0x1000 + number * 8 + index));
  return { at: '2026-03-01T12:00:00.000Z', ids, process: 'process-1' };
}

export const sessionId = '11111111-1111-4111-8111-111111111111';
export const planId = uuid(1);
export const turnId = uuid(2);
export const home = '/home/ann/.opencrabs';
export const paths = {
  sidecar: `${home}/session/.opencrabs_plan_${sessionId}.json`,
  document: `${home}/session/.opencrabs_plan_${sessionId}.md`,
} as const;

export const owner: Actor = { entry: 'interactive', surface: 'tui', person: 'ann', owner: true };
export const stranger: Actor = { entry: 'interactive', surface: 'telegram', person: 'bob', owner: false };
export const headless = (entry: EntryKind): Actor => ({ ...owner, entry, surface: entry });

const plan = (title: string, ...steps: string[]): string =>
  [
    `# ${title}`,
    '## Context',
    '- **Problem:** two services share one key.',
    '- **Target state:** each service owns its key.',
    '- **Intent:** the next release needs it.',
    '## Implementation steps',
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    '',
  ].join('\n');

/** Session plans: one that can be approved, a later revision of it, and one that cannot be approved. */
export const texts = {
  valid: plan('Split the key', 'Split the key — edit `src/cache.ts`.', 'Move the readers.'),
  changed: plan('Split both keys', 'Split the keys.', 'Drop the old key.'),
  invalid: '# Split the key\n## Context\n- **Problem:** \n',
} as const;

/** How the session `.md` stands to the plan: the mirrored or approved text, another one, or none. */
export type DocumentState = keyof typeof texts | 'missing';

export type RawTask = Record<string, unknown> & { status: unknown };

/** A task as a sidecar holds it; `dependencies` are places, from 1. */
export function rawTask(place: number, status: unknown, fields: Record<string, unknown> = {}): RawTask {
  const { dependencies = [], ...rest } = fields as { dependencies?: readonly number[] };
  return {
    id: uuid(16 + place),
    order: place,
    title: `Task ${place}`,
    description: `Do ${place}.`,
    task_type: 'edit',
    dependencies: dependencies.map((other) => uuid(16 + other)),
    complexity: 2,
    acceptance_criteria: [],
    status,
    notes: null,
    completed_at: null,
    retry_count: 0,
    max_retries: 1,
    artifacts: [],
    ...rest,
  };
}

export interface SessionShape {
  turn?: TurnState;
  entry?: EntryKind;
  /** Who started the turn. */
  by?: Actor;
  yolo?: boolean;
  track?: 'design' | 'checklist' | 'import';
  document?: DocumentState;
  tasks?: readonly RawTask[];
  /** Replaces or adds root fields of the sidecar; undefined takes one away. */
  root?: Record<string, unknown>;
  /** Replaces the whole text of the sidecar. */
  sidecar?: string;
  leaseAlive?: boolean;
  /** Processes of waiting messages that have ended. */
  gone?: readonly string[];
  lease?: Partial<Lease>;
  record?: Partial<SessionRecord>;
}

/**
 * A session on disk in one of the eight phases (matrix), files as text. Whatever the shape says,
 * the machine sees it only through `derive`.
 */
export function sessionIn(phase: Phase, shape: SessionShape = {}): StoredSession {
  const turn = shape.turn ?? (phase === 'seeding' ? 'running' : 'idle');
  const lease = turn === 'idle' ? null : leaseFor(turn, phase, shape);
  const track = shape.track ?? 'design';
  return {
    record: { ...blankRecord, yolo: shape.yolo ?? false, lease, ...shape.record },
    sidecar: sidecarFile(phase, shape, track),
    document: documentFile(phase, track, shape.document),
    leaseAlive: shape.leaseAlive ?? lease !== null,
    gone: shape.gone ?? [],
    archives: [],
  };
}

const blankRecord: SessionRecord = {
  v: 1,
  id: sessionId,
  cwd: '/home/ann/project',
  project: null,
  created: '2026-03-01T09:00:00.000Z',
  used: '2026-03-01T09:00:00.000Z',
  yolo: false,
  goal: { user: null, task: null },
  lease: null,
  queue: [],
  interrupted: false,
};

function leaseFor(turn: Exclude<TurnState, 'idle'>, phase: Phase, shape: SessionShape): Lease {
  const then = turn === 'discarding' ? 'discard' : 'stop';
  const at = '2026-03-01T11:59:00.000Z';
  return {
    turn: turnId,
    kind: phase === 'seeding' ? 'seed' : 'chat',
    by: shape.by ?? (shape.entry === undefined ? owner : headless(shape.entry)),
    since: '2026-03-01T11:58:00.000Z',
    group: null,
    waiting: null,
    cancel: turn === 'running' ? null : { then, by: 'ann', via: 'tui', at },
    closed: null,
    ...shape.lease,
  };
}

export const fileOf = (path: string, text: string | null): FileFound =>
  text === null ? { kind: 'absent', path } : { kind: 'text', path, text, hash: hashOf(text) };

function sidecarFile(phase: Phase, shape: SessionShape, track: string): FileFound {
  if (shape.sidecar !== undefined) return fileOf(paths.sidecar, shape.sidecar);
  if (phase === 'noPlan') return fileOf(paths.sidecar, null);
  if (phase === 'unreadable') return fileOf(paths.sidecar, '{ "status": "Active", "tasks": [');
  return fileOf(paths.sidecar, JSON.stringify({ ...rootOf(phase, shape, track), ...shape.root }));
}

function rootOf(phase: Exclude<Phase, 'noPlan' | 'unreadable'>, shape: SessionShape, track: string) {
  const root = {
    id: planId,
    session_id: sessionId,
    title: 'Split the key',
    description: texts.valid,
    tasks: shape.tasks ?? tasksIn(phase),
    created_at: '2026-03-01T10:00:00.000Z',
    updated_at: '2026-03-01T10:00:00.000Z',
    approved_at: null as string | null,
    rev: 3,
  };
  if (phase === 'preInit') {
    return { ...root, title: '', description: '', status: 'Editing', pre_init_editing: true };
  }
  if (phase === 'postInit') return { ...root, status: 'Editing', track: 'design', seed: 'pending' };
  const seed = phase === 'checklist' ? 'done' : 'pending';
  const active = { ...root, status: 'Active', track, seed };
  if (track !== 'design') return { ...active, description: 'Keys are shared.' };
  const at = '2026-03-01T11:00:00.000Z';
  const approval = { by: 'ann', via: 'tui', at, hash: hashOf(texts.valid) };
  return { ...active, approved_at: at, approval };
}

function tasksIn(phase: Phase): RawTask[] {
  if (phase === 'seedFailedPartial') return [rawTask(1, 'Pending'), rawTask(2, 'Pending')];
  return phase === 'checklist' ? [rawTask(1, 'InProgress'), rawTask(2, 'Pending')] : [];
}

function documentFile(phase: Phase, track: string, state: DocumentState | undefined): FileFound {
  const none = phase === 'noPlan' || phase === 'preInit' || phase === 'unreadable' || track !== 'design';
  const wanted = state ?? (none ? 'missing' : 'valid');
  return fileOf(paths.document, wanted === 'missing' ? null : texts[wanted]);
}
