import { byId, fill, h, roving, some } from './dom.ts';
import { verdictChip } from './events-view.ts';
import type { Walk, WalkStep } from './walk.ts';

const keyOf = (item: HTMLElement): string => item.dataset['count'] ?? '';

/** The steps so far; pressing one goes back to it. */
export function createPathView(backTo: (count: number) => void) {
  const list = byId('path');
  list.addEventListener('click', ({ target }) => {
    const count = (target as Element).closest<HTMLElement>('[data-count]')?.dataset['count'];
    if (count !== undefined) backTo(Number(count));
  });
  roving(list, keyOf);
  return (walk: Walk): void => {
    const start = item(0, walk.steps.length, [h('span', {}, 'Start'), places(walk.start.states)]);
    const steps = walk.steps.map((step, index) => item(index + 1, walk.steps.length, parts(step)));
    fill(list, [start, ...steps], keyOf);
    if (!list.contains(document.activeElement)) list.scrollTop = list.scrollHeight;
    const off = walk.steps.length === 0 ? 'true' : null;
    for (const id of ['back', 'reset']) byId(id).toggleAttribute('disabled', off !== null);
  };
}

function item(count: number, last: number, content: readonly HTMLElement[]): HTMLElement {
  const current = count === last ? { 'aria-current': 'step' } : {};
  const number = h('span', { class: 'number' }, count === 0 ? '·' : `${count}.`);
  return h(
    'li',
    {},
    h(
      'button',
      { type: 'button', class: 'step', 'data-count': String(count), ...current },
      number,
      ...content,
    ),
  );
}

const places = (states: readonly string[]): HTMLElement => h('span', { class: 'more' }, states.join(' · '));

function parts({ label, answer, did, scene, deviation }: WalkStep): HTMLElement[] {
  const told = [...(answer.text === '' ? [] : [answer.text]), ...did.map((one) => `→ ${one}`)].join('\n');
  return [
    h('span', {}, `${label} `, verdictChip(answer)),
    places(scene.states),
    ...(told === '' ? [] : [h('span', { class: 'more' }, told)]),
    ...some(deviation === null ? null : h('strong', { class: 'deviation' }, `≠ ${deviation}`)).map(
      (one) => one as HTMLElement,
    ),
  ];
}
