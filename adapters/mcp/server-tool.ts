import type { Tool as ServerTool } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Tool, ToolResult } from '../../tools/types.ts';
import { visibleLine, withoutControls } from '../text.ts';
import { resultText } from './result-text.ts';
import type { RunningServer } from './server.ts';

/** Longest description that the model gets, in characters, and largest schema of the arguments, as JSON. */
const limits = { description: 2000, schema: 32 * 1024, summary: 120 };

/** Whether a server says of a tool that it changes things: that closes it, whatever the user lists (D21). */
export const saysItWrites = ({ annotations }: ServerTool): boolean =>
  annotations?.destructiveHint === true || annotations?.readOnlyHint === false;

export const isTooLarge = ({ inputSchema }: ServerTool): boolean =>
  JSON.stringify(inputSchema).length > limits.schema;

/**
 * A server's tool as one of the agent's. `readOnly` is the user's own list: nothing that the server says of itself
 * opens a tool (D21, B15).
 */
export function serverTool(
  server: RunningServer,
  tool: ServerTool,
  name: string,
  readOnly: readonly string[],
): Tool<Record<string, unknown>> {
  const isRead = readOnly.includes(tool.name) && !saysItWrites(tool);
  const { $schema: _schema, ...parameters } = tool.inputSchema;
  return {
    name,
    class: isRead ? 'read' : 'unknown',
    description:
      `MCP server ${server.name}. ${withoutControls(tool.description ?? '').slice(0, limits.description)}`.trim(),
    input: z.record(z.string(), z.unknown()),
    parameters,
    asks: () => !isRead,
    summary: (input) => visibleLine(JSON.stringify(input)).slice(0, limits.summary),
    preview: async (input) => ({
      title: `${server.name}: ${visibleLine(tool.name)}`,
      body: JSON.stringify(input, null, 2),
    }),
    run: (input, { signal }) => run(server, tool, input, signal),
  };
}

async function run(
  server: RunningServer,
  tool: ServerTool,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    const result = await server.call(tool, input, signal);
    const text = resultText(result);
    return result.isError === true ? { text, failed: true } : { text };
  } catch (error) {
    return { text: `${visibleLine(tool.name)}: ${causeOf(server, error, signal)}.`, failed: true };
  }
}

function causeOf(server: RunningServer, error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'the turn was cancelled; the server was told, but may have done a part of it';
  const ended = server.ended();
  if (ended !== null) return `the MCP server ${server.name} is gone, ${ended}`;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'REQUEST_TIMEOUT') return 'the server did not answer in time; it may have done a part of it';
  return visibleLine(error instanceof Error ? error.message : String(error)).replace(/\.$/u, '');
}
