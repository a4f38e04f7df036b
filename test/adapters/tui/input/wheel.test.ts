import { describe, expect, it } from 'vitest';
import { reportFilter } from '../../../../adapters/tui/input/wheel.ts';

function read(...chunks: readonly string[]): { told: string[]; left: string } {
  const told: string[] = [];
  const filter = reportFilter((name) => void told.push(name));
  return { left: chunks.map(filter).join('|'), told };
}

describe('reports of the mouse', () => {
  it.each<[string, string[], string[], string]>([
    ['the wheel up', ['\u001b[<64;10;5M'], ['wheelUp'], ''],
    ['the wheel down, far away', ['\u001b[<65;300;5M'], ['wheelDown'], ''],
    ['the wheel with Ctrl', ['\u001b[<81;1;1M'], ['wheelDown'], ''],
    ['a press and its release', ['\u001b[<0;1;1M\u001b[<0;1;1m'], [], ''],
    ['between keys', ['a\u001b[<64;1;1Mb\u001b[A'], ['wheelUp'], 'ab\u001b[A'],
    ['in pieces', ['x\u001b[<6', '5;1;', '1My'], ['wheelDown'], 'x||y'],
    ['what only looks like one', ['[<64;1;1M', '\u001b'], [], '[<64;1;1M|\u001b'],
  ])('%s', (_name, chunks, told, left) => {
    expect(read(...chunks)).toEqual({ told, left });
  });
});
