import { describe, expect, it } from 'vitest';
import { activityLines } from '../../../../adapters/tui/chrome/activity.ts';
import { statusLine } from '../../../../adapters/tui/chrome/status.ts';
import { stripLines } from '../../../../adapters/tui/chrome/strip.ts';
import { clock, duration, place, shortFolder } from '../../../../adapters/tui/chrome/words.ts';
import { lineText, lineWidth, type Line } from '../../../../adapters/tui/lines.ts';
import type { SessionView } from '../../../../machines/index.ts';
import { checklistView, reviewView, running, viewOf } from '../../../support/fake-handle.ts';

const texts = (lines: readonly Line[]): string[] => lines.map((line) => lineText(line).trimEnd());
const strip = (view: SessionView, cells = 60, rows = 5): string[] => texts(stripLines(view, cells, rows));

describe('strip', () => {
  it('shows nothing without a plan', () => {
    expect(strip(viewOf())).toEqual([]);
  });

  it('puts the running task in the middle and counts', () => {
    expect(strip(checklistView(9, 4))).toEqual([
      'Dark mode  ███████░░░░░░░░░ 4/9',
      '  ✓ 4 Task number 4',
      '  ▸ 5 Task number 5',
      '  ○ 6 Task number 6',
      '  ○ 7 Task number 7',
    ]);
  });

  it('shows that a sentence goes on where there is no room for the rest of it', () => {
    const view = viewOf({
      badge: 'Editing · no plan yet',
      phase: 'preInit',
      hint: 'word '.repeat(40).trim(),
    });
    const [, last = ''] = strip(view, 40, 2);
    expect(last).toMatch(/word …$|wo…$/u);
    expect(strip(view, 40, 9).at(-1)).toMatch(/word$/u);
  });

  it('says in words why a task does not go on', () => {
    const view = checklistView(3, 0);
    const tasks = [
      { number: 1, title: 'A', status: 'failed' as const, waitsFor: [] },
      { number: 2, title: 'B', status: 'pending' as const, waitsFor: [1] },
      { number: 3, title: 'C', status: 'blocked' as const, waitsFor: [] },
    ];
    expect(strip({ ...view, tasks }).slice(1)).toEqual([
      '  ✗ 1 A · failed',
      '  ○ 2 B · waits for 1',
      '  ! 3 C · blocked',
    ]);
  });

  it.each<[string, SessionView, string[]]>([
    [
      'the checklist being built',
      viewOf({ badge: 'Active', phase: 'seeding', title: 'T', building: true }),
      ['T  Building checklist…'],
    ],
    [
      'a seed that has its tasks and has not started one',
      viewOf({
        badge: 'Active',
        phase: 'seeding',
        title: 'T',
        tasks: [{ number: 1, title: 'A', status: 'pending', waitsFor: [] }],
        progress: { done: 0, total: 1 },
      }),
      ['T  ░░░░░░░░░░░░░░░░ 0/1', '  ○ 1 A'],
    ],
    [
      'a failed seed and what to do',
      viewOf({
        phase: 'seedFailedEmpty',
        badge: 'Active',
        title: 'T',
        seedError: 'empty',
        hint: 'Use /execute.',
      }),
      ['T  ✗ No checklist was built', 'Use /execute.'],
    ],
    [
      'a half seed',
      viewOf({
        phase: 'seedFailedPartial',
        badge: 'Active',
        title: 'T',
        seedError: 'partial',
        hint: 'Use /discard.',
      }),
      ['T  ✗ The checklist is incomplete', 'Use /discard.'],
    ],
    [
      'plan mode before a plan',
      viewOf({ phase: 'preInit', badge: 'Editing', hint: 'Explores.' }),
      ['Explores.'],
    ],
    [
      'an unreadable file',
      viewOf({
        phase: 'unreadable',
        badge: 'Unreadable',
        unreadable: { path: '/p', cause: 'EIO' },
        hint: 'Mend /p.',
      }),
      ['✗ Mend /p.'],
    ],
    [
      'an unreadable file while a turn is being stopped, which is no fault',
      viewOf({
        phase: 'unreadable',
        badge: 'Unreadable',
        turn: 'stopping',
        unreadable: { path: '/p', cause: 'EIO' },
        hint: 'Stopping the turn.',
      }),
      ['Stopping the turn.'],
    ],
    ['a goal of the person', viewOf({ goal: { user: 'Ship it', task: null } }), ['Goal: Ship it']],
    [
      'a finished checklist (D17)',
      viewOf({
        closed: {
          title: 'T',
          tasks: [
            { title: 'A', status: 'Completed' },
            { title: 'B', status: 'Skipped' },
          ],
        },
      }),
      ['T  ✓ 2/2 done', '  ✓ A', '  − B'],
    ],
    [
      'a checklist without tasks',
      checklistView(0, 0, { hint: 'Ask for some.' }),
      ['Dark mode  no tasks', 'Ask for some.'],
    ],
  ])('shows %s', (_name, view, wanted) => {
    expect(strip(view)).toEqual(wanted);
  });

  it('D48 says that the text is not the approved one', () => {
    const document = reviewView('x', 'h').document;
    const view = checklistView(2, 0, { document: document === null ? null : { ...document, drifted: true } });
    expect(strip(view).join('\n')).toContain('not the text that was approved');
  });

  it('counts what is missing in review', () => {
    const view = reviewView('x', 'h');
    const faults = [{ code: 'context.missing' as const, line: 1, text: 'Context is missing.' }];
    const document = view.document === null ? null : { ...view.document, faults };
    expect(strip({ ...view, document })[0]).toBe('Dark mode  3 steps · 1 missing');
  });

  it.each([1, 2, 3, 4, 5, 9])('never takes more than %i rows, five at most', (rows) => {
    const views = [
      checklistView(20, 3, { hint: 'long '.repeat(60) }),
      reviewView('x', 'h', { hint: 'long '.repeat(60) }),
    ];
    for (const view of views) {
      const lines = stripLines(view, 40, rows);
      expect(lines.length).toBeLessThanOrEqual(Math.min(5, rows));
      for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(40);
    }
  });
});

describe('status line', () => {
  const facts = { model: 'rehearsal model', folder: '~/a/long/path/to/project', home: '/home/ada' };
  const status = (view: SessionView, cells: number): string => lineText(statusLine(view, facts, cells));

  it('carries badge, policy, queue, model and folder', () => {
    const queue = [
      { id: '1', surface: 'tui', text: 'x', kind: 'user.chat', owner: 'here', state: 'waiting' } as const,
    ];
    expect(status(checklistView(1, 0, { queue }), 100)).toBe(
      '[Active] · asks before acting · 1 queued · rehearsal model · ~/a/long/path/to/project',
    );
  });

  it.each([
    [100, '[Active] · asks before acting · ctx: 45K/200K 22% · rehearsal model · ~/a/long/path/to/project'],
    [40, '[Active] · asks first · ctx: 22%'],
    [30, '[Active] · asks first'],
  ])('D27 carries how full the window is, at %i cells', (cells, wanted) => {
    const context = { used: 45_000, window: 200_000 };
    expect(lineText(statusLine(checklistView(1, 0), facts, cells, { context, telegram: null }))).toBe(wanted);
  });

  it('D27 stands out before a compaction', () => {
    const colours = (used: number) =>
      statusLine(viewOf(), facts, 80, { context: { used, window: 100 }, telegram: null }).flatMap(
        ({ colour }) => colour ?? [],
      );
    expect([colours(80), colours(81)]).toEqual([[], ['yellow']]);
  });

  it.each([
    ['connecting', 'Telegram: connecting', []],
    ['connected', 'Telegram: on', []],
    ['unreachable', 'Telegram: not reached', ['yellow']],
    ['ended', 'Telegram: ended', ['red']],
  ] as const)('D36 says how the bot beside it stands: %s', (telegram, words, colours) => {
    const line = statusLine(viewOf(), facts, 100, { context: null, telegram });
    expect(lineText(line)).toBe(`asks before acting · ${words} · rehearsal model · ${facts.folder}`);
    expect(line.flatMap(({ colour }) => colour ?? [])).toEqual(colours);
  });

  it('D2 names yolo in words at every width', () => {
    for (const cells of [40, 60, 100])
      expect(status(checklistView(1, 0, { policy: 'yolo' }), cells)).toContain('yolo');
  });

  it.each([40, 50, 60, 80, 120])('fits into %i cells', (cells) => {
    const line = statusLine(
      reviewView('x', 'h', { policy: 'yolo', badge: 'Editing · no plan yet' }),
      facts,
      cells,
    );
    expect(lineWidth(line)).toBeLessThanOrEqual(cells);
  });
});

describe('D36 activity', () => {
  const now = new Date('2026-01-02T12:03:09.000Z').getTime();
  const activity = (view: SessionView, cells = 80): string[] => texts(activityLines(view, now, cells));

  it('shows nothing while idle', () => {
    expect(activity(viewOf())).toEqual([]);
  });

  it('shows how long a turn has run and how to stop it', () => {
    expect(activity(running(viewOf()))).toEqual(['… working 9 s · Esc Esc stops']);
  });

  it('names the surface of a turn that runs elsewhere', () => {
    expect(activity(running(viewOf(), { surface: 'telegram' }))).toEqual([
      '… working for Telegram 9 s · Esc Esc stops',
    ]);
  });

  it('says where a turn waits, since when and what ends it, without a clock that runs', () => {
    const since = '2026-01-02T12:03:00.000Z';
    const view = running(viewOf(), { waiting: { what: 'approval', surface: 'tui', since } });
    const wanted = `… waits in the terminal for your answer since ${clock(since)}; /stop ends it`;
    expect(activity(view)).toEqual([wanted]);
    expect(activity(view, 40).join(' ')).toContain('/stop');
    expect(activityLines(view, now, 80)).toEqual(activityLines(view, now + 60_000, 80));
  });

  it.each([
    ['stopping', 'stopping'],
    ['discarding', 'stopping, then discarding'],
  ] as const)('says %s', (turn, text) => {
    expect(activity({ ...running(viewOf()), turn })).toEqual([`… ${text}`]);
  });
});

describe('words', () => {
  it('writes times, places and folders as people do', () => {
    expect(duration(65_000)).toBe('1 min 5 s');
    expect(duration(3_780_000)).toBe('1 h 3 min');
    expect(duration(-5)).toBe('0 s');
    expect(clock('not a time')).toBe('not a time');
    expect(place('telegram')).toBe('Telegram');
    expect(place('toString')).toBe('toString');
    expect(shortFolder('/home/ada/project', '/home/ada')).toBe('~/project');
    expect(shortFolder('/home/adam', '/home/ada')).toBe('/home/adam');
    expect(shortFolder('/home/ada', '/home/ada')).toBe('~');
  });
});
