import type { FlowEvent, SessionView } from '../../machines/index.ts';

type Sections = Extract<FlowEvent, { type: 'sections' }>['sections'];

/** Everything of a view that plan sections are drawn from: while it is equal, nothing has to be edited. */
export const planMarkOf = ({
  phase,
  title,
  tasks,
  goal,
  document,
  building,
  closed,
  hint,
}: SessionView): string =>
  JSON.stringify([phase, title, tasks, goal, document?.hash, document?.drifted, building, closed, hint]);

/** Whether the sections say anything of a plan. */
export const hasPlan = ({ phase, closed }: SessionView): boolean =>
  closed !== null || (phase !== 'noPlan' && phase !== 'preInit');

/** What a line about a plan that has ended needs to know of it. */
export interface PlanSeen {
  title: string | null;
  done: number;
  total: number;
}

/** The plan of a view, to be remembered past its end; null without one. */
export function planOf(view: SessionView): PlanSeen | null {
  if (!hasPlan(view)) return null;
  const { closed, title, progress } = view;
  if (closed === null) return { title, ...progress };
  const done = closed.tasks.filter(({ status }) => /^(completed|skipped)$/iu.test(status)).length;
  return { title: closed.title, done, total: closed.tasks.length };
}

/** What is left of a plan that is no more (D17): once, when the turn that ended it has settled. */
export function closing(seen: PlanSeen | null, now: SessionView): Sections | null {
  if (seen === null || hasPlan(now)) return null;
  const { title, done, total } = seen;
  if (title === null) return { kind: 'none' };
  return { kind: 'closed', as: total > 0 && done === total ? 'completed' : 'discarded', title, done, total };
}

const clock = (at: string): string => at.slice(11, 16);

/** A plan in one of these has been approved. */
export const approvedPhases: readonly SessionView['phase'][] = [
  'seeding',
  'seedFailedEmpty',
  'seedFailedPartial',
  'checklist',
];

/** One line about a decision that was made on another surface (D47), or null. `at` is RFC 3339. */
export function decidedElsewhere(before: SessionView, now: SessionView, at: string): string | null {
  // A seed may have ended before this process looked again.
  if (before.phase === 'postInit' && approvedPhases.includes(now.phase)) {
    const place = now.running === null || now.running.surface === 'tui' ? 'in the terminal' : 'on Telegram';
    return `✅ Approved ${place}, ${clock(now.running?.since ?? at)} UTC.`;
  }
  const left = hasPlan(before) || before.phase === 'preInit';
  const gone = now.phase === 'noPlan' && now.closed === null && before.closed === null;
  const open = before.progress.total === 0 || before.progress.done < before.progress.total;
  return left && gone && open ? `🗑 Discarded elsewhere, ${clock(at)} UTC.` : null;
}

/** The plan and text that are ready for a person to decide about, or null (D50). */
export const readyMark = ({ phase, turn, plan, document, decisions }: SessionView): string | null =>
  phase === 'postInit' && turn === 'idle' && decisions.approve === 'on'
    ? `${plan ?? ''}:${document?.hash ?? ''}`
    : null;
