import {
  answerOf,
  type Code,
  gate,
  type GateRequest,
  type GateVerdict,
  idsNeeded,
  isWithin,
  type SessionSnapshot,
  type StoredSession,
  type ToolClass,
  verdict as machineVerdict,
} from '../../machines/index.ts';
import { classesOf, readInput } from '../../tools/registry.ts';
import type { Preview, Target, Tool, ToolContext, ToolEvent, ToolResult } from '../../tools/types.ts';
import type { ModelCall } from '../ports.ts';
import { toolNamed } from './extensions.ts';
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

type Ended = Extract<Judged, { kind: 'ended' }>;

const failed = (text: string): Ended => ({ kind: 'ended', result: { text, failed: true } });
const refused = (code: Code, text: string): Ended => ({
  kind: 'ended',
  result: { text: `${code}: ${text}`, failed: true, code },
});

/**
 * The one place where the gate is asked (D21): after the input is known and the path resolved, before
 * anyone is asked. Called again after a person's Yes, since the session may have moved on.
 */
export async function judgeCall(world: TurnWorld, call: ModelCall): Promise<Judged> {
  const tool = toolNamed(world, call.name);
  if (tool === null) return judgeUnusable(world, call, ['unknown'], noTool(call));
  const parsed = parseInput(tool, call);
  if ('text' in parsed) return judgeUnusable(world, call, classesOf(tool), parsed.text);
  const target = await targetOf(world, tool, parsed.input);
  if (target !== null && 'cause' in target)
    return judgeUnusable(world, call, classesOf(tool), `${call.name}: ${target.cause}`);
  const { stored, snapshot } = await world.fresh();
  const kind = classOfCall(tool, parsed.input);
  const verdict = gate(snapshot, requestOf(world, stored, { tool: call.name, class: kind, target }));
  if (verdict.kind === 'deny') return refused(verdict.code, verdict.text);
  const facts = { tool: tool.name, call: call.id, target, shell: verdict.shell, snapshot, stored };
  const context = toolContext(world, facts);
  const shown = tool.class === 'bash' ? await context.shell.level() : null;
  const job = { call, tool, input: parsed.input, context, key: keyOf(tool, parsed.input), sandbox: shown };
  if (!(await needsPerson(world, job, verdict, snapshot.context.record))) return { kind: 'allowed', job };
  return (await refusalOf(world, job, snapshot)) ?? { kind: 'asks', job };
}

function requestOf(
  world: TurnWorld,
  stored: StoredSession,
  asked: Pick<GateRequest, 'tool' | 'class' | 'target'>,
): GateRequest {
  const home = { root: world.workspace.home, readable: readableFiles(world, stored) };
  return { ...asked, agent: world.agent.kind, turn: world.turn, home };
}

/**
 * A call that can't be run whatever the gate says. Where the state closes every call of its tool, that is told,
 * since no other arguments would help; else what is wrong with it (decision 0037).
 */
async function judgeUnusable(
  world: TurnWorld,
  call: ModelCall,
  classes: readonly ToolClass[],
  text: string,
): Promise<Judged> {
  const { stored, snapshot } = await world.fresh();
  const verdicts = classes.map((name) =>
    gate(snapshot, requestOf(world, stored, { tool: call.name, class: name, target: null })),
  );
  const [strictest] = verdicts;
  const isOpen = verdicts.some(({ kind }) => kind === 'allow');
  return isOpen || strictest?.kind !== 'deny' ? failed(text) : refused(strictest.code, strictest.text);
}

/** Whether a call can do nothing but read; its neighbours of that kind run beside it. */
export function onlyReads(world: TurnWorld, call: ModelCall): boolean {
  const tool = toolNamed(world, call.name);
  if (tool === null) return false;
  const parsed = parseInput(tool, call);
  return 'input' in parsed && classOfCall(tool, parsed.input) === 'read';
}

/** Why the machine would refuse the call anyway: then nobody is asked about it (D21). */
async function refusalOf(world: TurnWorld, job: Job, snapshot: SessionSnapshot): Promise<Ended | null> {
  const { context, outside } = unread(world, job.context);
  const said = await eventOf({ ...job, context });
  if (said === null) return null;
  if ('cause' in said) return failed(said.cause);
  const ids = Array.from({ length: idsNeeded(said) }, () => world.clock.id());
  const event = { ...said, at: world.clock.now(), ids, process: '' };
  const answer = answerOf(machineVerdict(snapshot, event), snapshot, event);
  if (!('code' in answer)) return null;
  // All that is wrong with it is that nobody has looked: a person is asked first.
  if (answer.code === 'IMPORT_UNREADABLE' && outside.met) return null;
  return refused(answer.code, answer.text);
}

/** The same context, but for files outside the folder: not even the machine's question reads one before a Yes (D21). */
function unread(world: TurnWorld, context: ToolContext): { context: ToolContext; outside: { met: boolean } } {
  const outside = { met: false };
  const resolve: ToolContext['resolve'] = async (given, access) => {
    const target = await context.resolve(given, access);
    if ('cause' in target || !(await isOutside(world, target.path, context.cwd))) return target;
    outside.met = true;
    return { cause: 'it is read only after a person has said Yes' };
  };
  return { context: { ...context, resolve }, outside };
}

const noTool = ({ name }: ModelCall): string =>
  `There is no tool ${name}. Use one of the tools of this request.`;

function parseInput(tool: Tool, call: ModelCall): { input: unknown } | { text: string } {
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

const classOfCall = (tool: Tool, input: unknown): ToolClass => tool.classOf?.(input) ?? tool.class;

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
    const answer = await askPerson(world, job, shown);
    if (answer !== null) return { kind: 'ended', result: answer };
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
    const text = `${job.tool.name} has to be allowed by a person, and this run has none. Start it with --yolo, or work in the terminal.`;
    return refused('NEEDS_PERSON', text).result;
  }
  const draft = {
    kind: 'approval',
    tool: job.tool.name,
    // A sub-agent's call is asked about as such.
    title: world.agent.name === null ? title : `${world.agent.name}: ${title}`,
    body,
    folder: job.context.cwd,
    sandbox: job.sandbox,
  } as const;
  const answer = await waiting(world, `your answer about ${job.tool.name}`, () =>
    world.desk.ask(draft, world.signal),
  );
  if (answer?.kind !== 'approval')
    return refused('CANCELLED', 'the turn was cancelled; nothing was done.').result;
  if (answer.allow === 'no')
    return { text: 'The user said No to this call; nothing was done.', failed: true };
  if (answer.allow === 'session') world.allowed.add(job.key);
  return null;
}

/** Classes that can change a file in ways the gate does not see: by a command, through a link, in another program. */
const watchedClasses: readonly ToolClass[] = ['bash', 'projectWrite', 'unknown'];

/** Runs a tool. What it did to the settings of a trusted folder is loaded again only after a person's word (0028). */
export async function runJob(world: TurnWorld, job: Job): Promise<ToolResult> {
  const isWatched = watchedClasses.includes(job.tool.class);
  const lookAgain = isWatched ? await world.workspace.watchSettings?.() : undefined;
  const result = await runTool(job);
  const changed = (await lookAgain?.()) ?? null;
  if (changed === null) return result;
  world.publish({ type: 'notice', level: 'error', text: changed });
  return { ...result, text: `${result.text.trimEnd()}\n[${changed}]\n` };
}

/** A thrown error is a defect of the tool and ends as a failed result, never as a lost turn. */
async function runTool({ tool, input, context }: Job): Promise<ToolResult> {
  try {
    return await tool.run(input, context);
  } catch (error) {
    return { text: `${tool.name} failed: ${messageOf(error)}`, failed: true };
  }
}
