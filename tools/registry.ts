import { z } from 'zod';
import { agentClosed, type AgentKind, type ToolClass } from '../machines/index.ts';
import { bash } from './bash.ts';
import { editFile } from './edit-file.ts';
import { followUpQuestion } from './follow-up-question.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { hashlineEdit } from './hashline-edit.ts';
import { httpRequest } from './http-request.ts';
import { ls } from './ls.ts';
import { plan } from './plan/plan.ts';
import { readFile } from './read-file.ts';
import { spawnAgent } from './spawn-agent.ts';
import type { Tool } from './types.ts';
import { writeFile } from './write-file.ts';

/** Every tool of the agent, in the order in which the model is told of them. */
export const tools: readonly Tool[] = [
  plan,
  readFile,
  ls,
  glob,
  grep,
  writeFile,
  editFile,
  hashlineEdit,
  bash,
  httpRequest,
  spawnAgent,
  followUpQuestion,
].map((tool) => tool as Tool);

export const findTool = (name: string): Tool | null => tools.find((tool) => tool.name === name) ?? null;

/** Every class that a call of the tool can have, the strictest first. */
export const classesOf = (tool: Tool): readonly ToolClass[] => [tool.class, ...(tool.classes ?? [])];

/** The gate's class, by name alone: whoever is not in the list is unknown (D21). */
export const classOf = (name: string): ToolClass => findTool(name)?.class ?? 'unknown';

/** The tool's input as a JSON schema, without the fields that are accepted but not asked for (D52). */
export function parametersOf(tool: Tool): Record<string, unknown> {
  if (tool.parameters !== undefined) return tool.parameters;
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const [name, property] of Object.entries(jsonSchema.properties ?? {})) {
        if (typeof property === 'object' && property.deprecated === true)
          delete jsonSchema.properties?.[name];
      }
    },
  });
  return schema;
}

/** Tools as the model sees them, `more` last; a sub-agent is not told of what it never gets (D42). */
export const modelTools = (
  agent: AgentKind = 'main',
  more: readonly Tool[] = [],
): { name: string; description: string; parameters: Record<string, unknown> }[] =>
  [...tools, ...more]
    .filter((tool) => classesOf(tool).some((name) => !agentClosed[agent].includes(name)))
    .map((tool) => ({ name: tool.name, description: tool.description, parameters: knownParameters(tool) }));

/** A tool's schema never changes, and every request tells of all of them. */
const parameters = new WeakMap<Tool, Record<string, unknown>>();

function knownParameters(tool: Tool): Record<string, unknown> {
  const known = parameters.get(tool) ?? parametersOf(tool);
  parameters.set(tool, known);
  return known;
}

/**
 * Checks the arguments of a call. A field that is null counts as left out: some models fill every field. Where the
 * schema is another program's, null may mean something.
 */
export function readInput(tool: Tool, raw: unknown): { input: unknown } | { text: string } {
  const parsed = tool.input.safeParse(tool.parameters === undefined ? withoutNulls(raw) : raw);
  if (parsed.success) return { input: parsed.data };
  const faults = parsed.error.issues.map(({ path, message }) => {
    const place = path
      .map((part) => (typeof part === 'number' ? `[${part + 1}]` : `.${String(part)}`))
      .join('');
    return `- ${place.replace(/^\./, '') || 'arguments'}: ${message}`;
  });
  return {
    text: `${tool.name} was not run, its arguments do not fit:\n${faults.join('\n')}\nCorrect them and call again.`,
  };
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutNulls(field)]));
}
