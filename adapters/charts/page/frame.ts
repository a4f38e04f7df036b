import { byId } from './dom.ts';

/** Tabs: arrow keys choose, Tab leaves them. `choose` is called for a person's choice only. */
export function createTabs(choose: (machine: string) => void): (machine: string) => void {
  const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')];
  const nameOf = (tab: HTMLElement | undefined): string => tab?.dataset['machine'] ?? '';
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener('click', () => choose(nameOf(tab)));
    tab.addEventListener('keydown', ({ key }) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (by === undefined) return;
      const next = tabs.at((index + by) % tabs.length);
      next?.focus();
      choose(nameOf(next));
    });
  }
  return (machine) => {
    for (const tab of tabs) {
      const chosen = nameOf(tab) === machine;
      tab.setAttribute('aria-selected', String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      if (chosen) byId('panel').setAttribute('aria-labelledby', tab.id);
    }
  };
}

/** `/` goes to the search, Escape empties it, an arrow down leads on to the events. */
export function createSearch(change: (search: string) => void): () => string {
  const input = byId('search') as HTMLInputElement;
  input.addEventListener('input', () => change(input.value.trim()));
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && input.value !== '') {
      event.preventDefault();
      input.value = '';
      change('');
    }
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    byId('events').querySelector<HTMLElement>('button[tabindex="0"]')?.focus();
  });
  document.addEventListener('keydown', (event) => {
    if (
      event.key !== '/' ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      document.activeElement === input
    )
      return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  return () => input.value.trim();
}

/** What stands over the panels while something is wrong with the link or the connection. */
export function showProblem(problem: string | null): void {
  const place = byId('problem');
  place.hidden = problem === null;
  if (place.textContent !== problem) place.textContent = problem ?? '';
}

/** A word to the person, for some seconds; `heard`: only to who listens, since it is in sight elsewhere. */
export function say(text: string, how: 'shown' | 'heard' = 'shown'): void {
  const place = byId('say');
  place.classList.toggle('unseen', how === 'heard');
  place.textContent = text;
  setTimeout(() => {
    if (place.textContent === text) place.textContent = '';
  }, 4000);
}
