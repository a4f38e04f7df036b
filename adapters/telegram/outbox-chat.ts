import { callFor, inlineOf } from './outbox-calls.ts';
import { type Fault, faultOf } from './outbox-faults.ts';
import { type Job, queued } from './outbox-jobs.ts';
import { afterFault, afterLanding, missed, type Next, type Outcome, settle, sought } from './outbox-next.ts';
import type { Pace } from './outbox-pace.ts';
import { createShownMessages } from './outbox-shown.ts';
import type { BotCalls, Timers } from './outbox-types.ts';

export interface ChatWorld {
  chat: number;
  calls: BotCalls;
  timers: Timers;
  pace: Pace;
  /** How each call went: what kept it, or null where it landed. */
  heard: (fault: Fault | null) => void;
  /** Nothing is queued or in flight any more. */
  idle: () => void;
}

/** Of one message (D34). */
const editEvery = 1_500;
const callTimeout = 30_000;
/** Uploads take longer. */
const documentTimeout = 120_000;

const isSend = ({ kind }: Job): boolean => kind === 'post' || kind === 'document';
const seekOf = (job: Job) => (job.kind === 'post' ? job.seek : null);

/** The queue of one chat (D34): which job goes out when. One call is in flight at a time. */
export class ChatQueue {
  readonly #world: ChatWorld;
  readonly #shown = createShownMessages();
  readonly #lastEdits = new Map<number, number>();
  #jobs: readonly Job[] = [];
  #flight: { job: Job; abort: AbortController; cancelTimeout: () => void } | null = null;
  /** The newest message of the bot here, as far as this process knows: a lost one is newer. */
  #newest: number | null = null;
  #floodUntil = 0;
  #cancelWake: (() => void) | null = null;
  #state: 'open' | 'draining' | 'stopped' = 'open';

  constructor(world: ChatWorld) {
    this.#world = world;
  }

  add(job: Job): void {
    if (this.#state === 'stopped' || (this.#state === 'draining' && job.keep === 'droppable')) {
      settle(job, { kind: 'ended' });
      return;
    }
    this.#jobs = queued(this.#jobs, job);
    this.#pump();
  }

  /** A 429 holds back everything of its chat (B105). */
  flooded(seconds: number): void {
    this.#floodUntil = Math.max(this.#floodUntil, this.#world.timers.now() + seconds * 1000);
  }

  isFlooded(): boolean {
    return this.#world.timers.now() < this.#floodUntil;
  }

  isIdle(): boolean {
    return this.#flight === null && this.#jobs.length === 0;
  }

  /** What is droppable is answered; the rest still goes out. */
  drain(): void {
    if (this.#state === 'open') this.#state = 'draining';
    this.#drop({ kind: 'ended' });
    this.#pump();
  }

  /** Everything is answered at once. */
  stop(): void {
    this.#state = 'stopped';
    this.#cancelWake?.();
    const left = [...(this.#flight === null ? [] : [this.#flight.job]), ...this.#jobs];
    this.#flight?.cancelTimeout();
    this.#flight?.abort.abort();
    this.#flight = null;
    this.#jobs = [];
    for (const job of left) settle(job, { kind: 'ended' });
  }

  #readyAt(job: Job): number {
    if (job.kind === 'delete') return job.due;
    if (job.kind === 'edit') {
      if (this.#shown.isSame(job)) return -Infinity;
      return Math.max(job.due, (this.#lastEdits.get(job.message) ?? -Infinity) + editEvery);
    }
    // Sends keep their order among themselves.
    if (this.#jobs.find(isSend) !== job) return Infinity;
    return seekOf(job) === null ? Math.max(job.due, this.#world.pace.readyAt(this.#world.chat)) : job.due;
  }

  #drop(outcome: Outcome): void {
    const dropped = this.#jobs.filter(({ keep }) => keep === 'droppable');
    this.#jobs = this.#jobs.filter(({ keep }) => keep === 'always');
    for (const job of dropped) settle(job, outcome);
  }

  /** Sends what may be sent now, else wakes up when something may. */
  #pump(): void {
    this.#cancelWake?.();
    this.#cancelWake = null;
    if (this.#flight !== null || this.#state === 'stopped') return;
    const { timers, idle } = this.#world;
    const now = timers.now();
    if (this.isFlooded()) this.#drop({ kind: 'flood', until: this.#floodUntil });
    if (this.#jobs.length === 0) {
      idle();
      return;
    }
    const soonest = Math.min(...this.#jobs.map((job) => this.#readyAt(job)));
    const at = Math.max(soonest, this.#floodUntil);
    const ready = this.#jobs.find((job) => this.#readyAt(job) <= now);
    if (at > now || ready === undefined) this.#cancelWake = timers.after(at - now, () => this.#pump());
    else this.#begin(ready, now);
  }

  #begin(job: Job, now: number): void {
    const { chat, calls, timers, pace } = this.#world;
    this.#jobs = this.#jobs.filter((one) => one !== job);
    if (job.kind === 'edit' && this.#shown.isSame(job)) {
      this.#go(afterLanding(job, null));
      return;
    }
    if (job.kind === 'edit') this.#noteEdit(job.message, now);
    if (isSend(job) && seekOf(job) === null) pace.count(chat, now);
    const abort = new AbortController();
    const limit = job.kind === 'document' ? documentTimeout : callTimeout;
    this.#flight = { job, abort, cancelTimeout: timers.after(limit, () => abort.abort()) };
    callFor(calls, chat, job, abort.signal).then(
      (id) => this.#ended(job, null, () => this.#landed(job, id)),
      (error: unknown) => {
        const fault = faultOf(error);
        this.#ended(job, fault, () => this.#failed(job, fault));
      },
    );
  }

  /** Times that hold nothing back any more are forgotten. */
  #noteEdit(message: number, now: number): void {
    for (const [known, at] of this.#lastEdits) if (now - at >= editEvery) this.#lastEdits.delete(known);
    this.#lastEdits.set(message, now);
  }

  /** An answer that comes after the end is nobody's. */
  #ended(job: Job, fault: Fault | null, next: () => Next): void {
    if (this.#flight?.job !== job) return;
    this.#flight.cancelTimeout();
    this.#flight = null;
    this.#world.heard(fault);
    this.#go(next());
  }

  #go(next: Next): void {
    if (next.do === 'settle') settle(next.job, next.outcome);
    else this.#jobs = queued(this.#jobs, next.job);
    this.#pump();
  }

  #landed(job: Job, id: number | null): Next {
    if (job.kind === 'edit') this.#shown.set(job.message, job.body, job.keyboard);
    if (job.kind === 'delete') this.#shown.forget(job.message);
    if (id !== null && isSend(job)) this.#newest = Math.max(this.#newest ?? id, id);
    const [part, ...later] = job.kind === 'post' ? job.parts : [];
    if (part !== undefined && id !== null && job.kind === 'post') {
      this.#shown.set(id, part.body, later.length > 0 ? null : inlineOf(job.post.markup));
    }
    return afterLanding(job, id);
  }

  #failed(job: Job, fault: Fault): Next {
    if (fault.kind === 'flood') this.flooded(fault.seconds);
    if (fault.kind === 'unchanged' && job.kind === 'edit') return this.#landed(job, null);
    const { next = null } = seekOf(job) ?? {};
    if (fault.kind === 'unchanged' && next !== null) return this.#landed(job, next);
    const now = this.#world.timers.now();
    const looked = sought(job, fault, { now, newest: this.#newest }) ?? missed(job, fault, now);
    if (looked !== null) return looked;
    if ('message' in job && (fault.kind === 'network' || fault.kind === 'gone'))
      this.#shown.forget(job.message);
    // Nothing was edited, so the plain text need not wait.
    if ('message' in job && fault.kind === 'unparsable') this.#lastEdits.delete(job.message);
    return afterFault(job, fault, { now, until: this.#floodUntil });
  }
}
