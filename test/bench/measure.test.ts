import { describe, expect, it } from 'vitest';
import { interleave, median, quantile, timed } from './measure.ts';

describe('measuring', () => {
  it('takes the middle value, and lies linearly between neighbours', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([1, 2, 3, 10])).toBe(2.5);
    expect(quantile([10, 0, 20, 30, 40], 0.25)).toBe(10);
    expect(quantile([0, 10], 0.75)).toBe(7.5);
    expect(() => median([])).toThrow('Nothing was measured');
  });

  it('runs the sides in turn, and does not count the first run of each', async () => {
    const order: string[] = [];
    const side = (name: string) => () => order.push(name);
    const taken = await interleave(2, { a: side('a'), b: side('b') });
    expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    expect(taken).toEqual({ a: [3, 5], b: [4, 6] });
  });

  it('waits for what it times', async () => {
    let over = false;
    await timed(async () => {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      over = true;
    });
    expect(over).toBe(true);
  });
});
