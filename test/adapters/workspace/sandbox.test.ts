import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Places, probeSandbox, sandboxArguments } from '../../../adapters/workspace/sandbox.ts';
import { eventually, folder, photograph } from './folder.ts';
import { said, shellWorld } from './shell-world.ts';

const path = { PATH: process.env.PATH ?? '' };
const found = await probeSandbox('bwrap', path);
const places: Places = { cwd: '/srv/p', home: '/home/u/.oc', visible: [], user: 'other' };

/** What changes the project, by ways that a parser of commands would miss. */
const writes = [
  ['redirect', 'echo x > a.txt'],
  ['append', 'echo x >> a.txt'],
  ['new file', 'touch new.txt'],
  ['sed -i', 'sed -i s/first/x/ a.txt'],
  ['python', "python3 -c \"open('a.txt','w').write('x')\""],
  ['node', `"${process.execPath}" -e "require('fs').writeFileSync('a.txt','x')"`],
  ['awk', 'awk \'BEGIN{print "x" > "a.txt"}\''],
  ['git commit', 'git -c user.name=a -c user.email=a@b commit --allow-empty -m x'],
  ['rm -rf', 'rm -rf "$PWD"/* .git'],
  ['rename', 'mv a.txt b.txt'],
  ['mode', 'chmod 600 a.txt'],
  ['own root link', 'echo x > /proc/self/root$PWD/a.txt'],
  ['own folder link', 'cd /; echo x > /proc/self/cwd$OLDPWD/a.txt; echo x > /proc/$$/cwd/$OLDPWD/a.txt'],
] as const;

/** What would change it if it got out of the sandbox. */
const escapes = [
  ['parent root link', 'echo x > /proc/1/root$PWD/a.txt'],
  ['remount', 'mount -o remount,rw "$PWD"; mount -o remount,rw,bind /; echo x > a.txt'],
  ['unmount', 'umount "$PWD"; echo x > a.txt'],
  ['new namespace', 'unshare -Urm sh -c "mount -o remount,rw,bind $PWD; echo x > a.txt"'],
  ['raw disk', 'mknod /tmp/disk b 254 0 && dd if=/tmp/disk of=/dev/null count=1 && echo x > a.txt'],
] as const;

/** Makes sockets of every kind and says how each went. */
const askPython = `
import ctypes, errno, socket
libc = ctypes.CDLL(None, use_errno=True)
def tell(name, made):
    print(name, 'ok' if made >= 0 else errno.errorcode[ctypes.get_errno()])
pair = (ctypes.c_int * 2)()
tell('socket stream', libc.socket(1, 1, 0))
tell('socket dgram', libc.socket(1, 2 | 0o2000000, 0))
tell('vsock', libc.socket(40, 1, 0))
tell('pair dgram', libc.socketpair(1, 2 | 0o2000000, 0, pair))
tell('pair raw', libc.socketpair(1, 3, 0, pair))
tell('io_uring', libc.syscall(425, 1, 0))
tell('pair stream', libc.socketpair(1, 1 | 0o2000000, 0, pair))
tell('pair packets', libc.socketpair(1, 5, 0, pair))
tell('inet', libc.socket(2, 1, 0))
tell('netlink', libc.socket(16, 3, 0))
`;

/** A server on a Unix socket in a folder; it answers everybody. */
async function served(place: string): Promise<string> {
  const socket = join(place, `planchart-${process.pid}-${Date.now()}.sock`);
  const server = createServer((client) => client.end('reached'));
  onTestFinished(() => void server.close());
  server.listen(socket);
  await once(server, 'listening');
  return socket;
}

function readOnlyWorks(): void {
  it.each(writes)('refuses a write by %s', async (_name, command) => {
    const { run, cwd } = shellWorld();
    execFileSync('git', ['init', '-q'], { cwd });
    const before = photograph(cwd);
    await run(command, 'readOnly');
    expect(photograph(cwd)).toBe(before);
    // The same command does write where it may, so the first half shows something.
    await run(command);
    expect(photograph(cwd)).not.toBe(before);
  });

  it.each(escapes)('does not let out by %s', async (_name, command) => {
    const { run, cwd } = shellWorld();
    const before = photograph(cwd);
    expect(await run(command, 'readOnly')).toMatchObject({ kind: 'ended', timedOut: false });
    expect(photograph(cwd)).toBe(before);
  });

  it('lets exploration work: read, search, log, a build in the temp folder', async () => {
    const { run, cwd } = shellWorld();
    execFileSync('git', ['init', '-q'], { cwd });
    const command =
      'cat a.txt; grep -rn second . --include=a.txt; git status --short; ls 2>&1 >/dev/null; ' +
      'cp -r . "$TMPDIR/copy" && echo x > "$TMPDIR/copy/a.txt" && cat /tmp/copy/a.txt';
    const outcome = await run(command, 'readOnly');
    expect(outcome).toMatchObject({ exit: 0, output: 'first\nsecond\n./a.txt:2:second\n?? a.txt\nx\n' });
    expect(existsSync('/tmp/copy')).toBe(false);
  });

  it('has no network', async () => {
    const server = createServer((socket) => socket.end('reached'));
    onTestFinished(() => void server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const { run } = shellWorld();
    const command = `cat < /dev/tcp/127.0.0.1/${port}`;
    expect(said(await run(command, 'readOnly'))).not.toContain('reached');
    // The same command gets through where the network is open, so it would show.
    expect(said(await run(command))).toContain('reached');
  });

  it.each(['/tmp', '/dev/shm', 'the project', "the user's folder"])(
    'reaches no Unix socket in %s',
    async (place) => {
      const { run, root, cwd } = shellWorld();
      const folders: Record<string, string> = {
        'the project': cwd,
        "the user's folder": join(root, 'outside'),
      };
      const socket = await served(folders[place] ?? place);
      const connect = `"${process.execPath}" -e "require('net').connect('${socket}').pipe(process.stdout)"`;
      expect(said(await run(connect, 'readOnly'))).not.toMatch(/reached$/);
      expect(said(await run(connect))).toBe('reached');
    },
  );

  it('hides the home, and what is written there is gone', async () => {
    const { run, home } = shellWorld();
    const command = `ls -A ${home}; cat ${home}/planchart.toml ${home}/sessions/mine.md; echo x > ${home}/new; true`;
    const output = said(await run(command, 'readOnly'));
    expect(output).not.toMatch(/hidden|my plan|sessions\n/);
    expect(output).toContain('Read-only file system');
    expect(existsSync(join(home, 'new'))).toBe(false);
  });

  it('makes no Unix socket by any call, and lets programs talk among themselves', async () => {
    const { run, cwd } = shellWorld();
    writeFileSync(join(cwd, 'ask.py'), askPython);
    const outcome = await run('mkdir -p "$TMPDIR" && python3 ask.py', 'readOnly');
    expect(said(outcome).trim().split('\n')).toEqual([
      'socket stream EACCES',
      'socket dgram EACCES',
      'vsock EACCES',
      'pair dgram EACCES',
      'pair raw EACCES',
      'io_uring EACCES',
      'pair stream ok',
      'pair packets ok',
      'inet ok',
      'netlink ok',
    ]);
    const outside = said(await run('python3 ask.py'));
    expect(outside).toContain('socket stream ok\nsocket dgram ok\n');
    expect(outside).toContain('pair dgram ok');
  });

  it('lets node start workers and children, and git and make run', async () => {
    const { run, cwd } = shellWorld();
    execFileSync('git', ['init', '-q'], { cwd });
    writeFileSync(join(cwd, 'Makefile'), 'all:\n\t@echo made\n');
    const fork =
      `const c=require('child_process').fork('/dev/stdin',{execArgv:[]});c.on('exit',()=>0);` +
      `console.log(require('child_process').execFileSync('echo',['child'])+'')`;
    // The sandbox hides /tmp, where this checkout itself may lie.
    copyFileSync(process.execPath, join(cwd, '.git', 'node'));
    const outcome = await run(
      `.git/node -e "${fork}"; make; git status --short; getent passwd root`,
      'readOnly',
    );
    expect(said(outcome)).toMatch(/^child\n\nmade\n\?\? Makefile\n\?\? a\.txt\nroot:/);
  });

  it('D21 reads the settings that a project brings along, and writes none of them', async () => {
    const { run, cwd } = shellWorld();
    mkdirSync(join(cwd, '.planchart'));
    writeFileSync(join(cwd, '.planchart/config.toml'), 'mine = 1\n');
    const outcome = await run(
      'cat .planchart/config.toml; echo x >> .planchart/config.toml; touch .planchart/new; rm -rf .planchart; echo y > b.txt',
    );
    expect(said(outcome)).toMatch(/^mine = 1\n/u);
    expect(readdirSync(join(cwd, '.planchart'))).toEqual(['config.toml']);
    expect(readFileSync(join(cwd, '.planchart/config.toml'), 'utf8')).toBe('mine = 1\n');
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('y\n');
  });

  it('sees no process of the host and changes no setting of it', async () => {
    const { run } = shellWorld();
    const output = said(
      await run(
        `ls -d /proc/${process.pid}; cat /proc/sys/kernel/printk > /proc/sys/kernel/printk; echo end`,
        'readOnly',
      ),
    );
    expect(output).toMatch(/No such file or directory[\s\S]*Read-only file system\nend\n$/);
  });

  it('ends with everything in it, however it was started', async () => {
    const { run, root } = shellWorld();
    const outcome = await run(`setsid bash -c 'sleep 300; : ${root}' & echo started`, 'readOnly');
    expect(outcome).toMatchObject({ exit: 0, output: 'started\n' });
    const all = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(all).not.toContain(`sleep 300; : ${root}`);
  });

  it('ends at the time-out', async () => {
    const { run, root } = shellWorld();
    const outcome = await run(
      `trap '' TERM; echo on; while :; do sleep 0.1; done; : ${root}`,
      'readOnly',
      300,
    );
    expect(outcome).toMatchObject({ exit: null, timedOut: true, output: 'on\n' });
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(root);
  });

  it('refuses a folder that the sandbox has its own of', async () => {
    const { run } = shellWorld({ cwd: '/tmp' });
    expect(said(await run('true', 'readOnly'))).toBe(
      'REFUSED Nothing was run. Before `plan init` commands run only in a read-only sandbox: ' +
        '/tmp is not the real one inside the read-only sandbox. Start the session in a folder of its own.',
    );
  });

  it('says so', async () => {
    const { shell } = shellWorld();
    expect(await shell.level('readOnly')).toBe('read-only sandbox, no network');
    expect(await shell.level('project')).toBe("your rights, planchart's own files closed");
  });
}

function readOnlyMissing(): void {
  it('runs what only reads and refuses the rest with what to install, as found here', async () => {
    const { run, cwd } = shellWorld();
    expect(said(await run('cat a.txt', 'readOnly'))).toBe('first\nsecond\n');
    expect(said(await run('touch x', 'readOnly'))).toMatch(/^REFUSED Nothing was run\..*install bubblewrap/);
    expect(existsSync(join(cwd, 'x'))).toBe(false);
  });
}
describe('D22 pre-init bash', () => {
  if (found.works) readOnlyWorks();
  else readOnlyMissing();
});

function projectWorks(): void {
  it('reads of the home only what is shown, and changes nothing in it', async () => {
    const { run, home, cwd } = shellWorld();
    const command =
      `cat ${home}/sessions/mine.md; cat ${home}/planchart.toml; cat ${home}/sessions/other.md; ` +
      `echo x > ${home}/sessions/mine.md; echo x > ${home}/new; mv ${home}/sessions ${home}/s; rm -rf ${home}; ` +
      'echo wrote > b.txt';
    const output = said(await run(command));
    expect(output).toContain('my plan');
    expect(output).not.toMatch(/hidden|their plan/);
    expect(readFileSync(join(home, 'sessions/mine.md'), 'utf8')).toBe('my plan');
    expect(readFileSync(join(home, 'sessions/other.md'), 'utf8')).toBe('their plan');
    expect(readFileSync(join(home, 'planchart.toml'), 'utf8')).toBe('key = "hidden"');
    expect([existsSync(join(home, 'new')), readFileSync(join(cwd, 'b.txt'), 'utf8')]).toEqual([
      false,
      'wrote\n',
    ]);
  });

  it.each([
    ['unmount', 'umount HOME; cat HOME/planchart.toml'],
    ['new namespace', "unshare -Urm sh -c 'umount HOME; cat HOME/planchart.toml'"],
    ['own mount', 'mkdir m; mount --bind / m; cat m/HOME/planchart.toml'],
    ['the root folder of the program', `cat /proc/${process.pid}/root/HOME/planchart.toml`],
    ['the memory of the program', `cat /proc/${process.pid}/environ && echo hidden`],
    ['entering its namespace', `nsenter -t ${process.pid} -m cat HOME/planchart.toml`],
  ])('keeps the home closed against %s', async (_name, command) => {
    const { run, home } = shellWorld();
    const outcome = await run(command.replaceAll('HOME', home));
    expect(outcome.kind).toBe('ended');
    expect(said(outcome)).not.toContain('hidden');
  });

  it('D22 ends with everything in it, also what has left the group and emptied its environment', async () => {
    const { run, root, cwd } = shellWorld();
    const loop = `while :; do echo x >> log; sleep 0.02; done; : ${root}`;
    const outcome = await run(
      `env -i setsid "$(command -v bash)" -c '${loop}' & while [ ! -s log ]; do sleep 0.01; done`,
    );
    expect(outcome).toMatchObject({ kind: 'ended', exit: 0 });
    await eventually(
      () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(`done; : ${root}`),
      (running) => !running,
      1000,
    );
    expect(existsSync(join(cwd, 'log'))).toBe(true);
  });

  it('D22 sees no process of the host, but its own', async () => {
    const { run } = shellWorld();
    const output = said(await run(`ls -d /proc/${process.pid} /proc/$$; kill -0 ${process.pid}`));
    expect(output).toMatch(/No such file[^]*\/proc\/\d+\n[^]*No such process/u);
  });

  it('works in a project that lies inside the home', async () => {
    const { home, run } = shellWorld();
    const inner = join(home, 'work');
    mkdirSync(inner);
    writeFileSync(join(inner, 'f'), 'inner');
    const inside = shellWorld({ home, cwd: inner, visible: () => [] });
    expect(said(await inside.run(`cat f; echo y > g; ls ${home}`))).toBe('innerwork\n');
    expect(readFileSync(join(inner, 'g'), 'utf8')).toBe('y\n');
    expect(said(await inside.run('cat f', 'readOnly'))).toBe('inner');
    expect(said(await inside.run('echo z > g', 'readOnly'))).toContain('Read-only file system');
    expect(said(await run(`cat ${inner}/f`))).not.toContain('inner\n');
  });

  it('closes a home that lies inside the project', async () => {
    const root = folder({ 'p/a': 'A', 'p/.oc/key': 'hidden' });
    const { run } = shellWorld({ cwd: join(root, 'p'), home: join(root, 'p/.oc'), visible: () => [] });
    for (const mode of ['project', 'readOnly'] as const) {
      expect(said(await run('cat a .oc/key', mode))).toBe('Acat: .oc/key: No such file or directory\n');
    }
  });
}

function projectMissing(): void {
  it('runs without a sandbox and says so', async () => {
    const { shell, run } = shellWorld();
    expect(await shell.level('project')).toBe('your rights, no sandbox');
    expect(await run('true')).toMatchObject({ exit: 0 });
  });
}
describe('D22 bash in NoPlan and Active', () => {
  if (found.works) projectWorks();
  else projectMissing();
});

describe('the arguments', () => {
  it('are the measured line in pre-init', () => {
    const line = sandboxArguments('readOnly', { ...places, home: null }).join(' ');
    expect(line).toBe(
      '--ro-bind / / --dev /dev --proc /proc --ro-bind /proc/sys /proc/sys --tmpfs /tmp --tmpfs /run --tmpfs /var/tmp ' +
        '--tmpfs /dev/shm --ro-bind /srv/p /srv/p --chdir /srv/p --setenv TMPDIR /tmp --unshare-pid --unshare-ipc ' +
        '--unshare-uts --unshare-net --die-with-parent --new-session --cap-drop ALL --seccomp 3 --',
    );
  });

  it('mask the home after the project, whichever lies in the other', () => {
    const inOrder = (cwd: string, home: string) =>
      sandboxArguments('readOnly', { ...places, cwd, home })
        .join(' ')
        .split('--tmpfs /dev/shm ')[1];
    expect(inOrder('/a', '/a/h')).toMatch(/^--ro-bind \/a \/a --tmpfs \/a\/h --remount-ro \/a\/h --chdir/);
    expect(inOrder('/h/a', '/h')).toMatch(/^--tmpfs \/h --ro-bind \/h\/a \/h\/a --remount-ro \/h --chdir/);
    expect(inOrder('/h', '/h')).toMatch(/^--ro-bind \/h \/h --tmpfs \/h --remount-ro \/h --chdir/);
  });

  it.each(['/', '/var', '/tmp', '/dev'])('never uncover a private folder for a session in %s', (cwd) => {
    expect(sandboxArguments('readOnly', { ...places, cwd }).join(' ')).not.toContain(
      `--ro-bind ${cwd} ${cwd} --tmpfs /home`,
    );
  });

  it('give rights back to root only, and none that undo the mounts', () => {
    const rights = (user: Places['user']) =>
      sandboxArguments('project', { ...places, user }).filter((word) => word.startsWith('CAP_'));
    expect(rights('other')).toEqual([]);
    expect(rights('root')).toContain('CAP_CHOWN');
    const undoing = /SYS_ADMIN|SYS_PTRACE|PERFMON|DAC_READ_SEARCH|SYS_MODULE|SYS_RAWIO|MKNOD|BPF/;
    expect(rights('root').filter((name) => undoing.test(name))).toEqual([]);
  });
});

describe('the probe', () => {
  it('says why it does not work', async () => {
    expect(await probeSandbox('no-such-program', path)).toEqual({
      works: false,
      cause: 'no-such-program is not installed',
    });
    expect(await probeSandbox('false', path)).toEqual({ works: false, cause: 'false failed' });
  });
});
