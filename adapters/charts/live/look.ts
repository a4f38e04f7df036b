import {
  derive,
  eventWords,
  type JournalLine,
  type KeyboardRecord,
  type SessionSnapshot,
  settle,
  stateName,
  type StoredSession,
  whoWords,
} from '../../../machines/index.ts';
import type { LiveState } from '../page/live-state.ts';

/** Lines of the journal that the page is shown. */
const shownLines = 50;

/** What is read of one session, without its lock. */
export interface Looked {
  stored: StoredSession;
  /** Oldest first. */
  journal: readonly JournalLine[];
  /** What a chat shows of the plan's buttons; null: the session is in no chat. */
  keyboard: KeyboardRecord | null;
}

/** A running session as the page draws it. `now` is RFC 3339; nothing is written by looking. */
export function createLook(): (looked: Looked, now: string) => LiveState {
  /** States as this look has first seen them, for what happened outside of any dispatch. */
  const seen = new Map<string, string>();
  return ({ stored, journal, keyboard }, now) => {
    const derived = derive(stored);
    const stamp = { at: now, ids: ['', ''], process: '' };
    // What loading finds is settled in memory, as in every view (D8).
    const snapshot = settle(derived, stamp).at(-1)?.snapshot ?? derived.snapshot;
    const state = stateName(snapshot);
    const since = reached(journal, state, (whole) => whole) ?? firstSeen(seen, state, now);
    return {
      machine: 'session',
      session: stored.record.id,
      value: leavesOf(state),
      since,
      lastEvents: journal.slice(-shownLines).map(eventOf),
      seed: seedOf(snapshot, reached(journal, state, planOf) ?? since),
      keyboard: keyboardOf(keyboard),
    };
  };
}

const leavesOf = (state: string): string[] => {
  const [plan = '', turn = ''] = state.split('/');
  return [`plan.${plan}`, `turn.${turn}`];
};

function eventOf(line: JournalLine): LiveState['lastEvents'][number] {
  const { at, verdict: kind, code = null, from, to } = line;
  const verdict = { kind, code };
  return { at, event: eventWords(line), by: whoWords(line), verdict, from: leavesOf(from), to: leavesOf(to) };
}

const planOf = (state: string): string => state.split('/')[0] ?? '';

/**
 * When an event led to what `part` says of the state; null: no line tells. A turn that begins or ends does not start the
 * clock of the seed anew.
 */
function reached(
  journal: readonly JournalLine[],
  state: string,
  part: (state: string) => string,
): string | null {
  const here = part(state);
  const left = journal.findLastIndex(({ to }) => part(to) !== here);
  const came = journal.findIndex(
    ({ from, to }, index) => index > left && part(from) !== here && part(to) === here,
  );
  return journal[came]?.at ?? null;
}

/** Only the state that it is in now: one that it comes back to is reached anew. */
function firstSeen(seen: Map<string, string>, state: string, now: string): string {
  const at = seen.get(state) ?? now;
  seen.clear();
  seen.set(state, at);
  return at;
}

function seedOf(snapshot: SessionSnapshot, since: string): LiveState['seed'] {
  if (!snapshot.hasTag('seedWindow')) return null;
  const { plan, document } = snapshot.context;
  const value = planOf(stateName(snapshot)).replace(/^active\.(?:seeding\.)?/u, '');
  const facts = [`${document?.scan.steps.length ?? 0} steps`, `${plan?.tasks.length ?? 0} tasks`];
  return { value, since, facts };
}

function keyboardOf(record: KeyboardRecord | null): LiveState['keyboard'] {
  if (record === null) return null;
  const { state, shows } = record;
  const buttons = shows?.keyboard.buttons ?? [];
  return { value: state, since: null, facts: buttons.length === 0 ? [] : [`buttons: ${buttons.join(', ')}`] };
}
