import { describe, expect, it } from 'vitest';
import { waitingLines } from '../../../../adapters/tui/chrome/waiting.ts';
import { frame } from '../../../../adapters/tui/frame.ts';
import { lineText, lineWidth } from '../../../../adapters/tui/lines.ts';
import { initialState, reduce } from '../../../../adapters/tui/state.ts';
import type { SessionView } from '../../../../machines/index.ts';
import { running, viewOf } from '../../../support/fake-handle.ts';

type Waiting = SessionView['queue'][number];

const item = (text: string, change: Partial<Waiting> = {}): Waiting => {
  return { id: text, surface: 'tui', text, kind: 'user.chat', owner: 'here', state: 'waiting', ...change };
};
const left = (text: string): Waiting => item(text, { owner: 'elsewhere', state: 'not sent' });
const rows = (queue: readonly Waiting[], cells: number, limit = 3, input: 'empty' | 'written' = 'empty') =>
  waitingLines(queue, cells, limit, input).map(lineText);

describe('D26 the messages that wait, above the input', () => {
  it('nobody sends: first, marked, with both keys on the oldest', () => {
    const queue = [item('mine'), item('theirs', { owner: 'elsewhere' }), left('old'), left('older')];
    expect(rows(queue, 80, 5)).toEqual([
      '! not sent old · Ctrl+S sends · Ctrl+X takes back',
      '! not sent older',
      '… waits mine · Up takes back',
      '… waits elsewhere theirs',
    ]);
  });

  it('the keys are left out while they would be typed into the text', () => {
    expect(rows([left('old'), item('mine')], 80, 3, 'written')).toEqual(['! not sent old', '… waits mine']);
  });

  it.each([40, 80])('one line each, with the keys, at %i cells', (cells) => {
    const long = `${'\u6587\u5b57 and more '.repeat(20)}\nsecond line\u001b[2J`;
    const lines = waitingLines([left(long), item(long)], cells, 3, 'empty');
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(cells);
    const texts = lines.map(lineText);
    expect(texts[0]).toMatch(
      cells < 60 ? /… \^S send \^X edit$/u : /… · Ctrl\+S sends · Ctrl\+X takes back$/u,
    );
    expect(texts[1]).toMatch(cells < 60 ? / · Up edits$/u : / · Up takes back$/u);
    expect(texts.join('')).not.toContain('\u001b');
  });

  it('more than fit are counted', () => {
    const queue = ['a', 'b', 'c', 'd'].map((text) => item(text));
    expect(rows(queue, 80)).toEqual(['… waits a', '… waits b', '… and 2 more']);
    expect(rows([...queue, left('x')], 80, 1)).toEqual(['! not sent x · Ctrl+S sends · Ctrl+X takes back']);
    expect(rows([], 80)).toEqual([]);
  });

  it.each([
    [40, 12],
    [80, 24],
  ])('a frame of %ix%i has them right above the input and stays lower than the screen', (columns, screen) => {
    const view = running(viewOf({ queue: [left('old'), item('mine'), item('more'), item('most')] }));
    const facts = { model: 'm', folder: '~/p', home: '/home/ada' };
    const draw = (state: ReturnType<typeof initialState>): string[] =>
      frame(state, facts, { columns, rows: screen }, 0).lines.map(lineText);
    const state = initialState(view, []);
    const lines = draw(state);
    expect(lines.length).toBeLessThan(screen);
    const at = lines.findIndex((line) => line.startsWith('! not sent old'));
    expect(at).toBeGreaterThan(0);
    expect(lines.slice(at).findIndex((line) => line.startsWith('\u203a '))).toBe(screen < 16 ? 2 : 4);
    const written = reduce(state, { type: 'edit', edit: { type: 'insert', text: 'x' } });
    expect(draw(written).join('\n')).not.toContain('^S');
    expect(draw(written).join('\n')).not.toContain('Ctrl+S');
  });
});
