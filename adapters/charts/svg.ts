import { type IState, type ITransition, render } from 'state-machine-cat';
import type { Drawing } from './arrows.ts';
import {
  childrenOf,
  initialOf,
  kindOf,
  type Machine,
  type MachineNode,
  pathOf,
  statesBelow,
} from './nodes.ts';
import { wrapped } from './wrapped.ts';

/** Graphviz knows how wide its letters are; fonts of other systems are no wider. */
const font = [{ name: 'fontname', value: 'Verdana' }];
const graph = [
  ...font,
  { name: 'ordering', value: '""' },
  { name: 'ranksep', value: '0.35' },
  { name: 'nodesep', value: '0.45' },
  { name: 'labeljust', value: 'l' },
];

/** A machine as a picture that says of each state which one it is: `data-state` holds its path. */
export async function svgOf(machine: Machine, drawing: Drawing): Promise<string> {
  const { root } = machine;
  const starts = [root, ...statesBelow(root)].flatMap(startOf);
  const arrows = drawing.arrows.map(({ from, to, labels }) => ({ from, to, label: labels.join('\n') }));
  const transitions = [...starts, ...arrows].map((one, id): ITransition => ({ id, ...one }));
  // `oldsvg` is drawn by the Graphviz that comes along, so that every computer makes the same file.
  const drawn = await render(
    { states: statesOf(root, drawing), transitions },
    {
      inputType: 'json',
      outputType: 'oldsvg',
      direction: isNested(root) ? 'left-right' : 'top-down',
      dotGraphAttrs: graph,
      dotNodeAttrs: font,
      dotEdgeAttrs: font,
    },
  );
  return dressed(machine, drawn);
}

/** States within states are drawn from left to right: their arrows keep clear of the titles. */
const isNested = (root: MachineNode): boolean => childrenOf(root).some((state) => kindOf(state) !== 'atomic');

function startOf(node: MachineNode): { from: string; to: string; label?: string }[] {
  const first = initialOf(node);
  return first === null ? [] : [{ from: startName(node), to: pathOf(first) }];
}

const startName = ({ path }: MachineNode): string => [...path, 'initial'].join('.');

function statesOf(node: MachineNode, drawing: Drawing): IState[] {
  const start: IState[] = initialOf(node) === null ? [] : [{ name: startName(node), type: 'initial' }];
  return [...start, ...childrenOf(node).map((child) => stateOf(child, drawing))];
}

function stateOf(node: MachineNode, drawing: Drawing): IState {
  const path = pathOf(node);
  const actions = wrapped(drawing.stays.get(path) ?? []).map((body) => ({ type: 'activity' as const, body }));
  const state: IState = { name: path, label: node.key, type: 'regular', typeExplicitlySet: true, actions };
  if (kindOf(node) === 'atomic') return state;
  return { ...state, statemachine: { states: statesOf(node, drawing) } };
}

/** Colours come from variables, for light and dark and for the page that lights the current state. */
const style = `
.chart { --ink: #1f2328; --paper: #ffffff; --line: #57606a; --group: #f3f5f8; background: var(--paper) }
@media (prefers-color-scheme: dark) { .chart { --ink: #e6edf3; --paper: #0d1117; --line: #9198a1; --group: #151b23 } }
.chart text { fill: var(--ink); font-family: Verdana, 'DejaVu Sans', sans-serif }
.chart .cluster > path { fill: var(--group); stroke: var(--line) }
.chart .cluster .cluster > path { fill: var(--paper) }
.chart .state > polygon, .chart .state > ellipse { fill: var(--ink); stroke: var(--ink) }
.chart .node > path { fill: var(--paper); stroke: var(--ink) }
.chart .edge > path { stroke: var(--line) }
.chart .edge > polygon { fill: var(--line); stroke: var(--line) }
.chart .edge > text { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round }
`;

function dressed({ name, title, root }: Machine, drawn: string): string {
  const about = new Map(statesBelow(root).map((node) => [pathOf(node), node.description ?? '']));
  const groups = drawn
    .slice(drawn.indexOf('<svg'))
    .replaceAll(/<!--[\s\S]*?-->\n/gu, '')
    .replaceAll(
      / (?:fill|stroke)="black"| font-family="[^"]*"| xml:space="preserve"| xmlns:xlink="[^"]*"/gu,
      '',
    )
    .replace(/<title>state transitions<\/title>\n<polygon[^>]*>\n/u, '')
    .replaceAll(
      /<g id="[^"]*" class="([^"]*)"([^>]*)>(?:\n<title>([^<]*)<\/title>)?/gu,
      (_, kind, rest, of) => {
        return `<g class="${kind}"${rest}${said(String(of ?? ''), about)}`;
      },
    )
    // Graphviz draws the frame of a state over its words, and an empty box below them.
    .replaceAll(
      /(<title>[^<]*<\/title>\n)<polygon[^>]*stroke="none"[^>]*>\n((?:<(?:text|polygon).*\n)+)(<path.*\n)/gu,
      '$1$3$2',
    );
  const opening = `<svg class="chart" data-machine="${name}" role="img" aria-label="${title}"`;
  return groups.replace('<svg', opening).replace('>\n', `>\n<style>${style}</style>\n`);
}

/** Which state or arrow a group is, and a title for who points at it. */
function said(of: string, about: ReadonlyMap<string, string>): string {
  const [from = '', to] = of.replaceAll('&#45;', '-').replaceAll('&gt;', '>').split('->');
  if (to !== undefined) return ` data-from="${from}" data-to="${to}">\n<title>${from} → ${to}</title>`;
  const path = from.replace(/^cluster_/u, '');
  const description = about.get(path);
  if (description === undefined) return '>';
  return ` data-state="${path}">\n<title>${path}: ${escaped(description)}</title>`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
