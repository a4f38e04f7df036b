import type { ProviderMetadata, TextStreamPart, ToolSet } from 'ai';
import type { ModelCall, ModelMessage } from '../ports.ts';
import type { Failure } from './failure.ts';

/** One stretch of reasoning, and what the provider put on it: a signature, or the encrypted text. */
export interface Thought {
  text: string;
  marks: ProviderMetadata;
}

/** What an answer holds beside text and calls. `calls`: what the provider put on each call, in their order. */
export interface Thoughts {
  reasoning: readonly Thought[];
  calls: readonly ProviderMetadata[];
}

/** Collects the reasoning of one answer from its stream. */
export class ThoughtReader {
  private readonly blocks = new Map<string, Thought>();

  note(part: TextStreamPart<ToolSet>): void {
    if (part.type !== 'reasoning-start' && part.type !== 'reasoning-delta' && part.type !== 'reasoning-end')
      return;
    const { text, marks } = this.blocks.get(part.id) ?? { text: '', marks: {} };
    this.blocks.set(part.id, {
      text: part.type === 'reasoning-delta' ? text + part.text : text,
      marks: { ...marks, ...part.providerMetadata },
    });
  }

  get reasoning(): Thought[] {
    return [...this.blocks.values()];
  }
}

/** Answers with calls that are kept: a turn has fewer, and only those of the running one are ever asked for. */
const keptCalls = 500;

/** The server's words when it wants an earlier answer with its reasoning or signature. */
const wanting = /reasoning|thinking|thought|signature/i;

interface Kept {
  reasoning: readonly Thought[];
  marks: ProviderMetadata;
}

/**
 * Reasoning of the answers that called tools, in memory only. The history goes without it, as both protocols
 * allow, until the server refuses that; from then on it goes along (0029).
 */
export class KeptReasoning {
  private readonly byCall = new Map<string, Kept>();
  private sends: 'never' | 'always' = 'never';

  keep(calls: readonly ModelCall[], { reasoning, calls: marks }: Thoughts): void {
    calls.forEach(({ id }, at) => {
      // With parallel calls the first one stands for the whole answer.
      const kept = { reasoning: at === 0 ? reasoning : [], marks: marks[at] ?? {} };
      if (kept.reasoning.length > 0 || Object.keys(kept.marks).length > 0) this.byCall.set(id, kept);
    });
    const surplus = [...this.byCall.keys()].slice(0, Math.max(0, this.byCall.size - keptCalls));
    for (const id of surplus) this.byCall.delete(id);
  }

  /** True once: the failure asks for reasoning that was left out, and the request is worth sending again with it. */
  turnedOn(failure: Failure, messages: readonly ModelMessage[]): boolean {
    if (this.sends === 'always' || failure.kind !== 'answer' || failure.status === null) return false;
    if (failure.status < 400 || failure.status > 422 || !wanting.test(failure.words)) return false;
    const held = messages.some(
      (it) => it.role === 'assistant' && it.calls.some(({ id }) => this.byCall.has(id)),
    );
    if (held) this.sends = 'always';
    return held;
  }

  reasoningOf(calls: readonly ModelCall[]): readonly Thought[] {
    return this.sends === 'never' ? [] : calls.flatMap(({ id }) => this.byCall.get(id)?.reasoning ?? []);
  }

  marksOf({ id }: ModelCall): ProviderMetadata {
    return this.sends === 'never' ? {} : (this.byCall.get(id)?.marks ?? {});
  }
}
