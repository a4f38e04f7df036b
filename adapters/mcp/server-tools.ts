import type { Tool } from '../../tools/types.ts';
import { visibleLine } from '../text.ts';
import { toolName } from './names.ts';
import type { RunningServer } from './server.ts';
import { isTooLarge, saysItWrites, serverTool } from './server-tool.ts';

/** The tools of a server that has been started, and what is wrong with its list or the user's. */
export function serverTools(
  server: RunningServer,
  { readOnly }: { readOnly: readonly string[] },
  most: number,
): { tools: Tool[]; faults: string[] } {
  const fault = (text: string): string => `MCP server ${server.name}: ${text}.`;
  const listed = server.tools.filter((tool) => readOnly.includes(tool.name));
  const unknown = readOnly.filter((name) => !server.tools.some((tool) => tool.name === name));
  const large = server.tools.filter(isTooLarge);
  const usable = server.tools.filter((tool) => !isTooLarge(tool));
  const faults = [
    ...unknown.map((name) => fault(`read_only names ${visibleLine(name)}, which it does not have`)),
    ...listed
      .filter(saysItWrites)
      .map(({ name }) =>
        fault(
          `${visibleLine(name)} is in read_only, but the server says that it changes things, so it stays closed in Plan mode`,
        ),
      ),
    ...large.map(({ name }) =>
      fault(`${visibleLine(name)} is left out, its arguments are described at too great length`),
    ),
    ...(usable.length > most ? [fault(`only the first ${most} of its ${usable.length} tools are used`)] : []),
  ];
  const tools = usable
    .slice(0, most)
    .map((tool) => serverTool(server, tool, toolName(server.name, tool.name), readOnly) as Tool);
  return { tools, faults };
}
