import { agentClosed } from '../../machines/index.ts';
import { classesOf, tools } from '../../tools/registry.ts';

const start = `# Tools and gate

Generated from \`tools/registry.ts\` by its test; \`npx vitest run test/docs/tools.test.ts -u\` writes it anew.

Every tool call of the agent goes through one gate, right before it runs. The gate looks at the state that the session's files
have at that moment, at the class of the tool and at the path that the call resolved to: links followed, \`~\` and \`..\` gone.
The tool then uses that very path. Nothing else opens it: no answer to a prompt, no "allow for this session", no yolo, no
chat text. A call that the gate refuses asks nobody.

## Tools

`;

const rest = `
A class in the second column goes by the tool's name, so a tool that is not in this list is \`unknown\`, whatever it says of
itself. Two classes: the second one is that of a GET or HEAD request, of an architect, or of a write to the session \`.md\`.

## What is open in which state

The table is in [gate](charts/gate.md): a class in each row, a phase of the plan in each column.

- *ro* there: the command runs read-only, in a sandbox or from the [list of read-only commands](read-only-commands.md).
- The path decides before the class does. A write below the home is \`planFiles\`, closed to every tool in every state,
  and so is one to a \`.planchart\` folder; a write to the session \`.md\` is \`sessionPlan\`. Of the home only [skills](skills.md) and this session's own plan files can be read.
- \`seeding\` lasts from Approve to the first task that is started.
- From a cancel or \`/discard\` on, every call of that turn is refused CANCELLED.
- Arguments that do not fit never run. Where the state closes every class of the tool, that is what the agent is told; else
  what is wrong with them.
- The result of a refused call begins with a code, such as GATE_CLOSED, FROZEN, STALE_TEXT or NEEDS_PERSON, and says what to
  do instead.

## Who is asked

Where the gate is open, a person is asked before a tool changes something, before a read outside the working folder, before
the first request to a host, and before \`plan init\`. Yes covers the call, "for this session" the tool: of bash this very
command, of requests the kind and the host, of an import the file. After a Yes the gate is asked again. Without a person
(\`planchart run\`) such a call is refused NEEDS_PERSON, unless the session is in yolo. A design needs a person's Approve,
so without one \`plan init mode=design\` is refused UNATTENDED_DESIGN.

The calls of one response run in order, one after another; neighbouring reads that ask nobody run side by side. A refused or
failed call stops no later one. A cancel answers the rest "not run".

## Sub-agents

\`spawn_agent\` gives one task to a sub-agent and waits for its report, at most 20,000 characters, which is the result of the
call. The sub-agent has a conversation of its own with the same model; its transcript lies beside the session's, in
\`agents/\`. Types: \`architect\` (\`plan\` and \`design\` mean the same) and \`general\`. Another type is refused.

What is closed to each type in every state stands below the [gate table](charts/gate.md). The rest is as open to a
sub-agent as to the session's own agent: the same gate, read at each of its calls. So one that was started before the session came into Editing writes nothing from then on. Its calls are asked about as "sub-agent 1, general:
…". It ends with its turn: a cancel reaches both at once.
`;

const row = (...parts: readonly string[]): string => `| ${parts.join(' | ')} |`;
const rule = (count: number): string => `|${'---|'.repeat(count)}`;
const code = (text: string): string => `\`${text}\``;

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return `${[row(...heads), rule(heads.length), ...rows.map((parts) => row(...parts))].join('\n')}\n`;
}

/** Every tool with its classes, the strictest first, and who of the agents has it. */
export function toolRows(): string[][] {
  return tools.map((tool) => {
    const has = (kind: 'general' | 'architect') =>
      classesOf(tool).some((name) => !agentClosed[kind].includes(name)) ? 'yes' : '–';
    return [code(tool.name), classesOf(tool).map(code).join(', '), has('general'), has('architect')];
  });
}

/** The page of the docs, whole. */
export function toolsPage(): string {
  return [start, table(['tool', 'class', 'general sub-agent', 'architect'], toolRows()), rest].join('');
}
