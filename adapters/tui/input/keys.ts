import type { Key } from 'ink';

export type KeyName =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'wordLeft'
  | 'wordRight'
  | 'home'
  | 'end'
  | 'pageUp'
  | 'pageDown'
  | 'backspace'
  | 'delete'
  | 'killWord'
  | 'tab'
  | 'shiftTab'
  | 'wheelUp'
  | 'wheelDown'
  | 'escape'
  | 'enter'
  | `ctrl-${string}`;

/**
 * One thing that a person did at the keyboard. `text` is typed, `paste` came in one piece and never
 * stands for a key, whatever it holds.
 */
export type Press =
  | { type: 'text'; text: string }
  | { type: 'paste'; text: string }
  | { type: 'key'; name: KeyName };

function key(name: KeyName): Press {
  return { type: 'key', name };
}

const plain: readonly (readonly [keyof Key, KeyName])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['pageUp', 'pageUp'],
  ['pageDown', 'pageDown'],
  ['home', 'home'],
  ['end', 'end'],
  ['tab', 'tab'],
  ['delete', 'delete'],
];

const metaKeys: Readonly<Record<string, KeyName>> = { b: 'wordLeft', f: 'wordRight' };

function named(input: string, pressed: Key): Press[] | null {
  // Two Esc bytes in one chunk arrive as one key with the meta mark.
  if (pressed.escape) return pressed.meta ? [key('escape'), key('escape')] : [key('escape')];
  if (pressed.tab && pressed.shift) return [key('shiftTab')];
  if (pressed.return) return [pressed.meta || pressed.shift ? { type: 'text', text: '\n' } : key('enter')];
  const jump = pressed.meta || pressed.ctrl;
  if (pressed.leftArrow) return [key(jump ? 'wordLeft' : 'left')];
  if (pressed.rightArrow) return [key(jump ? 'wordRight' : 'right')];
  if (pressed.backspace) return [key(jump ? 'killWord' : 'backspace')];
  const found = plain.find(([flag]) => pressed[flag] === true);
  if (found !== undefined) return [key(found[1])];
  if (pressed.ctrl) return input === '' ? [] : [key(`ctrl-${input.toLowerCase()}`)];
  if (pressed.meta) {
    const name = metaKeys[input];
    return name === undefined ? [] : [key(name)];
  }
  return null;
}

/** Typed text with the control bytes that came in the same chunk as keys of their own. */
function typed(text: string): Press[] {
  // eslint-disable-next-line no-control-regex -- control bytes are keys here
  const parts = text.split(/([\u0000-\u0009\u000b-\u001f])/u);
  return parts.flatMap((part): Press[] => {
    if (part === '') return [];
    const code = part.charCodeAt(0);
    if (part === '\n' || code >= 0x20) return [{ type: 'text', text: part }];
    if (part === '\t') return [key('tab')];
    return [key(`ctrl-${String.fromCharCode(code + 96)}`)];
  });
}

/**
 * Splits a chunk of characters (B97): fast typing brings `hello⏎` in one piece and means Enter; a chunk
 * with a line end inside is a paste whose markers were lost, and submits nothing.
 */
function chunk(input: string): Press[] {
  if (input === '\n') return [{ type: 'text', text: '\n' }];
  if (/^[\r\n]+$/u.test(input)) return [key('enter')];
  const [, body = '', end = ''] = /^([\s\S]*?)(\r\n|\r|\n)?$/u.exec(input) ?? [];
  if (/[\r\n]/u.test(body)) return [{ type: 'paste', text: lineEnds(input) }];
  return end === '' ? typed(body) : [...typed(body), key('enter')];
}

function lineEnds(text: string): string {
  return text.replace(/\r\n?/gu, '\n');
}

/** What one input event of Ink means; several presses when keys came in one chunk. */
export function presses(input: string, pressed: Key): Press[] {
  if (pressed.eventType === 'release') return [];
  return named(input, pressed) ?? (input === '' ? [] : chunk(input));
}

/** A bracketed paste: one insert with its line ends. */
export function pasted(text: string): Press {
  return { type: 'paste', text: lineEnds(text) };
}
