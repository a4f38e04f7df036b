import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadPrompts, PromptError } from '../../adapters/prompts.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'prompts-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

function put(name: string, text: string): void {
  writeFileSync(join(dir, `${name}.md`), text);
}

function front(name: string, variables: string): string {
  return `---\nname: ${name}\npurpose: Test.\nvariables: [${variables}]\n---\n`;
}

function failure(act: () => unknown): PromptError {
  try {
    act();
  } catch (error) {
    if (error instanceof PromptError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('loadPrompts', () => {
  it('takes a URL or a path and lists the names sorted', () => {
    put('b', `${front('b', '')}B\n`);
    put('a', `${front('a', '')}A\n`);
    writeFileSync(join(dir, 'notes.txt'), 'not a prompt');
    expect(loadPrompts(dir).names).toEqual(['a', 'b']);
    expect(loadPrompts(pathToFileURL(`${dir}/`)).names).toEqual(['a', 'b']);
  });

  it('reads a file with a byte order mark and Windows line ends', () => {
    put('a', `\uFEFF${front('a', 'x')}one {{x}}\ntwo\n`.replaceAll('\n', '\r\n'));
    expect(loadPrompts(dir).render('a', { x: 1 })).toBe('one 1\ntwo');
  });

  it.each([
    ['no front matter', 'text', 1, 'no front matter'],
    ['front matter that never ends', '---\nname: a\npurpose: p\n', 1, 'no front matter'],
    ['YAML that does not parse', '---\nname: a\npurpose: "open\nvariables: []\n---\nx', 5, 'front matter'],
    ['a key twice', '---\nname: a\nname: a\npurpose: p\nvariables: []\n---\nx', 3, 'duplicated mapping key'],
    ['an unknown key', '---\nname: a\npurpose: p\nvariables: []\nextra: 1\n---\nx', 5, 'extra'],
    ['variables of a wrong type', '---\nname: a\npurpose: p\nvariables: path\n---\nx', 4, 'variables'],
    ['a missing purpose', '---\nname: a\nvariables: []\n---\nx', 1, 'purpose'],
    ["another file's name", '---\npurpose: p\nname: b\nvariables: []\n---\nx', 3, '"name" is "b"'],
    ['a placeholder that is not one', `${front('a', 'x')}{{x}}\n\n{{ x }}\n`, 8, 'not of the form'],
  ])('names file and line of %s', (_, text, line, words) => {
    put('a', text);
    const error = failure(() => loadPrompts(dir));
    expect(error.code).toBe('PROMPT_FILE');
    expect(error.data).toEqual({ file: 'a.md', line });
    expect(error.message).toContain(`prompts/a.md:${line}: `);
    expect(error.message).toContain(words);
  });

  it.each(['js', 'javascript', 'JavaScript', 'coffee', 'coffeescript', 'cson'])(
    'never runs front matter in %s',
    (language) => {
      put('a', `---${language}\n{ name: (globalThis.ranFrontMatter = 'a') }\n---\nx`);
      expect(failure(() => loadPrompts(dir)).message).toContain('is code and is not run');
      expect('ranFrontMatter' in globalThis).toBe(false);
    },
  );

  it.each(['toml', '__proto__', 'constructor', 'toString'])('refuses front matter in %s', (language) => {
    put('a', `---${language}\nname: a\n---\nx`);
    expect(failure(() => loadPrompts(dir)).data.file).toBe('a.md');
  });

  it('names a placeholder that is not declared, with its line', () => {
    put('a', `${front('a', 'x')}{{x}}\n{{y}}\n`);
    const error = failure(() => loadPrompts(dir));
    expect([error.code, error.data]).toEqual(['PROMPT_VARIABLE', { file: 'a.md', line: 7, variable: 'y' }]);
    expect(error.message).toBe('prompts/a.md:7: variable "y" stands in the text but is not in "variables".');
  });

  it('names a declared variable that is never used', () => {
    put('a', `${front('a', 'x, y')}{{x}}\n`);
    const error = failure(() => loadPrompts(dir));
    expect([error.code, error.data]).toEqual(['PROMPT_VARIABLE', { file: 'a.md', variable: 'y' }]);
  });
});

describe('render', () => {
  it('names a variable that is missing or not declared', () => {
    put('a', `${front('a', 'x')}{{x}}\n`);
    const prompts = loadPrompts(dir);
    expect(failure(() => prompts.render('a', {})).message).toContain(
      'prompts/a.md: variable "x" was not given',
    );
    const extra = failure(() => prompts.render('a', { x: '1', toString: '2' }));
    expect(extra.data).toEqual({ file: 'a.md', variable: 'toString' });
    expect(failure(() => prompts.render('b', {})).code).toBe('PROMPT_UNKNOWN');
  });

  it('puts a value in as it is', () => {
    put('a', `${front('a', 'x, y')}<{{x}}|{{y}}>\n`);
    expect(loadPrompts(dir).render('a', { x: '{{y}} $& $1', y: 'a\nb' })).toBe('<{{y}} $& $1|a\nb>');
  });

  it('drops a line of blank placeholders only, and spaces at the end of a filled line', () => {
    put('a', `${front('a', 'x, y')}top {{x}}\n{{y}}\n\nend\n`);
    const prompts = loadPrompts(dir);
    expect(prompts.render('a', { x: '', y: '' })).toBe('top\n\nend');
    expect(prompts.render('a', { x: 'X', y: 'Y' })).toBe('top X\nY\n\nend');
  });
});
