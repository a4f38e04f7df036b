import {
  type AgentCall,
  type AgentEffect,
  type AgentEvent,
  type AgentSnapshot,
  agentStep,
  type FullCause,
} from '../../machines/index.ts';
import type { ToolResult } from '../../tools/types.ts';
import type { ModelCall, ModelPart, ModelRequest } from '../ports.ts';
import { askUntilSame, judgeCall, type Job, type Judged, onlyReads, runJob } from './tool-calls.ts';
import type { Conversation } from './compaction.ts';
import type { TurnWorld } from './turn-world.ts';

export interface TurnEnd {
  outcome: 'done' | 'failed' | 'cancelled';
  cause: string | null;
}

/**
 * Drives the agent machine: carries out each effect and gives the result back as an event. What a
 * call does next is decided in `machines/agent.ts`.
 */
export async function runAgent(world: TurnWorld, conversation: Conversation): Promise<TurnEnd> {
  const driver = new Driver(world, conversation);
  let [snapshot, effects]: [AgentSnapshot, AgentEffect[]] = agentStep(null, null);
  for (;;) {
    let next: AgentEvent | null = null;
    for (const effect of effects) {
      if (effect.type === 'settle') return { outcome: effect.outcome, cause: effect.cause };
      next = await driver.perform(effect);
    }
    // A cancel wins over whatever the work came to; the rest of the calls is answered "not run" (D16).
    const event: AgentEvent = world.signal.aborted || next === null ? { type: 'cancel' } : next;
    [snapshot, effects] = agentStep(snapshot, event);
  }
}

class Driver {
  private readonly world: TurnWorld;
  private readonly conversation: Conversation;
  private request: ModelRequest | null = null;
  private parts: AsyncIterator<ModelPart> | null = null;
  private first: ModelPart | null = null;
  private calls: readonly ModelCall[] = [];
  private job: Job | null = null;
  private readonly answered = new Set<string>();

  constructor(world: TurnWorld, conversation: Conversation) {
    this.world = world;
    this.conversation = conversation;
  }

  async perform(effect: AgentEffect): Promise<AgentEvent | null> {
    switch (effect.type) {
      case 'context.compact':
        return this.compact(effect.why);
      case 'model.ask':
        return this.ask();
      case 'model.read':
        return this.read();
      case 'call.judge':
        return this.judge(effect.call.id);
      case 'prompt.open':
        return this.prompt();
      case 'call.run':
        return this.run();
      case 'reads.run':
        return this.runReads(effect.calls);
      case 'calls.drop':
        return this.drop(effect.why);
      case 'settle':
        return null;
    }
  }

  private async ask(): Promise<AgentEvent> {
    const { world, conversation } = this;
    this.request = await conversation.build();
    if (conversation.isFull(this.request)) return { type: 'context.full', why: 'full' };
    this.parts = world.model.step(this.request, world.signal)[Symbol.asyncIterator]();
    for (;;) {
      const part = await this.next();
      if (part.type !== 'retry') {
        this.first = part;
        return part.type === 'end' && part.reason === 'failed' ? failure(part) : { type: 'model.started' };
      }
      const text = `${part.cause} Trying again (${part.attempt} of ${part.of}).`;
      world.publish({ type: 'notice', level: 'info', text });
    }
  }

  private async compact(why: FullCause): Promise<AgentEvent> {
    const compacted = await this.conversation.compact(why);
    if (compacted === 'aborted') return { type: 'cancel' };
    return { type: compacted === 'full' ? 'context.failed' : 'context.compacted' };
  }

  private async next(): Promise<ModelPart> {
    const found = await this.parts?.next();
    return found === undefined || found.done === true ? { type: 'end', reason: 'stop' } : found.value;
  }

  private async read(): Promise<AgentEvent> {
    const { turn } = this.world;
    let text = '';
    const calls: ModelCall[] = [];
    for (let part = this.first ?? (await this.next()); ; part = await this.next()) {
      if (part.type === 'end') return this.ended(part, text, calls);
      if (part.type === 'call') calls.push(part.call);
      if (part.type === 'reasoning') this.world.publish({ type: 'reasoning', turn, text: part.text });
      if (part.type === 'text') {
        text += part.text;
        this.world.publish({ type: 'text', turn, text: part.text });
      }
    }
  }

  /** What came in is kept whatever the end; calls of a response that did not end well are not (D37). */
  private async ended(
    end: Extract<ModelPart, { type: 'end' }>,
    text: string,
    calls: ModelCall[],
  ): Promise<AgentEvent> {
    const { turn, clock } = this.world;
    const whole = end.reason !== 'aborted' && end.reason !== 'failed';
    this.calls = whole ? calls : [];
    this.answered.clear();
    this.conversation.counted(this.request, end.usage);
    if (text !== '' || this.calls.length > 0) {
      await this.world.record({ v: 1, at: clock.now(), type: 'assistant', turn, text, calls: this.calls });
    }
    this.world.publish({ type: 'message.ended', turn, text });
    if (end.reason === 'failed')
      return { type: 'model.failed', cause: end.fault?.message ?? 'The model failed.' };
    if (end.reason === 'aborted') return { type: 'cancel' };
    return {
      type: 'model.ended',
      reason: end.reason,
      calls: this.calls.map((call) => ({
        id: call.id,
        name: call.name,
        kind: onlyReads(this.world, call) ? 'read' : 'other',
      })),
    };
  }

  private async judge(id: string): Promise<AgentEvent> {
    const call = this.call(id);
    const judged = await judgeCall(this.world, call);
    if (judged.kind === 'ended') return this.answer(call, judged.result);
    this.job = judged.job;
    return { type: judged.kind === 'asks' ? 'call.asks' : 'call.allowed' };
  }

  private async prompt(): Promise<AgentEvent> {
    const job = this.job;
    if (job === null) return { type: 'cancel' };
    const decided = await askUntilSame(this.world, job);
    if (decided.kind === 'ended') return this.answer(job.call, decided.result);
    this.job = decided.job;
    return { type: 'call.allowed' };
  }

  private async run(): Promise<AgentEvent> {
    const job = this.job;
    if (job === null) return { type: 'cancel' };
    await this.started([job]);
    return this.answer(job.call, await runJob(this.world, job));
  }

  /** Judged in order up to the first that asks; the answers come in order, however long each takes. */
  private async runReads(group: readonly AgentCall[]): Promise<AgentEvent> {
    const work: { call: ModelCall; judged: Exclude<Judged, { kind: 'asks' }> }[] = [];
    for (const { id } of group) {
      const call = this.call(id);
      const judged = await judgeCall(this.world, call);
      if (judged.kind === 'asks') break;
      work.push({ call, judged });
    }
    await this.started(work.flatMap(({ judged }) => (judged.kind === 'allowed' ? [judged.job] : [])));
    const running = work.map(({ call, judged }) => ({
      call,
      result: judged.kind === 'ended' ? judged.result : runJob(this.world, judged.job),
    }));
    for (const { call, result } of running) await this.answer(call, await result);
    return { type: 'reads.ended', count: work.length };
  }

  /** Synced before a tool runs: after a crash this line tells "not run" from "in part" (D37). */
  private async started(jobs: readonly Job[]): Promise<void> {
    const { turn, clock } = this.world;
    const at = clock.now();
    const named = jobs.map(({ call, tool, input }) => ({ call: call.id, name: call.name, tool, input }));
    await this.world.record(
      ...named.map(({ call, name }) => ({ v: 1, at, type: 'tool.started', turn, call, name }) as const),
    );
    for (const { call, name, tool, input } of named) {
      this.world.publish({ type: 'tool.started', turn, call, name, summary: tool.summary(input) });
    }
  }

  /**
   * Answers every call of the response that has no answer yet, also where the machine never saw them: a
   * cancel can come between the end of a response and its first call.
   */
  private async drop(why: 'cancelled' | 'cut'): Promise<null> {
    const text =
      why === 'cut'
        ? 'Not run: the response was cut off by its length limit. Answer in smaller parts.'
        : 'Not run: the turn was cancelled or ended before this call.';
    for (const call of this.calls) {
      if (!this.answered.has(call.id)) await this.answer(call, { text, failed: true });
    }
    return null;
  }

  private async answer({ id, name }: ModelCall, result: ToolResult): Promise<AgentEvent> {
    const { turn, clock } = this.world;
    const { text, failed = false, endsTurn = false, code } = result;
    this.answered.add(id);
    await this.world.record({ v: 1, at: clock.now(), type: 'tool', turn, call: id, name, text, failed });
    const refused = code === undefined ? {} : { code };
    this.world.publish({ type: 'tool.ended', turn, call: id, name, text, failed, ...refused });
    return { type: 'call.ended', endsTurn, cause: endsTurn ? text : undefined };
  }

  private call(id: string): ModelCall {
    return this.calls.find((call) => call.id === id) ?? { id, name: '', input: null };
  }
}

/** A request that is too long for the provider is no failure yet (D27). */
function failure({ fault }: Extract<ModelPart, { type: 'end' }>): AgentEvent {
  if (fault?.code === 'MODEL_CONTEXT') return { type: 'context.full', why: 'refused' };
  return { type: 'model.failed', cause: fault?.message ?? 'The model failed.' };
}
