import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replay as replayInPage } from '../../adapters/charts/page/replay.ts';
import { pageLink } from '../../adapters/cli/replay-page.ts';
import { derive, journalLine, type JournalLine } from '../../machines/index.ts';
import { sessionIn, stampOf } from '../support/samples.ts';
import { createWorld, lines, type World } from './planchart.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.end());

const session = async (...args: string[]): Promise<string> => {
  const { stderr } = await world.run([...args, 'run', 'Make a checklist of the readers, zebra']);
  return /^Session (\S+) in /mu.exec(stderr)?.[1] ?? '';
};
const journalOf = (id: string): string =>
  join(world.home, '.opencrabs/planchart/sessions', id, 'journal.jsonl');

describe('planchart replay', () => {
  it('walks a journal through the machine: by the session, and by its file from another folder', async () => {
    const id = await session('--yolo');
    expect(readFileSync(journalOf(id), 'utf8')).not.toContain('zebra');
    const { code, stdout, stderr } = await world.run(['replay', id]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const rows = lines(stdout);
    expect(rows[0]).toMatch(
      /^ {2}1 {2}\d\d:\d\d:\d\d\.\d{3} [0-9a-f]{8} {2}owner tui +user\.policy yolo +accepted +noPlan\/idle$/u,
    );
    expect(rows[1]).toMatch(/ owner run +user\.chat .*accepted +noPlan\/idle → noPlan\/running$/u);
    expect(rows.at(-1)).toMatch(/^\d+ steps, each as the machine takes it\.$/u);
    writeFileSync(join(world.project, 'report.jsonl'), readFileSync(journalOf(id)));
    expect(await world.run(['replay', 'report.jsonl', '--home', 'elsewhere'])).toMatchObject({
      code: 0,
      stdout,
    });
  });

  it('names the step that deviates, and exits with 1', async () => {
    const id = await session();
    const text = readFileSync(journalOf(id), 'utf8').replace('noPlan/running', 'editing.preInit/running');
    writeFileSync(join(world.project, 'bad.jsonl'), text);
    const { code, stdout } = await world.run(['replay', 'bad.jsonl']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^≠ 1 .*user\.chat/mu);
    expect(stdout).toContain('the machine goes to noPlan/running, noted is editing.preInit/running');
    expect(stdout).toMatch(/^~ the step before ended in editing\.preInit\/running, this one begins in /mu);
    expect(stdout.match(/^≠/gmu)).toHaveLength(1);
    expect(lines(stdout).at(-1)).toMatch(/^1 of \d+ steps deviate\.$/u);
  });

  it('leaves a torn last line out; another line that is none of this version is an exit code of 1', async () => {
    const id = await session();
    appendFileSync(journalOf(id), '{"v":1,"at":"2026');
    const torn = await world.run(['replay', id]);
    expect(torn.code).toBe(0);
    expect(torn.stdout).toContain('The last line was not written to its end; it is left out.\n');
    const text = readFileSync(journalOf(id), 'utf8');
    writeFileSync(journalOf(id), `{"v":2}\n${text}`);
    const other = await world.run(['replay', id]);
    expect(other.code).toBe(1);
    expect(other.stdout).toContain('Not of this version: line 1.\n');
    writeFileSync(journalOf(id), `${'{"v":2}\n'.repeat(22)}${text}`);
    const many = await world.run(['replay', id]);
    expect(many.stdout).toMatch(/^Not of this version: line 1, 2, .*, 19, 20 and 2 more\.$/mu);
  });

  it('takes a file without any step for no journal', async () => {
    writeFileSync(join(world.project, 'other.jsonl'), '{"v":2}\n{"v":2}\n');
    expect(await world.run(['replay', 'other.jsonl'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: '"other.jsonl" is no journal of this version: none of its lines is a step.\n',
    });
  });

  it.each<[name: string, args: string[], line: RegExp]>([
    ['no journal', ['replay'], /^replay takes one journal: /u],
    ['two journals', ['replay', 'a', 'b'], /^replay takes one journal: /u],
    ['no such file', ['replay', 'none.jsonl'], /^The journal can't be read: ENOENT/u],
    ['a folder', ['replay', '.'], /^The journal can't be read: EISDIR/u],
    [
      'a session that there is not',
      ['replay', '3f2b8c1e-6a4d-4f0e-9b7a-2d5c8e1f0a63'],
      /no session|has no steps in its journal/u,
    ],
    ['an option of others', ['replay', 'a', '--json'], /--json goes with/u],
    ['--open with another command', ['status', '--open'], /--open goes with charts and replay only/u],
  ])('%s is wrong usage', async (_name, args, line) => {
    const { code, stdout, stderr } = await world.run(args);
    expect({ code, stdout, lines: lines(stderr).length }).toEqual({ code: 2, stdout: '', lines: 1 });
    expect(stderr).toMatch(line);
  });
});

/** A program in the place of the system's opener, which writes down what it was given. */
function fakeOpener(): { PATH: string; TMPDIR: string; opened: () => string } {
  const bin = join(world.folder, 'bin');
  mkdirSync(bin);
  const told = join(world.folder, 'opened');
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(bin, name), `#!/bin/sh\nprintf %s "$1" > '${told}'\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const PATH = [bin, process.env['PATH']].join(delimiter);
  return { PATH, TMPDIR: world.folder, opened: () => readFileSync(told, 'utf8') };
}

describe('a journal in the chart page', () => {
  it('--open leads the browser to the page with the steps, which deviate there neither', async () => {
    const id = await session('--yolo');
    const { opened, ...env } = fakeOpener();
    const { code, stderr } = await world.run(['replay', id, '--open'], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const url = /location\.replace\("(.*)"\)/u.exec(readFileSync(opened(), 'utf8'))?.[1] ?? '';
    expect(url).toMatch(/^file:\/\/\/.*\/dist\/charts\/index\.html#session&journal=[\w-]+$/u);
    const walk = replayInPage(url.split('journal=')[1] ?? '');
    expect(walk.problem ?? null).toBe(null);
    expect(walk.steps.map(({ deviation }) => deviation)).toEqual(
      lines(readFileSync(journalOf(id), 'utf8')).map(() => null),
    );
  });

  it('holds the newest steps where not all fit into a link', () => {
    const before = derive(sessionIn('checklist', { turn: 'running' })).snapshot;
    const turn = before.context.record.lease?.turn ?? '';
    const all = Array.from({ length: 40 }, (_, index): JournalLine => {
      const event = { type: 'tool.start', turn, child: true, task: index + 1, ...stampOf(index) } as const;
      const verdict = { kind: 'refused', code: 'NOT_FOR_CHILD' } as const;
      return journalLine({ before, event, verdict, after: before, saved: true });
    });
    const whole = pageLink(all, '/page.html');
    expect(whole.left).toBe(0);
    const { url, left } = pageLink(all, '/page.html', whole.url.length / 2);
    expect(left).toBeGreaterThan(15);
    expect(url.length).toBeLessThan(whole.url.length / 2 + 100);
    const { steps, problem } = replayInPage(url.split('journal=')[1] ?? '');
    expect({ problem: problem ?? null, count: steps.length }).toEqual({ problem: null, count: 40 - left });
    expect(steps.every(({ deviation }) => deviation === null)).toBe(true);
  });
});
