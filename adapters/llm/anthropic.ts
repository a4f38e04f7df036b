// The entry without "internal" makes a client of its own from the environment while it loads, and throws there
// where ANTHROPIC_BASE_URL is set but empty. This one reads no environment.
import { AnthropicMessagesLanguageModel } from '@ai-sdk/anthropic/internal';
import type { ModelPort, ModelRequest } from '../ports.ts';
import { anthropicBase } from './base-url.ts';
import { type ClientSettings, createClient, type Wire } from './client.ts';
import { sdkRequest } from './request.ts';

const wire: Wire = {
  protocol: 'anthropic',
  speaks: 'Anthropic messages',
  example: 'https://api.anthropic.com',
  open: ({ model, baseUrl, apiKey, fetch }) =>
    new AnthropicMessagesLanguageModel(model, {
      provider: 'anthropic',
      baseURL: anthropicBase(baseUrl),
      headers: {
        'anthropic-version': '2023-06-01',
        ...(apiKey === null ? {} : { 'x-api-key': apiKey }),
      },
      fetch,
      // Without these no beta header goes out, which some compatible servers refuse.
      supportsNativeStructuredOutput: false,
      supportsStrictTools: false,
    }),
  sdk: (request, kept) => ({
    ...sdkRequest(plainNames(request), kept),
    // Calls are read when they are whole, so nothing is won by a field that compatible servers may not know.
    providerOptions: { anthropic: { toolStreaming: false } },
  }),
  mostTokens,
};

/** A model behind an Anthropic messages endpoint. */
export const createAnthropicModel = (settings: ClientSettings): ModelPort => createClient(wire, settings);

/**
 * The protocol wants a limit, and a name does not say which one its model takes. All models since Claude 4 take
 * 32 000, and compatible servers are used to it; the SDK's own 128 000 for an unknown name is refused by many.
 */
function mostTokens(model: string): number {
  return /claude-(instant|v?2|3)/.test(model) ? 8_192 : 32_000;
}

/**
 * A conversation that another model began may hold ids and tool names that this protocol refuses. Ids stay
 * different from each other, and a result keeps the id of its call.
 */
function plainNames(request: ModelRequest): ModelRequest {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  const idOf = (id: string): string => {
    const known = ids.get(id);
    if (known !== undefined) return known;
    const base = plain(id, 60);
    let name = base;
    for (let count = 2; taken.has(name); count += 1) name = `${base}_${count}`;
    taken.add(name);
    ids.set(id, name);
    return name;
  };
  return {
    ...request,
    messages: request.messages.map((message) => {
      if (message.role === 'user') return message;
      if (message.role === 'tool')
        return { ...message, call: idOf(message.call), name: plain(message.name, 64) };
      const calls = message.calls.map((call) => ({ ...call, id: idOf(call.id), name: plain(call.name, 64) }));
      return { ...message, calls };
    }),
  };
}

function plain(text: string, length: number): string {
  const kept = text.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, length);
  return kept === '' ? '_' : kept;
}
