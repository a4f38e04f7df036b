import { describe, expect, it } from 'vitest';
import { readFailure } from '../../../adapters/llm/failure.ts';
import { oneLine, providerWords } from '../../../adapters/llm/words.ts';

function coded(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('inner'), { code }) });
}

describe('readFailure', () => {
  it.each([
    ['ECONNRESET', 'dropped'],
    ['EPIPE', 'dropped'],
    ['UND_ERR_SOCKET', 'dropped'],
    ['ETIMEDOUT', 'timeout'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
    ['ECONNREFUSED', 'unreachable'],
    ['EAI_AGAIN', 'unreachable'],
    ['CERT_HAS_EXPIRED', 'unreachable'],
  ])('reads %s as %s', (code, what) => {
    expect(readFailure(coded(code))).toEqual({ kind: 'network', what, code });
  });

  it.each([null, undefined, 'text', 7, {}, [], { error: { message: 5 } }])(
    'reads nothing out of %j',
    (value) => {
      expect(readFailure(value)).toEqual({ kind: 'other', words: '' });
    },
  );

  it('takes the message of any other error, also when its causes go in a circle', () => {
    const error = new Error('odd');
    error.cause = error;
    expect(readFailure(error)).toEqual({ kind: 'other', words: 'odd' });
  });
});

describe('words', () => {
  it('D54 finds a secret that was given with line ends, and the longer of two first', () => {
    expect(oneLine('key ab cd, then abcdef', ['ab\ncd\n', 'abcd', 'abcdef'])).toBe(
      'key [secret], then [secret]',
    );
  });

  it('leaves placeholders of fewer than four characters alone', () => {
    expect(oneLine('a maximum of x', ['x', ''])).toBe('a maximum of x');
  });

  it('counts characters, not code units, when it cuts', () => {
    expect(providerWords('🙂'.repeat(400), [])).toBe(`${'🙂'.repeat(299)}…`);
    expect(providerWords('🙂'.repeat(300), [])).toBe('🙂'.repeat(300));
  });
});
