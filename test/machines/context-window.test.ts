import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contextFigure,
  contextWindow,
  corrected,
  estimateTokens,
  isFull,
  isOver,
} from '../../machines/context-window.ts';

describe('D27 the window of a model', () => {
  it.each([
    ['openai:llama3:8b', null, 32_000],
    ['openai:anything', null, 32_000],
    ['openai:anything', 8000, 8000],
    ['openai:gpt-5-mini', null, 400_000],
    ['openai:gpt-4o', 16_000, 16_000],
    ['openai:openai/gpt-4o-mini', null, 128_000],
    ['anthropic:claude-sonnet-4-5', null, 200_000],
    ['Claude-X', null, 200_000],
    ['openai:not-gpt-5', null, 32_000],
    ['rehearsal', null, 1_000_000],
    ['', 0, 32_000],
  ])('%j, configured %j: %d tokens', (name, configured, window) => {
    expect(contextWindow(name, configured)).toBe(window);
  });
});

describe('D27 tokens of a text', () => {
  it.each([
    ['', 0],
    ['four', 1],
    ['fives', 2],
    ['жжжж', 2],
    ['中文字', 3],
    ['🙂', 2],
  ])('%j is about %d', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  it('never shrinks when a text grows, and a megabyte is quick', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(estimateTokens(a + b)).toBeGreaterThanOrEqual(estimateTokens(a));
        expect(estimateTokens(a + b)).toBeLessThanOrEqual(estimateTokens(a) + estimateTokens(b));
      }),
    );
    expect(estimateTokens('x'.repeat(1_000_000))).toBe(250_000);
  });

  it('is corrected by what the provider counted, within reason', () => {
    expect(corrected(100, null)).toBe(100);
    expect(corrected(100, { estimate: 1000, counted: 1500 })).toBe(150);
    expect(corrected(100, { estimate: 1000, counted: 100_000 })).toBe(400);
    expect(corrected(100, { estimate: 1000, counted: 1 })).toBe(50);
    expect(corrected(100, { estimate: 0, counted: 9 })).toBe(100);
    expect(corrected(100, { estimate: 9, counted: 0 })).toBe(100);
  });
});

describe('D27 how full it is', () => {
  it('is full above four fifths, and over above the window', () => {
    expect([isFull({ used: 80, window: 100 }), isFull({ used: 81, window: 100 })]).toEqual([false, true]);
    expect([isOver({ used: 100, window: 100 }), isOver({ used: 101, window: 100 })]).toEqual([false, true]);
  });

  it.each([
    [45_000, 200_000, 'ctx: 45K/200K 22%'],
    [44_400, 200_000, 'ctx: 44K/200K 22%'],
    [0, 32_000, 'ctx: 0/32K 0%'],
    [999, 8192, 'ctx: 999/8K 12%'],
    [999_499, 1_000_000, 'ctx: 999K/1M 99%'],
    [1_250_000, 1_047_576, 'ctx: 1.3M/1M 119%'],
    [5, 0, 'ctx: 5/0 0%'],
  ])('%d of %d is %j', (used, window, figure) => {
    expect(contextFigure({ used, window })).toBe(figure);
  });
});
