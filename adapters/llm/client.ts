import type { LanguageModel } from 'ai';
import type { ModelFault, ModelPart, ModelPort, ModelRequest } from '../ports.ts';
import { type Asking, askOnce } from './ask.ts';
import type { Protocol } from './choice.ts';
import { directFetch } from './direct-fetch.ts';
import { causeOf, faultOf } from './faults.ts';
import type { Asked } from './faults.ts';
import { KeptReasoning } from './reasoning.ts';
import { planRetry, retries, sleep } from './retry.ts';
import { oneLine } from './words.ts';

export interface ClientSettings {
  /** The provider's own model name; never a default (D54). */
  model: string;
  /** As a person writes it; `base-url.ts` says which forms there are. */
  baseUrl: string;
  /** Null for local servers without keys. */
  apiKey: string | null;
  /** Of the port; `<protocol>:<model>` unless given. */
  name?: string;
  /** Further values that must never show in a message. */
  secrets?: readonly string[];
  /** Window in tokens as configured (D27); absent or null: judged by the name. */
  context?: number | null;
  /** Longest answer in tokens as configured; absent or null: the server's own, or what its protocol has to name. */
  maxOutput?: number | null;
  /** Waits between retries; resolves early on abort and never rejects. For tests. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Epoch ms, for a `Retry-After` that is a date. For tests. */
  now?: () => number;
}

/** What one wire protocol has of its own; all else is the same for every model. */
export interface Wire {
  protocol: Protocol;
  /** The protocol in words, for faults. */
  speaks: string;
  /** A base URL as an example. */
  example: string;
  open(server: Server): LanguageModel;
  /** The request in the words of the SDK. */
  sdk(request: ModelRequest, kept: KeptReasoning): Asking['sdk'];
  /** Longest answer in tokens where nothing is configured; null: the request names none. */
  mostTokens(model: string): number | null;
}

export interface Server {
  model: string;
  baseUrl: string;
  apiKey: string | null;
  fetch: typeof directFetch;
}

interface Client {
  wire: Wire;
  model: LanguageModel;
  asked: Asked;
  kept: KeptReasoning;
  maxOutput: { maxOutputTokens?: number };
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  now: () => number;
}

/** A model behind a server that speaks `wire`; see `ModelPort` for its contract. */
export function createClient(wire: Wire, settings: ClientSettings): ModelPort {
  const { model, baseUrl } = settings;
  const apiKey = settings.apiKey === '' ? null : settings.apiKey;
  // The SDK's warnings go to the console, which belongs to the terminal UI.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const secrets = [...(apiKey === null ? [] : [apiKey]), ...(settings.secrets ?? [])];
  const key = apiKey === null ? 'none' : 'set';
  const asked: Asked = { model, host: hostOf(baseUrl), key, speaks: wire.speaks, secrets };
  const maxOutput = settings.maxOutput ?? wire.mostTokens(model);
  const client: Client = {
    wire,
    asked,
    model: wire.open({ model, baseUrl, apiKey, fetch: directFetch }),
    kept: new KeptReasoning(),
    maxOutput: maxOutput === null ? {} : { maxOutputTokens: maxOutput },
    sleep: settings.sleep ?? sleep,
    now: settings.now ?? Date.now,
  };
  const wrong = wrongUrl(baseUrl, wire.example, asked) ?? wrongKey(apiKey, asked);
  return {
    name: settings.name ?? `${wire.protocol}:${model}`,
    label: null,
    context: settings.context ?? null,
    step: (request, signal) => (wrong === null ? ask(client, request, signal) : refuse(wrong)),
  };
}

async function* ask(client: Client, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
  const { wire, model, kept, asked, maxOutput } = client;
  for (let tries = 1; ; tries += 1) {
    const sdk = { ...wire.sdk(request, kept), ...maxOutput };
    const outcome = yield* askOnce({ model, request, sdk }, signal);
    if (outcome.kind === 'answered') {
      kept.keep(outcome.calls, outcome.thoughts);
      for (const call of outcome.calls) yield { type: 'call', call };
      yield outcome.end;
      return;
    }
    if (outcome.kind === 'aborted') break;
    const { failure, answer } = outcome;
    if (answer === 'none' && kept.turnedOn(failure, request.messages)) {
      tries -= 1;
      continue;
    }
    const plan = answer === 'none' ? planRetry(failure, tries, client.now()) : null;
    if (plan?.kind !== 'wait') {
      const fault = faultOf(failure, asked, { tries, answer, tooLongMs: plan?.tooLongMs ?? null });
      yield { type: 'end', reason: 'failed', fault };
      return;
    }
    yield { type: 'retry', attempt: tries, of: retries, waitMs: plan.ms, cause: causeOf(failure, asked) };
    // An abort ends the wait, and the next request then ends as aborted before it is sent.
    await client.sleep(plan.ms, signal);
  }
  yield { type: 'end', reason: 'aborted' };
}

async function* refuse(fault: ModelFault): AsyncGenerator<ModelPart> {
  yield { type: 'end', reason: 'failed', fault };
}

/** What the HTTP client would refuse with a text that quotes the value, said without it. */
function wrongUrl(baseUrl: string, example: string, { model, secrets }: Asked): ModelFault | null {
  const url = URL.parse(baseUrl);
  const cause =
    url === null || !/^https?:$/.test(url.protocol)
      ? 'is not an http address'
      : url.username !== '' || url.password !== ''
        ? 'holds a user name or password'
        : url.search !== '' || url.hash !== ''
          ? 'holds a query, which would be lost'
          : null;
  if (cause === null) return null;
  const message = `The base URL for model "${model}" ${cause}. Write it like ${example}.`;
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
