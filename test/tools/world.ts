import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createFiles } from '../../adapters/workspace/files.ts';
import { createHttp } from '../../adapters/workspace/http.ts';
import { resolveTarget } from '../../adapters/workspace/resolve.ts';
import type { Answer } from '../../machines/index.ts';
import { findTool, readInput } from '../../tools/registry.ts';
import type { AgentOrder, Preview, Tool, ToolContext, ToolResult } from '../../tools/types.ts';

export type Sent = Parameters<ToolContext['send']>[0];

export interface World {
  cwd: string;
  /** What the tools told the machine, in order. */
  sent: Sent[];
  /** Questions asked of the person. */
  asked: { question: string; options: readonly string[] }[];
  /** Commands that reached the shell. */
  commands: { command: string; timeoutMs: number }[];
  /** Sub-agents that were asked for. */
  ordered: AgentOrder[];
  call: (name: string, input: Record<string, unknown>) => Promise<ToolResult>;
  preview: (name: string, input: Record<string, unknown>) => Promise<Preview>;
}

const accepted: Answer = { kind: 'accepted', text: 'Done.' };

/** Real files in a folder of the running test; the machine, the shell and the person are written down. */
export function world(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  parts: Partial<ToolContext> = {},
): World {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'planchart-test-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  const [sent, asked, commands]: [Sent[], World['asked'], World['commands']] = [[], [], []];
  const ordered: AgentOrder[] = [];
  const resolve: ToolContext['resolve'] = (given, access) => resolveTarget(given, access, { cwd, home: cwd });
  const context: ToolContext = {
    cwd,
    turn: 'turn-1',
    target: null,
    files: createFiles(),
    shell: {
      level: async () => 'test level',
      run: async (command, timeoutMs) => {
        commands.push({ command, timeoutMs });
        return { kind: 'ended', exit: 0, output: 'out\n', cut: false, timedOut: false };
      },
    },
    http: createHttp(),
    resolve,
    send: async (said) => (sent.push(said), accepted),
    ask: async (question, options) => (asked.push({ question, options }), 'the answer'),
    archived: async (name) => ({ cause: `there is no ${name} in the archive` }),
    spawn: async (order) => {
      ordered.push(order);
      return {
        name: `sub-agent 1, ${order.kind}`,
        outcome: 'done',
        cause: null,
        text: 'The report.',
        calls: 2,
      };
    },
    signal: new AbortController().signal,
    ...parts,
  };

  /** As the runtime does: check the input, resolve the target, hand both to the tool. */
  async function prepared(name: string, raw: Record<string, unknown>) {
    const tool = toolNamed(name);
    const read = readInput(tool, raw);
    if ('text' in read) throw new Error(read.text);
    const wanted = tool.target?.(read.input) ?? null;
    const target = wanted === null ? null : await resolve(wanted.path, wanted.access);
    if (target !== null && 'cause' in target) throw new Error(target.cause);
    return { tool, input: read.input, context: { ...context, target } };
  }
  return {
    cwd,
    sent,
    asked,
    commands,
    ordered,
    async call(name, raw) {
      const { tool, input, context: own } = await prepared(name, raw);
      return tool.run(input, own);
    },
    async preview(name, raw) {
      const { tool, input, context: own } = await prepared(name, raw);
      return tool.preview(input, own);
    },
  };
}

/** A tool that has to be there. */
export function toolNamed(name: string): Tool {
  const tool = findTool(name);
  if (tool === null) throw new Error(`no tool ${name}`);
  return tool;
}
