import type { ModelCall, TranscriptEntry } from '../../ports.ts';
import { historyLimit } from '../input/editor.ts';
import { visibleLine } from '../text.ts';
import { notice, type Item } from './items.ts';

/** How much of an older session is printed when it is opened again. */
const replayLimit = 100;

/** One line for a call whose summary was not kept: its first short text argument. */
function callSummary(call: ModelCall): string {
  if (typeof call.input !== 'object' || call.input === null) return '';
  const first = Object.values(call.input).find((value) => typeof value === 'string');
  return typeof first === 'string' ? visibleLine(first) : '';
}

function entryItems(entry: TranscriptEntry, calls: Map<string, ModelCall>): Item[] {
  switch (entry.type) {
    case 'user':
      return [
        {
          type: 'user',
          text: entry.text,
          from: entry.from,
          ...(entry.expanded === undefined ? {} : { command: entry.expanded.path }),
        },
      ];
    case 'assistant':
      for (const call of entry.calls) calls.set(call.id, call);
      return entry.text.trim() === '' ? [] : [{ type: 'assistant', text: entry.text.trim() }];
    case 'tool': {
      const call = calls.get(entry.call);
      const summary = call === undefined ? '' : callSummary(call);
      const result = { text: entry.text, state: entry.failed ? ('failed' as const) : ('done' as const) };
      return [{ type: 'tool', call: entry.call, name: entry.name, summary, result }];
    }
    case 'notice':
      return [notice('info', entry.text)];
    case 'compacted':
      return 'summary' in entry.how ? [notice('info', 'The conversation was compacted here.')] : [];
    case 'turn.ended':
      return [{ type: 'ended', outcome: entry.outcome, cause: entry.cause ?? null }];
    case 'tool.started':
      return [];
  }
}

/** The finished parts of a session that is opened again, the newest hundred of them. */
export function replay(entries: readonly TranscriptEntry[]): Item[] {
  const calls = new Map<string, ModelCall>();
  const items = entries.flatMap((entry) => entryItems(entry, calls));
  const left = items.length - replayLimit;
  if (left <= 0) return items;
  return [notice('info', `${left} earlier entries are not shown.`), ...items.slice(left)];
}

/** What the person wrote in a session that is opened again, oldest first: Up and Down walk through it. */
export function wroteEarlier(entries: readonly TranscriptEntry[]): string[] {
  const texts = entries.flatMap((entry) =>
    entry.type === 'user' && entry.from === 'person' && entry.text.trim() !== '' ? [entry.text] : [],
  );
  return texts.filter((text, index) => text !== texts[index - 1]).slice(-historyLimit);
}
