import type { Drawing } from './arrows.ts';
import { codes, generated, table } from './markdown.ts';
import type { Machine } from './nodes.ts';
import { stateRows } from './states-pages.ts';

export interface Drawn {
  machine: Machine;
  drawing: Drawing;
  mermaid: string;
}

/** The start page of the folder, with each chart as code hosts draw it. */
export function startPage(drawn: readonly Drawn[]): string {
  return [
    generated('Charts', 'the statecharts in machines/'),
    'Open [index.html](index.html) in a browser to click through the machines. How to read and change a chart:',
    '[for designers](../designers.md).\n',
    `Tables: [refusals](refusals.md) · [events](events.md) · [tags and badges](tags.md) · [gate](gate.md)\n`,
    ...drawn.map(section),
  ].join('\n');
}

function section({ machine, drawing, mermaid }: Drawn): string {
  const everywhere = drawing.stays.get('') ?? [];
  return [
    `## ${machine.title}\n`,
    `${machine.about} Written in [\`${machine.source}\`](../../${machine.source}); as a picture: [${machine.name}.svg](${machine.name}.svg).\n`,
    `\`\`\`mermaid\n${mermaid}\`\`\`\n`,
    ...(everywhere.length === 0 ? [] : [`Every state may take these in place: ${codes(everywhere)}.\n`]),
    table(['state', 'kind', 'what it is', 'tags', 'takes and stays'], stateRows(machine, drawing.stays)),
  ].join('\n');
}
