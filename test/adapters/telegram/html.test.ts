import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markdownRich } from '../../../adapters/telegram/html/markdown.ts';
import { entityCount, richHtml } from '../../../adapters/telegram/html/render.ts';
import { plainText, richLength, type Rich } from '../../../adapters/telegram/html/rich.ts';
import { sourceRich } from '../../../adapters/telegram/html/source.ts';
import { captionLimits, messageLimits, split } from '../../../adapters/telegram/html/split.ts';
import { visible } from '../../../adapters/text.ts';
import { parseHtml } from '../../support/bot-api/html.ts';
import { formatted } from '../../support/bot-api/text.ts';

const html = (markdown: string): string => richHtml(markdownRich(markdown));
const seen = (markdown: string): string => plainText(markdownRich(markdown));

describe('markdown as Telegram HTML', () => {
  it.each([
    ['**b** *i* ~~s~~ `c<d`', '<b>b</b> <i>i</i> <s>s</s> <code>c&lt;d</code>'],
    ['***both***', '<i><b>both</b></i>'],
    ['# Title *x*\n\ntext\nmore', '<b>Title <i>x</i></b>\n\ntext\nmore'],
    ['a < b && "c" <script>', 'a &lt; b &amp;&amp; &quot;c&quot; &lt;script&gt;'],
    ['&lt;b&gt; &amp; &copy;', '&lt;b&gt; &amp; &amp;copy;'],
    ['<b>tests</b>', '&lt;b&gt;tests&lt;/b&gt;'],
    ['```ts\nlet a = 1 < 2;\n```', '<pre><code class="language-ts">let a = 1 &lt; 2;</code></pre>'],
    ['```\nx\n```', '<pre>x</pre>'],
    ['```a" onclick="b\nx\n```', 'a&quot; onclick=&quot;b\n<pre>x</pre>'],
    ['> quoted **x**\n> > inner', '<blockquote>quoted <b>x</b>\n\ninner</blockquote>'],
    ['- a\n- b\n  - c', '\u2022 a\n\u2022 b\n   \u2022 c'],
    ['3. a\n4. b', '3. a\n4. b'],
    ['- [x] a\n- [ ] b', '\u2611 a\n\u2610 b'],
    ['**a `c` b**', '<b>a </b><code>c</code><b> b</b>'],
    ['a\n\n---\n\nb', 'a\n\n\u2014\u2014\u2014\n\nb'],
    ['![alt](https://a.b/c.png)', '<a href="https://a.b/c.png">alt</a>'],
  ])('%j', (markdown, expected) => {
    expect(html(markdown)).toBe(expected);
    expect(() => parseHtml(expected)).not.toThrow();
  });

  it.each([
    ['[a](https://b.c/?d="e"&f)', '<a href="https://b.c/?d=&quot;e&quot;&amp;f">a</a>'],
    ['[a `c`](http://b.c)', '<a href="http://b.c">a c</a>'],
    ['[a](tg://resolve?domain=x)', '<a href="tg://resolve?domain=x">a</a>'],
    ['[me](tg://user?id=42)', 'me (tg://user?id=42)'],
    ['[a](javascript:alert(1))', 'a (javascript:alert(1))'],
    ['[a](file:///etc/passwd)', 'a (file:///etc/passwd)'],
    ['[a](data:text/html,x)', 'a (data:text/html,x)'],
    ['[a](/relative)', 'a (/relative)'],
    ['https://a.b', '<a href="https://a.b">https://a.b</a>'],
    ['me@a.b', 'me@a.b'],
  ])('a link goes to http, https or tg only: %s', (markdown, expected) => {
    expect(html(markdown)).toBe(expected);
  });

  it('a table is columns in a pre', () => {
    const table = '| a | b |\n|---|--:|\n| 日本 | 1 |\n| x<y | **22** |';
    expect(html(table)).toBe('<pre>a    |  b\n-----+---\n日本 |  1\nx&lt;y  | 22</pre>');
  });

  it('code in a list keeps its own indentation', () => {
    expect(seen('1. do\n   ```\n   a\n     b\n   ```\n   then\n   this')).toBe(
      '1. do\na\n  b\n   then\n   this',
    );
  });

  it('control bytes and marks that turn text around are made visible, in code and addresses too', () => {
    expect(seen('a\u202eb \u001b[31m `c\u0007` \u200b\tx')).toBe(
      'a<U+202E>b \u241b[31m c\u2407 <U+200B>    x',
    );
    expect(html('[a](https://b.c/\u202ed)')).not.toContain('\u202e');
  });

  it('what is nested too deep for the lexer is shown as written', () => {
    const deep = `${'> '.repeat(6000)}x`;
    expect(seen(deep)).toBe(visible(deep));
  });
});

/** Texts that look like markdown and HTML, with characters that break things. */
const nasty = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...'*_`~[]()<>&"\'#-|!\\\n '.split('')) },
      fc.constantFrom(
        '**',
        '```',
        '```ts\n',
        '\n\n',
        '> ',
        '- ',
        '1. ',
        '| a | b |\n|---|---|\n',
        '<b>',
        '</b>',
        '<a href="',
      ),
      fc.constantFrom(
        'https://a.b/',
        '](https://x.y)',
        '&lt;',
        '&#39;',
        '\r\n',
        '\t',
        '\u202e',
        '\u0000',
        '\ud83d',
        '\ufeff',
      ),
      fc.constantFrom('👩‍👩‍👧‍👦', '🇩🇪', 'e\u0301', 'ж', '日本', '\u200d', 'word', '    code'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 120 },
  )
  .map((parts) => parts.join(''));

/** Parts that would show nothing are left out, so what has no shape is not looked for. */
const bare = (text: string): string => text.replace(/[\s\p{Cf}\p{Mn}]/gu, '');
const graphemes = (text: string): string[] =>
  Array.from(
    new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text),
    ({ segment }) => segment,
  );

/** Every part is read by the server as the text that it is, and together they are the whole. */
function checkParts(rich: Rich, parts: readonly Rich[], limits: { units: number; entities: number }): void {
  for (const part of parts) {
    const text = plainText(part);
    const read = formatted(richHtml(part), 'HTML', 'text');
    expect(read.text.trim()).toBe(text.trim());
    expect(read.entities.length).toBeLessThanOrEqual(limits.entities);
    expect(text.length).toBeLessThanOrEqual(limits.units);
    expect(richLength(part)).toBe(text.length);
  }
  expect(bare(parts.map(plainText).join(''))).toBe(bare(plainText(rich)));
}

describe('properties', () => {
  it('any markdown becomes HTML that is read as the same text, in every size of part', () => {
    const sizes = fc.record({
      units: fc.integer({ min: 40, max: 200 }),
      entities: fc.integer({ min: 3, max: 100 }),
    });
    fc.assert(
      fc.property(nasty, sizes, (markdown, limits) => {
        const rich = markdownRich(markdown);
        const parts = split(rich, limits);
        checkParts(rich, parts, limits);
        for (const part of parts) expect(entityCount(part)).toBeLessThanOrEqual(limits.entities);
      }),
      { numRuns: 400 },
    );
  });

  it('no element is inside one that Telegram would take it out of', () => {
    fc.assert(
      fc.property(nasty, (markdown) => {
        for (const { tags } of markdownRich(markdown)) {
          const kinds = tags.map(({ kind }) => kind);
          expect(new Set(kinds).size).toBe(kinds.length);
          const at = kinds.findIndex((kind) => kind === 'code' || kind === 'pre');
          if (at === -1) continue;
          expect([...kinds.slice(0, at), ...kinds.slice(at + 1)].filter((kind) => kind !== 'quote')).toEqual(
            [],
          );
        }
      }),
      { numRuns: 400 },
    );
  });

  it('the source view keeps every character', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(plainText(sourceRich(text))).toBe(visible(text).replace(/\n+$/u, ''));
        expect(() => parseHtml(richHtml(sourceRich(text)))).not.toThrow();
      }),
      { numRuns: 200 },
    );
  });

  it('no character is cut in two where there is any other place', () => {
    const texts = fc.array(fc.constantFrom('👩‍👩‍👧‍👦', '🇩🇪', 'e\u0301', 'x', '\u{1f3f4}', '日'), { maxLength: 80 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 20, max: 60 }), (characters, units) => {
        const text = characters.join('');
        const parts = split([{ text, tags: [] }], { units, entities: 100 }).map(plainText);
        expect(parts.flatMap(graphemes)).toEqual(graphemes(text));
        expect(parts.filter((part) => part.length > units)).toEqual([]);
      }),
    );
  });
});

describe('splitting', () => {
  const steps = Array.from({ length: 120 }, (_, index) => {
    return `${index + 1}. Step ${index + 1} \u2014 edit \`src/f${index + 1}.ts\` & run <b>tests</b>`;
  });

  it('a plan of 120 steps comes in parts that parse alone (B109)', () => {
    const rich = sourceRich(steps.join('\n'));
    const parts = split(rich);
    expect(parts.length).toBeGreaterThan(1);
    checkParts(rich, parts, messageLimits);
    // Between lines, not inside of them.
    for (const part of parts) expect(plainText(part)).toMatch(/^\d+\. Step [^]*<b>tests<\/b>\n?$/u);
  });

  it('what is open at a cut is open again behind it', () => {
    const rich = markdownRich(`\`\`\`js\n${'a < b;\n'.repeat(1000)}\`\`\``);
    const parts = split(rich).map(richHtml);
    expect(parts.length).toBe(2);
    for (const part of parts)
      expect(part).toMatch(/^<pre><code class="language-js">a &lt; b;[^]*<\/code><\/pre>$/u);
  });

  it('a part has a hundred entities at most, since the rest would be dropped without a word', () => {
    const rich = markdownRich(Array.from({ length: 250 }, (_, index) => `\`c${index}\` x`).join(' '));
    const parts = split(rich);
    expect(parts.map(entityCount)).toEqual([100, 100, 50]);
    for (const part of parts)
      expect(formatted(richHtml(part), 'HTML', 'text').entities).toHaveLength(entityCount(part));
  });

  it('one character longer than a message is cut, but no surrogate pair is', () => {
    const text = `x${'\u{1f600}\u200d'.repeat(3000)}`;
    for (const part of split([{ text, tags: [] }])) expect(plainText(part).isWellFormed()).toBe(true);
    expect(
      split([{ text, tags: [] }])
        .map(plainText)
        .join(''),
    ).toBe(text);
  });

  it('nothing to show gives no part', () => {
    expect(split(markdownRich('\n \n'))).toEqual([]);
    expect(split([])).toEqual([]);
    expect(split(markdownRich(' '.repeat(9000)), captionLimits)).toEqual([]);
  });
});
