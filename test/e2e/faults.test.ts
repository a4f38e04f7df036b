import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../cli/planchart.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { call, complete, plan, planPath, script, type Step } from './model.ts';
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

const folder = (): string => join(world.home, '.opencrabs/session');
const live = (extension: 'json' | 'md'): string => {
  const [name = ''] = readdirSync(folder()).filter((file) => file.endsWith(`.${extension}`));
  return join(folder(), name);
};

async function planned(...more: Step[]): Promise<Person> {
  server = await startModelServer(
    script([
      plan('init', { mode: 'design', title: 'Add a count option' }),
      (request) => call('read_file', { path: planPath(request) }),
      (request) => call('write_file', { path: planPath(request), content: complete }),
      { text: 'It is complete.' },
      ...more,
    ]),
  );
  const person = await sit(world, ['--model', 'openai:test'], { OPENAI_BASE_URL: server.baseUrl });
  await person.say('make a plan to add a count option');
  await person.allow(/Ready for your review/u);
  await person.idle();
  return person;
}

describe('what goes wrong ends in a state that a person can leave', () => {
  it('a corrupt plan file: its path is shown, /discard moves it away', async () => {
    const person = await planned();
    const sidecar = live('json');
    writeFileSync(sidecar, '{"tasks": ');
    const rows = await person.waitFor(/cannot be read[\s\S]*\[Unreadable\]/u);
    expect(rows.join('').replaceAll(/\s+/gu, '')).toContain(sidecar);
    await person.say('/execute');
    await person.waitFor(/UNREADABLE/u);
    await person.say('/discard');
    await person.waitFor((now) => !now.join('\n').includes('[Unreadable]'));
    const kept = readdirSync(join(folder(), 'archive'));
    expect(kept).toEqual([
      expect.stringMatching(/\.unreadable\.json$/u),
      expect.stringMatching(/\.unreadable\.md$/u),
    ]);
    const [json = ''] = kept;
    expect(readFileSync(join(folder(), 'archive', json), 'utf8')).toBe('{"tasks": ');
  }, 90_000);

  it('a deleted session plan: it is written back and nothing is approved by that', async () => {
    const person = await planned();
    const path = live('md');
    rmSync(path);
    await person.waitFor(/was gone; it was restored/u);
    expect(readFileSync(path, 'utf8')).toBe(complete);
    expect(person.screen().join('\n')).toMatch(/\[Editing\]/u);
  }, 90_000);

  it('a model error in the seed turn: one line, then /execute builds it again', async () => {
    const tasks = ['Count', 'Document', 'Look it over'].map((title) => ({ title, description: `${title}.` }));
    const person = await planned(
      { status: 401, error: { message: 'no' } },
      plan('add_tasks', { tasks }),
      plan('start'),
      { hang: true },
    );
    await person.say('/show-plan');
    await person.waitFor(/a approve/u);
    await person.press('a', /for model "test"[\s\S]*not built[\s\S]*\/execute tries again/u);
    expect(person.screen().join('\n')).toMatch(/\[Active · not built\]/u);
    await person.say('/execute');
    await person.waitFor(/0\/3[\s\S]*▸ 1 Count[\s\S]*\[Active\]/u);
  }, 90_000);

  it('an archive that cannot be written: the sentence names the path, and nothing has changed', async () => {
    const person = await planned();
    const archive = join(folder(), 'archive');
    writeFileSync(archive, 'a file where a folder is needed');
    await person.say('/discard');
    const rows = await person.waitFor(/NOT_SAVED/u);
    expect(rows.join('').replaceAll(/\s+/gu, '')).toContain(archive);
    expect(rows.join('\n')).toMatch(/\[Editing\]/u);
    expect(readFileSync(live('md'), 'utf8')).toBe(complete);
    rmSync(archive);
    await person.say('/discard');
    await person.waitFor((now) => !now.join('\n').includes('[Editing]'));
    expect(readdirSync(archive)).toHaveLength(2);
  }, 90_000);
});
