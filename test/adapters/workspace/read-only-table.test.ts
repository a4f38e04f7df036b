import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeCommand } from '../../../adapters/workspace/allow-list.ts';
import { readOnlyCommands, readOnlyNames } from '../../../adapters/workspace/read-only-table.ts';
import { commitAll, photograph } from './folder.ts';
import { readOnlyPage, readOnlyRow } from './read-only-page.ts';
import { said, shellWorld, without } from './shell-world.ts';

const page = fileURLToPath(new URL('../../../docs/read-only-commands.md', import.meta.url));

function project() {
  const { root, cwd, home } = shellWorld(without);
  commitAll(cwd);
  const env = { HOME: root, PATH: process.env['PATH'] ?? '' };
  return { ...shellWorld({ ...without, cwd, home, env }), cwd, places: { cwd, home, env } };
}

describe('B27 one table for gate, preview and docs', () => {
  it.each(readOnlyCommands.map((row) => [row.example, row] as const))('%s', async (_example, row) => {
    const { run, cwd, shell } = project();
    const before = photograph(cwd);
    const command = row.example.replace('src', '.').replace('a.json', 'a.txt');
    const outcome = await run(command, 'readOnly');
    // A program may be missing here; it is never the gate that says no.
    expect(outcome.kind).toBe('ended');
    expect(photograph(cwd)).toBe(before);
    expect(await shell.level('readOnly')).toBe('read-only commands, no sandbox');
    expect(readFileSync(page, 'utf8')).toContain(`${readOnlyRow(row)}\n`);
    expect(readOnlyNames()).toContain(row.name.replace('git ', ''));
  });

  it('no name twice', () => {
    const names = readOnlyCommands.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  it('the committed page is fresh', async () => {
    expect(existsSync(page)).toBe(true);
    await expect(readOnlyPage()).toMatchFileSnapshot(page);
  });
});

/* Lines of the table's own words, its forbidden options among them, in any quotes. */

const plain = [
  'a.txt',
  'out.txt',
  'src',
  '.',
  '-',
  'HEAD',
  'x',
  '1',
  '+%Y',
  '*',
  '*.txt',
  'one two',
  'new.key',
  '--list',
  'list',
  '-o',
  '-w',
  '--output=out.txt',
  '--',
  '-n',
  '-c',
  '$HOME',
];
const quotes = fc.constantFrom<(word: string) => string>(
  (word) => (/[*$]/.test(word) ? word : word.replace(/[^\w./=+-]/g, '\\$&')),
  (word) => `'${word}'`,
  (word) => `"${word}"`,
  (word) => `${word.slice(0, 1)}''${word.slice(1).replace(/[^\w./=+-]/g, '\\$&')}`,
  (word) => `$'${word}'`,
);
const quoted = (word: fc.Arbitrary<string>) => fc.tuple(word, quotes).map(([text, quote]) => quote(text));

const simple = fc.constantFrom(...readOnlyCommands).chain((row) => {
  const own = 'but' in row.options ? row.options.but : row.options.only;
  const options = own.map((option) => option.replace(/[=?]$/, '').replace('-#', '-3'));
  const word = fc.oneof(quoted(fc.constantFrom(...plain)), quoted(fc.constantFrom('-a', ...options)));
  const end = row.name === '[' ? [']'] : [];
  return fc.array(word, { maxLength: 4 }).map((words) => [row.name, ...words, ...end].join(' '));
});
const redirect = fc.constantFrom(
  '',
  '',
  '',
  ' 2>&1',
  ' >/dev/null',
  ' > out.txt',
  ' >> a.txt',
  ' <a.txt',
  ' <<<x',
  ' &>out.txt',
);
const around = fc.constantFrom(
  '%',
  '%',
  '%',
  '( % )',
  '{ %; }',
  '! %',
  'echo "$(%)"',
  'cat <(%)',
  'if true; then %; fi',
  '% &',
);
const part = fc
  .tuple(simple, redirect, around)
  .map(([line, to, shape]) => shape.replace('%', () => line + to));
const line = fc
  .tuple(part, fc.array(fc.tuple(fc.constantFrom(' | ', ' && ', ' || ', '; ', '\n'), part), { maxLength: 2 }))
  .map(([first, more]) => first + more.map(([operator, next]) => operator + next).join(''));

describe('D22 whatever the words', () => {
  it('an allowed line changes nothing in the folder', async () => {
    const { run, cwd, places } = project();
    const before = photograph(cwd);
    const seen = { allowed: 0, refused: 0 };
    const property = fc.asyncProperty(line, async (command) => {
      const { allowed } = await judgeCommand(command, places);
      seen[allowed ? 'allowed' : 'refused']++;
      const outcome = await run(command, 'readOnly', 2000);
      expect([outcome.kind, photograph(cwd)]).toEqual([allowed ? 'ended' : 'refused', before]);
      // What bash could not read was not what had been judged.
      expect(said(outcome)).not.toMatch(/^bash: (-c: )?line \d+: (syntax error|unexpected)/m);
    });
    await fc.assert(property, { numRuns: 300 });
    // A generator that only makes refused lines would show nothing, and neither would one without them.
    expect(Math.min(seen.allowed, seen.refused)).toBeGreaterThan(50);
  }, 120_000);
});
