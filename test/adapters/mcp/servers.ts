import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { createMcpTools } from '../../../adapters/mcp/index.ts';
import type { ServerOrder } from '../../../adapters/mcp/mcp-tools.ts';
import type { ToolSource } from '../../../adapters/ports.ts';

export const serverFile = fileURLToPath(new URL('../../support/mcp-server-child.ts', import.meta.url));

/** How the server of the tests behaves. */
export type Mode = 'works' | 'fails' | 'silent' | 'stubborn' | 'twins' | 'babbles';

/** The settings of one real server; it writes what it does into `log`. */
export function order(log: string, name: string, mode: Mode, more: Partial<ServerOrder> = {}): ServerOrder {
  return { name, command: process.execPath, args: [serverFile, log, mode], env: {}, readOnly: [], ...more };
}

/** Where the servers of a test run, and what they wrote. The folder goes with the test. */
export function mcpFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'planchart-mcp-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const log = join(folder, 'log.txt');
  return {
    folder,
    log,
    did: (): string[] => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : []),
  };
}

/** Servers of their own, ended with the test. */
export function sourceOf(
  cwd: string,
  servers: readonly ServerOrder[],
  limits: { startMs?: number; callMs?: number } = {},
): ToolSource {
  const env = { PATH: process.env['PATH'] ?? '' };
  const source = createMcpTools({ servers, cwd, env, version: '0', limits });
  onTestFinished(() => source.close());
  return source;
}

/** Whether a process is there; one that nobody has collected yet is not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
