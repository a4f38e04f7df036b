import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sessionMachine } from '../machines/index.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

interface Source {
  path: string;
  text: string;
  /** Packages as written, own files as paths from the root. */
  imports: readonly string[];
}

/** Import and re-export statements that start a line; one in a string of a generated file names no file of ours. */
function importsOf(path: string, text: string): string[] {
  const statement = /^(?:import|export)\s(?:[^'";]*?\sfrom\s)?\s*'([^']+)'/gmu;
  return [...text.matchAll(statement)].flatMap(([, target = '']) => {
    if (!target.startsWith('.')) return [target];
    const file = normalize(join(dirname(path), target));
    return existsSync(join(root, file)) ? [file] : [];
  });
}

function sourcesOf(...patterns: string[]): Source[] {
  const found = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', 'adapters/demo/sample/**'] });
  return found.toSorted().map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text, imports: importsOf(path, text) };
  });
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gmu, '');

const product = sourcesOf('machines/**/*.ts', 'tools/**/*.ts', 'adapters/**/*.{ts,tsx}');
const tests = sourcesOf('test/**/*.{ts,tsx}');
const below = (folder: string): Source[] => product.filter(({ path }) => path.startsWith(`${folder}/`));

/** Entry and composition roots: they wire everything, and only they read the environment. */
const roots = ['adapters/cli.ts', 'adapters/build.ts', 'adapters/cli/', 'adapters/demo/'];
const isRoot = (path: string): boolean => roots.some((start) => path.startsWith(start));
const isPackage = (target: string): boolean => !/^(machines|tools|adapters|prompts|test)\//u.test(target);
/** Contracts and small helpers that all adapters share, such as `adapters/ports.ts`. */
const isShared = (target: string): boolean => /^adapters\/[^/]+\.ts$/u.test(target) && !isRoot(target);

/** The import table of the architecture page; true where an import is allowed. */
function allowed(path: string, target: string): boolean {
  const [area, part = ''] = path.split('/');
  if (area === 'machines') return ['xstate', 'zod'].includes(target) || target.startsWith('machines/');
  if (target.startsWith('machines/')) return target === 'machines/index.ts';
  if (area === 'tools') return ['zod', 'diff', 'picomatch'].includes(target) || target.startsWith('tools/');
  if (isRoot(path)) return true;
  if (part === 'runtime') {
    if (isPackage(target)) return target.startsWith('node:');
    if (['tools/registry.ts', 'tools/types.ts'].includes(target)) return true;
    return isShared(target) || target.startsWith('adapters/runtime/');
  }
  if (isPackage(target)) return !/^(xstate|@xstate\/)/u.test(target);
  if (target === 'tools/types.ts') return part !== 'tui';
  return isShared(target) || target.startsWith(`adapters/${part}/`);
}

describe('the test sees what it judges', () => {
  const folders = [
    'machines',
    'machines/session',
    'tools',
    'tools/plan',
    'adapters/runtime',
    'adapters/store',
  ];

  it.each([...folders, 'adapters/llm', 'adapters/tui', 'adapters/workspace', 'adapters/cli'])(
    '%s',
    (folder) => {
      expect(below(folder).length).toBeGreaterThan(0);
      expect(below(folder).flatMap(({ imports }) => imports).length).toBeGreaterThan(0);
    },
  );

  it('tests, and imports that are known to be there', () => {
    expect(tests.length).toBeGreaterThan(20);
    const of = (path: string) => product.find((source) => source.path === path)?.imports ?? [];
    expect(of('machines/session/setup.ts')).toEqual(
      expect.arrayContaining(['xstate', 'machines/effects.ts']),
    );
    expect(of('adapters/ports.ts')).toContain('machines/index.ts');
    expect(of('machines/index.ts')).toContain('machines/verdict.ts');
  });

  it('reads every form of an import', () => {
    const text = [
      "import a from 'a';",
      "import type { B } from 'b';",
      "import {\n  c,\n  type C,\n} from 'c';",
      "import * as d from 'd';",
      "import 'e';",
      "export { f } from 'f';",
      "export * from 'g';",
      "export const h = 'not this';",
      "const i = `\n  import i from 'i';`;",
    ].join('\n');
    expect(importsOf('machines/x.ts', text)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it.each([
    ['machines/a.ts', 'node:fs'],
    ['machines/a.ts', 'adapters/ports.ts'],
    ['machines/a.ts', '@xstate/graph'],
    ['tools/a.ts', 'node:fs'],
    ['tools/a.ts', 'machines/verdict.ts'],
    ['tools/a.ts', 'adapters/ports.ts'],
    ['adapters/store/a.ts', 'adapters/llm/b.ts'],
    ['adapters/store/a.ts', 'tools/registry.ts'],
    ['adapters/tui/a.ts', 'tools/types.ts'],
    ['adapters/tui/a.ts', 'machines/select.ts'],
    ['adapters/tui/a.ts', 'xstate'],
    ['adapters/runtime/a.ts', 'adapters/store/b.ts'],
    ['adapters/runtime/a.ts', 'tools/bash.ts'],
    ['adapters/runtime/a.ts', 'ai'],
    ['adapters/ports.ts', 'adapters/cli.ts'],
    ['adapters/cli/a.ts', 'machines/verdict.ts'],
  ])('%s may not import %s', (path, target) => {
    expect(allowed(path, target)).toBe(false);
  });
});

describe('the import table holds', () => {
  it.each(product)('$path', ({ path, imports }) => {
    expect(imports.filter((target) => !allowed(path, target))).toEqual([]);
  });

  it('nothing is imported on the quiet in machines and tools', () => {
    const quiet = [...below('machines'), ...below('tools')].filter(({ text }) => {
      return /\b(import|require)\s*\(/u.test(withoutComments(text));
    });
    expect(quiet.map(({ path }) => path)).toEqual([]);
  });
});

describe('machines are pure', () => {
  const impure =
    /\bnew Date\b|\bDate\.|\bMath\.random\b|(?<![.\w])process\.\w|\b(setTimeout|setInterval|performance|crypto|fetch|globalThis)\b/u;

  it.each(below('machines'))('$path', ({ text }) => {
    expect(withoutComments(text)).not.toMatch(impure);
  });

  it('the statecharts start nothing: no timers, children, wildcards, finals or root handlers', () => {
    const charts = below('machines').filter(({ imports }) => imports.includes('xstate'));
    const forbidden = /\b(after|invoke|always|onDone):|\b(spawnChild|spawn)\b|type: 'final'|'\*':/u;
    expect(charts.length).toBeGreaterThan(1);
    const found = charts.map(({ path, text }) => [path, forbidden.exec(withoutComments(text))?.[0]]);
    expect(found.filter(([, match]) => match !== undefined)).toEqual([]);
    expect([...sessionMachine.root.transitions.keys()]).toEqual([]);
  });
});

describe('house style', () => {
  const lines = ({ text }: Source): number => text.trimEnd().split('\n').length;

  it.each([
    ['product files', product, 300],
    ['tests', tests, 400],
  ] as const)('%s stay within their length', (_, sources, limit) => {
    expect(sources.filter((source) => lines(source) > limit).map(({ path }) => path)).toEqual([]);
  });

  it('exports have names', () => {
    const anonymous = [...product, ...tests].filter(({ text }) => /^export default\b/mu.test(text));
    expect(anonymous.map(({ path }) => path)).toEqual([]);
  });

  it('only the composition roots read the environment', () => {
    const readers = product.filter(({ path, text }) => !isRoot(path) && /\bprocess\.env\b/u.test(text));
    expect(readers.map(({ path }) => path)).toEqual([]);
  });
});
