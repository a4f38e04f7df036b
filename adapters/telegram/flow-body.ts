import type { FlowContent, FlowEntry, SessionView } from '../../machines/index.ts';
import { visible, visibleLine } from '../text.ts';
import type { Drawn } from './flow-driver.ts';
import { closedLine, headLines } from './html/plan-lines.ts';
import { planSections } from './html/plan-sections.ts';
import { entityCount } from './html/render.ts';
import { bold, join, type Rich, richLength, run, under } from './html/rich.ts';
import { messageLimits, take } from './html/split.ts';
import { hasPlan } from './plan-watch.ts';

const longest = { activity: 80, tool: 160, narration: 600, notice: 300 } as const;

const cut = (text: string, limit: number): string => {
  const points = Array.from(text);
  return points.length <= limit ? text : `${points.slice(0, limit - 1).join('')}…`;
};

/** Seconds as people say them. */
export function duration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

const calls = (tools: number): string => `${tools} tool ${tools === 1 ? 'call' : 'calls'}`;

const outcomes = {
  finished: '✅ Finished',
  failed: '❌ Failed',
  timedOut: '⏱ Timed out',
  cancelled: '⏹ Cancelled',
  interrupted: '⚠️ Interrupted',
} as const;

/** The first line of a flow message (D32, D36). `words` is what fills a header before anything has happened. */
export function headerText(header: FlowContent['header'], words: string): string {
  switch (header.kind) {
    case 'live': {
      // A mark that a text brought along would say that the turn has ended (1600).
      const activity = visibleLine(header.activity?.text ?? '').replaceAll('✅', '');
      const says = cut(activity.trim() === '' ? words : activity.trim(), longest.activity);
      return `⚙️ ${says} • ${calls(header.tools)} • ${duration(header.seconds)}`;
    }
    case 'waiting': {
      const { what, surface, since } = header.waiting;
      const place = surface === 'tui' ? 'in the terminal' : surface === 'telegram' ? 'here' : `on ${surface}`;
      const at = since.slice(11, 16);
      return `⏳ Waits ${place} for ${visibleLine(what)} since ${at} UTC • /stop ends it • ${calls(header.tools)}`;
    }
    case 'settled':
      return `${outcomes[header.outcome]} (${calls(header.tools)}, ${duration(header.seconds)})`;
    case 'continued':
      return '⤵️ Continued below';
  }
}

/** Whether a message says that its turn runs. */
export const isLive = (text: string): boolean => /^(?:⚙️|⏳ Waits) /u.test(text);

const marks = { running: '⏳', done: '✓', failed: '✗', stopped: '⏹' } as const;

function entryText(entry: FlowEntry): string {
  switch (entry.kind) {
    case 'tool':
      return cut(`${marks[entry.status]} ${visibleLine(`${entry.name} ${entry.summary}`)}`, longest.tool);
    case 'narration':
      return `💬 ${cut(visible(entry.text.trim()), longest.narration)}`;
    case 'notice':
      return `ℹ️ ${cut(visibleLine(entry.text), longest.notice)}`;
  }
}

/** How many leading lines have room; at least one. */
function fitting(lines: readonly string[], room: number): number {
  let used = 0;
  const at = lines.findIndex((line) => {
    used += line.length + 1;
    return used > room;
  });
  return at === -1 ? lines.length : Math.max(1, at);
}

/** What the lines of the plan that are always in sight need, and a little of what is folded. */
const planRoom = 300;

/** A flow message: header, the log folded, and the plan where this message carries it (D32). */
export function drawFlow(content: FlowContent, view: SessionView, footer: string | null): Drawn {
  const { header, entries, sections, part } = content;
  const words = view.phase === 'checklist' || view.phase === 'seeding' ? 'Working' : 'Thinking';
  const first = run(`${headerText(header, words)}${part > 1 ? ` • part ${part}` : ''}`, bold);
  const own = sections.kind === 'plan' && hasPlan(view) ? richLength(headLines(view)) + planRoom : planRoom;
  const room = messageLimits.units - richLength(first) - Math.min(own, messageLimits.units / 2);
  const lines = entries.map(entryText);
  const fits = fitting(lines, room);
  if (fits < lines.length && header.kind !== 'continued') return { kind: 'overflow', fits };
  const log = logRich(lines, room);
  const top = join([first, log], '\n');
  if (sections.kind === 'none') return { kind: 'fits', body: top, plan: 'none', delivered: null };
  if (sections.kind === 'closed') {
    const body = join([top, closedLine(sections)], '\n\n');
    return { kind: 'fits', body, plan: 'shown', delivered: null };
  }
  const limits = {
    units: messageLimits.units - richLength(top) - 2,
    entities: messageLimits.entities - entityCount(top),
  };
  const { body, shown } = planSections(view, { footer: header.kind === 'live' ? null : footer, limits });
  return {
    kind: 'fits',
    body: join([top, body], '\n\n'),
    plan: hasPlan(view) ? 'shown' : 'none',
    delivered: shown === 'full' ? (view.document?.hash ?? null) : null,
  };
}

function logRich(lines: readonly string[], room: number): Rich {
  if (lines.length === 0) return [];
  const { head } = take(run(lines.join('\n')), { ...messageLimits, units: Math.max(1, room) });
  return under({ kind: 'quote', fold: 'folded' }, head);
}
