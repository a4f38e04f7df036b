import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isGroupAlive, killGroup, startTime } from '../../../adapters/workspace/group.ts';
import { eventually, folder, never } from './folder.ts';
import { keys, said, shellWorld, without } from './shell-world.ts';

/** Command lines of every process that names a folder of the test. */
function processesNaming(root: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return line.includes(root) ? [line] : [];
    } catch (error) {
      // It ended while the list was read.
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      return [];
    }
  });
}

describe.each([
  ['as the machine has it', {}],
  ['without bubblewrap', without],
])('bash in the project, %s', (_name, options) => {
  it('answers output, in the order in which it was written, and the exit code', async () => {
    const { run } = shellWorld(options);
    const outcome = await run('echo one; echo two >&2; echo three; cat a.txt; exit 3');
    expect(outcome).toEqual({
      kind: 'ended',
      exit: 3,
      output: 'one\ntwo\nthree\nfirst\nsecond\n',
      cut: false,
      timedOut: false,
    });
  });

  it('runs in the folder, with rights to write there, and without input', async () => {
    const { run, cwd } = shellWorld(options);
    expect(said(await run('pwd; cat; echo new > b.txt'))).toBe(`${cwd}\n`);
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('new\n');
  });

  it('D22 gives no key to the command', async () => {
    const { run } = shellWorld(options);
    const env = said(await run('env; cat /proc/$PPID/environ /proc/self/environ | tr "\\0" "\\n"'));
    expect(env).toContain('PLAIN=yes');
    expect(env).not.toContain(keys.model);
    expect(env).not.toContain(keys.bot);
  });

  it('keeps the beginning and the end of long output', async () => {
    const { run } = shellWorld({ ...options, outputLimitBytes: 1000 });
    const outcome = await run('echo BEGIN; for i in $(seq 1 20000); do echo line $i; done; echo END');
    expect(outcome).toMatchObject({ exit: 0, cut: true });
    expect(said(outcome)).toMatch(/^BEGIN\n[\s\S]*bytes left out[\s\S]*line 20000\nEND\n$/);
    expect(said(outcome).length).toBeLessThan(1100);
  });

  it('D16 reports its group, and null when the command is over', async () => {
    const { run, groups } = shellWorld(options);
    const running = run('while [ ! -e go ]; do sleep 0.02; done');
    const group = await eventually(
      () => groups[0] ?? null,
      (seen) => seen !== null,
    );
    expect(startTime(group?.pid ?? 0)).toBe(group?.started);
    expect(await killGroup({ pid: group?.pid ?? 0, started: '1' })).toBe('other');
    expect(isGroupAlive(group?.pid ?? 0)).toBe(true);
    expect(groups).toHaveLength(1);
    expect(group === null ? 'none' : await killGroup(group)).toBe('ended');
    expect(await running).toMatchObject({ kind: 'ended', timedOut: false });
    expect(groups).toEqual([group, null]);
    expect(group === null ? 'none' : await killGroup(group)).toBe('gone');
  });

  it('ends at the time-out, children and all', async () => {
    const { run, root } = shellWorld(options);
    const outcome = await run(
      `echo before; bash -c 'sleep 300; : ${root}' & sleep 300; : ${root}`,
      'project',
      300,
    );
    expect(outcome).toMatchObject({ kind: 'ended', exit: null, timedOut: true, output: 'before\n' });
    expect(processesNaming(root)).toEqual([]);
  });

  it('ends at a cancel, also what does not listen to TERM', async () => {
    const { shell, root, cwd } = shellWorld(options);
    const turn = new AbortController();
    const command = `trap '' TERM; touch ready; while :; do sleep 0.1; done; : ${root}`;
    const running = shell.run(command, 'project', 60_000, turn.signal);
    await eventually(() => existsSync(join(cwd, 'ready')), Boolean);
    const asked = Date.now();
    turn.abort();
    expect(await running).toMatchObject({ kind: 'ended', exit: null, timedOut: false });
    expect(Date.now() - asked).toBeLessThan(5000);
    await eventually(
      () => processesNaming(root),
      (left) => left.length === 0,
    );
  });

  it('gives a command that listens the time to clean up', async () => {
    const { run, cwd } = shellWorld(options);
    await run(`trap 'echo bye > last.txt; exit' TERM; while :; do sleep 0.05; done`, 'project', 200);
    expect(readFileSync(join(cwd, 'last.txt'), 'utf8')).toBe('bye\n');
  });

  it.each(['sleep 300 &', 'sleep 300 >/dev/null 2>&1 &', '(trap "" TERM; while :; do sleep 1; done) &'])(
    'does not wait for background processes, and ends them: %s',
    async (background) => {
      const { run, groups } = shellWorld(options);
      const outcome = await run(`${background} echo done`);
      expect(outcome).toMatchObject({ kind: 'ended', exit: 0, timedOut: false });
      // A sandbox that ends takes them along before anybody has looked.
      const remark = options === without ? /^done\n\n\[Processes .* were ended with it\.\]\n$/ : /^done\n$/;
      expect(said(outcome)).toMatch(remark);
      await eventually(
        () => isGroupAlive(groups[0]?.pid ?? 0),
        (alive) => !alive,
      );
    },
  );

  it.each([
    ['setsid', 'setsid bash -c "LOOP" &'],
    ['setsid, twice', 'setsid bash -c "setsid bash -c \\"LOOP\\" &" &'],
    ['nohup, its parent gone', '(nohup setsid bash -c "LOOP" >/dev/null 2>&1 &);'],
    ['deaf to TERM', 'setsid bash -c "trap : TERM; LOOP" >/dev/null 2>&1 &'],
  ])('no process outlives its call, however it left: %s', async (_name, line) => {
    const { run, cwd, root } = shellWorld(options);
    const loop = `while :; do echo x >> log; sleep 0.02; done; : ${root}`;
    const outcome = await run(`${line.replace('LOOP', loop)} while [ ! -s log ]; do sleep 0.02; done`);
    expect(outcome).toMatchObject({ kind: 'ended', exit: 0 });
    expect(processesNaming(root)).toEqual([]);
    const size = statSync(join(cwd, 'log')).size;
    expect(size).toBeGreaterThan(0);
    expect(said(outcome)).toContain(options === without ? 'were ended with it.]' : '');
  });

  it('a call ends its own processes only', async () => {
    const { run, cwd } = shellWorld(options);
    const other = run('setsid sleep 0.3; echo whole > other');
    await run('setsid sleep 300 & true');
    expect(await other).toMatchObject({ exit: 0 });
    expect(readFileSync(join(cwd, 'other'), 'utf8')).toBe('whole\n');
  });

  it('runs nothing when the turn is cancelled already', async () => {
    const { shell, cwd, groups } = shellWorld(options);
    const outcome = await shell.run('touch x', 'project', 1000, AbortSignal.abort());
    expect(outcome).toMatchObject({ kind: 'ended', exit: null, output: '' });
    expect([existsSync(join(cwd, 'x')), groups]).toEqual([false, []]);
  });

  it('says why a command could not be started', async () => {
    const { run, cwd } = shellWorld(options);
    expect(said(await run('a\0b'))).toMatch(
      /^REFUSED The command could not be started .* Nothing was run\.$/,
    );
    expect(said(await run(`: ${'x'.repeat(3_000_000)}`))).toMatch(/^REFUSED .*E2BIG/);
    rmSync(cwd, { recursive: true });
    expect(said(await run('true'))).toMatch(/^REFUSED .*\(ENOENT\)\. Nothing was run\.$/);
  });
});

describe('without bubblewrap', () => {
  it('D22 pre-init bash runs the read-only commands, and says what to install for others', async () => {
    const { run, cwd, shell } = shellWorld(without);
    expect(said(await run('cat a.txt | wc -l', 'readOnly'))).toBe('2\n');
    const refused = said(await run('touch x', 'readOnly'));
    expect(refused).toMatch(
      /^REFUSED Nothing was run\. Before `plan init` and without a sandbox only read-only commands run, and `touch` is not one of the read-only commands: /,
    );
    expect(refused.slice(refused.indexOf('Explore'))).toBe(
      'Explore with read_file, ls, glob and grep. For other commands ask the user to install bubblewrap, since ' +
        'bwrap-that-is-not-installed is not installed (Debian and Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap).',
    );
    expect(existsSync(join(cwd, 'x'))).toBe(false);
    expect(await shell.level('readOnly')).toBe('read-only commands, no sandbox');
    expect(await shell.level('project')).toBe('your rights, no sandbox');
  });

  it('a bubblewrap that is there but does not work is found out by running it', async () => {
    const { run } = shellWorld({ bubblewrap: 'false' });
    expect(said(await run('touch x', 'readOnly'))).toContain('since false failed (');
    expect(await run('true')).toMatchObject({ exit: 0 });
  });
});

describe('killGroup', () => {
  it('never signals what is not a group of ours', async () => {
    expect(await killGroup({ pid: 1, started: startTime(1) ?? '' })).toBe('gone');
    expect(await killGroup({ pid: 0, started: '' })).toBe('gone');
    expect(await killGroup({ pid: 2 ** 22 + 1, started: '5' })).toBe('gone');
  });

  it('reads a start time past a name with brackets and spaces', async () => {
    const root = folder();
    const { run, groups } = shellWorld({ ...without, cwd: root });
    const running = run(`cp /bin/sleep 'a) R 1 (b'; exec './a) R 1 (b' 300`);
    const group = await eventually(
      () => groups[0] ?? null,
      (seen) => seen !== null && readFileSync(`/proc/${seen.pid}/comm`, 'utf8') === 'a) R 1 (b\n',
    );
    expect(startTime(group?.pid ?? 0)).toBe(group?.started);
    expect(group === null ? 'none' : await killGroup(group)).toBe('ended');
    expect(await running).toMatchObject({ exit: null });
  });
});

it('stays usable after a failure', async () => {
  const { shell } = shellWorld();
  await shell.run('a\0b', 'project', 1000, never);
  expect(await shell.run('echo ok', 'project', 5000, never)).toMatchObject({ exit: 0, output: 'ok\n' });
});
