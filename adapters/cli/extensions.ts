import { readTrust, TrustError } from '../config/index.ts';
import { createMcpTools } from '../mcp/index.ts';
import type { RuntimeWorld } from '../runtime/index.ts';
import { createSkills } from '../skills/index.ts';
import { childEnvironment } from '../workspace/environment.ts';
import { version } from './help.ts';
import type { Process, Settings } from './settings.ts';

/** Skills, user commands and MCP servers, as the settings name them (D21). Nothing is started yet. */
export function extensionsOf(
  { config, folder }: Pick<Settings, 'config' | 'folder'>,
  { env }: Pick<Process, 'env'>,
  { home, root }: { home: string; root: string },
): Pick<RuntimeWorld, 'skills' | 'more'> {
  const homes = home === root ? [home] : [root, home];
  const skills = createSkills({ root, homes, trusted: (path) => isTrusted(home, path) });
  if (config.servers.length === 0) return { skills };
  const child = childEnvironment(env, config.secrets);
  return { skills, more: createMcpTools({ servers: config.servers, cwd: folder.path, env: child, version }) };
}

/** What is wrong with the list of answers has been said at the start. */
async function isTrusted(home: string, path: string): Promise<boolean> {
  try {
    return (await readTrust(home, path)) === 'trusted';
  } catch (error) {
    if (error instanceof TrustError) return false;
    throw error;
  }
}

/** Ends the running turn, and then the servers of its program. */
export async function leave(
  session: { close(): Promise<void> },
  { more }: Pick<RuntimeWorld, 'more'>,
): Promise<void> {
  await session.close();
  await more?.close();
}
