import { byId } from './dom.ts';

/** What the chart of a machine shows. */
export interface Shown {
  /** Innermost states that are current. */
  lit: readonly string[];
  /** Innermost states that the event at hand leads to. */
  next: readonly string[];
  chosen: string | null;
  /** States that the search finds. */
  found: ReadonlySet<string>;
}

/** The charts in the page: one is shown, at a size that the person sets. */
export function createChartView(choose: (path: string) => void) {
  const stage = byId('stage');
  const pictures = [...stage.querySelectorAll<HTMLElement>('.picture')];
  const sizes = new Map<string, number>();
  let machine = '';
  const picture = (): HTMLElement | undefined =>
    pictures.find(({ dataset }) => dataset['machine'] === machine);

  stage.addEventListener('click', ({ target }) => {
    const path = (target as Element).closest<SVGElement>('[data-state]')?.dataset['state'];
    if (path !== undefined) choose(path);
  });
  const resize = (size: (now: number) => number): void => {
    const svg = picture()?.querySelector('svg');
    if (svg === null || svg === undefined) return;
    const next = Math.min(3, Math.max(0.15, size(sizes.get(machine) ?? 1)));
    sizes.set(machine, next);
    svg.style.width = `${svg.viewBox.baseVal.width * next}px`;
    svg.style.height = `${svg.viewBox.baseVal.height * next}px`;
  };
  const fit = (least: number): void => {
    const box = picture()?.querySelector('svg')?.viewBox.baseVal;
    if (box === undefined) return;
    const [wide, high] = [(stage.clientWidth - 24) / box.width, (stage.clientHeight - 24) / box.height];
    resize(() => Math.max(least, Math.min(wide, high, 1.6)));
  };
  byId('smaller').addEventListener('click', () => resize((size) => size / 1.25));
  byId('larger').addEventListener('click', () => resize((size) => size * 1.25));
  byId('fit').addEventListener('click', () => fit(0));

  return {
    show(name: string): void {
      machine = name;
      for (const one of pictures) one.hidden = one.dataset['machine'] !== name;
      // Whole where that can be read, else so large that it can, around the current state.
      if (!sizes.has(name)) fit(0.85);
    },
    draw(shown: Shown): void {
      const groups = [...(picture()?.querySelectorAll<SVGGElement>('[data-state]') ?? [])];
      picture()
        ?.querySelectorAll('.lit-mark')
        .forEach((mark) => mark.remove());
      for (const group of groups) light(group, shown);
    },
    /** Brings the current states into sight. */
    follow(): void {
      const lit = [...(picture()?.querySelectorAll<SVGGElement>('.lit') ?? [])];
      scrollTo(stage, lit);
    },
  };
}

function light(group: SVGGElement, { lit, next, chosen, found }: Shown): void {
  const path = group.dataset['state'] ?? '';
  const isLit = lit.includes(path);
  group.classList.toggle('lit', isLit);
  group.classList.toggle(
    'holds',
    lit.some((one) => one.startsWith(`${path}.`)),
  );
  group.classList.toggle('next', !isLit && next.includes(path));
  group.classList.toggle('chosen', chosen === path);
  group.classList.toggle('found', found.has(path));
  // Above everything else: arrows end at the frame, too.
  if (isLit) group.closest('.graph')?.append(flag(group.querySelector<SVGGraphicsElement>(':scope > path')));
}

const svgElement = (
  name: 'g' | 'rect' | 'text',
  attributes: Readonly<Record<string, string | number>>,
): SVGElement => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  return element;
};

/** "NOW" on the upper edge of a state's frame: the state is told by more than its colour. */
function flag(frame: SVGGraphicsElement | null): SVGElement {
  const { x, y } = frame?.getBBox() ?? { x: 0, y: 0 };
  const mark = svgElement('g', { class: 'lit-mark' });
  const words = svgElement('text', { x: x + 14, y: y + 1.5 });
  words.textContent = '▸ NOW';
  mark.append(svgElement('rect', { x: x + 8, y: y - 8.5, width: 50, height: 14, rx: 4 }), words);
  return mark;
}

/** As far as needed, and the first state wins where not all fit. */
function scrollTo(stage: HTMLElement, states: readonly SVGGElement[]): void {
  const view = stage.getBoundingClientRect();
  const boxes = states.map((state) => state.getBoundingClientRect());
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const [right, bottom] = [
    Math.max(...boxes.map((box) => box.right)),
    Math.max(...boxes.map((box) => box.bottom)),
  ];
  if (boxes.length === 0) return;
  const by = (from: number, to: number, start: number, end: number): number =>
    from >= start && to <= end ? 0 : (from + to) / 2 - (start + end) / 2;
  const fits = right - left <= view.width && bottom - top <= view.height;
  const [first] = boxes;
  const box = fits || first === undefined ? { left, top, right, bottom } : first;
  stage.scrollBy({
    left: by(box.left, box.right, view.left, view.right),
    top: by(box.top, box.bottom, view.top, view.bottom),
  });
}
