import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commands, createWorld, type World } from '../cli/planchart.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { call, complete, gate, plan, planPath, script, type Step, tasks } from './model.ts';
import { type Person, sit } from './person.ts';

let world: World;
let server: ModelServer;
beforeEach(() => {
  world = createWorld();
  writeFileSync(join(world.project, 'README.md'), '# Todos\n');
});
afterEach(async () => {
  await server.close();
  world.end();
});

const never: Step = { hang: true };
const writing: Step[] = [
  plan('init', { mode: 'design', title: 'Add a count option' }),
  (request) => call('read_file', { path: planPath(request) }),
  (request) => call('write_file', { path: planPath(request), content: complete }),
];
const written: Step[] = [...writing, { text: 'It is complete.' }];

function open(): Promise<Person> {
  return sit(world, ['--model', 'openai:test'], { OPENAI_BASE_URL: server.baseUrl });
}

/** Ends the program as a power cut would, and starts it again in the same folder. */
async function killAndReopen(person: Person): Promise<Person> {
  person.kill('SIGKILL');
  await person.exit();
  return open();
}

async function approve(person: Person): Promise<void> {
  await person.say('make a plan to add a count option');
  await person.allow(/Ready for your review/u);
  await person.idle();
  await person.say('/show-plan');
  await person.waitFor(/a approve/u);
  await person.press('a', /\[Active\]/u);
}

const filesIn = (folder: string): string[] =>
  readdirSync(join(world.home, '.opencrabs', folder), { recursive: true, encoding: 'utf8' });

const archive = (): string[] => {
  const folder = join(world.home, '.opencrabs/session/archive');
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe('SIGKILL and a new start show what was last on screen', () => {
  it('while the agent explores: Plan mode is still on, the turn is said to be interrupted', async () => {
    server = await startModelServer(script([never]));
    const person = await open();
    await person.say('make a plan to add a count option');
    await person.waitFor(/\[Editing · no plan yet\]/u);
    const again = await killAndReopen(person);
    const rows = await again.waitFor(/interrupted[\s\S]*\[Editing · no plan yet\]/u);
    expect(rows.join('\n')).not.toMatch(/working/u);
    await again.say('/discard');
    await again.waitFor((now) => !now.join('\n').includes('[Editing'));
  }, 90_000);

  it('while the session plan is written, and when it waits for review', async () => {
    server = await startModelServer(script([...writing, never]));
    const person = await open();
    await person.say('make a plan to add a count option');
    await person.allow(/3 steps[\s\S]*working[\s\S]*\[Editing\]/u);
    const second = await killAndReopen(person);
    await second.waitFor(/Add a count option {2}3 steps[\s\S]*ready for review[\s\S]*\[Editing\]/u);
    const third = await killAndReopen(second);
    await third.waitFor(/Add a count option {2}3 steps[\s\S]*ready for review[\s\S]*\[Editing\]/u);
    await third.say('/show-plan');
    await third.waitFor(/a approve/u);
    third.key('end');
    const rows = await third.waitFor(/3\. Look it over/u);
    expect(rows.join('\n')).toMatch(/\[Editing\]/u);
    // D49: what was seen before the restart is what a text that came meanwhile is compared with.
    const [document, seen] = [
      filesIn('session').find((name) => name.endsWith('.md')),
      () => filesIn('planchart'),
    ];
    await expect.poll(() => seen().some((name) => /\/seen-[0-9a-f]+\.json$/u.test(name))).toBe(true);
    third.kill('SIGKILL');
    await third.exit();
    const path = join(world.home, '.opencrabs/session', document ?? '');
    writeFileSync(path, readFileSync(path, 'utf8').replace('Look it over', 'Look it over twice'));
    const fourth = await open();
    await fourth.say('/show-plan');
    await fourth.waitFor(/Changed since you saw it: c shows what\.\n.*a approve/u);
    await fourth.press('c', /since the text that you saw before:[\s\S]*^\+ 3\. Look it over twice/mu);
  }, 90_000);

  it('while Building checklist… shows: the seed has failed, and /execute builds it again', async () => {
    const held = gate();
    server = await startModelServer(
      script([
        ...written,
        never,
        async () => {
          await held.open;
          return plan('add_tasks', { tasks });
        },
        plan('start'),
        never,
      ]),
    );
    const person = await open();
    await approve(person);
    await person.waitFor(/Building checklist…/u);
    await expect.poll(() => server.requests.length).toBe(5);
    const again = await killAndReopen(person);
    await again.waitFor(/not built[\s\S]*\/execute tries again/u);
    await again.say('/execute');
    await again.waitFor(/Building checklist…[\s\S]*\[Active\]/u);
    held.go();
    await again.waitFor(/0\/3[\s\S]*▸ 1 Count/u);
    await expect.poll(() => server.requests.length).toBe(8);
  }, 90_000);

  it('while a question about a write is open: nothing was written, /continue goes on to the archive', async () => {
    server = await startModelServer(
      script([
        ...written,
        plan('add_tasks', { tasks }),
        plan('start'),
        call('write_file', { path: 'count.txt', content: '3\n' }),
        // After the restart.
        plan('start'),
        call('write_file', { path: 'count.txt', content: '4\n' }),
        plan('complete', { output: 'written' }),
        plan('start'),
        plan('complete', { action: 'skip' }),
        plan('start'),
        plan('complete', { output: 'looked' }),
        { text: 'Through.' },
      ]),
    );
    const person = await open();
    await approve(person);
    await person.waitFor(/Allow\?/u);
    const again = await killAndReopen(person);
    await again.waitFor(/0\/3[\s\S]*▸ 1 Count[\s\S]*\/continue[\s\S]*\[Active\]/u);
    expect(again.screen().join('\n')).not.toMatch(/Allow\?/u);
    expect(existsSync(join(world.project, 'count.txt'))).toBe(false);
    await again.say('/continue');
    await again.allow(/Through\./u);
    await again.idle();
    expect(readFileSync(join(world.project, 'count.txt'), 'utf8')).toBe('4\n');
    expect(archive()).toHaveLength(2);
  }, 90_000);
});

describe('a closed terminal', () => {
  it.each(['SIGHUP', 'SIGTERM'] as const)(
    '%s ends the turn and its command before the program goes',
    async (signal) => {
      const marker = `planchart-test-${randomUUID()}`;
      const running = (): boolean => commands().some((args) => args.startsWith(marker));
      server = await startModelServer(script([call('bash', { command: `exec -a ${marker} sleep 600` })]));
      const person = await sit(world, ['--model', 'openai:test', '--yolo'], {
        OPENAI_BASE_URL: server.baseUrl,
      });
      await person.say('sleep a while');
      await expect.poll(running, { timeout: 20_000 }).toBe(true);
      person.kill(signal);
      await person.exit();
      expect(running()).toBe(false);
      const again = await open();
      expect(again.screen().join('\n')).not.toMatch(/interrupted/u);
    },
    90_000,
  );
});
