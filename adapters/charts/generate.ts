import { draw } from './arrows.ts';
import type { ChartSource } from './chart.ts';
import { eventsPage } from './events-page.ts';
import { mermaidOf } from './mermaid.ts';
import { kindOf, type Machine, machines, pathOf, statesBelow } from './nodes.ts';
import { startPage } from './pages.ts';
import { refusalsPage } from './refusals-page.ts';
import { gatePage, tagsPage } from './states-pages.ts';
import { svgOf } from './svg.ts';

/** The files of the charts folder by name. Pure but for the time it takes: the same machines make the same bytes. */
export type ChartFiles = ReadonlyMap<string, string>;

/** `page` makes the HTML page of all charts. */
export async function generateCharts(
  page: (charts: readonly ChartSource[]) => string | Promise<string>,
): Promise<ChartFiles> {
  const drawn = machines.map((machine) => {
    const drawing = draw(machine.root);
    return { machine, drawing, mermaid: mermaidOf(machine, drawing) };
  });
  const charts: ChartSource[] = [];
  for (const { machine, drawing } of drawn) charts.push(chartOf(machine, await svgOf(machine, drawing)));
  const [session] = machines;
  return new Map([
    ...drawn.map(({ machine, mermaid }) => [`${machine.name}.mmd`, mermaid] as const),
    ...charts.map(({ name, svg }) => [`${name}.svg`, svg] as const),
    ['index.html', await page(charts)],
    ['README.md', startPage(drawn)],
    ['refusals.md', session === undefined ? '' : refusalsPage(session.root)],
    ['events.md', eventsPage(machines)],
    ['tags.md', tagsPage(machines)],
    ['gate.md', gatePage()],
  ]);
}

function chartOf({ name, title, root }: Machine, svg: string): ChartSource {
  const states = statesBelow(root).map((node) => ({
    path: pathOf(node),
    description: node.description ?? '',
    tags: [...node.tags],
    kind: kindOf(node),
  }));
  return { name, title, svg, states };
}
