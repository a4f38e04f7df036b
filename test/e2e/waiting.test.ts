import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../cli/planchart.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { gate, script } from './model.ts';
import { type Person, sit } from './person.ts';

let world: World;
let server: ModelServer;
beforeEach(() => {
  world = createWorld();
});
afterEach(async () => {
  await server.close();
  world.end();
});

const open = (): Promise<Person> =>
  sit(world, ['--model', 'openai:test'], { OPENAI_BASE_URL: server.baseUrl });

const ctrl = { s: '\u0013', x: '\u0018' };

describe('D26 two terminals on one session', () => {
  it('what a killed one left waiting is marked, sent with one key, and taken back with another', async () => {
    const held = gate();
    server = await startModelServer(
      script([
        async () => {
          await held.open;
          return { text: 'The first is done.' };
        },
        { text: 'The second is done.' },
      ]),
    );
    const first = await open();
    await first.say('say one');
    await first.waitFor(/working/u);
    const second = await open();
    await second.waitFor(/working/u);
    await second.say('say two');
    await second.waitFor(/… waits say two · Up takes back/u);
    second.key('up');
    await second.waitFor((rows) => !rows.join('\n').includes('waits say two'));
    second.key('enter');
    await second.waitFor(/… waits say two/u);
    await second.say('say three');
    await first.waitFor(/… waits elsewhere say two[\s\S]*… waits elsewhere say three/u);
    second.kill('SIGKILL');
    await second.exit();

    await first.waitFor(
      /! not sent say two · Ctrl\+S sends · Ctrl\+X takes back[\s\S]*! not sent say three/u,
    );
    first.type(ctrl.s);
    await first.waitFor(/! not sent say three[\s\S]*… waits say two/u);
    held.go();
    const rows = await first.waitFor(/The second is done\.[\s\S]*! not sent say three · Ctrl\+S sends/u);
    expect(rows.join('\n')).toMatch(/› say two/u);
    first.type(ctrl.x);
    await first.waitFor((now) => now.includes('› say three') && !now.join('\n').includes('not sent'));
    expect(server.requests).toHaveLength(2);
  }, 90_000);
});
