import { z } from 'zod';
import { failed, oneLine } from './text.ts';
import type { ShellOutcome, Tool, ToolResult } from './types.ts';

const seconds = { standard: 120, most: 600 };

const input = z.object({
  command: z.string().describe('Run with bash -c in the working directory'),
  timeout_seconds: z.coerce
    .number()
    .optional()
    .describe(`${seconds.standard} when left out, unless the user has set another, at most ${seconds.most}`),
});

export const bash: Tool<z.infer<typeof input>> = {
  name: 'bash',
  class: 'bash',
  description:
    'Run a bash command. No input; background processes end with the command; ' +
    'of long output the beginning and the end are kept.',
  input,
  asks: () => true,
  key: ({ command }) => `bash ${command}`,
  summary: ({ command }) => oneLine(command),
  preview: async ({ command }, context) => ({ title: `Run in ${context.cwd}`, body: command }),
  async run({ command, timeout_seconds }, context) {
    if (command.trim() === '') return failed('The command is empty. Nothing was run.');
    const wanted = timeout_seconds ?? context.shell.seconds ?? seconds.standard;
    const limit = Math.min(Math.max(wanted, 1), seconds.most);
    const outcome = await context.shell.run(command, limit * 1000, context.signal);
    if (outcome.kind === 'refused') return failed(outcome.text);
    const level = await context.shell.level();
    return result(outcome, ending(outcome, limit, context.signal), level);
  },
};

function ending({ exit, timedOut }: Ended, limit: number, signal: AbortSignal): string {
  if (timedOut) return `ended after ${limit} s without finishing; it may have run in part`;
  if (signal.aborted) return 'cancelled; it may have run in part';
  return exit === null ? 'ended by a signal' : `exit code ${exit}`;
}

type Ended = Extract<ShellOutcome, { kind: 'ended' }>;

function result(outcome: Ended, end: string, level: string): ToolResult {
  const output = outcome.output.trimEnd();
  const text = `${output === '' ? '(no output)' : output}\n[${end} · ${level}]`;
  return outcome.exit === 0 ? { text } : failed(text);
}
