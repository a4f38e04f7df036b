import { describe, expect, it } from 'vitest';
import type { Prompt } from '../../../../adapters/ports.ts';
import type { Press } from '../../../../adapters/tui/input/keys.ts';
import { lineText, lineWidth } from '../../../../adapters/tui/lines.ts';
import { promptLines, promptPage } from '../../../../adapters/tui/prompt/prompt-lines.ts';
import { openPrompt, promptPress, quietMs, type OpenPrompt } from '../../../../adapters/tui/prompt/prompt.ts';

const approval: Prompt = {
  id: 'p1',
  kind: 'approval',
  tool: 'bash',
  title: 'bash',
  body: Array.from({ length: 40 }, (_, index) => `echo ${index}`).join('\n'),
  folder: '/home/ada/project',
  sandbox: 'read-only sandbox, no network',
};
const question: Prompt = {
  id: 'q1',
  kind: 'question',
  question: 'Which way?',
  options: ['Design', 'Checklist'],
};

const text = (value: string): Press => ({ type: 'text', text: value });
const enter: Press = { type: 'key', name: 'enter' };
const room = { cells: 80, rows: 12, home: '/home/ada' };

function press(open: OpenPrompt, keys: readonly Press[], now = quietMs) {
  let step: ReturnType<typeof promptPress> = { open, answer: null, command: null };
  for (const key of keys) {
    const { page, total } = promptPage(step.open, room);
    step = promptPress(step.open, key, { now, cells: 77, page, total });
  }
  return step;
}

function drawn(open: OpenPrompt, cells = 80, rows = 12): string[] {
  return promptLines(open, { cells, rows, home: '/home/ada' }).lines.map((line) => lineText(line).trimEnd());
}

describe('approval', () => {
  it.each([
    ['y', 'once'],
    ['s', 'session'],
    ['n', 'no'],
    ['Y', 'once'],
  ])('%s answers %s', (key, allow) => {
    expect(press(openPrompt(approval, 0), [text(key)]).answer).toEqual({ kind: 'approval', allow });
  });

  it('D26 a typed /stop or /discard is a command, and none of its letters is an answer', () => {
    for (const line of ['/stop', '/discard', '/show-plan']) {
      const open = openPrompt(approval, 0);
      const typing = press(open, [...line].map(text));
      expect(typing.answer).toBeNull();
      expect(drawn(typing.open).join(' ')).toContain(line);
      expect(press(typing.open, [enter])).toMatchObject({ answer: null, command: line });
    }
  });

  it('B98 takes no letter of a typed word as an answer, and a key again once it is quiet', () => {
    const typed = press(openPrompt(approval, 0), [text('e'), text('s')], 1000);
    expect(typed.answer).toBeNull();
    expect(press(typed.open, [text('s')], 2000).answer).toEqual({ kind: 'approval', allow: 'session' });
  });

  it('shows a title that is cut in the body, whole', () => {
    const title = `Read https://example.test/?${'a'.repeat(300)}&last=1`;
    const rows = drawn(openPrompt({ ...approval, title }, 0), 80, 30);
    expect(rows.join('')).toContain('\u2026');
    expect(rows.map((row) => row.replace('\u2502 ', '')).join('')).toContain('&last=1');
  });

  it.each<[string, Press]>([
    ['Enter', enter],
    ['a pasted y', { type: 'paste', text: 'y' }],
    ['a pasted line end', { type: 'paste', text: '\n' }],
    ['a word that begins with y', text('yes')],
    ['another letter', text('x')],
  ])('B97 %s answers nothing', (_name, key) => {
    expect(press(openPrompt(approval, 0), [key]).answer).toBeNull();
  });

  it('B98 takes no key as an answer until it has been quiet for a moment', () => {
    const open = openPrompt(approval, 1000);
    const early = press(open, [text('y')], 1000 + quietMs - 1);
    expect(early.answer).toBeNull();
    expect(drawn(early.open).join('\n')).toContain('press the key again');
    expect(press(early.open, [text('y')], 1000 + quietMs).answer).toBeNull();
    expect(press(early.open, [text('y')], 1000 + 2 * quietMs).answer).not.toBeNull();
  });

  it('shows title, folder, sandbox and body, and where one is in it', () => {
    expect(drawn(openPrompt(approval, 0))).toEqual([
      'Allow? bash',
      'in ~/project · read-only sandbox, no network',
      ...Array.from({ length: 9 }, (_, index) => `│ echo ${index}`),
      `y once · s this session · n no${' '.repeat(21)}rows 1–9 of 40 · ↑↓ PgUp PgDn`,
    ]);
  });

  it('B99 reaches the last row with keys only, and shows the keys all the time', () => {
    const down = Array.from({ length: 10 }, (): Press => ({ type: 'key', name: 'pageDown' }));
    const end = drawn(press(openPrompt(approval, 0), down).open);
    expect(end).toContain('│ echo 39');
    expect(end.at(-1)).toContain('y once');
    expect(drawn(press(openPrompt(approval, 0), [...down, { type: 'key', name: 'home' }]).open)).toContain(
      '│ echo 0',
    );
  });

  it('says where one is at 40 cells too', () => {
    expect(drawn(openPrompt(approval, 0), 40, 8).at(-1)).toBe('y once · s this session · n no    1–4/40');
  });

  it('B101 draws no control byte and never cuts the sandbox off', () => {
    const nasty: Prompt = {
      ...approval,
      title: 'b\u001b[2J',
      body: '\u001b]52;c;x\u0007',
      folder: '/\u202ea',
    };
    const lines = drawn(openPrompt(nasty, 0), 40, 8);
    expect(lines.join('')).not.toMatch(/\p{Cc}|\u202e/u);
    expect(lines.join(' ')).toContain('no network');
  });
});

describe('a command at a question', () => {
  it('D36 acts instead of answering; a path is an answer', () => {
    const open = openPrompt(question, 0);
    expect(press(open, [text('/stop'), enter])).toMatchObject({ answer: null, command: '/stop' });
    const answer = { kind: 'question', text: '/usr/bin/env' };
    expect(press(open, [text('/usr/bin/env'), enter])).toMatchObject({ answer, command: null });
  });
});

describe('question', () => {
  it.each([
    ['an option by its number', '2', 'Checklist'],
    ['own words', 'neither', 'neither'],
    ['a number that is no option', '7', '7'],
  ])('answers with %s', (_name, typed, wanted) => {
    const step = press(openPrompt(question, 0), [text(typed), enter]);
    expect(step.answer).toEqual({ kind: 'question', text: wanted });
  });

  it('asks for an answer before it takes Enter', () => {
    const step = press(openPrompt(question, 0), [text('  '), enter]);
    expect(step.answer).toBeNull();
    expect(drawn(step.open).at(-1)).toBe('Write an answer first.');
  });

  it('writes a paste with its line ends and sends nothing', () => {
    const step = press(openPrompt(question, 0), [{ type: 'paste', text: 'a\nb' }]);
    expect(step).toMatchObject({ answer: null, open: { editor: { text: 'a\nb' } } });
  });

  it('shows options, input and where the cursor stands', () => {
    const { open } = press(openPrompt(question, 0), [text('完')]);
    expect(drawn(open)).toEqual([
      '? Which way?',
      '1 Design',
      '2 Checklist',
      '› 完',
      'Number or your own words, then Enter',
    ]);
    expect(promptLines(open, room).cursor).toEqual({ x: 4, y: 3 });
  });

  it.each([40, 80])('stays in %i cells and in its rows', (cells) => {
    const long: Prompt = { ...question, question: 'why '.repeat(200), options: ['long '.repeat(30), 'b'] };
    const { lines } = promptLines(openPrompt(long, 0), { cells, rows: 8, home: '' });
    expect(lines.length).toBeLessThanOrEqual(8);
    for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(cells);
  });
});
