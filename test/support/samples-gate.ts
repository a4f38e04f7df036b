import {
  derive,
  type GateRequest,
  type Phase,
  type SessionSnapshot,
  type ToolClass,
} from '../../machines/index.ts';
import { home, paths, sessionIn, type SessionShape, turnId } from './samples.ts';

const project = '/home/ann/project/src/cache.ts';

/** A call of the running turn; nothing but this session's own plan files can be read in the home folder. */
export function requestOf(fields: Partial<GateRequest> & { class: ToolClass }): GateRequest {
  const readable = [paths.sidecar, paths.document];
  const own = { agent: 'main', turn: turnId, target: null } as const;
  return { tool: fields.class, ...own, home: { root: home, readable }, ...fields };
}

/** The snapshot of a running turn in a phase; the gate is asked nowhere else. */
export const busyIn = (phase: Phase, shape: SessionShape = {}): SessionSnapshot =>
  derive(sessionIn(phase, { turn: 'running', ...shape })).snapshot;

const write = (path: string) => ({ path, access: 'write' }) as const;
const writers: readonly ToolClass[] = ['projectWrite', 'bash', 'configWrite', 'sessionPlan', 'unknown'];
const closed = [
  paths.sidecar,
  `${home}/session/archive/opencrabs_plan.json`,
  `${home}/session/.opencrabs_plan_22222222-2222-4222-8222-222222222222.md`,
  `${home}/agents/session/.opencrabs_plan.json`,
  `${home}/planchart.toml`,
  home,
];

/** The calls that each row of the spec's gate table stands for. */
export const gateRows: Readonly<Record<string, readonly GateRequest[]>> = {
  "read, search, list; web search; HTTP GET/HEAD; MCP tool on the user's read-only list": [
    requestOf({ class: 'read' }),
    requestOf({ class: 'read', target: { path: project, access: 'read' } }),
    requestOf({ class: 'read', target: { path: paths.document, access: 'read' } }),
  ],
  follow_up_question: [requestOf({ class: 'question' })],
  'write to the session .md': writers.map((tool) =>
    requestOf({ class: tool, target: write(paths.document) }),
  ),
  'write, edit, hashline, other project writers': [
    requestOf({ class: 'projectWrite' }),
    requestOf({ class: 'projectWrite', target: write(project) }),
  ],
  bash: [requestOf({ class: 'bash' })],
  'spawn_agent architect': [requestOf({ class: 'spawnArchitect' })],
  'spawn_agent other, team_*': [requestOf({ class: 'spawnOther' })],
  'channel send': [requestOf({ class: 'channelSend' })],
  'browser, http mutators': [requestOf({ class: 'networkWrite' })],
  'config, memory, cron writers': [requestOf({ class: 'configWrite' })],
  'sidecar, archive, markers (any writer)': closed.flatMap((path) =>
    [...writers, 'read' as const].map((tool) => requestOf({ class: tool, target: write(path) })),
  ),
  'unknown tool, MCP tool not listed': [requestOf({ class: 'unknown' })],
};
