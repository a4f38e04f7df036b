import type { FlowEvent } from '../../machines/index.ts';
import type { Published } from '../ports.ts';
import { visible } from '../text.ts';
import type { FlowDriver } from './flow-driver.ts';
import { markdownRich } from './html/markdown.ts';
import { telegramWords } from './html/plan-lines.ts';
import { type Rich, run } from './html/rich.ts';
import { TurnLog } from './turn-log.ts';

export interface StoryDeps {
  flows: FlowDriver;
  /** Posts something that a person waits for. */
  post: (body: Rich) => Promise<unknown>;
  say: (text: string) => void;
  /** Title of the plan that the turn's own message shows, if it shows one. */
  title: () => string | null;
  /** A person decides here just now: what comes of it is their answer, and is not told twice (577). */
  deciding: () => boolean;
}

type FlowOutcome = Extract<FlowEvent, { type: 'turn.ended' }>['outcome'];

const outcomes = { done: 'finished', failed: 'failed', cancelled: 'cancelled' } as const;

/** How a failure says that the model's host kept silent; the words are those of the model client (decision 0088). */
const silence = /\bdid not answer in time\b/u;

/** How the header says that a turn has ended (D32). */
function outcomeOf(outcome: string, cause: string | null): FlowOutcome {
  if (outcome === 'failed' && silence.test(cause ?? '')) return 'timedOut';
  return Object.hasOwn(outcomes, outcome) ? outcomes[outcome as keyof typeof outcomes] : 'interrupted';
}

/** The plan's title stands above the answer already (837): an answer that begins with it, and goes on, does without. */
function withoutTitle(answer: string, title: string | null): string {
  const [first = '', ...rest] = answer.trimStart().split('\n');
  const words = first.replaceAll(/^[#\s*_📋]+|[\s*_:]+$/gu, '');
  const left = rest.join('\n').trim();
  return title !== null && words !== '' && words === title.trim() && left !== '' ? left : answer;
}

/** What a turn tells its chat: the log in one message, and its answer below it. */
export class TurnStory {
  private readonly deps: StoryDeps;
  private log = new TurnLog();
  /** Notices that no flow message has shown yet. */
  private unsaid: string[] = [];

  constructor(deps: StoryDeps) {
    this.deps = deps;
  }

  begin(turn: string): void {
    this.log = new TurnLog();
    this.unsaid = [];
    this.deps.flows.begin(turn);
  }

  note(published: Published): void {
    for (const event of this.log.note(published)) this.deps.flows.step(event);
  }

  notice(text: string, level: 'info' | 'error'): void {
    const { flows, deciding, say } = this.deps;
    const answers = deciding();
    // A turn that begins with the same commit shows it in its log.
    queueMicrotask(() => {
      if (flows.running !== null) {
        flows.step({ type: 'noticed', about: text, text: telegramWords(text) });
        if (flows.isClosed) this.unsaid.push(text);
      } else if (!answers || level === 'error') say(text);
    });
  }

  /** Every exit settles the message; then comes the answer, and with it the notice (D32, D50). */
  async end({
    outcome,
    cause,
  }: Pick<Extract<Published, { type: 'turn.ended' }>, 'outcome' | 'cause'>): Promise<'answer' | 'none'> {
    const { flows, post, say } = this.deps;
    const known = outcomeOf(outcome, cause);
    const silent = flows.isClosed;
    const { answer } = this.log;
    flows.step({ type: 'turn.ended', outcome: known });
    if (silent) say(this.unsaid.join('\n'));
    const posts = [
      ...(answer === null ? [] : [markdownRich(withoutTitle(answer, this.deps.title()))]),
      ...(outcome === 'failed'
        ? [run(`${known === 'timedOut' ? '⏱' : '❌'} ${visible(cause ?? 'The turn failed.')}`)]
        : []),
      ...(known === 'cancelled' && silent ? [run('⏹ Cancelled.')] : []),
    ];
    for (const body of posts) await post(body);
    return posts.length > 0 ? 'answer' : 'none';
  }
}
