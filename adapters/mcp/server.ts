import { type CallToolResult, Client, type Tool as ServerTool } from '@modelcontextprotocol/client';
import { visibleLine } from '../text.ts';
import { GroupTransport, type Launch } from './group-transport.ts';

/** A server that runs. */
export interface RunningServer {
  name: string;
  tools: readonly ServerTool[];
  /** How it ended; null while it runs. */
  ended(): string | null;
  /** Throws what the kit throws. */
  call(tool: ServerTool, input: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult>;
  close(): Promise<void>;
}

export interface ServerLimits {
  /** For the greeting and the list of tools, in ms. */
  startMs: number;
  /** For one call, in ms. */
  callMs: number;
}

/** Starts a server, greets it and lists its tools, once: what it says later about them counts for nothing. */
export async function startServer(
  name: string,
  launch: Launch,
  { version, startMs, callMs }: ServerLimits & { version: string },
  signal: AbortSignal,
): Promise<RunningServer | { fault: string }> {
  const transport = new GroupTransport(launch);
  const client = new Client({ name: 'planchart', version });
  const timeout = { timeout: startMs };
  const leave = (): void => void transport.close();
  signal.addEventListener('abort', leave, { once: true });
  try {
    await client.connect(transport, timeout);
    const { tools } = await client.listTools(undefined, timeout);
    return {
      name,
      tools,
      ended: () => transport.ended,
      call: (tool, input, signal) =>
        client.callTool(
          { name: tool.name, arguments: input },
          { signal, timeout: callMs, toolDefinition: tool },
        ),
      close: () => transport.close(),
    };
  } catch (error) {
    const cause = transport.ended ?? causeOf(error, startMs);
    await transport.close();
    return { fault: cause };
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function causeOf(error: unknown, startMs: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'REQUEST_TIMEOUT') return `it did not answer within ${startMs / 1000} s`;
  return visibleLine(error instanceof Error ? error.message : String(error));
}
