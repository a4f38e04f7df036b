import type { Options, ReadOnlyCommand } from './read-only-row.ts';

const all: Options = { but: [] };

/** Options of everything that shows changes: they write a file, start a program or read outside the repository. */
const changes = [
  ...'-O --output --ext-diff --textconv --no-index --submodule --ignore-submodules --remerge-diff'.split(' '),
  ...'--diff-merges --dd --show-signature'.split(' '),
];

/** A repository's own settings may name programs for these. */
const plain = ['--no-ext-diff', '--no-textconv'];
const inHistory = [...plain, '--submodule=short'];

// Not -l: for an old git it means something else.
const listing = '--list --contains --no-contains --merged --no-merged --points-at'.split(' ');

const listOptions = [
  ...'--list --contains --no-contains --merged --no-merged --points-at= --sort= --format= --color --no-color'.split(
    ' ',
  ),
  ...'--column --no-column -i --ignore-case'.split(' '),
];

const shortLog = '-n= -# --oneline --date= --all'.split(' ');

/** `git` with one of these sub-commands. Before it only `-C <folder>` and `--no-pager` are taken. */
export const gitRows: readonly ReadOnlyCommand[] = [
  {
    name: 'git log',
    does: 'shows commits',
    options: { but: changes },
    adds: inHistory,
    example: 'git log -1 --oneline',
  },
  {
    name: 'git show',
    does: 'shows an object',
    options: { but: changes },
    adds: inHistory,
    example: 'git show HEAD',
  },
  {
    name: 'git diff',
    does: 'shows changes',
    options: { but: changes },
    adds: [...plain, '--ignore-submodules=all'],
    example: 'git diff --stat',
  },
  {
    name: 'git status',
    does: 'shows the state of the folder; submodules are left out',
    options: { but: ['--ignore-submodules'] },
    adds: ['--ignore-submodules=all'],
    example: 'git status --short',
  },
  { name: 'git rev-parse', does: 'resolves a name', options: all, example: 'git rev-parse HEAD' },
  {
    name: 'git rev-list',
    does: 'lists commits',
    options: { but: changes },
    example: 'git rev-list --count HEAD',
  },
  {
    name: 'git describe',
    does: 'names a commit by its tag',
    options: { but: ['--dirty', '--broken'] },
    example: 'git describe --tags',
  },
  { name: 'git ls-tree', does: 'lists a tree', options: all, example: 'git ls-tree HEAD' },
  {
    name: 'git ls-files',
    does: 'lists tracked files',
    options: { but: ['--recurse-submodules'] },
    example: 'git ls-files',
  },
  {
    name: 'git cat-file',
    does: 'prints an object',
    options: { but: ['--textconv', '--filters'] },
    example: 'git cat-file -p HEAD',
  },
  {
    name: 'git blame',
    does: 'shows who wrote a line',
    options: { but: changes },
    adds: ['--no-textconv'],
    example: 'git blame a.txt',
  },
  {
    name: 'git shortlog',
    does: 'counts commits by person',
    options: { but: changes },
    example: 'git shortlog -s HEAD',
  },
  {
    name: 'git grep',
    does: 'searches tracked files',
    options: {
      but: [
        ...'-O --open-files-in-pager --no-index --untracked --textconv --recurse-submodules'.split(' '),
        '--no-exclude-standard',
      ],
    },
    example: 'git grep -n one',
  },
  {
    name: 'git merge-base',
    does: 'finds a common ancestor',
    options: all,
    example: 'git merge-base HEAD HEAD',
  },
  { name: 'git for-each-ref', does: 'lists references', options: all, example: 'git for-each-ref' },
  { name: 'git show-ref', does: 'lists references', options: all, example: 'git show-ref' },
  {
    name: 'git branch',
    does: 'lists branches; names only as patterns of --list and the like',
    options: {
      only: [
        ...listOptions,
        ...'-a -r -v --all --remotes --verbose --show-current --abbrev --no-abbrev'.split(' '),
      ],
    },
    words: { needs: { of: listing, when: 'words' } },
    example: 'git branch --list',
  },
  {
    name: 'git tag',
    does: 'lists tags; names only as patterns of --list and the like',
    options: { only: [...listOptions, '-l', '-n?'] },
    words: { needs: { of: ['-l', ...listing], when: 'words' } },
    example: 'git tag --list',
  },
  {
    name: 'git remote',
    does: 'lists remotes',
    options: { only: ['-v', '--verbose'] },
    words: { first: { of: ['get-url'], required: false } },
    example: 'git remote -v',
  },
  {
    name: 'git stash',
    does: 'lists stashes',
    options: { only: shortLog },
    words: { first: { of: ['list'], required: true } },
    example: 'git stash list',
  },
  {
    name: 'git reflog',
    does: 'shows where branches were',
    options: { only: shortLog },
    words: { first: { of: ['show'], required: false } },
    example: 'git reflog',
  },
  {
    name: 'git worktree',
    does: 'lists worktrees',
    options: { only: ['--porcelain', '-v'] },
    words: { first: { of: ['list'], required: true } },
    example: 'git worktree list',
  },
  {
    name: 'git config',
    does: 'shows settings',
    options: {
      only: [
        ...'--get --get-all --get-regexp -l --list --global --local --system --show-origin --show-scope'.split(
          ' ',
        ),
        ...'--name-only -z --null'.split(' '),
      ],
    },
    words: { needs: { of: '--get --get-all --get-regexp -l --list'.split(' '), when: 'always' } },
    example: 'git config --list --local',
  },
  {
    name: 'git check-ignore',
    does: 'says whether a path is ignored',
    options: all,
    example: 'git check-ignore -v a.txt',
  },
  { name: 'git count-objects', does: 'counts objects', options: all, example: 'git count-objects -v' },
  { name: 'git version', does: 'names the version', options: all, example: 'git version' },
];
