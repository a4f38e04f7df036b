import { describe, expect, it } from 'vitest';
import { commandWords } from '../../../adapters/tui/outside-editor.ts';

describe('the command line of an editor', () => {
  it.each([
    ['vi', ['vi']],
    ['code --wait', ['code', '--wait']],
    ['"/opt/my editor/bin" -n  1', ['/opt/my editor/bin', '-n', '1']],
    ["emacsclient -a ''", ['emacsclient', '-a', '']],
    ['vi; rm -rf $HOME', ['vi;', 'rm', '-rf', '$HOME']],
  ])('%j, without a shell', (command, words) => {
    expect(commandWords(command)).toEqual(words);
  });
});
