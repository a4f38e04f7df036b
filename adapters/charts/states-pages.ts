import {
  agentClosed,
  badges,
  gateTable,
  type Phase,
  tags,
  type ToolClass,
  toolClasses,
} from '../../machines/index.ts';
import { code, codes, generated, table } from './markdown.ts';
import { kindOf, type Machine, pathOf, statesBelow } from './nodes.ts';

/** The page on tags: what each says, and which states have it; the badge of each phase. */
export function tagsPage(machines: readonly Machine[]): string {
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = tags;
  const parts = machines.flatMap(({ name, title, root }) => {
    const rows = Object.entries(texts[name] ?? {}).map(([tag, text]) => {
      const states = statesBelow(root).filter((state) => state.tags.includes(tag));
      return [code(tag), text, codes(states.map(pathOf))];
    });
    return [`## ${title}\n`, table(['tag', 'what it says', 'states'], rows)];
  });
  const shown = phases.map((phase) => [code(phase), badges[phase] === '' ? 'none' : `[${badges[phase]}]`]);
  return [
    generated('Tags and badges', 'machines/tags.ts, the machines and machines/select.ts'),
    'A state has the tags of the states around it too.\n',
    ...parts,
    '## Badges\n',
    'What a surface shows of each phase; the phases are the columns of [gate.md](gate.md).\n',
    table(['phase', 'badge'], shown),
  ].join('\n');
}

const phases = Object.keys(gateTable.read) as Phase[];
const cells = { allow: 'yes', deny: '–', 'read-only': 'ro' } as const;

/** The gate table, one row for each class of tools, one cell for each phase. */
export const gateRows = (): string[][] =>
  toolClasses.map((name) => [code(name), ...phases.map((phase) => cells[gateTable[name][phase]])]);

export function gatePage(): string {
  const closed = (['general', 'architect'] as const).map((kind) => [code(kind), closedTo(agentClosed[kind])]);
  return [
    generated('Gate', 'machines/tool-gate.ts'),
    'Which class of tools is open in which phase of the plan. *ro*: read-only. The tools of each class, and what else the gate',
    'looks at: [tools and gate](../tools.md).\n',
    table(['class', ...phases], gateRows()),
    'Closed to a sub-agent in every phase:\n',
    table(['sub-agent', 'closed'], closed),
  ].join('\n');
}

function closedTo(list: readonly ToolClass[]): string {
  if (list.length <= toolClasses.length / 2) return codes(list);
  return `all but ${codes(toolClasses.filter((name) => !list.includes(name)))}`;
}

/** All states of a machine, for its part of the start page. */
export const stateRows = ({ root }: Machine, stays: ReadonlyMap<string, readonly string[]>): string[][] =>
  statesBelow(root).map((state) => [
    code(pathOf(state)),
    kindOf(state),
    state.description ?? '',
    codes(state.tags),
    codes(stays.get(pathOf(state)) ?? []),
  ]);
