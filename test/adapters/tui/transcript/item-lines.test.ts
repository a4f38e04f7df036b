import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineText, lineWidth } from '../../../../adapters/tui/lines.ts';
import { gapBetween, itemLines } from '../../../../adapters/tui/transcript/item-lines.ts';
import type { Item, ToolItem } from '../../../../adapters/tui/transcript/items.ts';

function drawn(item: Item, cells = 60): string[] {
  return itemLines(item, cells).map((line) => lineText(line).trimEnd());
}

function tool(change: Partial<ToolItem> = {}): ToolItem {
  return { type: 'tool', call: 'c', name: 'bash', summary: 'npm test', result: null, ...change };
}

describe('item lines', () => {
  it.each<[string, Item, string[]]>([
    ['a running call', tool(), ['  … bash npm test']],
    ['what its sub-agent does meanwhile', tool({ progress: 'sub-agent 1' }), ['  … bash sub-agent 1']],
    [
      'nothing of that once it is over',
      tool({ progress: 'sub-agent 1', result: { text: '', state: 'done' } }),
      ['  ✓ bash npm test'],
    ],
    [
      'a finished call with the first line of its result',
      tool({ result: { text: '\n12 passed\nmore', state: 'done' } }),
      ['  ✓ bash npm test · 12 passed'],
    ],
    ['a failed call', tool({ result: { text: 'exit 1', state: 'failed' } }), ['  ✗ bash npm test · exit 1']],
    [
      'a summary that begins with the name',
      tool({ summary: 'bash ls', result: { text: '', state: 'done' } }),
      ['  ✓ bash ls'],
    ],
    [
      'what a person said, as it was typed',
      { type: 'user', from: 'person', text: '**a**\n b' },
      ['› **a**', '   b'],
    ],
    [
      'the harness, marked as such',
      { type: 'user', from: 'harness', text: 'Implement it.' },
      ['› from planchart, not typed by you', '  Implement it.'],
    ],
    [
      'a refusal with its code',
      { type: 'notice', level: 'error', code: 'BUSY', text: 'A turn runs.' },
      ['✗ BUSY  A turn runs.'],
    ],
    ['a waiting message', { type: 'notice', level: 'wait', code: null, text: 'Waits.' }, ['… Waits.']],
    ['a finished turn', { type: 'ended', outcome: 'done', cause: null }, []],
    ['a failed turn', { type: 'ended', outcome: 'failed', cause: 'no key' }, ['✗ The turn failed: no key']],
    ['a stopped turn', { type: 'ended', outcome: 'cancelled', cause: null }, ['■ Stopped']],
  ])('draws %s', (_name, item, wanted) => {
    expect(drawn(item)).toEqual(wanted);
  });

  it('D45 names title, steps and commands on the card, and what is missing with its line', () => {
    const ready = drawn({ type: 'card', title: 'Dark mode', steps: 1, faults: [], hint: '' });
    expect(ready).toEqual([
      '┃ Ready for your review · 1 step',
      '┃ Dark mode',
      '┃ /show-plan read, change · /execute approve · /discard drop',
    ]);
    const faulty = drawn({
      type: 'card',
      title: 'Dark mode',
      steps: 2,
      faults: [{ line: 5, text: 'Intent has no text.' }],
      hint: '1 part is missing',
    });
    expect(faulty).toContain('┃ line 5: Intent has no text.');
    expect(faulty.join('\n')).not.toContain('/execute');
  });

  it('D39 draws within the width and without a control byte, whatever the content', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    const item = text.chain((value) =>
      fc.constantFrom<Item>(
        { type: 'assistant', text: value },
        { type: 'user', from: 'person', text: value },
        { type: 'reasoning', text: value },
        { type: 'notice', level: 'error', code: value, text: value },
        tool({ name: value, summary: value, result: { text: value, state: 'done' } }),
        { type: 'card', title: value, steps: 1, faults: [{ line: 1, text: value }], hint: value },
        { type: 'ended', outcome: 'failed', cause: value },
        { type: 'banner', version: value, model: value, folder: value },
      ),
    );
    fc.assert(
      fc.property(item, fc.integer({ min: 40, max: 120 }), (one, cells) => {
        for (const line of itemLines(one, cells)) {
          expect(lineWidth(line)).toBeLessThanOrEqual(cells);
          expect(lineText(line)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        }
      }),
    );
  });

  it('keeps neighbouring calls together and sets the rest apart', () => {
    const said: Item = { type: 'assistant', text: 'a' };
    expect(gapBetween(tool(), tool())).toBe('none');
    expect(gapBetween(tool(), said)).toBe('gap');
    expect(gapBetween(undefined, said)).toBe('none');
  });
});
