import type { SessionView } from '../views.ts';
import type { PlanButton, PlanKeyboard } from './record.ts';

/** Buttons that act on a text: their keyboard is drawn anew when the text changes, the others are not (B58). */
const bound: readonly PlanButton[] = ['approve', 'retry', 'approveText', 'revise', 'restore'];

/** The keyboard that a session's state asks for in every chat bound to it, or none (D31). Pure. */
export function desiredKeyboard(view: SessionView): PlanKeyboard | null {
  const row = rowOf(view);
  if (view.plan === null || row.length === 0) return null;
  const hash = row.some((button) => bound.includes(button)) ? (view.document?.hash ?? null) : null;
  return { plan: view.plan, phase: view.phase === 'postInit' ? 'editing' : 'active', hash, buttons: row };
}

function rowOf(view: SessionView): PlanButton[] {
  const { phase, turn, document, decisions } = view;
  if (phase === 'noPlan' || phase === 'preInit' || phase === 'unreadable') return [];
  if (turn === 'discarding') return [];
  if (turn !== 'idle') return ['discard'];
  if (phase === 'postInit') return ['approve', 'revise', 'discard'];
  if (phase === 'seedFailedEmpty') {
    if (decisions.retry) return ['retry', 'discard'];
    const ways: PlanButton[] = (document?.text ?? null) === null ? [] : ['approveText'];
    return decisions.restore ? [...ways, 'restore', 'discard'] : [...ways, 'discard'];
  }
  return decisions.resume ? ['continue', 'discard'] : ['discard'];
}
