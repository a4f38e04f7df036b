import { contextFigure, desiredKeyboard, type SessionView } from '../../machines/index.ts';
import type { Published, SessionHandle } from '../ports.ts';
import { visible } from '../text.ts';
import { PlanCard } from './card.ts';
import type { ChatRecord, Failure } from './chat-record.ts';
import { Failures } from './failures.ts';
import { drawFlow } from './flow-body.ts';
import { FlowDriver } from './flow-driver.ts';
import { closedLine, telegramWords } from './html/plan-lines.ts';
import { run } from './html/rich.ts';
import { KeyboardDriver } from './keyboard-driver.ts';
import { Notes } from './notes.ts';
import { closing, decidedElsewhere, hasPlan, planMarkOf, planOf } from './plan-watch.ts';
import type { Place } from './place.ts';
import { Prompts } from './prompts.ts';
import { ReadyNotice } from './ready-notice.ts';
import { TurnStory } from './turn-story.ts';
import type { Wire } from './wire.ts';

export interface ChatDeps {
  handle: SessionHandle;
  wire: Wire;
  /** Epoch ms. */
  now: () => number;
  save: (record: ChatRecord) => void;
}

/** One chat and topic: renders what its session publishes, and keeps what it shows on disk (D36). */
export class Chat {
  readonly place: Place;
  readonly keyboard: KeyboardDriver;
  readonly prompts: Prompts;
  readonly notes: Notes;
  /** Sessions as they were last listed here: a number means the list that was read, whatever was used since. */
  listed: readonly string[] = [];
  private readonly deps: ChatDeps;
  private readonly flows: FlowDriver;
  private readonly card: PlanCard;
  private readonly ready: ReadyNotice;
  private readonly story: TurnStory;
  private readonly failures = new Failures({
    known: () => this.record.failure,
    save: (failure) => this.store({ failure }),
    now: () => this.deps.now(),
  });
  private record: ChatRecord;
  private seen: SessionView;
  private footer: string | null = null;
  /** A person decides here just now: what comes of it is their answer, and is not told twice (577). */
  private deciding = 0;
  private left = false;

  constructor(record: ChatRecord, deps: ChatDeps) {
    const { now, handle } = deps;
    const place = { chat: record.chat, topic: record.topic };
    this.place = place;
    this.record = record;
    const wire = this.failures.telling(deps.wire);
    this.deps = { ...deps, wire };
    this.seen = handle.view();
    const keyboardOn = (message: number) => this.keyboard.on(message);
    const posted = (): void => this.buried();
    this.keyboard = new KeyboardDriver(record.keyboard, {
      place,
      wire,
      now,
      save: (keyboard) => this.store({ keyboard }),
    });
    this.flows = new FlowDriver(record.flows, {
      place,
      wire,
      now,
      save: (flows) => this.store({ flows }),
      draw: (content) => drawFlow(content, handle.view(), this.footer),
      keyboardOn,
      landed: (message, text) => this.flowLanded(message, text),
      dropped: (message) => this.keyboard.gone(message),
    });
    this.story = new TurnStory({
      flows: this.flows,
      post: (body) => wire.post(place, body, { notify: 'yes' }),
      say: (text) => this.say(text),
      title: () => (this.flows.shows === null ? null : this.seen.title),
      deciding: () => this.deciding > 0,
    });
    this.card = new PlanCard(record.card, {
      place,
      wire,
      view: () => handle.view(),
      footer: () => this.footer,
      save: (card) => this.store({ card }),
      keyboardOn,
      landed: (message, text) => this.cardLanded(message, text),
    });
    this.ready = new ReadyNotice({
      view: () => this.seen,
      now,
      owes: () => this.flows.owes,
      shown: () => this.record.shown,
      message: () => this.flows.shows ?? this.card.message,
      announced: () => this.record.announced,
      announce: (announced) => this.store({ announced }),
      post: (notify, lead) => this.card.post(notify, lead),
    });
    const answer = handle.answer.bind(handle);
    const savePrompts = (prompts: ChatRecord['prompts']): void => this.store({ prompts });
    this.prompts = new Prompts(record.prompts, { place, wire, now, save: savePrompts, answer, posted });
    this.notes = new Notes(record.notes, { place, wire, save: (notes) => this.store({ notes }), posted });
  }

  /** As a start finds it: what the last program left open is settled, and what is shown is mended (D37). */
  start(): void {
    this.flows.interrupt();
    this.prompts.expire();
    this.viewed(this.seen);
    if (hasPlan(this.seen)) this.flows.sections({ kind: 'plan' }, 'all');
    this.keyboard.tick();
    this.flows.tick();
  }

  /** Hash of the revision last shown here in full (D45). */
  get shown(): string | null {
    return this.record.shown;
  }

  /** A view of the session, whoever caused it. */
  view(view: SessionView): void {
    const before = this.seen;
    this.seen = view;
    this.viewed(before);
  }

  /** What a turn that was started here publishes, and what concerns this chat alone. */
  heard(published: Published): void {
    switch (published.type) {
      case 'turn.started':
        this.story.begin(published.turn);
        this.deps.wire.typing(this.place);
        return;
      case 'prompt.opened':
        void this.prompts.ask(published.prompt);
        return;
      case 'prompt.closed':
        this.prompts.closed(published.id, published.reason);
        return;
      case 'context':
        this.footer = contextFigure(published);
        return;
      case 'notice':
        this.story.notice(published.text, published.level);
        return;
      case 'returned':
        this.say(`↩️ Not run: ${published.text}`);
        return;
      case 'turn.ended':
        void this.story.end(published).then((said) => this.ready.look(said));
        return;
      default:
        this.story.note(published);
    }
  }

  /** Runs what a person asked for here; what the session says meanwhile is part of the answer. */
  async decide<T>(work: () => Promise<T>): Promise<T> {
    this.deciding += 1;
    try {
      return await work();
    } finally {
      this.deciding -= 1;
    }
  }

  /** Sends one plain line. */
  say(text: string, options: { notify?: 'yes' | 'no'; reply?: number } = {}): void {
    if (text.trim() === '') return;
    const { notify = 'no', reply } = options;
    const body = run(telegramWords(visible(text)));
    void this.deps.wire.post(this.place, body, { notify, ...(reply === undefined ? {} : { reply }) });
    this.buried();
  }

  /** Something is in the chat below the flow message; `running`: a message that it answers, which says that a turn runs. */
  buried(running: number | null = null): void {
    if (running !== null) this.flows.met(running);
    this.flows.step({ type: 'buried' });
  }

  /** Shows the plan anew at the bottom (D31). */
  showPlan(): Promise<boolean> {
    return this.card.post('yes', null);
  }

  tick(): void {
    this.keyboard.tick();
    if (!hasPlan(this.seen)) this.keyboard.release();
    this.flows.tick();
    this.prompts.tick();
    this.ready.pass();
    if (this.flows.isClosed && this.flows.running !== null) this.deps.wire.typing(this.place);
  }

  /** Something did not get through here, or (null) something has again (D34). */
  failed(failure: Pick<Failure, 'text' | 'lost'> | null): void {
    this.failures.note(failure);
  }

  /** Another session has this place now; what is still on its way changes no record. */
  leave(): void {
    this.left = true;
  }

  /** A flow message is not what it has to be yet. */
  get owes(): boolean {
    return this.flows.owes;
  }

  get bound(): Readonly<ChatRecord> {
    return this.record;
  }

  private viewed(before: SessionView): void {
    const now = this.seen;
    const gone = closing(this.record.plan, now);
    const plan = planOf(now);
    if (JSON.stringify(plan) !== JSON.stringify(this.record.plan)) this.store({ plan });
    if (gone !== null) this.closed(gone);
    else if (planMarkOf(before) !== planMarkOf(now)) {
      if (this.flows.shows !== null) this.flows.sections({ kind: 'plan' }, 'all');
      // The turn that ended one plan has begun another: its message has shown what is left of the old one till now.
      else if (hasPlan(now) && this.flows.running !== null && this.card.message === null)
        this.flows.step({ type: 'sections', sections: { kind: 'plan' } });
      else if (now.phase === 'unreadable' && this.card.message === null) void this.card.post('yes', null);
    }
    this.want();
    this.card.refresh();
    this.notes.follow(now);
    this.waiting(before);
    const elsewhere = decidedElsewhere(before, now, new Date(this.deps.now()).toISOString());
    if (elsewhere !== null && this.deciding === 0 && !this.isOwn(now)) this.say(elsewhere);
    if (this.flows.running === null) this.ready.look('none');
  }

  /** Nobody approves here what is not here to be read in full (D45). */
  private want(): void {
    const keyboard = desiredKeyboard(this.seen);
    const asks =
      keyboard?.buttons.some((button) => button === 'approve' || button === 'approveText') === true;
    const unread = asks && keyboard !== null && keyboard.hash !== this.record.shown;
    if (!hasPlan(this.seen)) this.keyboard.release();
    this.keyboard.want(unread ? { ...keyboard, hash: null, buttons: ['discard'] } : keyboard);
  }

  /** The running turn is shown here, so its own flow says what happens. */
  private isOwn({ running }: SessionView): boolean {
    return running !== null && running.turn === this.flows.running;
  }

  private closed(gone: NonNullable<ReturnType<typeof closing>>): void {
    this.flows.sections(gone, 'all');
    this.card.close(gone.kind === 'closed' ? closedLine(gone) : run('Plan mode is off.'));
  }

  private waiting(before: SessionView): void {
    const { running } = this.seen;
    if (running === null || running.turn !== this.flows.running) return;
    const was = before.running?.waiting ?? null;
    if (running.waiting !== null && was === null)
      this.flows.step({ type: 'waits', waiting: running.waiting });
    if (running.waiting === null && was !== null) this.flows.step({ type: 'resumes' });
  }

  private flowLanded(message: number, text: string | null): void {
    this.delivered(text);
    this.ready.pass();
    if (this.flows.shows !== message || !hasPlan(this.seen)) return;
    this.keyboard.home(message);
    this.flows.sections({ kind: 'none' }, 'older');
    if (this.card.message !== null && this.card.message < message) this.card.handOver();
  }

  private cardLanded(message: number, text: string | null): void {
    this.delivered(text);
    if (this.card.message !== message) return;
    this.keyboard.home(message);
    this.flows.sections({ kind: 'none' }, 'all');
  }

  private delivered(text: string | null): void {
    if (text === null || text === this.record.shown) return;
    this.store({ shown: text });
    this.want();
  }

  private store(change: Partial<ChatRecord>): void {
    if (this.left) return;
    this.record = { ...this.record, ...change };
    this.deps.save(this.record);
  }
}
