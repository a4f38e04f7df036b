import { describe, expect, it } from 'vitest';
import { commands, places, verdict } from './allow-world.ts';

describe('B26 what writes, starts programs or hides names in a file', () => {
  it.each(
    commands(`
      sort -o f a ¦ sort -uof a ¦ sort -k2 -o f ¦ sort --output=f a ¦ sort --out f a ¦ sort -t -o f -of a
      sort --compress-program=sh a ¦ sort --files0-from=l ¦ uniq a.txt b.txt ¦ tree -o f ¦ tree -R ¦ tree -aR
      find . -exec rm {} + ¦ find . -execdir rm {} \\; ¦ find . -ok rm {} \\; ¦ find . -fprint f ¦ find . -fls f
      find . -fprintf f x ¦ find . -fprint0 f ¦ find . -name x -delete ¦ find -L . ¦ find -files0-from l
      date -s 2020-01-01 ¦ date -us x ¦ date --set=x ¦ date --se x ¦ date 01010101 ¦ date -I -s x
      file -C ¦ file -bC ¦ file -f list ¦ file -p a.txt ¦ rg --pre sh x ¦ rg --pre=sh x ¦ rg -L x
      grep -R x . ¦ grep -nR x . ¦ grep --dereference-r x . ¦ grep -e -- -R x ¦ diff -r a b ¦ diff --recursive a b
      jq -L m . ¦ jq 'import "x" as $x; .' ¦ wc --files0-from=l ¦ sha256sum -c sums ¦ du --files0-from=l
      printf -v x y ¦ printf %n x ¦ printf %5n x ¦ printf -- "$(id)" x ¦ printf "$(id)" ¦ test -v x ¦ [ -v x ]
      [ a -a -R x ] ¦ uniq a.txt -c ¦ date +%s -u ¦ command ls ¦ command -p -v ls ¦ echo x | tee f ¦ xargs rm ¦ env ls ¦ sudo ls ¦ eval ls
      exec ls ¦ source a ¦ . a ¦ ssh h ls ¦ dd if=a of=b ¦ cp a b ¦ mkdir d ¦ touch f ¦ less a ¦ xxd a b
      builtin ls ¦ trap ls EXIT ¦ set -x ¦ alias ls ¦ read x ¦ mapfile ¦ ulimit -f 1 ¦ kill 1 ¦ ps e`),
  )('refuses %s', async (command) => {
    expect(await verdict(command)).toMatch(
      /is not read-only with|is not one of|takes one word|begin with|with one of|output of a command/,
    );
  });

  it.each(
    commands(`
      git branch new ¦ git branch -D x ¦ git branch -m a b ¦ git branch -a new ¦ git branch -l new ¦ git tag v2
      git tag -d v1 ¦ git tag -f --list v1 ¦ git stash ¦ git stash pop ¦ git stash --all -- list ¦ git stash drop
      git remote add a b ¦ git remote -v update ¦ git reflog expire --all ¦ git reflog -n expire ¦ git worktree add x
      git config a.b c ¦ git config --unset a.b ¦ git config --get a.b --add x ¦ git -c core.pager=sh log
      git --exec-path=x log ¦ git -p log ¦ git --git-dir=x log ¦ git log --outp=f ¦ git show --ext-diff
      git log -O x ¦ git log -pOx ¦ git log --textconv ¦ git diff --no-index a b ¦ git diff --submodule=diff
      git status --ignore-submodules=none ¦ git grep -O x ¦ git grep -nOsh x ¦ git grep --open-files x
      git blame --output=f a ¦ git shortlog --output=f HEAD ¦ git rev-list --output=f HEAD
      git cat-file --filters HEAD:a ¦ git describe --dirty ¦ git describe --broken ¦ git show --remerge-diff
      git log --diff-merges=r ¦ git fetch ¦ git ls-remote ¦ git ¦ git commit ¦ git checkout . ¦ git gc
      git config a.b --get ¦ git config a.b --list --local ¦ git branch new --list ¦ git help log ¦ git archive -o f HEAD ¦ git submodule status ¦ git lg`),
  )('refuses %s', async (command) => {
    expect(await verdict(command)).toMatch(
      /is not read-only with|is not one of|is not judged|is read-only$|with one of/,
    );
  });

  it.each(
    commands(`
      sort -k2,2n -t: -ru a ¦ sort -t o a ¦ sort -t -o a ¦ sort -- -o ¦ uniq -c ¦ date -d yesterday -Is ¦ date -u +%s
      find . -type f -name '*.ts' -not -path './x/*' -newer a.txt ¦ find . -name '-delete' ¦ find src -maxdepth 1 -ls
      grep -rn --include=*.ts x src ¦ rg -n -tjs x ¦ tree -L 2 src ¦ head -5 a ¦ tail -n +2 a ¦ printf "%s %d\\n" a 1
      printf "%s" "$(id)" ¦ git tag -n3 ¦ git branch -a ¦ git branch --contains HEAD ¦ git branch --list 'a*'
      git stash list -n 3 ¦ git reflog -5 ¦ git reflog show HEAD ¦ git remote get-url origin ¦ git config --get user.name
      git --no-pager log -p -- a.txt ¦ git show HEAD:a.txt ¦ git diff HEAD~1 -- src ¦ git blame -L 1,2 a.txt
      command -v ls`),
  )('lets %s through', async (command) => {
    expect(await verdict(command)).toBe('allowed');
  });

  it.each([
    ['-o', 'cd bad && sort *'],
    ['-oout', 'cd bad && sort *'],
    ['--output=f', 'cd bad && sort *'],
    ['-delete', 'cd bad && find *'],
  ])('takes a file that is called %s for an option, as the program would', async (name, command) => {
    expect(await verdict(command, places({ [`p/bad/${name}`]: '' }))).toContain('is not read-only with');
  });
});
