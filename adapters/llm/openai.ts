import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import type { ModelFault, ModelPart, ModelPort, ModelRequest } from '../ports.ts';
import { askOnce } from './ask.ts';
import { causeOf, faultOf } from './faults.ts';
import type { Asked } from './faults.ts';
import { planRetry, retries, sleep } from './retry.ts';
import { oneLine } from './words.ts';

export interface OpenAiSettings {
  /** The provider's own model name; never a default (D54). */
  model: string;
  /** Ends where `/chat/completions` follows, e.g. `http://localhost:11434/v1`. */
  baseUrl: string;
  /** Null for local servers without keys. */
  apiKey: string | null;
  /** Of the port; `openai:<model>` unless given. */
  name?: string;
  /** Further values that must never show in a message. */
  secrets?: readonly string[];
  /** Waits between retries; resolves early on abort and never rejects. For tests. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Epoch ms, for a `Retry-After` that is a date. For tests. */
  now?: () => number;
}

interface Client {
  model: LanguageModel;
  asked: Asked;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  now: () => number;
}

/** A model behind an OpenAI-compatible chat completions endpoint; see `ModelPort` for its contract. */
export function createOpenAiModel(settings: OpenAiSettings): ModelPort {
  const { model, baseUrl } = settings;
  const apiKey = settings.apiKey === '' ? null : settings.apiKey;
  // The SDK's warnings go to the console, which belongs to the terminal UI.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const secrets = [...(apiKey === null ? [] : [apiKey]), ...(settings.secrets ?? [])];
  const provider = createOpenAICompatible({
    name: 'openai',
    baseURL: baseUrl,
    includeUsage: true,
    ...(apiKey === null ? {} : { apiKey }),
  });
  const client: Client = {
    model: provider.chatModel(model),
    asked: { model, host: hostOf(baseUrl), key: apiKey === null ? 'none' : 'set', secrets },
    sleep: settings.sleep ?? sleep,
    now: settings.now ?? Date.now,
  };
  const wrong = wrongUrl(baseUrl, client.asked) ?? wrongKey(apiKey, client.asked);
  return {
    name: settings.name ?? `openai:${model}`,
    label: null,
    step: (request, signal) => (wrong === null ? ask(client, request, signal) : refuse(wrong)),
  };
}

async function* ask(client: Client, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
  for (let tries = 1; ; tries += 1) {
    const outcome = yield* askOnce(client.model, request, signal);
    if (outcome.kind === 'answered') {
      for (const call of outcome.calls) yield { type: 'call', call };
      yield outcome.end;
      return;
    }
    if (outcome.kind === 'aborted') break;
    const { failure, answer } = outcome;
    const plan = answer === 'none' ? planRetry(failure, tries, client.now()) : null;
    if (plan?.kind !== 'wait') {
      const fault = faultOf(failure, client.asked, { tries, answer, tooLongMs: plan?.tooLongMs ?? null });
      yield { type: 'end', reason: 'failed', fault };
      return;
    }
    const cause = causeOf(failure, client.asked);
    yield { type: 'retry', attempt: tries, of: retries, waitMs: plan.ms, cause };
    // An abort ends the wait, and the next request then ends as aborted before it is sent.
    await client.sleep(plan.ms, signal);
  }
  yield { type: 'end', reason: 'aborted' };
}

async function* refuse(fault: ModelFault): AsyncGenerator<ModelPart> {
  yield { type: 'end', reason: 'failed', fault };
}

/** What the HTTP client would refuse with a text that quotes the value, said without it. */
function wrongUrl(baseUrl: string, { model, secrets }: Asked): ModelFault | null {
  const url = URL.parse(baseUrl);
  const isHttp = url !== null && /^https?:$/.test(url.protocol);
  if (isHttp && url.username === '' && url.password === '') return null;
  const cause = isHttp ? 'holds a user name or password' : 'is not an http address';
  const message = `The base URL for model "${model}" ${cause}. Write it like http://localhost:11434/v1.`;
  return { code: 'MODEL_UNREACHABLE', message: oneLine(message, secrets) };
}

function wrongKey(apiKey: string | null, { model, host, secrets }: Asked): ModelFault | null {
  if (apiKey === null || /^[\x21-\x7e]*$/.test(apiKey)) return null;
  const message = `The API key for model "${model}" at ${host} holds a space or another character that keys never have. Set it again.`;
  return { code: 'MODEL_KEY', message: oneLine(message, secrets) };
}

function hostOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.host ?? 'the base URL';
}
