import { streamText } from 'ai';
import type { LanguageModel, TextStreamPart, ToolSet } from 'ai';
import type { ModelCall, ModelPart, ModelRequest } from '../ports.ts';
import { readFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import { freshIds, sdkRequest } from './request.ts';

type End = Extract<ModelPart, { type: 'end' }>;
type Shown = Extract<ModelPart, { type: 'text' | 'reasoning' }>;
type StepEnd = Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>;
type SdkCall = Extract<TextStreamPart<ToolSet>, { type: 'tool-call' }>;

/** How one request ended. Calls are there only when the answer is whole. */
export type Outcome =
  | { kind: 'answered'; calls: readonly ModelCall[]; end: End }
  | { kind: 'aborted' }
  | { kind: 'failed'; failure: Failure; answer: 'none' | 'begun' };

/**
 * Sends one request, yields text and reasoning as they come, and returns how it ended.
 * Contract: never throws. The connection is closed when it returns or is left early.
 */
export async function* askOnce(
  model: LanguageModel,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<Shown, Outcome> {
  const left = new AbortController();
  const calls: ModelCall[] = [];
  let answer: 'none' | 'begun' = 'none';
  const failed = (failure: Failure): Outcome =>
    signal.aborted ? { kind: 'aborted' } : { kind: 'failed', failure, answer };
  try {
    signal.throwIfAborted();
    for await (const part of open(model, request, AbortSignal.any([signal, left.signal]))) {
      const shown = shownPart(part);
      if (shown !== null || part.type === 'tool-input-start') answer = 'begun';
      if (shown !== null) yield shown;
      if (part.type === 'tool-call') calls.push(callOf(part));
      if (part.type === 'abort') return { kind: 'aborted' };
      if (part.type === 'error') return failed(readFailure(part.error));
      if (part.type === 'finish-step') return finished(part, freshIds(calls, request.messages), answer);
    }
    return failed({ kind: 'unreadable', words: 'it ended without a finish reason' });
  } catch (error) {
    return failed(readFailure(error));
  } finally {
    left.abort();
  }
}

function open(model: LanguageModel, request: ModelRequest, abortSignal: AbortSignal) {
  return streamText({
    ...sdkRequest(request),
    model,
    abortSignal,
    // Retries are ours, since they have to be seen (D54).
    maxRetries: 0,
    // Errors arrive as parts; without a handler the SDK prints them over the screen.
    onError: () => undefined,
  }).stream;
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

function finished(part: StepEnd, calls: readonly ModelCall[], answer: 'none' | 'begun'): Outcome {
  // Not protocol words, but what proxies send for an answer that is not whole.
  if (part.finishReason === 'error' || part.rawFinishReason === 'error') {
    return {
      kind: 'failed',
      failure: { kind: 'unreadable', words: 'the provider reported an error' },
      answer,
    };
  }
  if (part.rawFinishReason === 'content_filter') {
    const words = "the provider's content filter stopped the answer";
    return { kind: 'failed', failure: { kind: 'other', words }, answer };
  }
  const { inputTokens, outputTokens } = part.usage;
  const counted = inputTokens !== undefined || outputTokens !== undefined;
  const usage = counted ? { usage: { input: inputTokens ?? 0, output: outputTokens ?? 0 } } : {};
  return { kind: 'answered', calls, end: { type: 'end', reason: reasonOf(part, calls), ...usage } };
}

/** Some servers say `stop` beside calls, or a word of their own; only a cut answer must not count as whole. */
function reasonOf(part: StepEnd, calls: readonly ModelCall[]): 'stop' | 'calls' | 'length' {
  if (part.finishReason === 'length') return 'length';
  return calls.length > 0 ? 'calls' : 'stop';
}
