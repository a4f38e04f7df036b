import type { Answer, Said, SessionSnapshot, StoredSession } from '../../machines/index.ts';
import type { Published, TranscriptEntry } from '../ports.ts';
import type { PromptDesk } from './prompt-desk.ts';
import type { RuntimeWorld } from './session.ts';
import { runTurn, type TurnStart } from './turn.ts';
import type { TurnWorld } from './turn-world.ts';

export interface HostSession {
  id: string;
  desk: PromptDesk;
  send(said: Said): Promise<Answer>;
  publish(published: Published): void;
  fresh(): Promise<{ stored: StoredSession; snapshot: SessionSnapshot }>;
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
  private current: { turn: string; abort: AbortController; ended: Promise<void> } | null = null;
  /** The turn is over and only its end is still being written: the next one may be claimed. */
  private ending = false;

  constructor(world: RuntimeWorld, session: HostSession) {
    this.world = world;
    this.session = session;
  }

  get busy(): boolean {
    return this.current !== null && !this.ending;
  }

  start(start: TurnStart): void {
    const abort = new AbortController();
    this.ending = false;
    this.current = { turn: start.turn, abort, ended: this.run(start, abort.signal) };
  }

  abort(turn: string): void {
    if (this.current?.turn === turn) this.current.abort.abort();
  }

  /** Resolves when no turn runs here. */
  async idle(): Promise<void> {
    while (this.current !== null) await this.current.ended;
  }

  async stop(): Promise<void> {
    this.current?.abort.abort();
    await this.idle();
  }

  private async run(start: TurnStart, signal: AbortSignal): Promise<void> {
    const { turn } = start;
    const history: TranscriptEntry[] = [];
    const world = this.turnWorld(start, signal, history);
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
    this.ending = true;
    await this.end({ type: 'turn.end', turn, outcome: end.outcome, cause });
    if (this.current?.turn === turn) this.current = null;
    this.session.publish({ type: 'turn.ended', turn, outcome: end.outcome, cause: end.cause });
  }

  /** The lease must go, or the session stays busy: a full disk is waited out, visibly. */
  private async end(said: Said): Promise<void> {
    for (;;) {
      const answer = await this.session.send(said);
      if (!('code' in answer) || answer.code !== 'NOT_SAVED') return;
      this.session.publish({ type: 'notice', level: 'error', text: answer.text });
      await new Promise((resolve) => {
        setTimeout(resolve, retryMs);
      });
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
    const { world, session, allowed, seen } = this;
    const { store, workspace, model, prompts, clock } = world;
    let loaded = false;
    return {
      store,
      workspace,
      model,
      prompts,
      clock,
      allowed,
      seen,
      signal,
      session: session.id,
      turn: start.turn,
      entry: start.by.entry,
      surface: start.by.surface,
      paths: store.paths(session.id),
      desk: session.desk,
      fresh: () => session.fresh(),
      send: (said) => session.send(said),
      publish: (published) => session.publish(published),
      async record(...entries) {
        if (!loaded) history.push(...(await store.transcript(session.id)).entries);
        loaded = true;
        await store.append(session.id, entries);
        history.push(...entries);
      },
    };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
