import { onTestFinished } from 'vitest';
import type { TranscriptEntry } from '../../adapters/ports.ts';
import type { Answer } from '../../machines/index.ts';
import { type Harness, type HarnessOptions, modelOf, openHarness } from './harness.ts';
import { systemOf, textsOf } from './harness-script.ts';
import { person } from './harness-world.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import type { ChatRequest, Reply } from './model-server/reply.ts';

/** A session whose model has a window of so many tokens, and the server behind it. */
export interface Small {
  h: Harness;
  server: ModelServer;
}

/** Asks for a summary: the one request that offers no tools. */
export const isSummary = (request: ChatRequest | undefined): boolean =>
  systemOf(request).startsWith('You write the summary');

export const withoutTools = (request: ChatRequest | undefined): boolean =>
  (request?.tools ?? []).length === 0;

/** `reply` answers the ordinary requests, `summary` those for a summary. */
export async function openSmall(
  context: number,
  script: {
    reply: (request: ChatRequest, index: number) => Reply | Promise<Reply>;
    summary?: (request: ChatRequest, index: number) => Reply | Promise<Reply>;
  },
  more: Omit<HarnessOptions, 'script' | 'model'> = {},
): Promise<Small> {
  const counts = { reply: 0, summary: 0 };
  const server = await startModelServer((request) => {
    if (!isSummary(request)) return script.reply(request, counts.reply++);
    return (script.summary ?? (() => ({ text: 'Request: go on.' })))(request, counts.summary++);
  });
  onTestFinished(() => server.close());
  const h = await openHarness({ ...more, model: { ...modelOf(server.baseUrl), context } });
  return { h, server };
}

export const compact = (h: Harness): Promise<Answer> => h.send({ type: 'user.compact', by: person });

export const summaries = ({ server }: Small): ChatRequest[] => server.requests.filter(isSummary);
export const asks = ({ server }: Small): ChatRequest[] => server.requests.filter((one) => !isSummary(one));

/** The message that takes the place of what was summarised, or nothing. */
export const blockOf = (request: ChatRequest | undefined): string =>
  textsOf(request, 'user').find((text) => text.includes('This summary of it was written by a model')) ?? '';

export async function compacted(h: Harness): Promise<Extract<TranscriptEntry, { type: 'compacted' }>[]> {
  return (await h.session.transcript()).filter((line) => line.type === 'compacted');
}

/** So many characters, about, of lines that no summary repeats. */
export const filler = (name: string, size: number): string =>
  `${`${name} `.repeat(10).trimEnd()}\n`.repeat(Math.ceil(size / (name.length + 1) / 10));
