import type { ChartSource } from '../chart.ts';
import { createChartView } from './chart-view.ts';
import { byId, fill, h } from './dom.ts';
import { verdictChip } from './events-view.ts';
import { createSearch, createTabs, showProblem } from './frame.ts';
import { LiveState } from './live-state.ts';
import { drawNow } from './now-view.ts';
import { createStatesView } from './states-view.ts';
import { matches } from './words.ts';

/** Follows a running session, read-only: what the server tells is drawn, nothing is sent. */
export function startLive(charts: readonly Omit<ChartSource, 'svg'>[]): void {
  let state: LiveState | null = null;
  let chart = charts[0];
  let chosen: string | null = null;
  const view = {
    tabs: createTabs((name) => show(name)),
    chart: createChartView((path) => choose(path)),
    states: createStatesView((path) => choose(path)),
    search: createSearch(() => draw()),
  };
  const draw = (): void => {
    const lit = litIn(state, chart?.name ?? '');
    const search = view.search();
    const found = view.states(chart?.states ?? [], { lit, chosen, search });
    view.chart.draw({ lit, next: [], chosen, found });
    if (state === null) return;
    drawNow({ states: lit, hint: hintOf(state, chart?.name ?? ''), facts: factsOf(state) });
    drawEvents(state, search);
  };
  const show = (name: string): void => {
    chart = charts.find((one) => one.name === name) ?? chart;
    chosen = null;
    view.tabs(name);
    view.chart.show(name);
    draw();
    view.chart.follow();
  };
  const choose = (path: string): void => {
    chosen = chosen === path ? null : path;
    draw();
  };
  const take = (text: string): void => {
    const before = litIn(state, chart?.name ?? '').join();
    state = LiveState.parse(JSON.parse(text));
    draw();
    if (litIn(state, chart?.name ?? '').join() !== before) view.chart.follow();
  };
  asReader();
  show(chart?.name ?? '');
  watch(take);
  setInterval(draw, 1000);
}

/** The first look at once, then every change; the browser itself connects anew when the connection is lost. */
function watch(take: (text: string) => void): void {
  const lost = (): void => showProblem('The session cannot be followed now. What is shown may be old.');
  const events = new EventSource('events');
  events.addEventListener('message', ({ data }) => {
    showProblem(null);
    take(String(data));
  });
  events.addEventListener('open', () => showProblem(null));
  events.addEventListener('error', lost);
  fetch('state')
    .then((response) => (response.ok ? response.text() : Promise.reject(new Error(response.statusText))))
    .then(take)
    .catch(lost);
}

/** Nothing can be pressed here. */
function asReader(): void {
  byId('kinds').hidden = true;
  byId('path').closest('section')?.remove();
  document.body.classList.add('live');
}

function litIn(state: LiveState | null, machine: string): readonly string[] {
  if (machine === 'session') return state?.value ?? [];
  return machine === 'keyboard' && state?.keyboard ? [state.keyboard.value] : [];
}

/** "12 s", "3 min", "2 h 5 min" since a time. */
function ago(since: string): string {
  const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(since)) / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The time in a state is the session's, so it is only told where that state is drawn. */
function hintOf({ session, since, keyboard }: LiveState, machine: string): string {
  if (machine === 'session') return `Session ${session}, in this state for ${ago(since)}.`;
  if (machine === 'keyboard')
    return keyboard === null ? `Session ${session} is in no chat.` : `The chat of session ${session}.`;
  return 'Only the session and its keyboard are followed, so nothing is lit here.';
}

function factsOf({ seed, keyboard, since }: LiveState) {
  const beside = (one: LiveState['seed']): string =>
    one === null
      ? 'not in use'
      : [one.value, ...(one.since === null ? [] : [`for ${ago(one.since)}`]), ...one.facts].join(', ');
  return [
    { label: 'Since', text: `${since.slice(0, 19).replace('T', ' ')} UTC` },
    { label: 'Seed', text: beside(seed) },
    { label: 'Keyboard', text: beside(keyboard) },
  ];
}

function drawEvents({ lastEvents }: LiveState, search: string): void {
  const newest = lastEvents.toReversed();
  const shown = newest.filter(({ event, by, verdict, to }) =>
    matches([event, by ?? '', verdict.kind, verdict.code ?? '', ...to].join(' '), search),
  );
  byId('events-count').textContent = `last ${shown.length}, newest first, UTC`;
  const rows = shown.map(({ at, event, by, verdict, from, to }) =>
    h(
      'p',
      { class: 'happened' },
      h(
        'span',
        {},
        h('code', {}, at.slice(11, 19)),
        ` ${event}${by === null ? '' : ` (${by})`} `,
        verdictChip(verdict),
      ),
      h(
        'span',
        { class: 'more' },
        from.join() === to.join() ? `stays in ${to.join(' · ')}` : `→ ${to.join(' · ')}`,
      ),
    ),
  );
  const nothing = newest.length === 0 ? 'Nothing has happened yet.' : 'No event here matches.';
  fill(byId('events'), rows.length > 0 ? rows : [h('p', { class: 'empty' }, nothing)], () => '');
}
