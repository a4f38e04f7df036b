import type { Answer, SessionView } from '../../machines/index.ts';
import { visibleLine } from '../text.ts';
import type { Listed } from './rooms.ts';

/** What `/status` says: state, progress, what is waited for, the way on. */
export function statusText(view: SessionView, model: string): string {
  const { badge, title, progress, running, hint, policy, queue, name, cwd } = view;
  const state = [badge === '' ? 'No plan' : badge, title].filter((part) => part !== null && part !== '');
  const waits = running?.waiting ?? null;
  const turn =
    running === null
      ? 'Idle'
      : waits === null
        ? `A turn runs (${running.surface}), since ${running.since.slice(11, 16)} UTC`
        : `A turn waits (${waits.surface}) for ${waits.what}, since ${waits.since.slice(11, 16)} UTC`;
  const lines = [
    state.join(' • '),
    ...(progress.total === 0 ? [] : [`${progress.done}/${progress.total} tasks`]),
    turn,
    ...(queue.length === 0
      ? []
      : [`${queue.length} waiting: ${queue.map(({ text }) => visibleLine(text)).join(' | ')}`]),
    ...(hint === '' ? [] : [hint]),
    policyLine(policy),
    `Session ${name ?? view.session} in ${cwd}, model ${model}`,
  ];
  return lines.join('\n');
}

export const policyLine = (policy: SessionView['policy']): string =>
  policy === 'yolo' ? 'Tools run without asking (yolo).' : 'Tools ask first.';

export function policyText(policy: SessionView['policy']): string {
  return `${policyLine(policy)} /approve ask or /approve yolo changes it. Plans are approved with /execute.`;
}

const shownSessions = 10;

export function sessionsText(sessions: readonly Listed[], bound: string): string {
  if (sessions.length === 0) return 'There are no sessions.';
  const lines = sessions.slice(0, shownSessions).map((one, index) => {
    if ('error' in one) return `${index + 1}. ${one.id.slice(0, 8)}: ${visibleLine(one.error)}`;
    const here = one.id === bound ? ' (this chat)' : '';
    return `${index + 1}. ${visibleLine(one.name ?? one.id.slice(0, 8))} • ${one.state} • ${one.cwd}${here}`;
  });
  const more = sessions.length > shownSessions ? [`… and ${sessions.length - shownSessions} more.`] : [];
  return [...lines, ...more, 'Go to one with /sessions <number>.'].join('\n');
}

/** What a person reads of an answer; empty where what happens is seen anyway. */
export function answerText(answer: Answer, turn: 'starts' | 'none'): string {
  if (answer.kind === 'queued') return '⏳ Waiting: this runs when the turn has ended.';
  if (answer.kind === 'accepted' && turn === 'starts') return '';
  return answer.text;
}
