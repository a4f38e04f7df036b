import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ModelCall, ModelMessage, ModelPart, ModelPort, ModelRequest } from '../../../adapters/ports.ts';
import { loadPrompts } from '../../../adapters/prompts.ts';
import {
  acceptedAnswer,
  answerOf,
  applyCommit,
  derive,
  type Effect,
  gate,
  implementPrompt,
  projectCommit,
  reminderOf,
  type Said,
  type SessionEvent,
  type SessionSnapshot,
  type Stamp,
  step,
  type StoredSession,
  type TaskDraft,
  type ToolClass,
  verdict,
} from '../../../machines/index.ts';
import { files, replaced, runTool, toolList, type Outcome } from './tools.ts';

export const prompts = loadPrompts(new URL('../../../prompts/', import.meta.url));
const by = { entry: 'interactive', surface: 'tui', person: 'ada', owner: true } as const;
const id = '7f3c';
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const classes: Record<string, ToolClass> = {
  plan: 'plan',
  bash: 'bash',
  write_file: 'projectWrite',
  edit_file: 'projectWrite',
};

interface Options {
  model: ModelPort;
  /** A person's No or a fault: answers the call instead of the tool. May throw `Killed`. */
  refuse?: (call: ModelCall) => string | null;
  /** Where the reminder goes: some hosts put it into the system message, some at the end of the messages. */
  reminder?: 'system' | 'message';
}

/** Thrown by `refuse`: the process dies before the call runs. */
export class Killed extends Error {}

/** One session: the real machine, gate, prompts and a real folder; no surface, no store, no process. */
export class Session {
  readonly cwd: string;
  readonly calls: ModelCall[] = [];
  readonly requests: ModelRequest[] = [];
  messages: ModelMessage[] = [];
  private stored: StoredSession;
  private seen: string | null = null;
  private readonly options: Options;
  private readonly home: string;
  private count = 0;

  constructor(root: string, options: Options) {
    this.options = options;
    this.cwd = join(root, 'project');
    this.home = join(root, 'home');
    mkdirSync(this.cwd, { recursive: true });
    const at = this.stamp().at;
    const base = {
      yolo: false,
      project: null,
      goal: { user: null, task: null },
      lease: null,
      queue: [],
      interrupted: false,
    };
    this.stored = {
      record: { v: 1, id, cwd: this.cwd, created: at, used: at, ...base },
      sidecar: { kind: 'absent', path: join(this.home, `session/.opencrabs_plan_${id}.json`) },
      document: { kind: 'absent', path: join(this.home, `session/.opencrabs_plan_${id}.md`) },
      leaseAlive: false,
      gone: [],
      archives: [],
    };
  }

  get snapshot(): SessionSnapshot {
    return derive(this.stored).snapshot;
  }

  get document(): string {
    return this.stored.document.kind === 'text' ? this.stored.document.text : '';
  }

  get documentPath(): string {
    return this.stored.document.path;
  }

  /** What the model said last. */
  get lastText(): string {
    const last = this.messages.at(-1);
    return last?.role === 'assistant' ? last.text : '';
  }

  chat = (text: string) => this.person({ type: 'user.chat', by, text, origin: 'typed' });
  plan = (text: string) => this.person({ type: 'user.plan', by, text });
  approve = () => this.person({ type: 'user.execute', by, shown: hash(this.document) });
  resume = () => this.person({ type: 'user.continue', by });
  revise = (note: string) => this.person({ type: 'user.revise', by, note, seen: hash(this.document) });

  /** The words of the answer, after the turn that the event started has ended. */
  private async person(said: Said): Promise<string> {
    const { text, effects } = this.dispatch(said);
    for (const effect of effects) if (effect.type === 'turn.start') await this.run(effect);
    return text;
  }

  private async run(start: Extract<Effect, { type: 'turn.start' }>): Promise<void> {
    const turn = this.snapshot.context.record.lease?.turn ?? start.turn;
    try {
      await this.turn(start, turn);
      this.dispatch({ type: 'turn.end', turn, outcome: 'done' });
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      this.dispatch({ type: 'turn.end', turn, outcome: 'lost' });
    }
  }

  private async turn(start: Extract<Effect, { type: 'turn.start' }>, turn: string): Promise<void> {
    this.messages.push({ role: 'user', text: this.opening(start) });
    for (let rounds = 0; rounds < 120; rounds += 1) {
      const { text, calls } = await this.ask();
      this.messages.push({ role: 'assistant', text, calls });
      if (calls.length === 0) return;
      for (const call of calls) {
        const outcome = this.execute(turn, call);
        this.messages.push({ role: 'tool', call: call.id, name: call.name, ...outcome });
      }
    }
    throw new Error('the turn does not end');
  }

  private opening({ kind, text, hint, again }: Extract<Effect, { type: 'turn.start' }>): string {
    if (kind === 'seed') {
      const { prompt, variables } = implementPrompt(this.snapshot, again ? 'again' : 'first');
      return prompts.render(prompt, variables);
    }
    if (kind === 'revise') return prompts.render('revise', { note: text, revision: 'the newest' });
    if (kind === 'resume') return prompts.render('resume', {});
    return hint === null ? text : `${text}\n\n${prompts.render(`${hint}-hint`, {})}`;
  }

  private async ask(): Promise<{ text: string; calls: ModelCall[] }> {
    const reminder = reminderOf(this.snapshot);
    const words = reminder === null ? [] : [prompts.render(reminder.prompt, reminder.variables)];
    const inSystem = (this.options.reminder ?? 'system') === 'system';
    const request: ModelRequest = {
      system: [prompts.render('preamble', {}), ...(inSystem ? words : [])].join('\n\n'),
      messages: [
        ...this.messages,
        ...(inSystem ? [] : words.map((text) => ({ role: 'user', text }) as const)),
      ],
      tools: toolList,
    };
    this.requests.push(request);
    const parts = await collect(this.options.model, request);
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    return { text, calls: parts.flatMap((part) => (part.type === 'call' ? [part.call] : [])) };
  }

  private execute(turn: string, call: ModelCall): Outcome {
    this.calls.push(call);
    const input = call.input as Record<string, unknown>;
    const path = typeof input['path'] === 'string' ? resolve(this.cwd, input['path']) : null;
    const kind = classes[call.name] ?? 'read';
    const target =
      path === null ? null : { path, access: kind === 'read' ? ('read' as const) : ('write' as const) };
    const home = { root: this.home, readable: [this.documentPath] };
    const asked = { tool: call.name, class: kind, agent: 'main', turn, target, home } as const;
    const judged = gate(this.snapshot, asked);
    const no = judged.kind === 'deny' ? judged.text : (this.options.refuse?.(call) ?? null);
    if (no !== null) return { text: no, failed: true };
    if (call.name === 'plan') return this.answer(planEvent(turn, input));
    if (path === this.documentPath && kind === 'projectWrite') return this.write(turn, input);
    const outcome = runTool(this.cwd, call);
    if (path === this.documentPath && call.name === 'read_file') this.seen = hash(this.document);
    return outcome;
  }

  private write(turn: string, input: Record<string, unknown>): Outcome {
    const text =
      typeof input['content'] === 'string'
        ? input['content']
        : replaced(this.document, String(input['old_text']), String(input['new_text']));
    if (text === null) return { text: 'The old text is not there exactly once.', failed: true };
    const plan = this.snapshot.context.plan?.id ?? null;
    const outcome = this.answer({ type: 'tool.document', turn, child: false, text, base: this.seen, plan });
    if (!outcome.failed) this.seen = hash(text);
    return outcome;
  }

  private answer(said: Said): Outcome {
    const { text, kind } = this.dispatch(said);
    return { text, failed: kind !== 'accepted' };
  }

  /** Writes the session `.md` as a person's editor would. */
  edit(text: string): void {
    writeFileSync(this.documentPath, text);
    this.stored = {
      ...this.stored,
      document: { kind: 'text', path: this.documentPath, text, hash: hash(text) },
    };
    for (const event of derive(this.stored).found) this.commit({ ...event, ...this.stamp() });
  }

  dispatch(said: Said): { text: string; kind: string; effects: readonly Effect[] } {
    const event = { ...said, ...this.stamp() };
    const before = this.snapshot;
    const judged = verdict(before, event);
    if (judged.kind !== 'accepted') return { ...answerOf(judged, before, event), effects: [] };
    const effects = this.commit(event);
    return { ...acceptedAnswer(before, this.snapshot, event), effects };
  }

  private commit(event: SessionEvent): readonly Effect[] {
    const next = step(this.snapshot, event);
    const change = projectCommit(this.stored, next.snapshot, next.archive, event.at);
    if (change !== null) this.stored = applyCommit(this.stored, change, hash);
    this.stored = { ...this.stored, leaseAlive: this.stored.record.lease !== null };
    mkdirSync(dirname(this.documentPath), { recursive: true });
    if (this.stored.document.kind === 'text') writeFileSync(this.documentPath, this.document);
    else if (existsSync(this.documentPath)) rmSync(this.documentPath);
    return next.effects;
  }

  private stamp(): Stamp {
    this.count += 1;
    const ids = Array.from({ length: 40 }, (_, index) => uuid(this.count * 100 + index));
    return { at: `2026-01-01T00:00:00.${String(this.count % 1000).padStart(3, '0')}Z`, ids, process: 'test' };
  }

  /** Names of the files in the project folder. */
  get tree(): string[] {
    return files(this.cwd);
  }
}

function uuid(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

function planEvent(turn: string, input: Record<string, unknown>): Said {
  const call = { turn, child: false };
  const [title, mode, action, output] = ['title', 'mode', 'action', 'output'].map(
    (key) => input[key] as string,
  );
  const task = input['task_order'] as number;
  const tasks = (input['tasks'] ?? []) as TaskDraft[];
  const given = <T extends object>(values: T): T =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
  switch (input['operation']) {
    case 'init':
      return given({ type: 'tool.init', ...call, title, mode });
    case 'add_tasks':
      return { type: 'tool.addTasks', ...call, tasks };
    case 'start':
      return given({ type: 'tool.start', ...call, task });
    case 'complete':
      return given({ type: 'tool.complete', ...call, task, action, output });
    default:
      return { type: 'tool.unknown', ...call, operation: String(input['operation']) };
  }
}

export async function collect(
  model: ModelPort,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of model.step(request, signal)) parts.push(part);
  return parts;
}
