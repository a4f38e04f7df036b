import { byId, h } from './dom.ts';
import type { Fact } from './scene.ts';

/** Where the machine is, in words. */
export function drawNow({
  states,
  hint,
  facts,
}: {
  states: readonly string[];
  hint: string;
  facts: readonly Fact[];
}): void {
  byId('now').replaceChildren(
    h(
      'div',
      { class: 'chips', 'aria-label': 'Current states', role: 'group' },
      ...states.map((state) => h('span', { class: 'chip' }, state)),
    ),
    h('p', { class: 'hint' }, hint),
    h(
      'dl',
      { class: 'facts' },
      ...facts.flatMap(({ label, text }) => [h('dt', {}, label), h('dd', {}, text)]),
    ),
  );
}
