import { byId, fill, h, roving, some } from './dom.ts';
import { changesNothing, type Choice, type Scene, type SceneAnswer } from './scene.ts';
import { marks, matches, verdictWords } from './words.ts';

export type Listed = 'all' | 'taken' | 'refused';

const keyOf = (item: HTMLElement): string => item.dataset['id'] ?? '';

/** The events that can be pressed, by who does them; `look` is told of the one at hand, or of none. */
export function createEventsView(press: (id: string) => void, look: (choice: Choice | null) => void) {
  const list = byId('events');
  let choices: readonly Choice[] = [];
  const chosen = (target: EventTarget | null): Choice | null => {
    const id = (target as Element | null)?.closest<HTMLElement>('[data-id]')?.dataset['id'];
    return choices.find((choice) => choice.id === id) ?? null;
  };
  list.addEventListener('click', ({ target }) => {
    const choice = chosen(target);
    if (choice !== null) press(choice.id);
  });
  for (const event of ['mouseover', 'focusin'])
    list.addEventListener(event, ({ target }) => look(chosen(target)));
  for (const event of ['mouseleave', 'focusout']) list.addEventListener(event, () => look(null));
  roving(list, keyOf);

  return (scene: Scene, { search, listed }: { search: string; listed: Listed }): void => {
    const all = scene.choices().map((choice) => ({ choice, answer: choice.answer() }));
    const shown = all.filter((one) => isListed(one.answer, listed) && matches(textOf(one), search));
    choices = shown.map(({ choice }) => choice);
    byId('events-count').textContent =
      shown.length === all.length ? `${all.length}` : `${shown.length} of ${all.length}`;
    const groups = Map.groupBy(shown, ({ choice }) => choice.group);
    const items = [...groups].flatMap(([group, ones]) => [
      h('h3', { class: 'group' }, group, h('span', { class: 'of' }, ` · ${taken(ones)} of ${ones.length}`)),
      ...ones.map(item),
    ]);
    fill(list, items.length > 0 ? items : [h('p', { class: 'empty' }, 'No event here matches.')], keyOf);
  };
}

const taken = (ones: readonly Judged[]): number =>
  ones.filter(({ answer }) => !changesNothing(answer)).length;

interface Judged {
  choice: Choice;
  answer: SceneAnswer;
}

const isListed = (answer: SceneAnswer, listed: Listed): boolean =>
  listed === 'all' || changesNothing(answer) === (listed === 'refused');

const textOf = ({ choice, answer }: Judged): string =>
  [
    choice.label,
    choice.event,
    choice.group,
    choice.id,
    answer.code ?? '',
    answer.text,
    verdictWords[answer.kind],
  ].join(' ');

function item({ choice, answer }: Judged): HTMLElement {
  const off = changesNothing(answer);
  return h(
    'button',
    { type: 'button', class: 'choice', 'data-id': choice.id, ...(off ? { 'aria-disabled': 'true' } : {}) },
    h('span', { class: `mark ${answer.kind}`, 'aria-hidden': 'true' }, marks[answer.kind]),
    h('span', { class: 'label' }, choice.label),
    h('code', { class: 'event' }, choice.event),
    ...some(why(answer)),
  );
}

/** Why nothing would change, or what else than a new state would come of it. */
function why(answer: SceneAnswer): HTMLElement | null {
  if (answer.kind === 'accepted') return null;
  return h('span', { class: 'why' }, verdictChip(answer), ...(answer.text === '' ? [] : [` ${answer.text}`]));
}

export const verdictChip = ({ kind, code }: Pick<SceneAnswer, 'kind' | 'code'>): HTMLElement =>
  h(
    'span',
    { class: `verdict ${kind}` },
    verdictWords[kind],
    ...(code === null ? [] : [' ', h('code', {}, code)]),
  );
