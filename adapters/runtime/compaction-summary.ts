import { estimateTokens } from '../../machines/index.ts';
import type { ModelMessage, ModelPart, ModelPort, ModelRequest } from '../ports.ts';
import { cutText } from './compaction-history.ts';

/** Characters of one tool output that the request for a summary shows. */
const outputLimit = 2000;
const leftOut = '[An earlier part is left out.]';

/**
 * A conversation as one text, of at most so many tokens: the earlier summary and the newest messages. One text
 * rather than messages, since a provider takes calls and results only from a request that offers tools.
 */
export function conversationText(
  summary: string | null,
  messages: readonly ModelMessage[],
  budget: number,
): string {
  const head = summary === null ? [] : [`Summary of what came before:\n${summary}`];
  let left = budget - head.reduce((sum, text) => sum + estimateTokens(text), 0);
  const kept: string[] = [];
  for (const message of messages.toReversed()) {
    const text = messageText(message);
    left -= estimateTokens(text) + 2;
    if (left < 0) {
      kept.push(leftOut);
      break;
    }
    kept.push(text);
  }
  return [...head, ...kept.toReversed()].join('\n\n');
}

function messageText(message: ModelMessage): string {
  switch (message.role) {
    case 'user':
      return `Person:\n${message.text}`;
    case 'assistant': {
      const calls = message.calls.map(
        ({ name, input }) => `Call ${name} ${cutText(JSON.stringify(input ?? null), outputLimit)}`,
      );
      return ['Agent:', ...(message.text === '' ? [] : [message.text]), ...calls].join('\n');
    }
    case 'tool':
      return `Result of ${message.name}${message.failed ? ', failed' : ''}:\n${cutText(message.text, outputLimit)}`;
  }
}

/** A summary, or why there is none. */
export type Summary = { text: string } | { cause: string } | 'aborted';

type Retry = Extract<ModelPart, { type: 'retry' }>;

/** Asks for the summary. A response without text is none, and calls in it are not looked at. Contract: never throws. */
export async function summaryBy(
  model: ModelPort,
  request: ModelRequest,
  retrying: (part: Retry) => void,
  signal: AbortSignal,
): Promise<Summary> {
  let text = '';
  for await (const part of model.step(request, signal)) {
    if (part.type === 'text') text += part.text;
    if (part.type === 'retry') retrying(part);
    if (part.type !== 'end') continue;
    if (part.reason === 'aborted') return 'aborted';
    if (part.reason === 'failed') return { cause: part.fault?.message ?? 'The model failed.' };
  }
  return text.trim() === '' ? { cause: 'The model wrote no summary.' } : { text: text.trim() };
}
