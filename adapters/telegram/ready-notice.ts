import type { SessionView } from '../../machines/index.ts';
import { readyMark } from './plan-watch.ts';

/** How long the last edit of a turn is waited for before its plan is posted anew, in ms. */
const settleMs = 6_000;

const words = '📋 The plan is ready for review.';

export interface ReadyDeps {
  view: () => SessionView;
  now: () => number;
  /** The newest flow message is not what it has to be yet. */
  owes: () => boolean;
  /** Hash of the text that was last delivered whole (D45). */
  shown: () => string | null;
  /** The message that shows the plan, if one does. */
  message: () => number | null;
  announced: () => string | null;
  announce: (mark: string) => void;
  /** Posts the plan anew at the bottom, under a first line. */
  post: (notify: 'yes' | 'no', lead: string | null) => Promise<boolean>;
}

/**
 * Waiting is said once (D50): by the answer of the turn, else by a notice. A text that no message here holds whole is
 * posted, so that it can be read before it is approved (D46).
 */
export class ReadyNotice {
  private readonly deps: ReadyDeps;
  private due: { said: 'answer' | 'none'; since: number } | null = null;

  constructor(deps: ReadyDeps) {
    this.deps = deps;
  }

  /** A plan may be ready now; `said`: whether the turn's answer has told so already. */
  look(said: 'answer' | 'none'): void {
    const mark = readyMark(this.deps.view());
    if (this.due !== null || mark === null || mark === this.deps.announced()) return;
    this.due = { said, since: this.deps.now() };
    this.pass();
  }

  /** Once the turn's own message has landed: it may hold the whole text. */
  pass(): void {
    const { due, deps } = this;
    if (due === null || (deps.owes() && deps.now() - due.since < settleMs)) return;
    this.due = null;
    const view = deps.view();
    const mark = readyMark(view);
    if (mark === null || mark === deps.announced()) return;
    deps.announce(mark);
    const here = deps.message() !== null && deps.shown() === (view.document?.hash ?? null);
    if (due.said === 'none') void deps.post('yes', words);
    else if (!here) void deps.post('no', null);
  }
}
