import * as fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { keyLines } from '../../../adapters/config/key-lines.ts';

const unescape = (quoted: string): string => Object.keys(parse(`${quoted} = 0`))[0] ?? '';
const lineOf = (text: string, ...path: string[]): number => keyLines(text, unescape)(path);

describe('the line of a key', () => {
  it.each<[string, string, string[], number]>([
    ['a plain key', 'a = 1\nb = 2', ['b'], 2],
    ['in a table', '# x\n[t]\n\na = 1', ['t', 'a'], 4],
    ['the table', '# x\n[t]\n\na = 1', ['t'], 2],
    ['a dotted key', 'x = 1\na.b.c = 1', ['a', 'b', 'c'], 2],
    ['what a dotted key is in', 'x = 1\na.b.c = 1', ['a'], 2],
    ['spaces around dots', '[ a . "b" ]\n c = 1', ['a', 'b', 'c'], 2],
    ['a quoted key with dots', '\n"a.b" = 1', ['a.b'], 2],
    ['an escaped key', '\n"a\\u0062" = 1', ['ab'], 2],
    ['a literal key', "\n'a b' = 1", ['a b'], 2],
    ['after a text over lines', 'a = """\nb = 1\n# [t]\n"""\nb = 2', ['b'], 5],
    ['after quotes at the end of it', 'a = """x"""""\nb = 2', ['b'], 2],
    ['after a literal text', "a = '''\n[t]\nb = 1'''\nb = 2", ['b'], 4],
    ['after an array over lines', 'a = [\n 1, # ]\n "]",\n]\nb = 2', ['b'], 5],
    ['in an inline table', 'x = 1\na = { b = 1 }', ['a', 'b'], 2],
    ['a comment with a quote', "# don't\na = 1", ['a'], 2],
    ['a comment behind a value', 'a = 1 # b = "\nb = 2', ['b'], 2],
    ['Windows line ends', 'a = 1\r\n\r\n[t]\r\nb = 2\r\n', ['t', 'b'], 4],
    ['a byte order mark', '\ufeff\na = 1', ['a'], 2],
    ['one that is not there', 'a = 1', ['z'], 1],
  ])('%s', (_name, text, path, line) => {
    // Only what parses has lines worth finding.
    parse(text);
    expect(lineOf(text, ...path)).toBe(line);
  });

  it('is right in any document', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '"', "'", '#', '[', ']', '=', '\\', '\n', '.', ' ', '{'),
    });
    const value = fc.oneof(
      text.map((inner) => JSON.stringify(inner)),
      text.map((inner) => `"""\n${inner.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"""`),
      text.map((inner) => `'''${inner.replaceAll("'", '')}'''`),
      fc.array(text).map((all) => `[\n${all.map((inner) => JSON.stringify(inner)).join(', # ]"\n')}\n]`),
      fc.constantFrom('1.5', 'true', '2026-01-01T00:00:00Z', '{ x = "}" }'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), value), { maxLength: 12 }), (rows) => {
        let table: string[] = [];
        let document = '';
        const wanted: [string[], number][] = [];
        for (const [at, [opens, shown]] of rows.entries()) {
          if (opens) {
            table = [`t${at}`];
            document += `[t${at}] # "\n`;
          }
          wanted.push([[...table, `k${at}`], document.split('\n').length]);
          document += `k${at} = ${shown}\n`;
        }
        parse(document);
        for (const [path, line] of wanted) expect(lineOf(document, ...path)).toBe(line);
      }),
    );
  });
});
