import { gitRows } from './read-only-git.ts';
import type { Options, ReadOnlyCommand } from './read-only-row.ts';

const all: Options = { but: [] };
const none: Options = { only: [] };

const findWords = [
  ...'-name= -iname= -path= -ipath= -wholename= -iwholename= -regex= -iregex= -regextype= -lname= -ilname='.split(
    ' ',
  ),
  ...'-type= -xtype= -size= -empty -links= -inum= -samefile= -perm= -user= -group= -uid= -gid= -nouser'.split(
    ' ',
  ),
  ...'-nogroup -readable -writable -executable -mtime= -mmin= -ctime= -cmin= -atime= -amin= -newer='.split(
    ' ',
  ),
  ...'-anewer= -cnewer= -newermt= -daystart -maxdepth= -mindepth= -mount -xdev -depth -prune -not -a -and'.split(
    ' ',
  ),
  ...'-o -or -true -false -print -print0 -printf= -ls -quit -noleaf -ignore_readdir_race -P'.split(' '),
];

const sortOptions = [
  ...'-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z -k= -t= -S='.split(' '),
  ...'--ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --month-sort'.split(
    ' ',
  ),
  ...'--human-numeric-sort --numeric-sort --random-sort --reverse --version-sort --sort= --check --merge'.split(
    ' ',
  ),
  ...'--key= --stable --field-separator= --unique --zero-terminated'.split(' '),
];

const files: readonly ReadOnlyCommand[] = [
  { name: 'ls', does: 'lists folders', options: all, walks: ['-R', '--recursive'], example: 'ls -la' },
  { name: 'cat', does: 'prints files', options: all, example: 'cat a.txt' },
  { name: 'head', does: 'prints the beginning', options: all, example: 'head -n 1 a.txt' },
  { name: 'tail', does: 'prints the end', options: all, example: 'tail -n 1 a.txt' },
  { name: 'nl', does: 'numbers lines', options: all, example: 'nl a.txt' },
  { name: 'od', does: 'prints bytes', options: all, example: 'od -c a.txt' },
  {
    name: 'find',
    does: 'finds files by name, kind, size or time',
    options: { only: findWords },
    walks: 'always',
    example: "find . -name '*.txt'",
  },
  {
    name: 'tree',
    does: 'draws a folder tree',
    options: { but: ['-o', '-R', '-l', '--output', '--fromfile', '--fromtabfile'] },
    walks: 'always',
    example: 'tree -L 2',
  },
  {
    name: 'du',
    does: 'adds up sizes',
    options: { but: ['-L', '--dereference', '--files0-from'] },
    walks: 'always',
    example: 'du -sh .',
  },
  { name: 'df', does: 'shows free space', options: all, example: 'df -h .' },
  { name: 'stat', does: 'shows size, times and rights', options: all, example: 'stat a.txt' },
  {
    name: 'file',
    does: 'guesses what a file holds',
    options: {
      but: [
        ...'-C -f -m -p -S -z -Z --compile --files-from --magic-file --preserve-date --no-sandbox'.split(' '),
        ...'--uncompress --uncompress-noreport'.split(' '),
      ],
    },
    example: 'file a.txt',
  },
  { name: 'basename', does: 'takes the name of a path', options: all, example: 'basename src/a.ts' },
  { name: 'dirname', does: 'takes the folder of a path', options: all, example: 'dirname src/a.ts' },
  { name: 'realpath', does: 'resolves a path', options: all, example: 'realpath a.txt' },
  { name: 'readlink', does: 'shows where a link leads', options: all, example: 'readlink -f a.txt' },
];

const text: readonly ReadOnlyCommand[] = [
  {
    name: 'grep',
    does: 'searches text',
    options: { but: ['-R', '--dereference-recursive'] },
    walks: ['-r', '--recursive', '-d', '--directories'],
    example: 'grep -n one a.txt',
  },
  {
    name: 'rg',
    does: 'searches text in folders',
    options: {
      but: ['-L', '-z', '--follow', '--search-zip', '--pre', '--pre-glob', '--hostname-bin'],
    },
    walks: 'always',
    example: 'rg one',
  },
  {
    name: 'wc',
    does: 'counts lines, words and bytes',
    options: { but: ['--files0-from'] },
    example: 'wc -l a.txt',
  },
  { name: 'sort', does: 'sorts lines', options: { only: sortOptions }, example: 'sort -u a.txt' },
  {
    name: 'uniq',
    does: 'drops repeated lines',
    options: {
      only: [
        ...'-c -d -D -i -u -z -f= -s= -w= --count --repeated --unique --ignore-case --zero-terminated'.split(
          ' ',
        ),
        ...'--skip-fields= --skip-chars= --check-chars='.split(' '),
      ],
    },
    words: { most: 1 },
    example: 'uniq -c a.txt',
  },
  { name: 'cut', does: 'takes columns', options: all, example: 'cut -c 1-3 a.txt' },
  { name: 'tr', does: 'replaces characters', options: all, example: 'tr a-z A-Z' },
  { name: 'paste', does: 'joins lines', options: all, example: 'paste a.txt a.txt' },
  { name: 'comm', does: 'compares sorted files', options: all, example: 'comm a.txt a.txt' },
  { name: 'fold', does: 'wraps lines', options: all, example: 'fold -w 40 a.txt' },
  { name: 'rev', does: 'turns lines around', options: all, example: 'rev a.txt' },
  {
    name: 'diff',
    does: 'compares files',
    options: { but: ['-r', '-l', '--recursive', '--paginate'] },
    example: 'diff a.txt a.txt',
  },
  { name: 'cmp', does: 'compares bytes', options: all, example: 'cmp a.txt a.txt' },
  {
    name: 'jq',
    does: 'queries JSON',
    options: { but: ['-L', '--library-path', '--run-tests'] },
    words: { never: String.raw`\b(import|include|modulemeta)\b` },
    example: 'jq . a.json',
  },
  ...['md5sum', 'sha1sum', 'sha256sum', 'sha512sum', 'cksum'].map((name) => ({
    name,
    does: 'prints a checksum',
    options: { but: ['-c', '--check'] },
    example: `${name} a.txt`,
  })),
];

const shell: readonly ReadOnlyCommand[] = [
  {
    name: 'cd',
    does: 'goes to a folder; once, as the first command of the line',
    options: none,
    words: { most: 1 },
    example: 'cd src && ls',
  },
  { name: 'pwd', does: 'prints the folder', options: all, example: 'pwd' },
  { name: 'echo', does: 'prints words', options: all, unknownWords: 'all', example: 'echo "$(pwd)"' },
  {
    name: 'printf',
    does: 'prints words by a format',
    options: none,
    // %n stores into a variable, and what names the variable may hold a command.
    words: { never: '%[^a-zA-Z%]*n' },
    unknownWords: 'afterFirst',
    example: "printf '%s\\n' one two",
  },
  ...['test', '['].map((name) => ({
    name,
    does: 'checks a file or a text',
    // -v and -R look into a variable, and what names the variable may hold a command.
    options: { but: ['-v', '-R'] },
    example: name === '[' ? '[ -f a.txt ]' : 'test -f a.txt',
  })),
  { name: 'true', does: 'succeeds', options: all, example: 'true' },
  { name: 'false', does: 'fails', options: all, example: 'false || true' },
  { name: 'which', does: 'finds a program', options: all, example: 'which ls' },
  { name: 'type', does: 'says what a command name is', options: all, example: 'type ls' },
  {
    name: 'command',
    does: 'says what a command name is',
    options: { only: ['-v', '-V'] },
    words: { needs: { of: ['-v', '-V'], when: 'always' } },
    example: 'command -v ls',
  },
  {
    name: 'date',
    does: 'prints the time',
    options: {
      only: '-d= -r= -u -R -I? --date= --reference= --utc --universal --iso-8601 --rfc-3339= --rfc-email'.split(
        ' ',
      ),
    },
    words: { begin: '+' },
    example: 'date -u +%Y',
  },
  { name: 'seq', does: 'counts', options: all, example: 'seq 3' },
  { name: 'uname', does: 'names the system', options: all, example: 'uname -a' },
  { name: 'whoami', does: 'names the user', options: all, example: 'whoami' },
  { name: 'id', does: 'names the user and groups', options: all, example: 'id' },
  { name: 'nproc', does: 'counts processors', options: all, example: 'nproc' },
];

/**
 * Every command of the second level of D22. No interpreter, no build tool, nothing that has a way of its own
 * to write a file, start a program or use the network. The judge, the refusal text and
 * `docs/read-only-commands.md` all come from here (B27).
 */
export const readOnlyCommands: readonly ReadOnlyCommand[] = [...files, ...text, ...shell, ...gitRows];

/** The words of the table for a text: names, those of git in brackets. */
export function readOnlyNames(): string {
  const own = readOnlyCommands.filter(({ name }) => !name.startsWith('git ')).map(({ name }) => name);
  const git = gitRows.map(({ name }) => name.slice('git '.length));
  return `${own.sort().join(', ')}, git (${git.sort().join(', ')})`;
}
