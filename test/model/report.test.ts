import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { htmlText } from './html.ts';
import { escaped, junitText } from './junit.ts';
import { machineSuite, suiteOf } from './machines.ts';
import { readOptions } from './options.ts';
import { gapLines, isGreen, tableText } from './report.ts';
import { failedIn, type Suite } from './suite.ts';
import { agentMachine } from '../../machines/index.ts';
import { agentPlace, exploreAgent } from '../support/cover-agent.ts';

const folder = mkdtempSync(join(tmpdir(), 'planchart-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A suite with everything that a report has to survive. */
const nasty: Suite = {
  machine: 'session',
  surface: 'tui',
  counts: [
    { kind: 'states', covered: 12, of: 13, missing: ['plan.unreadable'] },
    { kind: 'what it can do', covered: 3, of: 4, missing: ['moves: user.stop'] },
  ],
  owes: 'what it can do',
  steps: 2,
  ms: 1500,
  cases: [
    { id: 'aaaaaaaa', name: 'a <b> & "c"', lines: ['1. one → two'], ms: 5, failure: null },
    {
      id: 'bbbbbbbb',
      name: "it's ]]> wrong",
      lines: ['1. one → two', '2. \u001b[31mred <script>alert(1)</script>'],
      ms: 7,
      failure: { step: 1, differences: ['state: the model says "a", it is "b" & <c>', 'and more'] },
    },
  ],
  cannot: [{ reason: 'no <keys> for it', moves: ['a', 'b'], transitions: ['c'] }],
};

interface Tag {
  name: string;
  attributes: Record<string, string>;
  inside: Tag[];
  text: string;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function unescaped(text: string): string {
  if (/[<]|&(?!(amp|lt|gt|quot|#39);)/u.test(text)) throw new Error(`not XML: ${text}`);
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/gu, (_, name: string) => entities[name] ?? '');
}

/** Reads the XML that is written here, strictly: anything that is not well-formed is an error. */
function parsed(xml: string): Tag {
  const root: Tag = { name: '', attributes: {}, inside: [], text: '' };
  const open = [root];
  for (const [, text = '', tag] of xml
    .replace(/^<\?xml [^?]*\?>/u, '')
    .matchAll(/([^<]*)(?:<([^>]*)>|$)/gu)) {
    const at = open.at(-1);
    if (at === undefined) throw new Error('closed once too often');
    at.text += unescaped(text);
    if (tag === undefined) continue;
    if (tag.startsWith('/')) {
      if (open.pop()?.name !== tag.slice(1)) throw new Error(`closes another tag: ${tag}`);
      continue;
    }
    const [, name = '', rest = '', ends] = /^([a-z]+)((?: [a-z]+="[^"]*")*)(\/?)$/u.exec(tag) ?? [];
    if (name === '') throw new Error(`no tag: ${tag}`);
    const pairs = [...rest.matchAll(/ ([a-z]+)="([^"]*)"/gu)];
    const attributes = Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, unescaped(value)]));
    const made: Tag = { name, attributes, inside: [], text: '' };
    at.inside.push(made);
    if (ends !== '/') open.push(made);
  }
  if (open.length !== 1) throw new Error('not closed');
  return root.inside[0] ?? root;
}

describe('JUnit XML', () => {
  const root = parsed(junitText([nasty], (_, { id }) => `npm run paths -- --id ${id}`));

  it('counts', () => {
    expect(root.name).toBe('testsuites');
    expect(root.attributes).toMatchObject({ tests: '2', failures: '1', time: '1.500' });
    expect(root.inside[0]?.attributes).toMatchObject({ name: 'session on tui', tests: '2', failures: '1' });
  });

  it('has a case for each path, its failure in words, and no byte that XML forbids', () => {
    const [, passed, failed] = root.inside[0]?.inside ?? [];
    expect(passed).toMatchObject({ name: 'testcase', inside: [] });
    expect(passed?.attributes).toMatchObject({ classname: 'session.tui', name: 'aaaaaaaa a <b> & "c"' });
    const [failure] = failed?.inside ?? [];
    expect(failure?.attributes['message']).toBe('step 2: state: the model says "a", it is "b" & <c>');
    expect(failure?.text).toContain('<script>alert(1)</script>');
    expect(failure?.text).toContain('npm run paths -- --id bbbbbbbb');
    expect(failure?.text).not.toContain('\u001b');
    expect(escaped('\u0000\uD800ok\u{1F600}')).toBe('\uFFFD\uFFFDok\u{1F600}');
  });

  it('would not read what is no XML', () => {
    for (const wrong of ['<a>', '<a></b>', '<a b=c/>', '<a>&x;</a>', '<a/></a>'])
      expect(() => parsed(wrong)).toThrow(Error);
  });
});

describe('the page', () => {
  const page = htmlText([nasty], 'npm run paths', (_, { id }) => `--id ${id}`);

  it('is whole by itself, and runs nothing', () => {
    expect(page).not.toMatch(/<script|<link|<img|src=|https?:/u);
    expect(page).toContain('&lt;script&gt;');
    expect(page).toContain('<title>planchart paths: 1 of 2 failed</title>');
  });

  it('shows the failed path first, and open', () => {
    const details = [...page.matchAll(/<details class="([a-z]+)"( open)?>/gu)].map(([, state, open]) => [
      state,
      open,
    ]);
    expect(details).toEqual([
      ['failed', ' open'],
      ['passed', undefined],
    ]);
  });
});

describe('the table', () => {
  it('has a row for each machine and surface, and says what is not covered and why', () => {
    const [head = '', row = ''] = tableText([nasty]).split('\n');
    expect(head).toMatch(/^machine +on +states +transitions/u);
    expect(row).toMatch(/^session +tui +12\/13 +– .* 3\/4 +2 +1 +2 +1\.5 s$/u);
    expect(gapLines(nasty)).toEqual([
      'tui: no <keys> for it (2 moves, 1 transitions)',
      'session on tui, what it can do: moves: user.stop',
    ]);
  });

  it('is green only when no path has failed and nothing owed is left out', () => {
    const fine: Suite = { ...nasty, cases: nasty.cases.slice(0, 1), counts: nasty.counts.slice(0, 1) };
    expect(isGreen(fine)).toBe(true);
    expect(isGreen({ ...fine, cases: nasty.cases })).toBe(false);
    expect(isGreen({ ...fine, counts: nasty.counts })).toBe(false);
    expect(isGreen({ ...fine, owes: 'everything' })).toBe(false);
  });
});

describe('machines without a surface', () => {
  it('have a case for each state and kind of event', () => {
    const suite = machineSuite('agent');
    expect(isGreen(suite)).toBe(true);
    expect(suite.cases.length).toBeGreaterThan(60);
    expect(new Set(suite.cases.map(({ id }) => id)).size).toBe(suite.cases.length);
  });

  it('fail with the shortest way to what is wrong', () => {
    const suite = suiteOf(() => ({
      name: 'agent',
      machine: agentMachine,
      edges: exploreAgent(),
      placeOf: agentPlace,
      faults: ({ from, event }) =>
        from.value === 'judging' && event.type === 'cancel' ? ['it must not stop'] : [],
    }));
    expect(isGreen(suite)).toBe(false);
    expect(failedIn(suite).map(({ name, failure, lines }) => [name, failure, lines.length])).toEqual([
      ['judging × cancel', { step: 2, differences: ['it must not stop'] }, 4],
    ]);
    expect(failedIn(suite)[0]?.lines.at(-1)).toMatch(/^3\. cancel .* → settling/u);
  });
});

describe('options', () => {
  it.each([
    [['--machine', 'moon'], /^--machine takes session, keyboard, flow, agent or all, not "moon"\.$/u],
    [['--surface', 'web'], /^--surface takes engine/u],
    [['--seed', '-1'], /--seed/u],
    [['--longest', '0'], /--longest/u],
    [['--bogus'], /--bogus/u],
    [['stray'], /stray/u],
  ])('%j is refused in one line', (args, words) => {
    const found = readOptions(args);
    const cause = found !== 'help' && 'cause' in found ? found.cause : '';
    expect(cause).toMatch(words);
    expect(cause).not.toContain('\n');
  });

  it('are all there, and the engine is the standard surface', () => {
    expect(readOptions([])).toMatchObject({ surfaces: ['engine'], pairs: 'none', seed: 0, only: null });
    expect(
      readOptions(['--surface', 'all', '--two-switch', '--seed', '7', '--machine', 'flow']),
    ).toMatchObject({
      machines: ['flow'],
      surfaces: ['engine', 'tui', 'telegram'],
      pairs: 'two-switch',
      seed: 7,
    });
    expect(readOptions(['--only', 'preInit'])).toMatchObject({ machines: ['session'], only: 'preInit' });
    expect(readOptions(['--help'])).toBe('help');
  });
});

const entry = fileURLToPath(new URL('paths.ts', import.meta.url));

const run = (...args: string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [entry, ...args], (_, out, err) => {
      resolve({ code: child.exitCode ?? -1, out, err });
    });
  });

describe('npm run paths', { timeout: 120_000 }, () => {
  it('prints a path that is walked again by its id, and writes both reports', async () => {
    const [xml, page] = [join(folder, 'new', 'paths.xml'), join(folder, 'paths.html')];
    const all = await run('--machine', 'agent', '--junit', xml, '--html', page);
    expect(all).toMatchObject({ code: 0 });
    const [first] = parsed(readFileSync(xml, 'utf8')).inside[0]?.inside.slice(1) ?? [];
    const id = first?.attributes['name']?.slice(0, 8) ?? '';
    expect(readFileSync(page, 'utf8')).toContain(id);
    const again = await run('--machine', 'agent', '--id', id);
    expect(again.code).toBe(0);
    expect(again.out).toContain(`path ${id}, as the machine says:\n0. It begins: asking`);
  });

  it('refuses what is not there in one line', async () => {
    const unknown = await run('--machine', 'agent', '--id', 'nothing');
    expect([unknown.code, unknown.err]).toEqual([2, 'No path has the id "nothing" with these options.\n']);
    const state = await run('--only', 'nowhere');
    expect([state.code, state.err]).toEqual([2, 'The session machine has no state "nowhere".\n']);
  });
});
