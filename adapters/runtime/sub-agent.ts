import type { AgentOrder, AgentReport } from '../../tools/types.ts';
import { modelTools } from '../../tools/registry.ts';
import type { ModelRequest, Published, TranscriptEntry } from '../ports.ts';
import { runAgent, type TurnEnd } from './agent-loop.ts';
import { Conversation, messagesOf, newMemory } from './compaction.ts';
import { moreTools } from './extensions.ts';
import { messageOf } from './message-of.ts';
import { standingText } from './standing-text.ts';
import type { TurnWorld } from './turn-world.ts';

/** Where a sub-agent belongs: the call that started it, and which of its turn it is, from 1. */
export interface AgentPlace {
  call: string;
  number: number;
}

/**
 * Runs a sub-agent to its end with the turn's own loop (D42). It has a conversation and a transcript of its own
 * (`agents/<turn>-<number>.jsonl`) and shares the parent's turn: so the gate judges its calls on the session's
 * present state (D21), and a cancel ends both (D16). Contract: never throws.
 */
export async function runSubAgent(
  parent: TurnWorld,
  { kind, prompt }: AgentOrder,
  { call, number }: AgentPlace,
): Promise<AgentReport> {
  const { turn, clock } = parent;
  const name = `sub-agent ${number}, ${kind}`;
  const history: TranscriptEntry[] = [];
  const progress = new Progress(parent, call, name);
  const world: TurnWorld = {
    ...parent,
    agent: { kind, name },
    // What it reads, its parent has not read (D23).
    seen: { hash: null },
    context: newMemory(),
    publish: (published) => progress.follow(published),
    async record(...entries) {
      await parent.store.append(parent.session, entries, `${turn}-${number}`);
      history.push(...entries);
    },
    spawn: async () => ({ name, outcome: 'failed', cause: 'a sub-agent starts none', text: '', calls: 0 }),
  };
  const end = await run(world, prompt, history);
  const at = clock.now();
  const cause = end.cause === null ? {} : { cause: end.cause };
  try {
    await world.record({ v: 1, at, type: 'turn.ended', turn, outcome: end.outcome, ...cause });
  } catch (error) {
    parent.publish({ type: 'notice', level: 'error', text: messageOf(error) });
  }
  return { name, ...end, text: lastText(history), calls: progress.calls };
}

/** A transcript that can't be written ends the sub-agent, not the turn: its parent hears of it. */
async function run(world: TurnWorld, prompt: string, history: TranscriptEntry[]): Promise<TurnEnd> {
  const { turn, clock, agent } = world;
  const kind = `agent:${agent.kind}`;
  try {
    await world.record({ v: 1, at: clock.now(), type: 'user', turn, text: prompt, from: 'harness', kind });
    const end = await runAgent(world, new Conversation(world, history, () => request(world, history)));
    return world.signal.aborted ? { outcome: 'cancelled', cause: null } : end;
  } catch (error) {
    return { outcome: 'failed', cause: messageOf(error) };
  }
}

async function request(world: TurnWorld, history: readonly TranscriptEntry[]): Promise<ModelRequest> {
  const { kind } = world.agent;
  const { stored, snapshot } = await world.fresh();
  const { cwd } = stored.record;
  const system = (await standingText(world, `agent-${kind}`, cwd)).join('\n\n');
  const tools = modelTools(kind, await moreTools(world));
  return { system, messages: messagesOf(world, history, snapshot), tools };
}

function lastText(history: readonly TranscriptEntry[]): string {
  const last = history.findLast((entry) => entry.type === 'assistant');
  return last?.type === 'assistant' ? last.text : '';
}

/** What surfaces see of a sub-agent: its calls, as progress of the one that started it, and notices. */
class Progress {
  calls = 0;
  private readonly parent: TurnWorld;
  private readonly call: string;
  private readonly name: string;

  constructor(parent: TurnWorld, call: string, name: string) {
    this.parent = parent;
    this.call = call;
    this.name = name;
  }

  follow(published: Published): void {
    const { parent, call, name } = this;
    if (published.type === 'notice') parent.publish({ ...published, text: `${name}: ${published.text}` });
    if (published.type === 'tool.ended') this.calls += 1;
    if (published.type !== 'tool.started') return;
    const text = `${name}: ${published.name} ${published.summary}`;
    parent.publish({ type: 'tool.progress', turn: parent.turn, call, text });
  }
}
