import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../../adapters/workspace/environment.ts';
import { boundedOutput } from '../../../adapters/workspace/output.ts';

describe('output', () => {
  it('is whole up to the limit', () => {
    const output = boundedOutput(10);
    output.push(Buffer.from('12345'));
    output.push(Buffer.from('67890'));
    expect([output.text(), output.cut()]).toEqual(['1234567890', false]);
  });

  it('keeps the beginning and the end, and counts the middle', () => {
    const output = boundedOutput(10);
    for (let i = 0; i < 100; i++) output.push(Buffer.from('abcdefghij'));
    expect([output.text(), output.cut()]).toEqual(['abcde\n[… 990 bytes left out …]\nfghij', true]);
  });

  it('does not depend on how the bytes arrive, and tears no character', () => {
    const property = fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }).filter((text) => !text.includes('\uFFFD')),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      fc.integer({ min: 8, max: 60 }),
      (text, sizes, limit) => {
        const bytes = Buffer.from(text);
        const whole = boundedOutput(limit);
        whole.push(bytes);
        const pieces = boundedOutput(limit);
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const size = sizes[i % sizes.length] ?? 1;
          pieces.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(pieces.text()).toBe(whole.text());
        expect(whole.text()).not.toContain('\uFFFD');
        expect(whole.cut()).toBe(bytes.length > 2 * Math.floor(limit / 2));
      },
    );
    fc.assert(property, { numRuns: 500 });
  });
});

describe('D22 keys stay out of commands', () => {
  it.each([
    'OPENAI_API_KEY',
    'MY_API_KEY',
    'API_KEY',
    'GITHUB_TOKEN',
    'TOKEN',
    'CLIENT_SECRET',
    'OPENAI_BASE_URL',
    'ANTHROPIC_MODEL',
    'TELEGRAM_CHAT',
    'PLANCHART_LOG',
    'my_api_key',
  ])('%s', (name) => {
    expect(childEnvironment({ [name]: 'x', PATH: '/bin' }, [])).toEqual({ PATH: '/bin' });
  });

  it('lets ordinary names pass', () => {
    const env = { PATH: '/bin', HOME: '/h', TOKENIZERS_PARALLELISM: '1', SECRETARY: 'x', OPENAIR: 'y' };
    expect(childEnvironment({ ...env, GONE: undefined }, [''])).toEqual(env);
  });

  it('goes by value too, whatever the name', () => {
    const env = { A: 'sk-12345678', URL: 'https://u:sk-12345678@host', SHORT: 'abc', WORD: 'abcdef' };
    expect(childEnvironment(env, ['sk-12345678', 'abc'])).toEqual({ WORD: 'abcdef' });
  });
});
