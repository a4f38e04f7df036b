import type { Tool } from '../../tools/types.ts';
import type { ToolSource } from '../ports.ts';
import { sharedNames } from './names.ts';
import type { RunningServer, ServerLimits } from './server.ts';

/** A server of the settings; `readOnly` are its tools that the user lists as such, by the server's own names. */
export interface ServerOrder {
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  readOnly: readonly string[];
}

export interface McpOptions {
  servers: readonly ServerOrder[];
  /** Where the servers run. */
  cwd: string;
  /** What every child process gets; the variables of a server come on top (D22). */
  env: Readonly<Record<string, string>>;
  /** Of this program, for the greeting. */
  version: string;
  limits?: Partial<ServerLimits>;
}

const standard: ServerLimits = { startMs: 30_000, callMs: 120_000 };

/** Tools that one server may bring along. */
const mostTools = 128;

/** The servers of one program: started together when tools are first asked for, ended by `close`. */
export function createMcpTools(options: McpOptions): ToolSource {
  return new McpTools(options);
}

interface Started {
  server: RunningServer;
  tools: readonly Tool[];
}

class McpTools implements ToolSource {
  private readonly options: McpOptions;
  private starting: Promise<void> | null = null;
  private settled = false;
  private readonly leaving = new AbortController();
  private running: Started[] = [];
  private news: string[] = [];

  constructor(options: McpOptions) {
    this.options = options;
  }

  async ready(signal: AbortSignal): Promise<readonly string[]> {
    if (this.leaving.signal.aborted) return [];
    this.starting ??= this.start();
    if (!this.settled) await untilAborted(this.starting, signal);
    this.dropEnded();
    return this.news.splice(0);
  }

  tools(): readonly Tool[] {
    return this.running.filter(({ server }) => server.ended() === null).flatMap(({ tools }) => tools);
  }

  async close(): Promise<void> {
    this.leaving.abort();
    await this.starting;
    const { running } = this;
    this.running = [];
    await Promise.all(running.map(({ server }) => server.close()));
  }

  private async start(): Promise<void> {
    const { servers, cwd, env, version, limits } = this.options;
    // Loaded here: most programs have no server, and none needs one for its first frame.
    const { startServer } = await import('./server.ts');
    const { serverTools } = await import('./server-tools.ts');
    const started = await Promise.all(
      servers.map(async (order) => {
        const launch = { command: order.command, args: order.args, cwd, env: { ...env, ...order.env } };
        const settings = { version, ...standard, ...limits };
        const server = await startServer(order.name, launch, settings, this.leaving.signal);
        if (!('fault' in server)) return [{ order, server }];
        this.news.push(
          `The MCP server ${order.name} did not start, so its tools are missing: ${server.fault}.`,
        );
        return [];
      }),
    );
    const all = started
      .flat()
      .map(({ order, server }) => ({ server, ...serverTools(server, order, mostTools) }));
    const shared = sharedNames(all.flatMap(({ tools }) => tools.map(({ name }) => name)));
    for (const name of shared)
      this.news.push(`Two tools of MCP servers would both be called ${name}; neither can be used.`);
    this.news.push(...all.flatMap(({ faults }) => faults));
    this.running = all.map(({ server, tools }) => ({
      server,
      tools: tools.filter(({ name }) => !shared.has(name)),
    }));
    this.settled = true;
  }

  private dropEnded(): void {
    for (const { server } of this.running.filter((one) => one.server.ended() !== null)) {
      this.news.push(
        `The MCP server ${server.name} is gone, ${server.ended()}. Its tools come back with the next start of planchart.`,
      );
    }
    this.running = this.running.filter(({ server }) => server.ended() === null);
  }
}

async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const aborted = Promise.withResolvers<void>();
  const abort = (): void => aborted.resolve();
  signal.addEventListener('abort', abort, { once: true });
  await Promise.race([work, aborted.promise]);
  signal.removeEventListener('abort', abort);
}
