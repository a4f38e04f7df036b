import type { Edit } from './editor.ts';
import type { KeyName, Press } from './keys.ts';

const edits: Readonly<
  Partial<Record<KeyName, Exclude<Edit['type'], 'insert' | 'set' | 'replace' | 'up' | 'down'>>>
> = {
  left: 'left',
  right: 'right',
  wordLeft: 'wordLeft',
  wordRight: 'wordRight',
  home: 'home',
  end: 'end',
  backspace: 'backspace',
  delete: 'delete',
  killWord: 'killWord',
  'ctrl-a': 'home',
  'ctrl-e': 'end',
  'ctrl-w': 'killWord',
  'ctrl-u': 'killStart',
  'ctrl-k': 'killEnd',
};

/** The edit that a press makes in a text field of `cells` width; null when it is not an editing key. */
export function editOf(press: Press, cells: number): Edit | null {
  if (press.type !== 'key') return { type: 'insert', text: press.text };
  if (press.name === 'up' || press.name === 'down') return { type: press.name, cells };
  const type = edits[press.name];
  return type === undefined ? null : { type };
}
