import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { harmless, visibleLine } from '../text.ts';

/** Longest result that the model gets, in characters. */
const mostCharacters = 64 * 1024;

/** A result as text for the model: data, with control bytes made visible, and never longer than that. */
export function resultText({ content, structuredContent }: CallToolResult): string {
  const blocks = content.map(blockText);
  const parts =
    blocks.length > 0 || structuredContent === undefined ? blocks : [JSON.stringify(structuredContent)];
  const text = harmless(parts.join('\n')).trimEnd();
  if (text === '') return '(no output)';
  if (text.length <= mostCharacters) return text;
  const gone = text.length - mostCharacters;
  return `${text.slice(0, mostCharacters).toWellFormed()}\n[… ${gone} characters more were left out.]`;
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${visibleLine(block.mimeType)}: not shown]`;
    case 'resource_link':
      return `[resource ${visibleLine(block.uri)}]`;
    case 'resource':
      return 'text' in block.resource
        ? block.resource.text
        : `[resource ${visibleLine(block.resource.uri)}: not text, not shown]`;
  }
}
