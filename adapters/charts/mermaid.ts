import type { Drawing } from './arrows.ts';
import { childrenOf, initialOf, kindOf, type Machine, type MachineNode, pathOf } from './nodes.ts';
import { wrapped } from './wrapped.ts';

const idOf = (path: string): string => path.replaceAll('.', '_');

/** A machine as a Mermaid state diagram. What a compound state takes in place is in the table beside it. */
export function mermaidOf({ root }: Machine, { arrows, stays }: Drawing): string {
  const lines = [
    'stateDiagram-v2',
    ...body(root, stays, '  '),
    ...arrows.map(
      ({ from, to, labels }) => `  ${idOf(from)} --> ${idOf(to)} : ${labels.map(narrow).join('<br/>')}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** Mermaid breaks a long label anywhere. */
const narrow = (label: string): string => (label.length > 24 ? label.replace(' [', '<br/>[') : label);

function body(node: MachineNode, stays: Drawing['stays'], indent: string): string[] {
  const start = initialOf(node);
  const first = start === null ? [] : [`${indent}[*] --> ${idOf(pathOf(start))}`];
  return [...first, ...childrenOf(node).flatMap((child) => stateLines(child, stays, indent))];
}

function stateLines(node: MachineNode, stays: Drawing['stays'], indent: string): string[] {
  const path = pathOf(node);
  const id = idOf(path);
  if (kindOf(node) !== 'atomic') {
    return [`${indent}state "${node.key}" as ${id} {`, ...body(node, stays, `${indent}  `), `${indent}}`];
  }
  const kept = wrapped(stays.get(path) ?? []);
  return [
    `${indent}state "${node.key}" as ${id}`,
    ...(kept.length === 0 ? [] : [`${indent}${id} : ${kept.join('<br/>')}`]),
  ];
}
