import {
  answerOf,
  gate,
  type GateVerdict,
  idsNeeded,
  isWithin,
  type SessionSnapshot,
  type ToolClass,
  verdict as machineVerdict,
} from '../../machines/index.ts';
import { findTool, readInput } from '../../tools/registry.ts';
import type { Preview, Target, Tool, ToolContext, ToolEvent, ToolResult } from '../../tools/types.ts';
import type { ModelCall } from '../ports.ts';
import { readableFiles, toolContext, waiting } from './tool-context.ts';
import type { TurnWorld } from './turn-world.ts';
import { messageOf } from './message-of.ts';

/** A call that the gate lets through, ready to be asked about or run. */
export interface Job {
  call: ModelCall;
  tool: Tool;
  input: unknown;
  context: ToolContext;
  /** What "allow for this session" covers: the tool, for bash the exact command. */
  key: string;
  sandbox: string | null;
}

export type Judged = { kind: 'ended'; result: ToolResult } | { kind: 'allowed' | 'asks'; job: Job };

const failed = (text: string): Judged => ({ kind: 'ended', result: { text, failed: true } });

/**
 * The one place where the gate is asked (D21): after the input is known and the path resolved, before
 * anyone is asked. Called again after a person's Yes, since the session may have moved on.
 */
export async function judgeCall(world: TurnWorld, call: ModelCall): Promise<Judged> {
  const tool = findTool(call.name);
  const parsed = parseInput(tool, call);
  const target = 'input' in parsed && tool !== null ? await targetOf(world, tool, parsed.input) : null;
  const { stored, snapshot } = await world.fresh();
  const verdict = gate(snapshot, {
    tool: call.name,
    class: classOfCall(tool, parsed),
    turn: world.turn,
    target: target !== null && 'path' in target ? target : null,
    home: { root: world.workspace.home, readable: readableFiles(world, stored) },
  });
  if (verdict.kind === 'deny') return failed(`${verdict.code}: ${verdict.text}`);
  if (tool === null || 'text' in parsed) return failed('text' in parsed ? parsed.text : '');
  if (target !== null && 'cause' in target) return failed(`${call.name}: ${target.cause}`);
  const context = toolContext(world, { tool: tool.name, target, shell: verdict.shell, snapshot, stored });
  const shown = tool.class === 'bash' ? await context.shell.level() : null;
  const job = { call, tool, input: parsed.input, context, key: keyOf(tool, parsed.input), sandbox: shown };
  if (!(await needsPerson(world, job, verdict, snapshot.context.record))) return { kind: 'allowed', job };
  const refused = await refusalOf(world, job, snapshot);
  return refused === null ? { kind: 'asks', job } : failed(refused);
}

/** Why the machine would refuse the call anyway: then nobody is asked about it (D21). */
async function refusalOf(world: TurnWorld, job: Job, snapshot: SessionSnapshot): Promise<string | null> {
  const said = await eventOf(job);
  if (said === null) return null;
  if ('cause' in said) return said.cause;
  const ids = Array.from({ length: idsNeeded(said) }, () => world.clock.id());
  const event = { ...said, at: world.clock.now(), ids, process: '' };
  const answer = answerOf(machineVerdict(snapshot, event), snapshot, event);
  return 'code' in answer ? `${answer.code}: ${answer.text}` : null;
}

function parseInput(tool: Tool | null, call: ModelCall): { input: unknown } | { text: string } {
  if (tool === null) return { text: `There is no tool ${call.name}. Use one of the tools of this request.` };
  if (call.invalid !== undefined) {
    return { text: `${call.name} was not run: its arguments are not valid JSON. Send the call again.` };
  }
  return readInput(tool, call.input);
}

async function targetOf(
  world: TurnWorld,
  tool: Tool,
  input: unknown,
): Promise<Target | { cause: string } | null> {
  const wanted = tool.target?.(input) ?? null;
  if (wanted === null) return null;
  const { cwd } = (await world.fresh()).stored.record;
  return world.workspace.resolve(wanted.path, wanted.access, cwd);
}

/** Unreadable arguments get the stricter class: the gate's answer comes before theirs. */
function classOfCall(tool: Tool | null, parsed: { input: unknown } | { text: string }): ToolClass {
  if (tool === null) return 'unknown';
  return 'input' in parsed ? (tool.classOf?.(parsed.input) ?? tool.class) : tool.class;
}

const keyOf = (tool: Tool, input: unknown): string => tool.key?.(input) ?? tool.name;

/** D21: never asked are plan operations but `init`, the session `.md`, sandboxed exploring, reads in the folder. */
async function needsPerson(
  world: TurnWorld,
  { tool, input, context, key }: Job,
  verdict: Extract<GateVerdict, { kind: 'allow' }>,
  record: { yolo: boolean; cwd: string },
): Promise<boolean> {
  if (record.yolo || world.allowed.has(key)) return false;
  if (verdict.class === 'sessionPlan' || verdict.shell === 'readOnly') return false;
  if (context.target?.access === 'read') return isOutside(world, context.target.path, record.cwd);
  return tool.asks(input);
}

async function isOutside(world: TurnWorld, path: string, cwd: string): Promise<boolean> {
  if (isWithin(path, world.workspace.home)) return false;
  const folder = await world.workspace.resolve('.', 'read', cwd);
  return 'cause' in folder || !isWithin(path, folder.path);
}

/**
 * Asks the person, and asks the gate again after a Yes: the session may have moved on while the question was
 * open (D21). If by then the call would do something else than was shown, the person is asked anew.
 */
export async function askUntilSame(world: TurnWorld, first: Job): Promise<Judged> {
  let shown = await previewOf(first);
  for (let job = first; ;) {
    if ('failed' in shown) return { kind: 'ended', result: shown };
    const refused = await askPerson(world, job, shown);
    if (refused !== null) return { kind: 'ended', result: refused };
    const again = await judgeCall(world, job.call);
    if (again.kind !== 'asks') return again;
    const now = await previewOf(again.job);
    if (!('failed' in now) && now.title === shown.title && now.body === shown.body) return again;
    job = again.job;
    shown = now;
  }
}

async function eventOf({ tool, input, context }: Job): Promise<ToolEvent | { cause: string } | null> {
  try {
    return (await tool.event?.(input, context)) ?? null;
  } catch (error) {
    return { cause: `${tool.name} failed: ${messageOf(error)}` };
  }
}

/** A preview that throws is a defect of the tool, like a run that does. */
async function previewOf({ tool, input, context }: Job): Promise<Preview | (ToolResult & { failed: true })> {
  try {
    return await tool.preview(input, context);
  } catch (error) {
    return { text: `${tool.name} failed: ${messageOf(error)}`, failed: true };
  }
}

/** Shows what would happen and waits. Null is a Yes; otherwise the result of the call that is not run. */
async function askPerson(world: TurnWorld, job: Job, { title, body }: Preview): Promise<ToolResult | null> {
  if (world.entry !== 'interactive') {
    const text = `NEEDS_PERSON: ${job.tool.name} has to be allowed by a person, and this run has none. Start it with --yolo, or work in the terminal.`;
    return { text, failed: true };
  }
  const draft = {
    kind: 'approval',
    tool: job.tool.name,
    title,
    body,
    folder: job.context.cwd,
    sandbox: job.sandbox,
  } as const;
  const answer = await waiting(world, `your answer about ${job.tool.name}`, () =>
    world.desk.ask(draft, world.signal),
  );
  if (answer?.kind !== 'approval')
    return { text: 'CANCELLED: the turn was cancelled; nothing was done.', failed: true };
  if (answer.allow === 'no')
    return { text: 'The user said No to this call; nothing was done.', failed: true };
  if (answer.allow === 'session') world.allowed.add(job.key);
  return null;
}

/** Runs a tool; a thrown error is a defect of the tool and ends as a failed result, never as a lost turn. */
export async function runJob({ tool, input, context }: Job): Promise<ToolResult> {
  try {
    return await tool.run(input, context);
  } catch (error) {
    return { text: `${tool.name} failed: ${messageOf(error)}`, failed: true };
  }
}
