import type { ModelMessage, TranscriptEntry } from '../ports.ts';

const notRun =
  'Not run: the program ended before this call; if you were asked about it, the question has expired.';
const inPart =
  'Interrupted: the program ended while this call ran. It may have run in part; look before you repeat it.';

/**
 * A turn has one opening. A process that hung while another one ended its turn, and kept its opening, writes it once
 * more when it wakes up.
 */
export function withoutEchoes(entries: readonly TranscriptEntry[]): TranscriptEntry[] {
  const opened = new Set<string>();
  return entries.filter((entry) => {
    if (entry.type !== 'user') return true;
    const isFirst = !opened.has(entry.turn);
    opened.add(entry.turn);
    return isFirst;
  });
}

/** Calls of the last response, by id. Ids are told apart within one response only; some models count from one in each. */
class OpenCalls {
  private readonly entry: Extract<TranscriptEntry, { type: 'assistant' }> | null;
  private readonly started = new Set<string>();
  private readonly answered = new Set<string>();

  constructor(entry: Extract<TranscriptEntry, { type: 'assistant' }> | null) {
    this.entry = entry;
  }

  start(call: string): void {
    this.started.add(call);
  }

  /** Whether this is the first result of one of these calls; every provider refuses one more. */
  takes(call: string): boolean {
    if (this.answered.has(call) || this.entry?.calls.some(({ id }) => id === call) !== true) return false;
    this.answered.add(call);
    return true;
  }

  /** Results for the calls that have none; not for those of the turn `live`, which may still get them. */
  close(live: string | null): TranscriptEntry[] {
    if (this.entry === null || this.entry.turn === live) return [];
    const { at, turn, calls } = this.entry;
    return calls
      .filter(({ id }) => !this.answered.has(id))
      .map(({ id, name }) => {
        // A question that was open did nothing; it has expired.
        const text = this.started.has(id) && name !== 'follow_up_question' ? inPart : notRun;
        return { v: 1, at, type: 'tool', turn, call: id, name, text, failed: true };
      });
  }
}

/**
 * The transcript with exactly one result for each call (D37): whether it was started tells whether it may have run
 * in part. Nothing is asked or run again. The calls of the turn `live` may still get theirs.
 */
export function withResults(entries: readonly TranscriptEntry[], live: string | null): TranscriptEntry[] {
  const all: TranscriptEntry[] = [];
  let open = new OpenCalls(null);
  for (const entry of entries) {
    if (entry.type === 'user' || entry.type === 'assistant') {
      all.push(...open.close(live));
      open = new OpenCalls(entry.type === 'assistant' ? entry : null);
    }
    if (entry.type === 'tool.started') open.start(entry.call);
    if (entry.type !== 'tool' || open.takes(entry.call)) all.push(entry);
  }
  return [...all, ...open.close(live)];
}

/** The transcript as the model sees it. */
export function toMessages(entries: readonly TranscriptEntry[]): ModelMessage[] {
  return withResults(entries, null).flatMap((entry): ModelMessage[] => {
    switch (entry.type) {
      case 'user':
        return [{ role: 'user', text: entry.expanded?.text ?? entry.text }];
      case 'assistant':
        if (entry.text === '' && entry.calls.length === 0) return [];
        return [{ role: 'assistant', text: entry.text, calls: entry.calls }];
      case 'tool': {
        const { call, name, text, failed } = entry;
        return [{ role: 'tool', call, name, text, failed }];
      }
      case 'tool.started':
      case 'notice':
      case 'compacted':
      case 'turn.ended':
        return [];
    }
  });
}
