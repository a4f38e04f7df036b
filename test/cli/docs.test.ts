import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { helpText } from '../../adapters/cli/help.ts';
import { root } from './planchart.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const decisions = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d/u.test(name));

describe('the documents', () => {
  it.each(pages)('%s links to what is there', (page) => {
    const targets = [...read(page).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/gu)].map(
      ([, target = '']) => target,
    );
    const missing = targets.filter((target) => !existsSync(join(root, dirname(page), target)));
    expect(missing).toEqual([]);
    expect(read(page)).toMatch(/^# /u);
  });

  it('every decision has its own number, its parts, and a line in the index', () => {
    const index = read('docs/decisions/README.md');
    expect(decisions.length).toBeGreaterThan(10);
    expect(decisions.map((name) => Number(name.slice(0, 4)))).toEqual(decisions.map((_, at) => at + 1));
    for (const name of decisions) {
      const text = read(join('docs/decisions', name));
      const [, title = ''] = new RegExp(`^# ${name.slice(0, 4)}\\. (.+)\\n`, 'u').exec(text) ?? [];
      expect(text).toMatch(/\n## Context\n[\s\S]+\n## Decision\n[\s\S]+\n## Consequence\n/u);
      expect(index).toContain(`| [${name.slice(0, 4)}](${name}) | ${title} |`);
    }
  });

  it('README and --help name the same options, variables and exit codes', () => {
    const readme = read('README.md');
    const options = new Set(helpText.match(/--[a-z]+/gu));
    expect(options.size).toBeGreaterThan(7);
    for (const option of options) expect(readme).toContain(option);
    for (const name of helpText.match(/[A-Z]+_[A-Z_]+/gu) ?? []) expect(readme).toContain(name);
    const codes = /^Exit codes: (.+)$/mu.exec(helpText)?.[1] ?? '';
    expect(readme).toContain(`Exit codes of \`run\`: ${codes}.`);
  });

  it('names only npm scripts that there are', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = pages.flatMap((page) => [...read(page).matchAll(/npm run ([a-z]+)/gu)]);
    expect(named.length).toBeGreaterThan(2);
    for (const [, name = ''] of named) expect(Object.keys(scripts)).toContain(name);
  });
});
