import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '../../../adapters/ports.ts';
import {
  costOf,
  cutText,
  keptLines,
  keptOf,
  tailStart,
} from '../../../adapters/runtime/compaction-history.ts';
import { conversationText } from '../../../adapters/runtime/compaction-summary.ts';
import { toMessages } from '../../../adapters/runtime/conversation.ts';

const base = { v: 1, at: '2026-03-01T12:00:00.000Z' } as const;
const user = (text: string, turn = 't1'): TranscriptEntry => ({
  ...base,
  type: 'user',
  turn,
  text,
  from: 'person',
  kind: 'chat',
});
const says = (text: string, ...ids: string[]): TranscriptEntry => ({
  ...base,
  type: 'assistant',
  turn: 't1',
  text,
  calls: ids.map((id) => ({ id, name: 'read_file', input: { path: id } })),
});
const result = (call: string, text: string): TranscriptEntry => ({
  ...base,
  type: 'tool',
  turn: 't1',
  call,
  name: 'read_file',
  text,
  failed: false,
});
const summed = (summary: string, tail: number, turn = 't1'): TranscriptEntry => ({
  ...base,
  type: 'compacted',
  turn,
  tail,
  how: { summary },
});
const cut = (limit: number, tail: number): TranscriptEntry => ({
  ...base,
  type: 'compacted',
  turn: 't1',
  tail,
  how: { limit },
});
const texts = (lines: readonly TranscriptEntry[]): string[] =>
  toMessages(lines).map(({ role, text }) => `${role} ${text}`);

describe('D27 what of a transcript the model gets', () => {
  it('without a compaction, everything', () => {
    const lines = [user('a'), says('b')];
    expect([keptOf(lines).summary, texts(keptLines(keptOf(lines)))]).toEqual([
      null,
      ['user a', 'assistant b'],
    ]);
  });

  it('the tail before the newest summary, and all after it; the turn’s own message stays', () => {
    const lines = [
      user('old', 't0'),
      user('task'),
      says('', 'a'),
      result('a', 'A'),
      says('', 'b'),
      result('b', 'B'),
      summed('S', 2),
      says('end'),
    ];
    const kept = keptOf(lines);
    expect(kept.summary).toBe('S');
    expect(texts(keptLines(kept))).toEqual(['user task', 'assistant ', 'tool B', 'assistant end']);
    const again = keptOf([...lines, summed('S2', 1)]);
    expect([again.summary, ...texts(keptLines(again))]).toEqual(['S2', 'user task', 'assistant end']);
  });

  it('between turns no message is kept twice, and an older turn’s is not brought back', () => {
    const lines = [user('one', 't0'), says('two'), summed('S', 0, 't9'), user('three', 't2')];
    expect(texts(keptLines(keptOf(lines)))).toEqual(['user three']);
    const kept = [user('task'), says('x'), summed('S', 2)];
    expect(texts(keptLines(keptOf(kept)))).toEqual(['user task', 'assistant x']);
  });

  it('a line that counts more than there is keeps everything', () => {
    expect(texts(keptLines(keptOf([user('a'), summed('S', 99)])))).toEqual(['user a']);
  });

  it('outputs before the tail are cut, also where a summary follows', () => {
    const long = 'x'.repeat(500);
    const lines = [
      user('t'),
      says('', 'a'),
      result('a', long),
      says('', 'b'),
      result('b', long),
      cut(100, 2),
    ];
    const [, , first = '', , second = ''] = texts(keptLines(keptOf(lines)));
    expect(first).toMatch(/^tool x{70}\n\[… 400 characters were cut/u);
    expect(second).toBe(`tool ${long}`);
    const [, , later = ''] = texts(keptLines(keptOf([...lines, summed('S', 4)])));
    expect(later).toBe(`tool ${long}`);
    const all = keptLines(keptOf([...lines, summed('S', 5)]));
    expect(texts(all).filter((text) => text.includes('were cut'))).toHaveLength(1);
  });
});

describe('D27 the tail', () => {
  const lines = [
    user('u'.repeat(400)),
    says('', 'a'),
    result('a', 'x'.repeat(400)),
    says('', 'b', 'c'),
    result('b', 'x'.repeat(400)),
    result('c', 'x'.repeat(400)),
  ];

  it.each([
    [0, 3],
    [250, 3],
    [400, 1],
    [10_000, 0],
  ])('of %d tokens starts at line %d', (budget, start) => {
    expect(tailStart(lines, 0, budget)).toBe(start);
  });

  it('starts not before what is summarised already', () => {
    expect(tailStart(lines, 1, 10_000)).toBe(1);
    expect(tailStart(lines, 6, 10_000)).toBe(6);
    expect(tailStart([], 0, 10)).toBe(0);
  });

  it('never parts a call from its result', () => {
    const shape = fc.array(
      fc.record({ calls: fc.integer({ min: 0, max: 3 }), size: fc.integer({ min: 0, max: 2000 }) }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(shape, fc.integer({ min: 0, max: 3000 }), (steps, budget) => {
        const made = steps.flatMap(({ calls, size }, step) => {
          const ids = Array.from({ length: calls }, (_, index) => `${step}-${index}`);
          return [says('', ...ids), ...ids.map((id) => result(id, 'x'.repeat(size)))];
        });
        const start = tailStart(made, 0, budget);
        expect(made[start]?.type).toBe('assistant');
        const messages = toMessages(made.slice(start));
        expect(
          messages.filter(({ role }) => role === 'tool').every(({ text }) => !text.startsWith('Not run')),
        ).toBe(true);
        const newest = made.findLastIndex(({ type }) => type === 'assistant');
        const cost = made.slice(start).reduce((sum, line) => sum + costOf(line), 0);
        expect(start === newest || cost <= budget).toBe(true);
      }),
    );
  });
});

describe('D27 a text is cut', () => {
  it('to beginning and end, never through a character', () => {
    expect(cutText('short', 5)).toBe('short');
    const text = cutText(`${'a'.repeat(70)}${'b'.repeat(60)}`, 100);
    expect(text).toMatch(/^a{70}\n\[… 30 characters were cut.*\]\nb{30}$/u);
    expect(cutText('🙂'.repeat(100), 33).isWellFormed()).toBe(true);
  });
});

describe('D27 the conversation as one text', () => {
  const messages = toMessages([
    user('task'),
    says('Look.', 'a'),
    result('a', 'x'.repeat(5000)),
    says('done'),
  ]);

  it('has who said what, calls and cut results', () => {
    const text = conversationText('older', messages, 10_000);
    expect(text).toMatch(
      /^Summary of what came before:\nolder\n\nPerson:\ntask\n\nAgent:\nLook\.\nCall read_file /u,
    );
    expect(text).toMatch(/Result of read_file:\nx+\n\[… 3000 characters[^]*Agent:\ndone$/u);
  });

  it('leaves the oldest out where there is no room', () => {
    expect(conversationText(null, messages, 60)).toBe('[An earlier part is left out.]\n\nAgent:\ndone');
  });
});
