import type { ChartState } from '../chart.ts';
import { byId, fill, h, roving, some } from './dom.ts';
import { matches } from './words.ts';

const keyOf = (item: HTMLElement): string => item.dataset['path'] ?? '';

/** Every state of the machine with what it is; the chosen one is marked in the chart as well. */
export function createStatesView(choose: (path: string) => void) {
  const list = byId('states');
  list.addEventListener('click', ({ target }) => {
    const path = (target as Element).closest<HTMLElement>('[data-path]')?.dataset['path'];
    if (path !== undefined) choose(path);
  });
  roving(list, keyOf);
  return (
    states: readonly ChartState[],
    at: { lit: readonly string[]; chosen: string | null; search: string },
  ): ReadonlySet<string> => {
    const shown = states.filter((state) => matches(textOf(state), at.search));
    byId('states-count').textContent =
      shown.length === states.length ? `${states.length}` : `${shown.length} of ${states.length}`;
    const items = shown.map((state) => item(state, at));
    fill(list, items.length > 0 ? items : [h('p', { class: 'empty' }, 'No state matches.')], keyOf);
    return new Set(at.search === '' ? [] : shown.map(({ path }) => path));
  };
}

const textOf = ({ path, description, tags, kind }: ChartState): string =>
  [path, description, ...tags, kind].join(' ');

function item(
  { path, description, tags, kind }: ChartState,
  at: { lit: readonly string[]; chosen: string | null },
): HTMLElement {
  const names = path.split('.');
  const here = at.lit.some((one) => one === path || one.startsWith(`${path}.`));
  const chosen = at.chosen === path;
  return h(
    'button',
    {
      type: 'button',
      class: 'state',
      'data-path': path,
      'aria-pressed': String(chosen),
      style: `margin-left:${(names.length - 1) * 16}px;width:calc(100% - ${(names.length - 1) * 16}px)`,
    },
    h('strong', {}, names.at(-1) ?? path),
    ...some(here ? h('span', { class: 'here' }, '▸ now') : null),
    ...tags.map((tag) => h('span', { class: 'tag' }, tag)),
    ...some(chosen ? h('span', { class: 'about' }, h('code', {}, path), ` · ${kindWords[kind]}`) : null),
    ...some(description === '' ? null : h('span', { class: 'about' }, description)),
  );
}

const kindWords: Readonly<Record<ChartState['kind'], string>> = {
  atomic: 'a state with none inside',
  compound: 'one of the states inside is current',
  parallel: 'all of the regions inside are current',
};
