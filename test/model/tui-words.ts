import type { Effect, Said } from '../../machines/index.ts';
import type { World } from '../support/explore.ts';
import type { Step } from './surface.ts';
import { answerIn, codeOf } from './told.ts';
import { nextByItself, viewOf } from './views.ts';

/** Accepted without a word: what happened is on the screen anyway. */
const silent: readonly string[] = ['user.chat', 'user.stop'];

/** What a person at the terminal is told about what they said, as it stands there; null: nothing. */
export function answerText({ before, move, after }: Step): string | null {
  if (!('said' in move) || !('by' in move.said) || nextByItself(before) !== null) return null;
  const answer = answerIn(after);
  if (answer === null || answer.text === '') return null;
  const code = codeOf(answer);
  // The model's question waits since another time than the real one, which was answered since.
  const waited = before.snapshot.context.record.lease?.waiting ?? null;
  if (code === 'BUSY' && waited !== null) return 'BUSY  A turn';
  if (code !== null) return `${code}  ${answer.text}`;
  const kind = after.taken.at(-1)?.answer.kind;
  return kind === 'accepted' && silent.includes(move.said.type) ? null : answer.text;
}

/** Lines that come back into the input: what was refused, and what waited and is not sent; own commands with a slash. */
export function backInInput({ move, after }: Step): string[] {
  const returned = after.taken.flatMap(({ committed: { effects } }) =>
    effects.flatMap((effect) =>
      effect.type === 'queue.returned' && effect.why !== 'dropped'
        ? effect.items.map(({ said }) => lineOf(said))
        : [],
    ),
  );
  const kind = after.taken.at(-1)?.answer.kind;
  if (!('said' in move) || kind === 'accepted' || kind === 'queued') return returned;
  const { said } = move;
  const isText = (said.type === 'user.plan' && said.text !== undefined) || said.type === 'user.chat';
  return isText ? [lineOf(said)] : returned;
}

/** The line that says it, for what is said in words. */
export function lineOf(said: Said): string {
  switch (said.type) {
    case 'user.plan':
      return said.text === undefined ? '/plan' : `/plan ${said.text}`;
    case 'user.chat':
      return said.origin === 'typed' ? said.text : `/${said.text}`;
    case 'user.revise':
      return said.note;
    case 'user.continue':
      return '/continue';
    case 'user.switch':
      return '/model openai:test';
    case 'user.policy':
      return said.yolo ? '/approve yolo' : '/approve ask';
    case 'user.goal':
      return `/goal ${said.text ?? 'clear'}`;
    case 'user.rename':
      return `/rename ${said.name}`;
    default:
      throw new Error(`no line says ${said.type}`);
  }
}

/** The head of the card that the end of this turn prints; null where there is nothing to review. */
export function cardText(before: World, after: World): string | null {
  const { turn, decisions, document } = viewOf(after);
  const ended = before.snapshot.context.record.lease !== null && turn === 'idle';
  if (!ended || !decisions.revise || document === null || nextByItself(after) !== null) return null;
  return document.faults.length === 0 ? 'Ready for your review' : 'Not ready to approve yet';
}

/** What the transcript says by itself about what a step has done. */
export function noticesOf({ taken }: World): string[] {
  return taken.flatMap(({ committed }) => committed.effects.flatMap((effect) => noticeOf(effect)));
}

function noticeOf(effect: Effect): string[] {
  switch (effect.type) {
    case 'plan.armed':
      return effect.words === null || effect.words === '/plan'
        ? []
        : [`because you wrote "${effect.words}".`];
    case 'plan.restored':
      return [
        effect.from === 'approved' ? 'The approved text was written back.' : 'The session plan file was gone',
      ];
    case 'plan.ended':
      return [effect.as === 'completed' ? 'tasks are resolved and archived.' : `${effect.title}: discarded.`];
    case 'plan.approved':
      return ['Approved by terminal (tui).'];
    case 'turn.settle':
      return settled[effect.outcome] ?? [];
    default:
      return [];
  }
}

const settled: Readonly<Record<string, string[]>> = {
  lost: ['The last turn was interrupted: its program ended.'],
};
