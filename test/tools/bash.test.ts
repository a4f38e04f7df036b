import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createShell } from '../../adapters/workspace/shell.ts';
import type { ShellOutcome } from '../../tools/types.ts';
import { toolNamed, world } from './world.ts';

const ended = { kind: 'ended', exit: 0, output: '', cut: false, timedOut: false } as const;
const answering = (outcome: ShellOutcome) => ({ level: async () => 'test level', run: async () => outcome });

describe('bash', () => {
  it.each([
    [{ command: 'ls' }, 120_000],
    [{ command: 'ls', timeout_seconds: 5 }, 5000],
    [{ command: 'ls', timeout_seconds: 9999 }, 600_000],
    [{ command: 'ls', timeout_seconds: 0 }, 1000],
  ])('%j gets %d ms', async (input, timeoutMs) => {
    const { call, commands } = world();
    expect(await call('bash', input)).toEqual({ text: 'out\n[exit code 0 · test level]' });
    expect(commands).toEqual([{ command: 'ls', timeoutMs }]);
  });

  it.each([
    [{ ...ended }, { text: '(no output)\n[exit code 0 · test level]' }],
    [
      { ...ended, exit: 2, output: 'bad\n' },
      { text: 'bad\n[exit code 2 · test level]', failed: true },
    ],
    [
      { ...ended, exit: null },
      { text: '(no output)\n[ended by a signal · test level]', failed: true },
    ],
    [
      { ...ended, exit: null, timedOut: true, output: 'part' },
      {
        text: 'part\n[ended after 120 s without finishing; it may have run in part · test level]',
        failed: true,
      },
    ],
    [{ kind: 'refused', text: 'Install it.' } as const, { text: 'Install it.', failed: true }],
  ])('%j', async (outcome, result) => {
    expect(await world({}, { shell: answering(outcome) }).call('bash', { command: 'x' })).toEqual(result);
  });

  it('says that a cancelled command may have run in part', async () => {
    const parts = { shell: answering({ ...ended, exit: null }), signal: AbortSignal.abort() };
    const { text } = await world({}, parts).call('bash', { command: 'x' });
    expect(text).toBe('(no output)\n[cancelled; it may have run in part · test level]');
  });

  it('runs nothing for an empty command', async () => {
    const { call, commands } = world();
    expect(await call('bash', { command: ' \n' })).toMatchObject({ failed: true });
    expect(commands).toEqual([]);
  });

  it('shows the whole command first, and one line of it in the log', async () => {
    const { preview, cwd } = world();
    const command = `first line\nsecond ${'x'.repeat(500)}`;
    expect(await preview('bash', { command })).toEqual({ title: `Run in ${cwd}`, body: command });
    expect(toolNamed('bash').summary({ command })).toMatch(/^first line second x+… \[\d+ more\]$/);
  });

  it('works with the real shell', async () => {
    const { cwd } = world({ 'a.txt': 'one\n' });
    const shell = createShell({
      cwd,
      turn: 'turn-1',
      home: join(cwd, 'home'),
      env: { PATH: process.env.PATH },
    });
    const { call } = world(
      {},
      {
        shell: {
          level: () => shell.level('project'),
          run: (command, timeoutMs, signal) => shell.run(command, 'project', timeoutMs, signal),
        },
      },
    );
    const { text } = await call('bash', { command: 'cat a.txt; touch b.txt; exit 4' });
    expect(text).toMatch(/^one\n\[exit code 4 · your rights/);
    expect(existsSync(join(cwd, 'b.txt'))).toBe(true);
  });
});

describe('follow_up_question', () => {
  it('asks and answers with what the person said', async () => {
    const { call, asked } = world();
    expect(await call('follow_up_question', { question: 'Which?', options: ['a', 'b'] })).toEqual({
      text: 'the answer',
    });
    expect(await call('follow_up_question', { question: 'Why?' })).toEqual({ text: 'the answer' });
    expect(asked).toEqual([
      { question: 'Which?', options: ['a', 'b'] },
      { question: 'Why?', options: [] },
    ]);
  });

  it('fails when the turn was cancelled, and asks nothing that is empty', async () => {
    const { call } = world({}, { ask: async () => null });
    expect(await call('follow_up_question', { question: 'Which?' })).toEqual({
      text: 'The turn was cancelled before the user answered.',
      failed: true,
    });
    const other = world();
    expect(await other.call('follow_up_question', { question: ' ' })).toMatchObject({ failed: true });
    expect(other.asked).toEqual([]);
  });
});
