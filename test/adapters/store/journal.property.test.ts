import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionStore, StoreTransaction } from '../../../adapters/ports.ts';
import { createDispatcher, type Dispatcher } from '../../../adapters/runtime/index.ts';
import {
  applyCommit,
  derive,
  type JournalLine,
  readJournalText,
  replay,
  stateName,
  type StoredSession,
} from '../../../machines/index.ts';
import type { Move, World } from '../../support/explore.ts';
import { movesAt } from '../../support/explore-moves.ts';
import { hashOf, sessionId, sessionIn, stampOf } from '../../support/samples.ts';
import { putBack } from '../../support/samples-world.ts';

/** The real dispatcher on files in memory: what it appends to the journal is kept as text. */
class Walker {
  stored: StoredSession;
  text = '';
  /** What is wrong with the lines that were made. */
  readonly faults: string[] = [];
  refuses = false;
  private readonly dispatcher: Dispatcher;

  constructor(stored: StoredSession) {
    this.stored = stored;
    let count = 0;
    const at = (): string => new Date(Date.UTC(2026, 2, 1) + count).toISOString();
    const clock = {
      now: at,
      id: () => {
        count += 1;
        return `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
      },
    };
    this.dispatcher = createDispatcher({
      store: this.store(),
      clock,
      workspace: { endGroup: () => Promise.resolve() },
      process: stampOf(0).process,
    });
  }

  private store(): SessionStore {
    const tx: StoreTransaction = {
      read: () => Promise.resolve(this.stored),
      commit: (change) => {
        if (this.refuses) return Promise.reject(new Error('the disk is full'));
        const written = applyCommit(this.stored, change, hashOf);
        const same = written.record.lease?.turn === this.stored.record.lease?.turn;
        const leaseAlive = written.record.lease !== null && (same ? this.stored.leaseAlive : true);
        this.stored = { ...written, leaseAlive };
        return Promise.resolve();
      },
      journal: (lines) => void (this.text += lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    };
    const parts: Partial<SessionStore> = {
      exclusive: (_session, work) => work(tx),
      holdTurn: () => ({ release: () => undefined }),
      transcript: () => Promise.resolve({ entries: [], torn: null }),
      append: () => Promise.resolve(),
      hash: hashOf,
    };
    return parts as SessionStore;
  }

  moves(): readonly Move[] {
    // What a command did is put back by the next dispatch, before anything is decided.
    const stored = putBack(this.stored, '2026-03-01T12:00:00.000Z');
    const at = { stored, snapshot: derive(stored).snapshot } as World;
    return movesAt(at);
  }

  /** What is said makes one line, after those of what was found; its `to` is what a restart finds. */
  async take(move: Move): Promise<void> {
    if (!('said' in move)) {
      this.stored = move.disk(this.stored);
      await this.dispatcher.refresh(sessionId, 'missing').catch(() => undefined);
      return;
    }
    const before = this.text.length;
    const answered = await this.dispatcher.dispatch(sessionId, move.said).catch(() => null);
    const made = readJournalText(this.text.slice(before)).lines.map(({ line }) => line);
    const found = made.slice(0, -1).every(({ event }) => /^file\.|^turn\.end$/u.test(event.type));
    const last = made.at(-1);
    const right =
      answered === null ||
      (found &&
        last?.event.type === move.said.type &&
        last.verdict === answered.answer?.kind &&
        last.to === stateName(derive(this.stored).snapshot));
    if (!right) this.faults.push(`${move.name}: ${JSON.stringify(made)}`);
  }

  lines(): JournalLine[] {
    const { lines, unreadable } = readJournalText(this.text);
    if (unreadable.length > 0) this.faults.push(`unreadable: ${unreadable.join()}`);
    return lines.map(({ line }) => line);
  }
}

const phases = [
  'noPlan',
  'preInit',
  'postInit',
  'seeding',
  'seedFailedEmpty',
  'seedFailedPartial',
  'checklist',
  'unreadable',
] as const;

/** A place to begin in; then each number chooses a move among those of the place, and whether the disk refuses it. */
const walks = fc.record({
  phase: fc.constantFrom(...phases),
  turn: fc.constantFrom('idle', 'running', 'stopping', 'discarding'),
  steps: fc.array(
    fc.record({ move: fc.nat(), disk: fc.constantFrom('full', ...Array<'works'>(19).fill('works')) }),
    {
      minLength: 5,
      maxLength: 40,
    },
  ),
});
type Walk = typeof walks extends fc.Arbitrary<infer W> ? W : never;

async function walked({ phase, turn, steps }: Walk): Promise<Walker> {
  const walker = new Walker(
    sessionIn(phase, { turn: phase === 'seeding' && turn === 'idle' ? 'running' : turn }),
  );
  for (const { move, disk } of steps) {
    const moves = walker.moves();
    const chosen = moves[move % moves.length];
    walker.refuses = disk === 'full';
    if (chosen !== undefined) await walker.take(chosen);
  }
  return walker;
}

describe('a journal of any walk', () => {
  const met = { types: new Set<string>(), states: new Set<string>(), verdicts: new Set<string>() };

  it('replays exactly, whatever was said, found, refused or not saved', async () => {
    await fc.assert(
      fc.asyncProperty(walks, async (walk) => {
        const walker = await walked(walk);
        const steps = replay(walker.lines());
        expect(walker.faults).toEqual([]);
        expect(steps.filter(({ deviation }) => deviation !== null)).toEqual([]);
        for (const { line } of steps) {
          met.types.add(line.event.type);
          met.states.add(line.from);
          met.verdicts.add(`${line.verdict}${line.saved === false ? ' not saved' : ''}`);
        }
      }),
      { numRuns: 400, interruptAfterTimeLimit: 8_000 },
    );
    // The walks are other ones each time: these are only that they were no empty ones.
    expect([...met.types].some((type) => type.startsWith('file.'))).toBe(true);
    expect([...met.verdicts]).toEqual(expect.arrayContaining(['accepted', 'refused']));
    expect(met.states.size).toBeGreaterThan(8);
  });
});
