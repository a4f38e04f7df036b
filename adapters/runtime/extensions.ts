import { findTool } from '../../tools/registry.ts';
import type { Tool } from '../../tools/types.ts';
import type { Skills, ToolSource } from '../ports.ts';
import type { TurnWorld } from './turn-world.ts';

/** A program without skills and user commands. */
export const noSkills: Skills = {
  folders: [],
  list: async () => ({ all: [], faults: [] }),
  expand: async () => null,
};

/** A program without MCP servers. */
export const noMore: ToolSource = {
  ready: async () => [],
  tools: () => [],
  close: async () => undefined,
};

/** A tool by its exact name: built in, else of a server that runs. */
export const toolNamed = ({ more }: Pick<TurnWorld, 'more'>, name: string): Tool | null =>
  findTool(name) ?? more.tools().find((tool) => tool.name === name) ?? null;

/** The servers' tools for the next request; what went wrong with a server is said once. */
export async function moreTools(world: TurnWorld): Promise<readonly Tool[]> {
  const { more, signal } = world;
  for (const text of await more.ready(signal)) world.publish({ type: 'notice', level: 'error', text });
  return more.tools();
}

/** Each skill on a line, as the system message names them; empty: there is none. */
export async function skillLines({ skills }: TurnWorld, cwd: string): Promise<string> {
  const { all } = await skills.list(cwd);
  return all
    .filter(({ kind }) => kind === 'skill')
    .map(({ name, description, path }) => `- ${name} (${path}): ${description}`)
    .join('\n');
}
