import { z } from 'zod';
import { counted, cutLine, failed, oneLine, sentence } from './text.ts';
import type { AgentReport, Tool, ToolResult } from './types.ts';

/** Longest report that goes into the conversation, in UTF-16 units: 20 kB of plain text. */
const limitReport = 20_000;

const kinds = { architect: 'architect', plan: 'architect', design: 'architect', general: 'general' } as const;

const input = z.object({
  agent_type: z
    .enum(['architect', 'plan', 'design', 'general'])
    .describe(
      'architect: reads and reports, for exploring and planning (plan and design mean the same); ' +
        'general: may also do what you may do now',
    ),
  prompt: z.string().describe('The whole task and what to report; nothing of this conversation is seen'),
});
type Input = z.infer<typeof input>;

export const spawnAgent: Tool<Input> = {
  name: 'spawn_agent',
  class: 'spawnOther',
  classes: ['spawnArchitect'],
  // D42: an unknown type is none of the names above, so such a call is refused and never widened.
  classOf: ({ agent_type }) => (kinds[agent_type] === 'architect' ? 'spawnArchitect' : 'spawnOther'),
  description:
    'Give one task to a sub-agent and wait for its report. It has a conversation of its own, no `plan` tool, ' +
    'asks the user no questions and starts no further ones. Its tool calls are allowed or asked about like yours.',
  input,
  asks: () => false,
  summary: ({ agent_type, prompt }) => oneLine(`${kinds[agent_type]}: ${prompt}`),
  preview: async ({ agent_type, prompt }) => ({
    title: `Start a sub-agent (${kinds[agent_type]})`,
    body: prompt,
  }),
  async run({ agent_type, prompt }, context) {
    if (prompt.trim() === '') return failed('The prompt is empty. No sub-agent was started.');
    return resultOf(await context.spawn({ kind: kinds[agent_type], prompt }));
  },
};

function resultOf({ name, outcome, cause, text, calls }: AgentReport): ToolResult {
  const said = cutLine(text.trim(), limitReport);
  const foot = `[${name}: ${counted(calls, 'tool call')}]`;
  if (outcome === 'done') return { text: `${said === '' ? 'It reported nothing.' : said}\n\n${foot}` };
  const why = outcome === 'cancelled' ? 'the turn was cancelled' : (cause ?? 'no cause is known');
  const last = said === '' ? '' : `\nIt said last:\n${said}`;
  return failed(
    `The sub-agent did not finish: ${sentence(why)} What its calls did so far stands.${last}\n\n${foot}`,
  );
}
