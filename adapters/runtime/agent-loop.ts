import { type AgentEffect, type AgentEvent, type AgentSnapshot, agentStep } from '../../machines/index.ts';
import type { ToolResult } from '../../tools/types.ts';
import type { ModelCall, ModelPart, ModelRequest } from '../ports.ts';
import { askUntilSame, judgeCall, type Job, runJob } from './tool-calls.ts';
import type { TurnWorld } from './turn-world.ts';

export interface TurnEnd {
  outcome: 'done' | 'failed' | 'cancelled';
  cause: string | null;
}

/** Builds the request anew for every step, so that the reminder is that of the present state (D28). */
export type BuildRequest = () => Promise<ModelRequest>;

/**
 * Drives the agent machine: carries out each effect and gives the result back as an event. What a
 * call does next is decided in `machines/agent.ts`.
 */
export async function runAgent(world: TurnWorld, build: BuildRequest): Promise<TurnEnd> {
  const driver = new Driver(world, build);
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
  private readonly build: BuildRequest;
  private parts: AsyncIterator<ModelPart> | null = null;
  private first: ModelPart | null = null;
  private calls: readonly ModelCall[] = [];
  private job: Job | null = null;
  private readonly answered = new Set<string>();

  constructor(world: TurnWorld, build: BuildRequest) {
    this.world = world;
    this.build = build;
  }

  async perform(effect: AgentEffect): Promise<AgentEvent | null> {
    switch (effect.type) {
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
      case 'calls.drop':
        return this.drop(effect.why);
      case 'settle':
        return null;
    }
  }

  private async ask(): Promise<AgentEvent> {
    const { world } = this;
    this.parts = world.model.step(await this.build(), world.signal)[Symbol.asyncIterator]();
    for (;;) {
      const part = await this.next();
      if (part.type !== 'retry') {
        this.first = part;
        return part.type === 'end' && part.reason === 'failed'
          ? { type: 'model.failed', cause: part.fault?.message ?? 'The model failed.' }
          : { type: 'model.started' };
      }
      const text = `${part.cause} Trying again (${part.attempt} of ${part.of}).`;
      world.publish({ type: 'notice', level: 'info', text });
    }
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
      calls: this.calls.map(({ id, name }) => ({ id, name })),
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
    const { turn, clock } = this.world;
    const { id: call, name } = job.call;
    // Synced before the tool runs: after a crash this line tells "not run" from "in part" (D37).
    await this.world.record({ v: 1, at: clock.now(), type: 'tool.started', turn, call, name });
    this.world.publish({ type: 'tool.started', turn, call, name, summary: job.tool.summary(job.input) });
    return this.answer(job.call, await runJob(job));
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
    const { text, failed = false, endsTurn = false } = result;
    this.answered.add(id);
    await this.world.record({ v: 1, at: clock.now(), type: 'tool', turn, call: id, name, text, failed });
    this.world.publish({ type: 'tool.ended', turn, call: id, name, text, failed });
    return { type: 'call.ended', endsTurn, cause: endsTurn ? text : undefined };
  }

  private call(id: string): ModelCall {
    return this.calls.find((call) => call.id === id) ?? { id, name: '', input: null };
  }
}
