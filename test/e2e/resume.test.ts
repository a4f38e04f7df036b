import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { createWorld, program, type World } from '../cli/planchart.ts';
import { start } from '../support/terminal.ts';
import { sit } from './person.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.end());

it('the line that leaving prints resumes the session from any folder, of another home and profile too', async () => {
  const person = await sit(world, ['--home', join('it is', "Ann's home"), '--profile', 'work']);
  await person.say('/goal find it again');
  await person.waitFor(/Goal: find it again/u);
  await person.say('/quit');
  expect(await person.exit()).toBe(0);
  const line = /Resume with: planchart (.*)/u.exec(person.bytes())?.[1]?.trim() ?? '';
  expect(line).toMatch(/^--session [0-9a-f-]{36} --home '.*' --profile work$/u);

  const again = start('sh', ['-c', `exec "$0" "$1" ${line}`, process.execPath, program], {
    cols: 80,
    rows: 24,
    cwd: world.home,
    env: { ...world.env, NO_COLOR: '1' },
  });
  onTestFinished(() => again.kill());
  await again.waitFor(/Goal: find it again/u);
}, 60_000);
