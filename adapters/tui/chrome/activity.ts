import type { SessionView } from '../../../machines/index.ts';
import { dim, span, wrapLine, type Line } from '../lines.ts';
import { clock, duration, place } from './words.ts';

const ownSurface = 'tui';

function waits(waiting: { what: string; surface: string; since: string }): string {
  return `waits in ${place(waiting.surface)} for your answer since ${clock(waiting.since)}; /stop ends it`;
}

function runningLine(view: SessionView, running: NonNullable<SessionView['running']>, now: number): Line {
  const mark = span('\u2026 ', { colour: 'yellow' });
  if (view.turn === 'stopping') return [mark, span('stopping')];
  if (view.turn === 'discarding') return [mark, span('stopping, then discarding')];
  if (running.waiting !== null) return [mark, span(waits(running.waiting))];
  const away = running.surface === ownSurface ? '' : ` for ${place(running.surface)}`;
  const since = new Date(running.since).getTime();
  const took = Number.isNaN(since) ? '' : ` ${duration(now - since)}`;
  return [mark, span(`working${away}${took}`), dim(' \u00b7 Esc Esc stops')];
}

/**
 * At most two rows while a turn runs: how long, or what it waits for and where (D36). A waiting turn shows
 * no running clock. None while idle. `now` is in milliseconds.
 */
export function activityLines(view: SessionView, now: number, cells: number): Line[] {
  if (view.running === null) return [];
  return wrapLine(runningLine(view, view.running, now), cells, [span('  ')]).slice(0, 2);
}
