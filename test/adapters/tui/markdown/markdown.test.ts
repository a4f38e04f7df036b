import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineText, lineWidth } from '../../../../adapters/tui/lines.ts';
import { itemLines } from '../../../../adapters/tui/transcript/item-lines.ts';
import { markdownLines } from '../../../../adapters/tui/markdown/render.ts';
import { sourceRows } from '../../../../adapters/tui/markdown/source.ts';

function drawn(text: string, cells = 40): string[] {
  return markdownLines(text, cells).map((line) => lineText(line).trimEnd());
}

describe('rendered messages', () => {
  it.each<[string, string, string[]]>([
    ['paragraphs apart', 'one\n\ntwo', ['one', '', 'two']],
    ['emphasis without its marks', 'a **b** *c* `d`', ['a b c `d`']],
    ['a heading', '## Steps\ntext', ['Steps', '', 'text']],
    ['nested lists', '- a\n  - b\n- c', ['• a', '  • b', '• c']],
    ['numbers as they begin', '3. c\n4. d', ['3. c', '4. d']],
    ['task lists', '- [x] done\n- [ ] open', ['• [x] done', '• [ ] open']],
    ['code as written', '```ts\nconst a = "**b**";\n```', ['│ ts', '│ const a = "**b**";']],
    ['a definition as written', '[a]: https://b.example', ['[a]: https://b.example']],
    ['a quote', '> said', ['│ said']],
    ['where a link goes', '[docs](https://a.example/x)', ['docs (https://a.example/x)']],
    ['a bare address once', '<https://a.example>', ['https://a.example']],
    ['entities as characters', 'a &amp; b <b>x</b>', ['a & b <b>x</b>']],
    ['a table as written', '| a | b |\n|---|---|\n| 1 | 2 |', ['| a | b |', '|---|---|', '| 1 | 2 |']],
  ])('shows %s', (_name, text, wanted) => {
    expect(drawn(text)).toEqual(wanted);
  });

  it('indents what continues a list item', () => {
    expect(drawn('- one two three four', 12)).toEqual(['• one two', '  three four']);
  });

  it('loses no word and stays in the width', () => {
    const part = fc.constantFrom(
      '# a',
      '- b',
      '1. c',
      '> d',
      '```',
      '**e**',
      '`f`',
      '完了',
      '\n',
      '\n\n',
      ' ',
      '|g|',
      '[h](i)',
    );
    fc.assert(
      fc.property(fc.array(part), fc.integer({ min: 10, max: 60 }), (parts, cells) => {
        const lines = markdownLines(parts.join(''), cells);
        for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(cells);
        const shown = lines.map(lineText).join('');
        const count = (text: string): number => text.split('完').length;
        expect(count(shown)).toBe(count(parts.join('')));
      }),
    );
  });
});

describe('a hostile text is drawn within two seconds', () => {
  const n = 10_000;
  const deep = (depth: number): string =>
    Array.from({ length: depth }, (_, level) => `${' '.repeat(2 * level)}- a`).join('\n');
  const texts: Readonly<Record<string, string>> = {
    quotes: `${'>'.repeat(n)} end`,
    'quotes apart': `${'> '.repeat(n)}end`,
    'lists on one line': `${'- '.repeat(n)}end`,
    'lists on many lines': `${deep(1000)}\n\nend`,
    'quotes and lists': `${'> 1. '.repeat(n)}end`,
    brackets: `${'['.repeat(n)}end${']'.repeat(n)}`,
    images: `${'!['.repeat(n)}end${'](x)'.repeat(n)}`,
    emphasis: `${'*a **b '.repeat(n)}${'c** d*'.repeat(n)}end`,
    'code marks': `${Array.from({ length: 600 }, (_, size) => '`'.repeat(size)).join(' ')} end`,
    'an address': `${'a.'.repeat(n)}@end`,
    tags: `${'<a '.repeat(n)}end`,
  };

  it.each(Object.entries(texts))('%s', (_name, text) => {
    const from = performance.now();
    const lines = itemLines({ type: 'assistant', text }, 80);
    expect(performance.now() - from).toBeLessThan(2000);
    expect(lines.map(lineText).join('').replaceAll(' ', '')).toContain('end');
    for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(80);
  });

  it('is as written where it is too deep, and Markdown where it is not', () => {
    expect(drawn(`${'> '.repeat(25)}**a**`, 80)).toEqual([`${'> '.repeat(25)}**a**`]);
    expect(drawn(`${'> '.repeat(3)}**a**`, 80)).toEqual(['│ │ │ a']);
    expect(drawn(`**a** ${'*'.repeat(2 * n)}\n\n**b**`, 80).at(-1)).toBe('b');
  });
});

describe('D46 the source of a plan', () => {
  it('keeps every character and numbers the lines of the file', () => {
    const text = '# Title\n\n- **Problem:** a long line that has to be wrapped\n```\ncode **x**\n```\n';
    const rows = sourceRows(text, 20);
    expect(rows.at(-1)?.line).toBe(6);
    const byLine = new Map<number, string>();
    for (const row of rows)
      byLine.set(row.line, `${byLine.get(row.line) ?? ''} ${lineText(row.spans)}`.trim());
    expect([...byLine.values()]).toEqual(text.trimEnd().split('\n'));
    for (const row of rows) expect(lineWidth(row.spans)).toBeLessThanOrEqual(20);
  });

  it('marks headings and bold, and leaves code alone', () => {
    const rows = sourceRows('## A\n**b** c\n~~~\n**d**\n~~~', 20);
    expect(
      rows.map((row) => row.spans.map((part) => (part.bold === true ? 'bold' : 'plain')).join(' ')),
    ).toEqual(['bold', 'bold plain', 'plain', 'plain', 'plain']);
  });
});
