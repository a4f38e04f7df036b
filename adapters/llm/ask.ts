import { streamText } from 'ai';
import type { JSONValue, LanguageModel, TextStreamPart, ToolSet } from 'ai';
import type { ModelCall, ModelPart, ModelRequest } from '../ports.ts';
import { readFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import { ThoughtReader, type Thoughts } from './reasoning.ts';
import { freshIds, type SdkRequest } from './request.ts';

type End = Extract<ModelPart, { type: 'end' }>;
type Shown = Extract<ModelPart, { type: 'text' | 'reasoning' }>;
type StepEnd = Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>;
type SdkCall = Extract<TextStreamPart<ToolSet>, { type: 'tool-call' }>;

/** How one request ended. Calls are there only when the answer is whole. */
export type Outcome =
  | { kind: 'answered'; calls: readonly ModelCall[]; end: End; thoughts: Thoughts }
  | { kind: 'aborted' }
  | { kind: 'failed'; failure: Failure; answer: 'none' | 'begun' };

/** One request, ready to send. */
export interface Asking {
  model: LanguageModel;
  /** As the machine asked, for the ids that the conversation has already. */
  request: ModelRequest;
  sdk: SdkRequest & { maxOutputTokens?: number; providerOptions?: Record<string, Record<string, JSONValue>> };
}

/** Characters of text, reasoning and arguments in one answer; a model that goes in circles never ends by itself. */
const largestAnswer = 4_000_000;

/**
 * Sends one request, yields text and reasoning as they come, and returns how it ended.
 * Contract: never throws. The connection is closed when it returns or is left early.
 */
export async function* askOnce(asking: Asking, signal: AbortSignal): AsyncGenerator<Shown, Outcome> {
  const left = new AbortController();
  const heard = new Heard(asking.request);
  const failed = (failure: Failure): Outcome =>
    signal.aborted ? { kind: 'aborted' } : { kind: 'failed', failure, answer: heard.answer };
  try {
    signal.throwIfAborted();
    for await (const part of open(asking, AbortSignal.any([signal, left.signal]))) {
      heard.note(part);
      const shown = shownPart(part);
      if (shown !== null) yield shown;
      if (part.type === 'abort') return { kind: 'aborted' };
      if (part.type === 'error') return failed(readFailure(part.error));
      if (part.type === 'finish-step') return heard.outcome(part);
      if (heard.size > largestAnswer) return failed({ kind: 'other', words: 'its answer did not end' });
    }
    return failed({ kind: 'unreadable', words: noEnd });
  } catch (error) {
    return failed(readFailure(error));
  } finally {
    left.abort();
  }
}

const noEnd = 'it ended without a finish reason';

function open({ model, sdk }: Asking, abortSignal: AbortSignal) {
  return streamText({
    ...sdk,
    model,
    abortSignal,
    // Retries are ours, since they have to be seen (D54).
    maxRetries: 0,
    // Errors arrive as parts; without a handler the SDK prints them over the screen.
    onError: () => undefined,
  }).stream;
}

/** What has come of one answer so far. */
class Heard {
  answer: 'none' | 'begun' = 'none';
  size = 0;
  private readonly request: ModelRequest;
  private readonly calls: SdkCall[] = [];
  private readonly thoughts = new ThoughtReader();

  constructor(request: ModelRequest) {
    this.request = request;
  }

  note(part: TextStreamPart<ToolSet>): void {
    this.thoughts.note(part);
    if (part.type === 'tool-call') this.calls.push(part);
    const { length } = piece(part);
    this.size += length;
    if (length > 0 || part.type === 'tool-input-start') this.answer = 'begun';
  }

  outcome(end: StepEnd): Outcome {
    const failure = brokenEnd(end);
    if (failure !== null) return { kind: 'failed', failure, answer: this.answer };
    const calls = freshIds(this.calls.map(callOf), this.request.messages);
    const marks = this.calls.map(({ providerMetadata }) => providerMetadata ?? {});
    const thoughts = { reasoning: this.thoughts.reasoning, calls: marks };
    return { kind: 'answered', calls, end: endOf(end, calls), thoughts };
  }
}

function piece(part: TextStreamPart<ToolSet>): string {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.text;
  return part.type === 'tool-input-delta' ? part.delta : '';
}

function shownPart(part: TextStreamPart<ToolSet>): Shown | null {
  if (part.type === 'text-delta' && part.text !== '') return { type: 'text', text: part.text };
  if (part.type === 'reasoning-delta' && part.text !== '') return { type: 'reasoning', text: part.text };
  return null;
}

/** The SDK hands arguments that are not JSON through as their raw text. */
function callOf(part: SdkCall): ModelCall {
  const call = { id: part.toolCallId, name: part.toolName };
  const raw = part.invalid === true && typeof part.input === 'string' ? part.input : null;
  if (raw === null) return { ...call, input: part.input };
  return raw.trim() === '' ? { ...call, input: {} } : { ...call, input: null, invalid: raw };
}

/** Why an answer that came to an end is not whole all the same; null when it is. */
function brokenEnd({ finishReason, rawFinishReason }: StepEnd): Failure | null {
  if (finishReason === 'interrupted') return { kind: 'unreadable', words: noEnd };
  // Not protocol words, but what proxies send for an answer that is not whole.
  if (finishReason === 'error' || rawFinishReason === 'error') {
    return { kind: 'unreadable', words: 'the provider reported an error' };
  }
  if (finishReason !== 'content-filter') return null;
  const words =
    rawFinishReason === 'refusal'
      ? 'the model declined to answer'
      : "the provider's content filter stopped the answer";
  return { kind: 'other', words };
}

function endOf(part: StepEnd, calls: readonly ModelCall[]): End {
  const { inputTokens, outputTokens } = part.usage;
  const counted = inputTokens !== undefined || outputTokens !== undefined;
  const usage = counted ? { usage: { input: inputTokens ?? 0, output: outputTokens ?? 0 } } : {};
  return { type: 'end', reason: reasonOf(part, calls), ...usage };
}

/** Some servers say `stop` beside calls, or a word of their own; only a cut answer must not count as whole. */
function reasonOf(part: StepEnd, calls: readonly ModelCall[]): 'stop' | 'calls' | 'length' {
  if (part.finishReason === 'length') return 'length';
  return calls.length > 0 ? 'calls' : 'stop';
}
