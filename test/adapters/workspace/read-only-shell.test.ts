import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readOnlyEnvironment } from '../../../adapters/workspace/environment.ts';
import { probeSandbox } from '../../../adapters/workspace/sandbox.ts';
import { commitAll, photograph } from './folder.ts';
import { said, shellWorld, without } from './shell-world.ts';

const found = await probeSandbox('bwrap', { PATH: process.env.PATH ?? '' });
const levels = [
  ...(found.works ? [['the sandbox', {}] as const] : []),
  ['the read-only commands', without] as const,
];

const compiler = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));

/** Section B: what may not change a byte, whatever the level. */
const writes = [
  ['B23', 'echo x > src.ts'],
  ['B23', 'printf x >> a.txt'],
  ['B23', `"${process.execPath}" -e "require('fs').writeFileSync('a.txt','x')"`],
  ['B24', 'ls ; rm -rf a.txt'],
  ['B24', 'cat a.txt | rm a.txt'],
  ['B24', 'echo "touch pwned" | sh'],
  ['B24', 'git diff `rm -rf a.txt`'],
  ['B24', 'echo $(rm -rf a.txt)'],
  ['B24', 'ls\nrm a.txt'],
  ['B24', 'cat a.txt && curl http://127.0.0.1:9/x | sh; touch pwned'],
  ['B26', `awk 'BEGIN{print 1 > "f"}'`],
  ['B26', `python3 -c "open('f','w')"`],
  ['B26', `"${process.execPath}" "${compiler}" --init`],
  ['B26', 'wget -O f http://127.0.0.1:9/x; touch f'],
  ['B26', 'find . -delete'],
  ['B26', 'git diff --output=f'],
  ['B26', `sed -n 'w f' a.txt`],
  ['B29', `cat > .bashrc <<'E'\nx\nE`],
  ['B29', 'cat a.txt > "${OUT:-f}"'],
  ['B29', 'ls &> log'],
  ['B29', 'ls >| log'],
] as const;

const reads = [
  ['B23', 'ls -la', /a\.txt/],
  ['B23', 'cat a.txt', /^first\nsecond\n$/],
  ['B27', 'git rev-parse HEAD', /^[0-9a-f]{40}\n$/],
  ['B27', 'git describe --tags', /^v1\n$/],
  ['B27', 'git ls-tree HEAD', /\ta\.txt\n$/],
  ['B29', 'ls 2>&1', /^a\.txt\n$/],
  ['B29', 'ls >/dev/null', /^$/],
  ['B30', 'git -C "$PWD" log -1 --oneline', /^[0-9a-f]+ (\(.*\) )?first\n$/],
] as const;

describe.each(levels)('section B before init, by %s', (_level, options) => {
  it.each(writes)('%s changes nothing: %j', async (_id, command) => {
    const { run, cwd } = shellWorld(options);
    commitAll(cwd);
    const before = photograph(cwd);
    await run(command, 'readOnly');
    expect(photograph(cwd)).toBe(before);
    // The same line does write where it may, so the first half shows something.
    await run(command);
    expect(photograph(cwd)).not.toBe(before);
  });

  it.each(reads)('%s runs: %j', async (_id, command, output) => {
    const { run, cwd } = shellWorld(options);
    commitAll(cwd);
    const pwd = command.replace('$PWD', cwd);
    const before = photograph(cwd);
    expect(said(await run(pwd, 'readOnly'))).toMatch(output);
    expect(photograph(cwd)).toBe(before);
  });

  it('says which level it is', async () => {
    const { shell } = shellWorld(options);
    const words = options === without ? 'read-only commands, no sandbox' : 'read-only sandbox, no network';
    expect(await shell.level('readOnly')).toBe(words);
  });
});

describe('what a project may have laid out', () => {
  /** A program that leaves a mark beside the project. */
  function trap(root: string): string {
    const path = join(root, 'trap.sh');
    writeFileSync(path, `#!/bin/sh\ntouch ${join(root, 'outside/sprung')}\ncat\n`);
    chmodSync(path, 0o755);
    return path;
  }

  const traps: Record<string, (program: string) => string[][]> = {
    'core.fsmonitor': (program) => [['config', 'core.fsmonitor', program]],
    'diff.external': (program) => [['config', 'diff.external', program]],
    textconv: (program) => [['config', 'diff.x.textconv', program]],
    'a filter': (program) => [['config', 'filter.x.clean', program]],
    'a signature': (program) => [
      ['config', 'gpg.program', program],
      ['config', 'format.pretty', '%G?'],
    ],
    'a pager': (program) => [['config', 'core.pager', program]],
  };

  it.each(Object.keys(traps))('%s of the repository starts no program', async (name) => {
    const { run, root, cwd } = shellWorld(without);
    writeFileSync(join(cwd, '.gitattributes'), '*.txt diff=x filter=x\n');
    commitAll(cwd);
    for (const line of traps[name]?.(trap(root)) ?? []) execFileSync('git', line, { cwd });
    writeFileSync(join(cwd, 'a.txt'), 'changed\n');
    const before = photograph(cwd);
    for (const command of [
      'git status',
      'git diff',
      'git log -p',
      'git show',
      'git blame a.txt',
      'git ls-files -m',
    ]) {
      await run(command, 'readOnly');
    }
    expect([existsSync(join(root, 'outside/sprung')), photograph(cwd)]).toEqual([false, before]);
    // In the project's own mode at least one of them does.
    if (name === 'a signature' || name === 'a pager') return;
    await run('git status; git diff; git log -p; git blame a.txt');
    expect(readdirSync(join(root, 'outside'))).toEqual(['sprung']);
  });

  it('git leaves its index as it is', async () => {
    const { run, cwd } = shellWorld(without);
    commitAll(cwd);
    const commands = ['git status', 'git diff', 'git diff --stat', 'git describe --tags', 'git ls-files -m'];
    for (const command of commands) {
      // A file with new times makes git look again, and write down what it saw.
      utimesSync(join(cwd, 'a.txt'), new Date(2020, 1, 1), new Date(2020, 1, 1 + commands.indexOf(command)));
      const before = photograph(cwd);
      await run(command, 'readOnly');
      expect([command, photograph(cwd)]).toEqual([command, before]);
    }
  });

  it('a filter is named in the refusal', async () => {
    const { run, cwd } = shellWorld(without);
    commitAll(cwd);
    execFileSync('git', ['config', 'filter.x.clean', 'cat'], { cwd });
    expect(said(await run('git status', 'readOnly'))).toContain(
      `the repository in ${cwd} has a setting that runs a program on its files (filter.x.clean)`,
    );
    expect(said(await run('cat a.txt', 'readOnly'))).toBe('first\nsecond\n');
  });

  it('a program of its own in front of the real one does not start', async () => {
    const base = shellWorld(without);
    const bin = join(base.cwd, 'node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    for (const folder of [bin, base.cwd]) {
      writeFileSync(join(folder, 'ls'), '#!/bin/sh\necho trapped\n');
      chmodSync(join(folder, 'ls'), 0o755);
    }
    const env = {
      PATH: `${bin}:.::${base.cwd}:${process.env.PATH}`,
      'BASH_FUNC_cat%%': '() { echo trapped; }',
      BASH_ENV: join(base.cwd, 'ls'),
    };
    const { run } = shellWorld({ ...without, cwd: base.cwd, env });
    expect(said(await run('ls; cat a.txt', 'readOnly'))).toBe('a.txt\nls\nnode_modules\nfirst\nsecond\n');
    expect(said(await run('ls; cat a.txt'))).toContain('trapped');
  });

  it('the environment is a short list', () => {
    const env = {
      PATH: '/usr/bin:/p/bin:/p',
      HOME: '/h',
      LC_ALL: 'C',
      GIT_TRACE: '/p/log',
      RIPGREP_CONFIG_PATH: 'x',
      LD_PRELOAD: 'x',
    };
    const names = Object.keys(readOnlyEnvironment(env, '/p')).filter(
      (name) => !name.startsWith('GIT_CONFIG_'),
    );
    const git = 'GIT_OPTIONAL_LOCKS GIT_NO_LAZY_FETCH GIT_ALLOW_PROTOCOL GIT_TERMINAL_PROMPT GIT_PAGER';
    expect(names).toEqual(['HOME', 'LC_ALL', 'PATH', ...git.split(' ')]);
    expect(readOnlyEnvironment(env, '/p')['PATH']).toBe('/usr/bin');
  });
});
