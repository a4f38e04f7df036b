import { type Code, refusals } from './refusals.ts';
import type { SessionSnapshot } from './session/derive.ts';
import { phaseOf } from './phase.ts';
import type { Phase } from './views.ts';

/** Classes of the gate table (D21). A tool that is not in the registry is `unknown`. */
export const toolClasses = [
  'read',
  'question',
  'plan',
  'sessionPlan',
  'projectWrite',
  'bash',
  'spawnArchitect',
  'spawnOther',
  'channelSend',
  'networkWrite',
  'configWrite',
  'planFiles',
  'unknown',
] as const;
export type ToolClass = (typeof toolClasses)[number];

type Cell = 'allow' | 'deny' | 'read-only';

const everywhere = (cell: Cell): Record<Phase, Cell> => ({
  noPlan: cell,
  preInit: cell,
  postInit: cell,
  seeding: cell,
  seedFailedEmpty: cell,
  seedFailedPartial: cell,
  checklist: cell,
  unreadable: cell,
});

/** Mutators work where no design is being made and none waits for its seed. */
const openStates = { ...everywhere('deny'), noPlan: 'allow', checklist: 'allow' } as const;

/** The gate table of the spec; the one classifier for gate, prompts and docs (D21). */
export const gateTable: Readonly<Record<ToolClass, Readonly<Record<Phase, Cell>>>> = {
  read: everywhere('allow'),
  plan: everywhere('allow'),
  question: { ...everywhere('allow'), seeding: 'deny' },
  sessionPlan: { ...everywhere('deny'), postInit: 'allow' },
  projectWrite: openStates,
  bash: { ...openStates, preInit: 'read-only' },
  spawnArchitect: { ...openStates, preInit: 'allow' },
  spawnOther: openStates,
  channelSend: openStates,
  networkWrite: openStates,
  configWrite: openStates,
  planFiles: everywhere('deny'),
  unknown: openStates,
};

/** Who makes a call: the session's own agent, or a sub-agent of it (D42). */
export type AgentKind = 'main' | 'general' | 'architect';

/**
 * What an agent never gets, whatever the state; the rest is judged by the table, on the session's own state
 * (D21, D42, decisions 0011 and 0036).
 */
export const agentClosed: Readonly<Record<AgentKind, readonly ToolClass[]>> = {
  main: [],
  general: ['plan', 'sessionPlan', 'question', 'spawnArchitect', 'spawnOther'],
  architect: toolClasses.filter((name) => name !== 'read'),
};

/** A call as the gate sees it: the class of its tool and the path it resolved to, once (D21). */
export interface GateRequest {
  tool: string;
  class: ToolClass;
  agent: AgentKind;
  turn: string;
  target: { path: string; access: 'read' | 'write' } | null;
  /** Resolved home of plans and settings, and what of it may be read. */
  home: { root: string; readable: readonly string[] };
}

export type GateVerdict =
  | { kind: 'allow'; class: ToolClass; shell: 'project' | 'readOnly' }
  | { kind: 'deny'; code: Code; text: string };

/** Asked outside the lock, right before a call and again after a person's Yes. Pure. */
export function gate(snapshot: SessionSnapshot, request: GateRequest): GateVerdict {
  const { lease } = snapshot.context.record;
  if (lease === null || lease.turn !== request.turn || lease.cancel !== null) {
    return deny('CANCELLED', refusals.CANCELLED());
  }
  const effective = classify(snapshot, request);
  if (effective === 'privateRead') return deny('GATE_CLOSED', privateText(request));
  if (agentClosed[request.agent].includes(effective)) return deny(...childRefusal(effective, request));
  const phase = phaseOf(snapshot);
  const cell = gateTable[effective][phase];
  if (cell === 'deny') return deny(...refusal(effective, phase, request, snapshot.context.places.document));
  return { kind: 'allow', class: effective, shell: cell === 'read-only' ? 'readOnly' : 'project' };
}

const deny = (code: Code, text: string): GateVerdict => ({ kind: 'deny', code, text });

/** The path decides before the tool's class does: home files are closed whatever writes them. */
function classify(snapshot: SessionSnapshot, request: GateRequest): ToolClass | 'privateRead' {
  const { target, home } = request;
  if (target === null) return request.class;
  if (target.access === 'read') {
    const readable = home.readable.some((path) => isWithin(target.path, path));
    return isWithin(target.path, home.root) && !readable ? 'privateRead' : request.class;
  }
  if (target.path === snapshot.context.places.document) return 'sessionPlan';
  return isWithin(target.path, home.root) || isSettings(target.path) ? 'planFiles' : request.class;
}

/** What a folder brings along for planchart itself; the next start would load it, so only a person changes it (D21). */
const isSettings = (path: string): boolean => /\/\.planchart(?:\/|$)/iu.test(path);

/** Whether an absolute, resolved path is a folder or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  const root = folder.endsWith('/') ? folder.slice(0, -1) : folder;
  return path === root || path.startsWith(`${root}/`);
}

const frozenIn: readonly Phase[] = ['seeding', 'seedFailedEmpty', 'seedFailedPartial', 'checklist'];

function refusal(effective: ToolClass, phase: Phase, request: GateRequest, document: string): [Code, string] {
  if (effective === 'planFiles') {
    const where = request.target?.path ?? 'that path';
    const instead = isSettings(where)
      ? 'Say what should be changed; only a person writes there.'
      : 'Use the `plan` tool for the checklist.';
    return ['GATE_CLOSED', `${where} belongs to planchart and is closed to tools. ${instead}`];
  }
  if (effective === 'sessionPlan' && frozenIn.includes(phase)) {
    return ['FROZEN', refusals.FROZEN({ documentPath: document })];
  }
  return ['GATE_CLOSED', `${request.tool} is closed: ${why(phase, document)}`];
}

const readers = 'read_file, ls, glob and grep still work';

/** Why a sub-agent does not get what its parent may have. */
function childRefusal(effective: ToolClass, { tool, agent }: GateRequest): [Code, string] {
  if (effective === 'plan' || effective === 'sessionPlan') return ['NOT_FOR_CHILD', refusals.NOT_FOR_CHILD()];
  return ['GATE_CLOSED', `${tool} is closed: ${childWhy(effective, agent)}`];
}

function childWhy(effective: ToolClass, agent: AgentKind): string {
  if (effective === 'question')
    return 'a sub-agent asks the user nothing. Put the question into your report.';
  if (effective === 'spawnArchitect' || effective === 'spawnOther')
    return 'a sub-agent starts no further ones. Do the work yourself, or report what is left.';
  return `this sub-agent (${agent}) only reads; ${readers}. Report what should be changed.`;
}

/** Why a class is shut in a state, and what to use instead (B30). */
function why(phase: Phase, document: string): string {
  switch (phase) {
    case 'preInit':
      return `Plan mode is on and nothing is written before \`plan init\`; ${readers}, and bash read-only.`;
    case 'postInit':
      return `the session plan is being written, so only ${document} may be changed and there is no bash; ${readers}.`;
    case 'seeding':
      return `the checklist is being built; call \`plan\` add_tasks, then start; ${readers}.`;
    case 'seedFailedEmpty':
      return `the checklist was not built. The user retries with /execute or leaves with /discard; ${readers}.`;
    case 'seedFailedPartial':
      return `the checklist was never started. The user has to /discard it and approve again; ${readers}.`;
    case 'unreadable':
      return `the plan files cannot be read. The user mends them or moves them away with /discard; ${readers}.`;
    case 'noPlan':
    case 'checklist':
      return `${document} is written only while a session plan is in review.`;
  }
}

function privateText({ tool, target }: GateRequest): string {
  return `${tool}: ${target?.path ?? 'that path'} holds settings or other sessions and is closed. Only skills and this session's own plan files can be read.`;
}
