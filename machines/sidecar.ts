import { z } from 'zod';
import { numberedId } from './ids.ts';
import { parseJson } from './json.ts';
import { loadTasks, type Task, taskClosed } from './tasks.ts';

/** The nine status strings that were ever written; two of them by us (JSON spec, "Status on write"). */
const statuses = [
  'Editing',
  'Active',
  'Draft',
  'PendingApproval',
  'Rejected',
  'Approved',
  'InProgress',
  'Completed',
  'Cancelled',
] as const;

export const tracks = ['design', 'checklist', 'import'] as const;
export type Track = (typeof tracks)[number];

/** Who approved which text, where and when (D45). */
const Approval = z.object({ by: z.string(), via: z.string(), at: z.string(), hash: z.string() });
export type Approval = z.infer<typeof Approval>;

/**
 * The live plan in memory. Field names are those of the file, so that a projection is a spread;
 * `rest` holds every root field that we do not know (D12).
 */
export interface Plan {
  id: string;
  session_id: string;
  title: string;
  description: string;
  tasks: readonly Task[];
  status: 'Editing' | 'Active';
  created_at: string;
  updated_at: string;
  approved_at: string | null;
  pre_init_editing: boolean;
  track: Track;
  seed: 'pending' | 'done';
  /** Counts our writes; a plan write names the one it read (D16). */
  rev: number;
  approval: Approval | null;
  /** What put the session into pre-init: a command or the words that matched (B18). */
  origin: string | null;
  rest: Readonly<Record<string, unknown>>;
}

/** What a sidecar on disk says, before the `.md` and the lease are looked at (D8). */
export type Loaded =
  | { kind: 'unreadable'; cause: string }
  | { kind: 'finished'; as: 'completed' | 'discarded'; plan: Plan }
  | { kind: 'editing'; plan: Plan }
  | { kind: 'active'; plan: Plan };

const Root = z.looseObject({
  id: z.string().catch(''),
  session_id: z.string().catch(''),
  title: z.string().catch(''),
  description: z.string().catch(''),
  tasks: z.array(z.looseObject({})),
  status: z.enum(statuses).optional(),
  created_at: z.string().catch(''),
  updated_at: z.string().catch(''),
  approved_at: z.string().nullable().catch(null),
  pre_init_editing: z.boolean().catch(false),
  track: z.enum(tracks).optional().catch(undefined),
  seed: z.enum(['pending', 'done']).optional().catch(undefined),
  rev: z.number().catch(0),
  approval: Approval.nullable().catch(null),
  origin: z.string().nullable().catch(null),
  /** OpenCrabs' mark of a plan that nobody approved yet; for us that is Editing, so it is not written back. */
  pending_approval: z.boolean().catch(false),
});

/** Root fields that the schema knows; all others are kept as they are (D12). */
export const rootFields: ReadonlySet<string> = new Set(Object.keys(Root.shape));

/** Fields of the JSON spec that nothing here reads: early builds of OpenCrabs refuse a file without them (D4, D52). */
export const unreadFields = { context: '', risks: [], technical_stack: [], test_strategy: '' } as const;

/** Reads a sidecar's text. `document` tells whether the `.md` stands next to it (D11). Never throws. */
export function loadSidecar(text: string, facts: { session: string; document: boolean }): Loaded {
  const parsed = parseJson(text);
  if ('cause' in parsed) return { kind: 'unreadable', cause: parsed.cause };
  const root = Root.safeParse(parsed.value);
  if (!root.success) return { kind: 'unreadable', cause: firstIssue(root.error) };
  const raw = root.data;
  if (raw.status === undefined && !raw.pre_init_editing) {
    return { kind: 'unreadable', cause: 'status is missing' };
  }
  const ended = raw.status === 'Completed' || raw.status === 'Cancelled';
  const status = raw.pending_approval && !ended ? 'PendingApproval' : (raw.status ?? 'Editing');
  const tasks = loadTasks(raw.tasks, facts.session);
  const legacyActive = (status === 'Approved' || status === 'InProgress') && tasks.length > 0;
  const plan = toPlan(raw, tasks, {
    session: facts.session,
    track: raw.track ?? (facts.document && !legacyActive ? 'design' : 'checklist'),
  });
  return classify(status, plan, facts.document);
}

function classify(status: (typeof statuses)[number], plan: Plan, document: boolean): Loaded {
  if (status === 'Completed' || status === 'Cancelled') {
    // A flag that was left behind must not keep the plan out of the archive (D43).
    const finished = { ...plan, pre_init_editing: false };
    return { kind: 'finished', as: status === 'Completed' ? 'completed' : 'discarded', plan: finished };
  }
  if (status === 'Active' || status === 'Approved' || status === 'InProgress') {
    const active: Plan = { ...plan, status: 'Active', pre_init_editing: false };
    const resolved = active.tasks.length > 0 && active.tasks.every(taskClosed);
    return resolved ? { kind: 'finished', as: 'completed', plan: active } : { kind: 'active', plan: active };
  }
  const draft = status === 'Draft' && plan.tasks.length > 0 && !document && !plan.pre_init_editing;
  if (draft) return { kind: 'active', plan: { ...plan, status: 'Active', track: 'checklist', seed: 'done' } };
  return { kind: 'editing', plan: withoutTasks({ ...plan, status: 'Editing' }) };
}

/** Editing has no checklist: tasks of an older program are kept aside (D8 rule 4). */
function withoutTasks(plan: Plan): Plan {
  if (plan.tasks.length === 0) return plan;
  const legacy_tasks = plan.tasks.map(({ rest, ...task }) => ({ ...rest, ...task }));
  return { ...plan, tasks: [], rest: { ...plan.rest, legacy_tasks } };
}

function toPlan(
  raw: z.infer<typeof Root>,
  tasks: readonly Task[],
  facts: { session: string; track: Track },
): Plan {
  const started = tasks.some((task) => task.status !== 'Pending');
  return {
    id: raw.id || numberedId(facts.session, 0),
    session_id: raw.session_id || facts.session,
    title: raw.title,
    description: raw.description,
    tasks,
    status: 'Editing',
    created_at: raw.created_at,
    updated_at: raw.updated_at,
    approved_at: raw.approved_at,
    pre_init_editing: raw.pre_init_editing,
    track: facts.track,
    seed: raw.seed ?? (started ? 'done' : 'pending'),
    rev: raw.rev,
    approval: raw.approval,
    origin: raw.origin,
    rest: Object.fromEntries(Object.entries(raw).filter(([name]) => !rootFields.has(name))),
  };
}

/** Text of the sidecar for a plan: pretty JSON with a final newline, unknown fields kept (D12). */
export function projectSidecar(plan: Plan): string {
  const { rest, pre_init_editing, approval, origin, tasks, ...fields } = plan;
  const root = {
    ...rest,
    ...fields,
    ...(pre_init_editing ? { pre_init_editing } : {}),
    ...(approval === null ? {} : { approval }),
    ...(origin === null ? {} : { origin }),
    tasks: tasks.map(({ rest: extra, ...task }) => ({ ...extra, ...task })),
  };
  return `${JSON.stringify(root, null, 2)}\n`;
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'not a plan';
  const path = issue.path.join('.') || 'the root';
  return `${path}: ${issue.message}`;
}
