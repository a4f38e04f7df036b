import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, Said, SessionSnapshot, StoredSession } from '../../machines/index.ts';
import type { ModelPort, Published, SkillList, TranscriptEntry } from '../ports.ts';
import { newMemory } from './compaction.ts';
import { noMore, noSkills } from './extensions.ts';
import { withoutEchoes } from './conversation.ts';
import type { PromptDesk } from './prompt-desk.ts';
import { runSubAgent } from './sub-agent.ts';
import { runTurn, type TurnStart } from './turn.ts';
import type { RuntimeWorld, TurnWorld } from './turn-world.ts';
import { messageOf } from './message-of.ts';

export interface HostSession {
  id: string;
  desk: PromptDesk;
  /** For the turn that begins now. */
  model(): ModelPort;
  send(said: Said): Promise<Answer>;
  publish(published: Published): void;
  /** The end of this turn could not be written and nobody will try again, or somebody else has written it. */
  letGo(turn: string): void;
  fresh(): Promise<{ stored: StoredSession; snapshot: SessionSnapshot }>;
}

interface Running {
  turn: string;
  abort: AbortController;
  ended: Promise<void>;
  /** Only its end is still being written: the next turn may be claimed. */
  over: boolean;
}

/** Wait before the end of a turn is tried again when it could not be written, in ms. */
const retryMs = 1000;

/** Runs the turns that this process claimed, one at a time, each to an end that is on disk. */
export class TurnHost {
  private readonly world: RuntimeWorld;
  private readonly session: HostSession;
  /** What a person has allowed for this session; in memory only (D3). */
  private readonly allowed = new Set<string>();
  private readonly seen = { hash: null as string | null };
  private readonly context = newMemory();
  private current: Running | null = null;
  /** The program leaves: nothing starts any more, and a disk that fails is not waited for. */
  private readonly leaving = new AbortController();

  constructor(world: RuntimeWorld, session: HostSession) {
    this.world = world;
    this.session = session;
  }

  /** What was learned about the window of one model does not hold for another. */
  modelChanged(): void {
    Object.assign(this.context, newMemory());
  }

  get busy(): boolean {
    return this.current !== null && !this.current.over;
  }

  start(start: TurnStart): void {
    const { turn } = start;
    const running: Running = { turn, abort: new AbortController(), ended: Promise.resolve(), over: false };
    if (this.leaving.signal.aborted) running.abort.abort();
    this.current = running;
    running.ended = this.run(start, running);
  }

  abort(turn: string): void {
    if (this.current?.turn === turn) this.current.abort.abort();
  }

  /**
   * `turn` is the one that the files name, or none. Another one is not gone on with: this process hung, was taken
   * for overdue, and its turn has been ended elsewhere (D16).
   */
  keepTo(turn: string | null): void {
    if (this.current !== null && !this.current.over && this.current.turn !== turn) this.current.abort.abort();
  }

  /** Waits no longer for a turn that was aborted and does not end (D16). */
  abandon(turn: string): void {
    if (this.current?.turn === turn) this.current = null;
  }

  /** Resolves when no turn runs here. */
  async idle(): Promise<void> {
    while (this.current !== null) await this.current.ended;
  }

  async stop(): Promise<void> {
    this.leaving.abort();
    this.current?.abort.abort();
    await this.idle();
  }

  /** Contract: never rejects. */
  private async run(start: TurnStart, running: Running): Promise<void> {
    const { turn } = start;
    const history: TranscriptEntry[] = [];
    const world = this.turnWorld(start, running.abort.signal, history);
    const end = await runTurn(world, start, history);
    const cause = end.cause ?? undefined;
    const entry = {
      v: 1,
      at: this.world.clock.now(),
      type: 'turn.ended',
      turn,
      outcome: end.outcome,
    } as const;
    await this.quietly(() => world.record(cause === undefined ? entry : { ...entry, cause }));
    running.over = true;
    await this.end({ type: 'turn.end', turn, outcome: end.outcome, cause });
    if (this.current === running) this.current = null;
    this.session.publish({ type: 'turn.ended', turn, outcome: end.outcome, cause: end.cause });
  }

  /** The lease must go, or the session stays busy: a full disk is waited out, visibly, unless the program leaves. */
  private async end(said: Extract<Said, { type: 'turn.end' }>): Promise<void> {
    const { signal } = this.leaving;
    let told = '';
    for (;;) {
      const answer = await this.session.send(said);
      if (!('code' in answer)) return;
      // It has been ended elsewhere; only its lock is left.
      if (answer.code !== 'NOT_SAVED') return this.session.letGo(said.turn);
      if (answer.text !== told) this.session.publish({ type: 'notice', level: 'error', text: answer.text });
      told = answer.text;
      if (signal.aborted) return this.session.letGo(said.turn);
      // Leaving wakes it for one last try.
      await wait(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private async quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.session.publish({ type: 'notice', level: 'error', text: messageOf(error) });
    }
  }

  private turnWorld(start: TurnStart, signal: AbortSignal, history: TranscriptEntry[]): TurnWorld {
    const { world, session, allowed, seen, context } = this;
    const { store, workspace, prompts, clock } = world;
    let loaded = false;
    let agents = 0;
    let notes: Promise<string> | null = null;
    let listed: Promise<SkillList> | null = null;
    const { skills = noSkills, more = noMore } = world;
    const turnWorld: TurnWorld = {
      store,
      workspace,
      model: session.model(),
      prompts,
      projectNotes: (cwd) => (notes ??= world.projectNotes?.(cwd) ?? Promise.resolve('')),
      skills: { ...skills, list: (cwd) => (listed ??= skills.list(cwd)) },
      more,
      clock,
      allowed,
      seen,
      context,
      signal,
      session: session.id,
      turn: start.turn,
      agent: { kind: 'main', name: null },
      entry: start.by.entry,
      surface: start.by.surface,
      paths: store.paths(session.id),
      desk: session.desk,
      fresh: () => session.fresh(),
      send: (said) => session.send(said),
      publish: (published) => session.publish(published),
      async record(...entries) {
        if (!loaded) history.push(...withoutEchoes((await store.transcript(session.id)).entries));
        loaded = true;
        await store.append(session.id, entries);
        history.push(...entries);
      },
      spawn(order, call) {
        agents += 1;
        return runSubAgent(turnWorld, order, { call, number: agents });
      },
    };
    return turnWorld;
  }
}
