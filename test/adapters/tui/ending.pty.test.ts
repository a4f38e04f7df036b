import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reviewView, running, viewOf } from '../../support/fake-handle.ts';
import { tuiPrograms, type TuiProgram, type TuiPrograms } from './tui-program.ts';

const size = { cols: 80, rows: 24 };
const review = reviewView('# Plan', 'h1');
const resume = /Resume with: planchart --session 11111111-2222-4333-8444-555555555555/u;

let programs: TuiPrograms;
beforeAll(async () => {
  programs = await tuiPrograms();
});
afterAll(() => programs.end());

async function opened(): Promise<TuiProgram> {
  const tui = await programs.run({ view: review }, size);
  await tui.order({ do: 'reply', to: 'user.show', answer: { kind: 'view', text: '' } });
  tui.key('ctrlP');
  await tui.waitFor(/q close/u);
  return tui;
}

const restored = { buffer: 'normal', cursor: true, bracketedPaste: false, cursorKeys: false, mouse: 'off' };

/** What the program has left behind in the terminal. */
function leftBehind(tui: TuiProgram): typeof restored {
  return { buffer: tui.buffer(), cursor: tui.cursor().visible, ...tui.modes() };
}

describe('leaving', () => {
  it('D40 asks on Ctrl+C while idle, then leaves and says how to come back', async () => {
    const tui = await programs.run({}, size);
    tui.key('ctrlC');
    await tui.waitFor(/Press Ctrl\+C again to leave/u);
    tui.key('ctrlC');
    expect(await tui.exit()).toBe(0);
    expect(leftBehind(tui)).toEqual(restored);
    const rows = tui.screen();
    expect(rows.join('\n')).toMatch(resume);
    expect(rows.filter((row) => row.startsWith('›') || row.startsWith('─'))).toEqual([]);
    expect(tui.cursor()).toMatchObject({ x: 0, y: rows.findIndex((row) => resume.test(row)) + 1 });
  });

  it.each(['/quit\r', '/exit\r', '\u0004\u0004'])('leaves on %j', async (typed) => {
    const tui = await programs.run({}, size);
    for (const key of typed === '\u0004\u0004' ? ['\u0004', '\u0004'] : [typed]) tui.type(key);
    expect(await tui.exit()).toBe(0);
    expect(leftBehind(tui)).toEqual(restored);
    expect(tui.screen().join('\n')).toMatch(resume);
  });

  it('keeps the transcript on the screen', async () => {
    const tui = await programs.run({}, size);
    await tui.order({
      do: 'publish',
      events: [{ type: 'message.ended', turn: 't', text: 'The last words.' }],
    });
    await tui.waitFor(/The last words/u);
    tui.type('/quit\r');
    await tui.exit();
    expect(tui.history().filter((row) => row.includes('The last words.'))).toHaveLength(1);
  });

  it('asks before it interrupts a turn', async () => {
    const tui = await programs.run({ view: running(viewOf()) }, size);
    tui.type('/quit\r');
    await tui.waitFor(/\/quit again interrupts it/u);
    tui.type('/quit\r');
    expect(await tui.exit()).toBe(0);
    expect(leftBehind(tui)).toEqual(restored);
  });

  it('hands over to another session with the terminal restored', async () => {
    const other = { id: 'abc', name: null, cwd: '/b', state: 'No plan', used: '2026-01-02T12:00:00Z' };
    const tui = await programs.run({ sessions: [other] }, size);
    tui.type('/session abc\r');
    expect(await tui.exit()).toBe(0);
    await tui.fact((fact) => 'ended' in fact);
    expect(tui.facts).toEqual([{ sent: expect.anything() }, { switched: 'abc' }, { ended: 'switch' }]);
    expect(leftBehind(tui)).toEqual(restored);
    expect(tui.screen().join('\n')).not.toMatch(resume);
  });
});

describe('D40 a crash', () => {
  it.each([
    ['a thrown error', 'throw', 'inline'],
    ['a rejected promise', 'reject', 'inline'],
    ['an error while the plan is open', 'throw', 'overlay'],
  ] as const)('restores the terminal after %s and prints one line', async (_name, how, where) => {
    const tui = where === 'overlay' ? await opened() : await programs.run({}, size);
    await tui.order({ do: 'crash', how, text: 'boom \u001b[2J' });
    expect(await tui.exit()).toBe(1);
    expect(leftBehind(tui)).toEqual(restored);
    const shown = tui.history().filter((row) => row.includes('boom'));
    expect(shown).toEqual(['planchart stopped: boom ␛[2J (session 11111111-2222-4333-8444-555555555555)']);
    expect(tui.history().join('\n')).not.toMatch(/\bat .*:\d+/u);
  });

  it.each([
    ['inline', 'SIGTERM'],
    ['overlay', 'SIGTERM'],
    ['inline', 'SIGHUP'],
    ['overlay', 'SIGHUP'],
  ] as const)('restores the terminal when it is told to end (%s, %s)', async (where, signal) => {
    const tui = where === 'overlay' ? await opened() : await programs.run({}, size);
    tui.kill(signal);
    await tui.exit();
    expect(leftBehind(tui)).toEqual(restored);
  });
});
