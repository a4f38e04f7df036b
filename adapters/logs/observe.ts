import type { Answer, Said } from '../../machines/index.ts';
import type { ModelPart, ModelPort, Published } from '../ports.ts';
import type { Log } from './log.ts';

/** What the log needs of a dispatcher; the real one fits. */
interface Dispatches<R> {
  dispatch(session: string, said: Said): Promise<R>;
  refresh(session: string, occasion: 'watch' | 'missing'): Promise<R>;
}

/** A dispatcher that logs answers and failures of the store, and otherwise is the given one. */
export function loggedDispatcher<
  R extends { answer: Answer | null; warnings: string[] },
  D extends Dispatches<R>,
>(inner: D & Dispatches<R>, log: Log): D {
  const failures = new Map<string, string>();
  const watched = async (session: string, type: string, work: () => Promise<R>): Promise<R> => {
    const ms = stopwatch();
    try {
      const result = await work();
      failures.delete(session);
      note(log, { session, type, ms: ms() }, result);
      return result;
    } catch (error) {
      // A disk that fails is tried again and again; the same failure is told once.
      const text = error instanceof Error ? error.message : String(error);
      if (failures.get(session) !== text) log.info('store.failed', { session, type, ms: ms(), error });
      failures.set(session, text);
      throw error;
    }
  };
  return {
    ...inner,
    dispatch: (session, said) => watched(session, said.type, () => inner.dispatch(session, said)),
    refresh: (session, occasion) => watched(session, 'refresh', () => inner.refresh(session, occasion)),
  };
}

function note(
  log: Log,
  fields: { session: string; type: string; ms: number },
  { answer, warnings }: { answer: Answer | null; warnings: string[] },
): void {
  if (answer !== null && 'code' in answer) log.info('refused', { ...fields, code: answer.code });
  else log.debug('dispatch', { ...fields, answer: answer?.kind });
  for (const warning of warnings) log.info('store.warning', { session: fields.session, warning });
}

/** A model whose requests are logged: how long, how it ended, what it cost; never what was said. */
export function loggedModel(inner: ModelPort, log: Log): ModelPort {
  return {
    name: inner.name,
    label: inner.label,
    ...(inner.context === undefined ? {} : { context: inner.context }),
    async *step(request, signal) {
      const asked = new Asked(log, inner.name);
      try {
        for await (const part of inner.step(request, signal)) {
          asked.note(part);
          yield part;
        }
      } finally {
        // Who has the end asks for no more, so only an answer that nobody waited for comes here without one.
        asked.end({ type: 'end', reason: 'aborted' });
      }
    },
  };
}

class Asked {
  private readonly log: Log;
  private readonly model: string;
  private readonly ms = stopwatch();
  private firstMs: number | undefined;
  private ended = false;

  constructor(log: Log, model: string) {
    this.log = log;
    this.model = model;
  }

  note(part: ModelPart): void {
    const { log, model } = this;
    if (part.type === 'retry') log.info('model.retry', { model, attempt: part.attempt, waitMs: part.waitMs });
    else this.firstMs ??= this.ms();
    if (part.type === 'end') this.end(part);
  }

  end({ reason, fault, usage }: Extract<ModelPart, { type: 'end' }>): void {
    const { log, model, ms, firstMs } = this;
    if (this.ended) return;
    this.ended = true;
    log.info('model.ended', { model, ms: ms(), firstMs, reason, code: fault?.code, usage });
    if (fault !== undefined) log.debug('model.fault', { model, fault: fault.message });
  }
}

/** Logs what sessions publish: turns, calls with outcome and duration, questions. */
export function createObserver(log: Log): (session: string, published: Published) => void {
  const watch = new Watch(log);
  return (session, published) => watch.note(session, published);
}

class Watch {
  private readonly log: Log;
  private readonly times = new Map<string, () => number>();

  constructor(log: Log) {
    this.log = log;
  }

  note(session: string, published: Published): void {
    const { log } = this;
    switch (published.type) {
      case 'turn.started':
      case 'turn.ended':
        this.turn(session, published);
        break;
      case 'tool.started':
      case 'tool.ended':
        this.tool(session, published);
        break;
      case 'prompt.opened': {
        const { turn, prompt } = published;
        const tool = prompt.kind === 'approval' ? prompt.tool : undefined;
        log.info('prompt.opened', { session, turn, kind: prompt.kind, tool });
        break;
      }
      case 'prompt.closed':
        log.info('prompt.closed', { session, reason: published.reason });
        break;
      case 'notice':
        log.debug('notice', { session, of: published.level, text: published.text });
        break;
      default:
        break;
    }
  }

  private turn(session: string, published: Of<'turn.started' | 'turn.ended'>): void {
    const { log } = this;
    const { turn } = published;
    if (published.type === 'turn.started') {
      this.times.set(turn, stopwatch());
      log.info('turn.started', { session, turn, kind: published.kind });
      return;
    }
    const { outcome, cause } = published;
    log.info('turn.ended', { session, turn, outcome, ms: this.since(turn) });
    if (cause !== null) log.debug('turn.cause', { session, turn, cause });
  }

  private tool(session: string, published: Of<'tool.started' | 'tool.ended'>): void {
    const { log } = this;
    const { turn, call, name } = published;
    if (published.type === 'tool.started') {
      this.times.set(`${turn} ${call}`, stopwatch());
      log.debug('tool.started', { session, turn, name, summary: published.summary });
      return;
    }
    const { code, failed, text } = published;
    const outcome = code !== undefined ? 'refused' : failed ? 'failed' : 'done';
    log.info('tool.ended', { session, turn, name, outcome, code, ms: this.since(`${turn} ${call}`) });
    if (outcome !== 'done') log.debug('tool.cause', { session, turn, name, text: text.split('\n', 1)[0] });
  }

  /** A refused call was never started. */
  private since(key: string): number | undefined {
    const ms = this.times.get(key)?.();
    this.times.delete(key);
    return ms;
  }
}

type Of<T extends Published['type']> = Extract<Published, { type: T }>;

/** Whole milliseconds since it was started. */
function stopwatch(): () => number {
  const from = performance.now();
  return () => Math.round(performance.now() - from);
}
