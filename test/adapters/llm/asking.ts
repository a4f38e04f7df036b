import { onTestFinished } from 'vitest';
import { createAnthropicModel } from '../../../adapters/llm/anthropic.ts';
import type { Protocol } from '../../../adapters/llm/choice.ts';
import type { ClientSettings } from '../../../adapters/llm/client.ts';
import { createOpenAiModel } from '../../../adapters/llm/openai.ts';
import type { ModelPart, ModelPort, ModelRequest, ModelTool } from '../../../adapters/ports.ts';
import { startModelServer } from '../../support/model-server.ts';
import type { ModelServer, Script } from '../../support/model-server.ts';

export const key = 'sk-test-8f3a/+1b=77';
export type End = Extract<ModelPart, { type: 'end' }>;

const read: ModelTool = {
  name: 'read',
  description: 'Reads a file',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

export const hello: ModelRequest = {
  system: 'Be short.',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [read],
};

export const protocols: readonly Protocol[] = ['openai', 'anthropic'];
const create = { openai: createOpenAiModel, anthropic: createAnthropicModel };

/** `opened` for one protocol, so that a test is written once for both. */
export function speaking(protocol: Protocol): typeof opened {
  return (script, settings) => opened(script, settings, protocol);
}

/** A model behind a scripted server; waits between retries take no time and are noted. */
export async function opened(
  script: Script,
  settings: Partial<ClientSettings> = {},
  protocol: Protocol = 'openai',
): Promise<{ model: ModelPort; server: ModelServer; waits: number[] }> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    waits.push(ms);
  };
  const defaults = { model: 'm-1', baseUrl: server.baseUrl, apiKey: key, sleep };
  return { model: create[protocol]({ ...defaults, ...settings }), server, waits };
}

/** Every part of one step. */
export async function asked(
  model: ModelPort,
  request: ModelRequest = hello,
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of model.step(request, signal)) parts.push(part);
  return parts;
}

/** The parts as a person would see them: neighbouring text joined, and the one end. */
export function told(parts: readonly ModelPart[]) {
  const joined = (type: 'text' | 'reasoning'): string =>
    parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
  const ends = parts.filter((part): part is End => part.type === 'end');
  return {
    text: joined('text'),
    reasoning: joined('reasoning'),
    calls: parts.flatMap((part) => (part.type === 'call' ? [part.call] : [])),
    retries: parts.filter((part) => part.type === 'retry'),
    ends,
    end: ends.length === 1 && parts.at(-1) === ends[0] ? ends[0] : undefined,
  };
}
