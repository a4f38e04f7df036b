import type { SessionView } from '../../../machines/index.ts';
import { visible } from '../../text.ts';
import { goalLines, headLines, taskLines } from './plan-lines.ts';
import { entityCount } from './render.ts';
import { italic, join, type Rich, richLength, run, under } from './rich.ts';
import { sourceRich } from './source.ts';
import { captionLimits, type Limits, split, take } from './split.ts';

/** How much of the session plan's text a message holds: D45 lets only a text be approved that was shown whole. */
export type Shown = 'full' | 'cut' | 'none';

export interface PlanSections {
  body: Rich;
  shown: Shown;
}

/** `footer`: context figure, null while unknown. `limits`: what the rest of the message leaves over. */
export interface SectionOptions {
  footer: string | null;
  limits: Limits;
}

const more = '\n\u2026 the rest: /show_plan';
/** Below that a folded piece says too little for the lines it takes. */
const worthwhile = 80;

/** The text counts until the checklist is built, and again when it is not the approved one (D48). */
function textOf({ phase, document, closed }: SessionView): string | null {
  const text = document?.text ?? null;
  if (closed !== null || text === null || phase === 'unreadable') return null;
  return phase === 'checklist' && document?.drifted !== true ? null : text;
}

const folded = (rich: Rich): Rich => under({ kind: 'quote', fold: 'folded' }, rich);

/** All that can be unfolded, one quote each. */
function foldable(view: SessionView): Rich[] {
  const text = textOf(view);
  const goal = goalLines(view).whole;
  return [
    text === null ? [] : sourceRich(text),
    view.phase === 'postInit' ? [] : taskLines(view),
    goal === null ? [] : run(visible(goal)),
  ];
}

/** As much as fits, in a quote of its own, with the way to the rest where something is left out. */
function fitted(rich: Rich, { units, entities }: Limits): { quote: Rich; all: 'yes' | 'no' } {
  const room = units - 1;
  if (room < worthwhile || entities < 2) return { quote: [], all: rich.length === 0 ? 'yes' : 'no' };
  const inside = { units: room, entities: entities - 1 };
  const whole = take(rich, inside);
  if (whole.rest.length === 0) return { quote: folded(rich), all: 'yes' };
  const { head } = take(rich, { ...inside, units: room - more.length });
  return { quote: folded([...head, ...run(more)]), all: 'no' };
}

/** The plan's part of a flow message (D32): lines in sight, the rest folded, cut where there is no room. */
export function planSections(view: SessionView, { footer, limits }: SectionOptions): PlanSections {
  const head = headLines(view);
  const tail = [goalLines(view).line, run(footer ?? '', italic)];
  const sight = join([head, ...tail], '\n');
  if (head.length === 0) return { body: sight, shown: 'none' };
  let units = limits.units - richLength(sight);
  let entities = limits.entities - entityCount(sight);
  let shown: Shown = textOf(view) === null ? 'none' : 'full';
  const quotes = foldable(view).map((rich, index): Rich => {
    const { quote, all } = fitted(rich, { units, entities });
    if (index === 0 && shown === 'full' && all === 'no') shown = 'cut';
    units -= richLength(quote) + 1;
    entities -= entityCount(quote);
    return quote;
  });
  return { body: join([head, ...quotes, ...tail], '\n'), shown };
}

/** `/show_plan`: everything, in as many messages as it takes, or the text as a file (D46). */
export type PlanPost =
  | { kind: 'none' }
  | { kind: 'messages'; body: Rich; shown: Shown }
  | { kind: 'document'; name: string; text: string; caption: Rich; shown: 'full' };

/** From here on a plan is read better in a file than in a chat (decision 0061). */
const documentFrom = { messages: 4, lines: 300 } as const;

export function planInFull(view: SessionView, footer: string | null): PlanPost {
  const head = headLines(view);
  if (head.length === 0) return { kind: 'none' };
  const tail = [goalLines(view).line, run(footer ?? '', italic)];
  const text = textOf(view);
  const body = join([head, ...foldable(view).map(folded), ...tail], '\n');
  const lines = text === null ? 0 : text.split('\n').length;
  const long = lines >= documentFrom.lines || split(body).length >= documentFrom.messages;
  if (text === null || !long) return { kind: 'messages', body, shown: text === null ? 'none' : 'full' };
  const caption = join(
    [head, run(`\u{1f4c4} The whole text is in the file: ${lines} lines.`), ...tail],
    '\n',
  );
  return {
    kind: 'document',
    name: 'session-plan.md',
    text,
    caption: take(caption, captionLimits).head,
    shown: 'full',
  };
}
