import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands, places, verdict } from './allow-world.ts';

describe('D21 the home is closed to the read-only commands', () => {
  it.each(
    commands(`
      cat ../home/key ¦ cat @/key ¦ cat ~/home/key ¦ cat "$HOME/home/key" ¦ cat \${HOME}/home/key ¦ cat link/key
      cat file ¦ cat ../h*/key ¦ cat ../*/key ¦ cat ../[h]ome/k?y ¦ cat < ../home/key ¦ cd ../home && ls
      cd link && ls ¦ cd .. && cat home/key ¦ cd src && cat ../../home/key ¦ grep -r x .. ¦ grep -rf../home/key x
      grep --file=../home/key x ¦ find .. ¦ find ~ ¦ du .. ¦ tree .. ¦ rg x .. ¦ ls -R .. ¦ cd .. && find . -name key
      cd .. && rg x ¦ ls ../home ¦ git -C ../home status ¦ git -C .. diff home/key a ¦ git show HEAD:../home/key
      wc -l src/../../home/key ¦ diff <(cat ../home/key) a.txt ¦ echo $(cat ../home/key) ¦ cat src/up/home/key
      stat ../home ¦ [ -f ../home/key ]`),
  )('%s', async (command) => {
    const where = places();
    symlinkSync(where.home, join(where.cwd, 'link'));
    symlinkSync(join(where.home, 'key'), join(where.cwd, 'file'));
    symlinkSync('../..', join(where.cwd, 'src/up'));
    expect(await verdict(command.replace('@', where.home), where)).toContain('closed to commands');
  });

  it.each(
    commands(`
      cat /proc/1/environ ¦ cat /proc/self/environ ¦ cat /dev/sda ¦ cat < /dev/tcp/localhost/80 ¦ cat self
      grep -r x / ¦ find / -name x ¦ du -s / ¦ ls -lR / ¦ head -c9 /proc/*/environ`),
  )('so are other processes and devices: %s', async (command) => {
    const where = places();
    symlinkSync('/proc/self/environ', join(where.cwd, 'self'));
    expect(await verdict(command, where)).toContain('closed to commands');
  });

  it.each(
    commands('ls .. ¦ ls / ¦ cat /dev/null ¦ cat /etc/hostname ¦ find src ¦ echo ../home/key ¦ ls -la ~'),
  )('but %s runs', async (command) => {
    expect(await verdict(command)).toBe('allowed');
  });

  it('in the project it closes what goes through it', async () => {
    const where = places();
    const home = join(where.cwd, '.oc');
    mkdirSync(home);
    writeFileSync(join(home, 'key'), 'hidden');
    expect(await verdict('cat a.txt', { ...where, home })).toBe('allowed');
    for (const command of ['rg x', 'cat .oc/key', 'cat .*/key']) {
      expect(await verdict(command, { ...where, home })).toContain('closed to commands');
    }
  });

  it('around the project it leaves the project open', async () => {
    const where = places();
    const within = { ...where, home: join(where.cwd, '..') };
    expect([await verdict('cat a.txt', within), await verdict('rg x', within)]).toEqual([
      'allowed',
      'allowed',
    ]);
    expect(await verdict('cat ../home/key', within)).toContain('closed to commands');
    expect(await verdict('cat a.txt', { ...where, home: where.cwd })).toContain('closed to commands');
  });
});
