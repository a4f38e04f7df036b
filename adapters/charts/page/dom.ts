/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

type Child = Node | string;

/** An element with attributes and content; text only ever becomes text, whatever a link or a journal holds. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** An element of the page by its id; the page was made with it. */
export function byId(id: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(`#${id}`);
  if (element === null) throw new Error(`The page has no #${id}.`);
  return element;
}

/** A part that may be missing, as a list. */
export const some = (child: Child | null): readonly Child[] =>
  child === null || child === '' ? [] : [child];

/**
 * A list in which arrow keys, Home and End move, so that Tab passes it in one step. `key` names the item that Tab
 * reaches; without such an item it is the first. Redrawing keeps the focus on the item that had it.
 */
export function fill(list: HTMLElement, items: readonly Child[], key: (item: HTMLElement) => string): void {
  const had = list.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
  const wanted = had === null ? (list.dataset['at'] ?? '') : key(had);
  const top = list.scrollTop;
  list.replaceChildren(...items);
  list.scrollTop = top;
  const buttons = buttonsOf(list);
  const at = buttons.find((button) => key(button) === wanted) ?? buttons[0];
  for (const button of buttons) button.tabIndex = button === at ? 0 : -1;
  if (had !== null) (at ?? list).focus({ preventScroll: had !== at && at !== undefined });
  list.dataset['at'] = at === undefined ? '' : key(at);
}

const buttonsOf = (list: HTMLElement): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('button')];

/** Moves the focus in a list that `fill` drew. */
export function roving(list: HTMLElement, key: (item: HTMLElement) => string): void {
  list.addEventListener('keydown', (event) => {
    const buttons = buttonsOf(list);
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    buttons[Math.min(Math.max(to, 0), buttons.length - 1)]?.focus();
  });
  list.addEventListener('focusin', ({ target }) => {
    for (const button of buttonsOf(list)) button.tabIndex = button === target ? 0 : -1;
    list.dataset['at'] = key(target as HTMLElement);
  });
}
