import type { ChartSource } from '../chart.ts';
import { createChartView } from './chart-view.ts';
import { byId } from './dom.ts';
import { createEventsView, type Listed } from './events-view.ts';
import { createSearch, createTabs, say, showProblem } from './frame.ts';
import { drawNow } from './now-view.ts';
import { createPathView } from './path-view.ts';
import { createPlay, deviationsOf, type Play } from './play.ts';
import { changesNothing, type Choice } from './scene.ts';
import { createStatesView } from './states-view.ts';
import { backTo, goOn, linkOf, sceneAt, type Walk } from './walk.ts';
import { verdictWords } from './words.ts';

type Chart = Omit<ChartSource, 'svg'>;

/** Plays the machines: every event is decided by the machine itself, and the link says how one came here. */
export function startPlayer(charts: readonly Chart[]): void {
  const play = createPlay(charts.map(({ name }) => name));
  const page = createPage(charts, play, {
    go: (walk) => go(walk),
    open: (name) => {
      play.open(name);
      arrive();
    },
  });
  /** Each step is a step of the browser's history, so that its Back leads back. */
  const note = (): void => {
    if (!play.isAt(location.hash)) location.hash = linkOf(play.walk());
  };
  const arrive = (): void => {
    note();
    page.show();
  };
  const go = (walk: Walk): void => {
    const before = play.walk().steps.length;
    play.go(walk);
    note();
    page.moved();
    const last = walk.steps.at(-1);
    if (walk.steps.length > before && last !== undefined) announce(last);
  };
  byId('back').addEventListener('click', () => go(backTo(play.walk(), play.walk().steps.length - 1)));
  byId('reset').addEventListener('click', () => {
    play.reset();
    go(play.walk());
  });
  byId('copy').addEventListener('click', () => void copyLink(linkOf(play.walk())));
  const read = (): void => {
    play.read(location.hash);
    page.show();
  };
  addEventListener('hashchange', () => {
    if (!play.isAt(location.hash)) read();
  });
  read();
}

/** The panels, drawn anew from the play after everything that happens. */
function createPage(
  charts: readonly Chart[],
  play: Play,
  on: { go: (walk: Walk) => void; open: (machine: string) => void },
) {
  let [chosen, listed, at]: [string | null, Listed, Choice | null] = [null, 'all', null];
  let found: ReadonlySet<string> = new Set();
  const tabs = createTabs(on.open);
  const chart = createChartView((path) => choose(path));
  const events = createEventsView(
    (id) => on.go(goOn(play.walk(), id)),
    (choice) => {
      at = choice;
      light();
    },
  );
  const path = createPathView((count) => on.go(backTo(play.walk(), count)));
  const states = createStatesView((one) => choose(one));
  const search = createSearch(() => draw());
  createKinds((kind) => {
    listed = kind;
    draw();
  });

  const light = (): void => {
    const lit = sceneAt(play.walk()).states;
    chart.draw({ lit, next: at === null ? [] : at.take().next.states, chosen, found });
  };
  const draw = (): void => {
    const walk = play.walk();
    const scene = sceneAt(walk);
    const known = charts.find(({ name }) => name === walk.machine)?.states ?? [];
    showProblem(walk.problem ?? deviationsOf(walk));
    drawNow(scene);
    found = states(known, { lit: scene.states, chosen, search: search() });
    events(scene, { search: search(), listed });
    path(walk);
    light();
  };
  const choose = (state: string): void => {
    chosen = chosen === state ? null : state;
    draw();
    document.querySelector(`[data-path="${CSS.escape(state)}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  return {
    /** After a step. */
    moved(): void {
      at = null;
      draw();
      chart.follow();
    },
    /** After another machine was opened. */
    show(): void {
      [chosen, at] = [null, null];
      tabs(play.walk().machine);
      chart.show(play.walk().machine);
      draw();
      chart.follow();
    },
  };
}

function announce({ answer, scene }: Walk['steps'][number]): void {
  const [first = ''] = answer.text.split('\n');
  const text = `${verdictWords[answer.kind]}${first === '' ? '' : `: ${first}`} (${scene.states.join(', ')})`;
  say(text, changesNothing(answer) ? 'shown' : 'heard');
}

function createKinds(change: (listed: Listed) => void): void {
  const buttons = [...byId('kinds').querySelectorAll<HTMLElement>('button')];
  for (const button of buttons) {
    button.addEventListener('click', () => {
      for (const one of buttons) one.setAttribute('aria-pressed', String(one === button));
      change((button.dataset['kind'] ?? 'all') as Listed);
    });
  }
}

async function copyLink(link: string): Promise<void> {
  const url = new URL(link, location.href).href;
  try {
    await navigator.clipboard.writeText(url);
    say('The link is copied.');
  } catch {
    // Where the browser does not let a page write there, the address line holds the same link.
    say('The browser does not let this page copy. The link is in the address line.');
  }
}
