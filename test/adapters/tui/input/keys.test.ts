import type { Key } from 'ink';
import { describe, expect, it } from 'vitest';
import { pasted, presses, type Press } from '../../../../adapters/tui/input/keys.ts';

function keyOf(flags: Partial<Key> = {}): Key {
  return {
    upArrow: false,
    downArrow: false,
    leftArrow: false,
    rightArrow: false,
    pageDown: false,
    pageUp: false,
    home: false,
    end: false,
    return: false,
    escape: false,
    ctrl: false,
    shift: false,
    tab: false,
    backspace: false,
    delete: false,
    meta: false,
    super: false,
    hyper: false,
    capsLock: false,
    numLock: false,
    ...flags,
  };
}

const text = (value: string): Press => ({ type: 'text', text: value });
const paste = (value: string): Press => ({ type: 'paste', text: value });
const key = (name: Extract<Press, { type: 'key' }>['name']): Press => ({ type: 'key', name });

describe('B97 chunks', () => {
  it.each<[string, string, Press[]]>([
    ['typed text', 'hello', [text('hello')]],
    ['fast typing with Enter', 'hello\r', [text('hello'), key('enter')]],
    ['the same with a line feed', 'hello\n', [text('hello'), key('enter')]],
    ['the same with both', 'hello\r\n', [text('hello'), key('enter')]],
    ['a paste without markers', 'line1\rline2\rline3', [paste('line1\nline2\nline3')]],
    ['such a paste that ends with a line end', 'line1\r\nline2\r\n', [paste('line1\nline2\n')]],
    ['one inner line end', 'a\rb', [paste('a\nb')]],
    ['Ctrl+J', '\n', [text('\n')]],
    ['Enter held down', '\r\r', [key('enter')]],
    ['a control byte in a chunk', 'abc\u0015', [text('abc'), key('ctrl-u')]],
    ['nothing', '', []],
  ])('%s', (_name, chunk, wanted) => {
    expect(presses(chunk, keyOf())).toEqual(wanted);
  });

  it('takes a bracketed paste as one insert with its line ends', () => {
    expect(pasted('a\r\nb\rc\n')).toEqual(paste('a\nb\nc\n'));
  });
});

describe('keys', () => {
  it.each<[string, string, Partial<Key>, Press[]]>([
    ['Enter', '\r', { return: true }, [key('enter')]],
    ['Alt+Enter', '\r', { return: true, meta: true }, [text('\n')]],
    ['Esc', '', { escape: true }, [key('escape')]],
    ['two Esc in one chunk', '', { escape: true, meta: true }, [key('escape'), key('escape')]],
    ['Ctrl+Left', '', { leftArrow: true, ctrl: true }, [key('wordLeft')]],
    ['Right', '', { rightArrow: true }, [key('right')]],
    ['Backspace', '', { backspace: true }, [key('backspace')]],
    ['Alt+Backspace', '', { backspace: true, meta: true }, [key('killWord')]],
    ['Delete', '', { delete: true }, [key('delete')]],
    ['PgDn', '', { pageDown: true }, [key('pageDown')]],
    ['Ctrl+P', 'p', { ctrl: true }, [key('ctrl-p')]],
    ['Alt+B', 'b', { meta: true }, [key('wordLeft')]],
    ['an unknown Alt key', 'x', { meta: true }, []],
    ['a released key', 'a', { eventType: 'release' }, []],
  ])('%s', (_name, input, flags, wanted) => {
    expect(presses(input, keyOf(flags))).toEqual(wanted);
  });
});
