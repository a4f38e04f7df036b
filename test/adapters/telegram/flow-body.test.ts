import { describe, expect, it } from 'vitest';
import type { FlowContent } from '../../../machines/index.ts';
import { duration, headerText } from '../../../adapters/telegram/flow-body.ts';

type Header = FlowContent['header'];
const live = (text: string | null, tools = 2, seconds = 65): Header => ({
  kind: 'live',
  activity: text === null ? null : { from: 'tool', text },
  tools,
  seconds,
});
const settled = (outcome: Extract<Header, { kind: 'settled' }>['outcome'], tools = 3): Header => ({
  kind: 'settled',
  outcome,
  tools,
  seconds: 4,
});
const waiting = (surface: string): Header => ({
  kind: 'waiting',
  waiting: { what: 'your answer', surface, since: '2026-11-30T12:03:04.000Z' },
  tools: 1,
});

describe('D32 headers', () => {
  it.each<[string, Header]>([
    ['⚙️ read_file src/a.ts • 2 tool calls • 1 min 5 s', live('read_file src/a.ts')],
    ['⚙️ Thinking • 0 tool calls • 0 s', live(null, 0, 0)],
    ['⚙️ bash • 1 tool call • 2 s', live('bash', 1, 2)],
    ['⚙️ all tests pass • 2 tool calls • 1 min 5 s', live('✅ all tests pass')],
    ['✅ Finished (3 tool calls, 4 s)', settled('finished')],
    ['✅ Finished (1 tool call, 4 s)', settled('finished', 1)],
    ['❌ Failed (3 tool calls, 4 s)', settled('failed')],
    ['⏱ Timed out (3 tool calls, 4 s)', settled('timedOut')],
    ['⏹ Cancelled (3 tool calls, 4 s)', settled('cancelled')],
    ['⚠️ Interrupted (3 tool calls, 4 s)', settled('interrupted')],
    [
      '⏳ Waits in the terminal for your answer since 12:03 UTC • /stop ends it • 1 tool call',
      waiting('tui'),
    ],
    ['⏳ Waits here for your answer since 12:03 UTC • /stop ends it • 1 tool call', waiting('telegram')],
    ['⤵️ Continued below', { kind: 'continued' }],
  ])('%s', (text, header) => {
    expect(headerText(header, 'Thinking')).toBe(text);
  });

  it('an activity is one line, cut with a mark', () => {
    const text = headerText(live(`a\n${'b'.repeat(200)}`), 'Thinking');
    expect(text).not.toContain('\n');
    expect(text.length).toBeLessThan(130);
    expect(text).toContain('…');
  });

  it('hours', () => {
    expect([duration(59), duration(3_600), duration(3_725)]).toEqual(['59 s', '1 h 0 min', '1 h 2 min']);
  });
});
