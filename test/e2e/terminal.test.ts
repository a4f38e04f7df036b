import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../cli/planchart.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { call, complete, gate, incomplete, plan, planPath, script, tasks } from './model.ts';
import { sit } from './person.ts';

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

const openai = (): { OPENAI_BASE_URL: string } => ({ OPENAI_BASE_URL: server.baseUrl });
const sessionFolder = (): string => join(world.home, '.opencrabs/session');
const archive = (): string[] => {
  const folder = join(sessionFolder(), 'archive');
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
};

describe('the main job in a terminal of 80×24, against a model behind the OpenAI protocol', () => {
  it('goes from words over Editing, refusals, Approve and Building to the archive', async () => {
    const [first, seed, last] = [gate(), gate(), gate()];
    server = await startModelServer(
      script([
        // Turn 1: explores, starts the plan, leaves the template incomplete.
        async () => {
          await first.open;
          return call('read_file', { path: 'README.md' }, 'I look around first.');
        },
        plan('init', { mode: 'design', title: 'Add a count option' }),
        (request) => call('read_file', { path: planPath(request) }),
        (request) => call('write_file', { path: planPath(request), content: incomplete }),
        { text: 'A first draft is there.' },
        // Turn 2: tries what Editing forbids, then completes the text.
        call('write_file', { path: 'README.md', content: 'broken\n' }),
        call('bash', { command: 'echo broken > README.md' }),
        (request) => call('read_file', { path: planPath(request) }),
        (request) => call('write_file', { path: planPath(request), content: complete }),
        { text: 'It is complete now.' },
        // Seed turn.
        async (request) => {
          await seed.open;
          return call('read_file', { path: planPath(request) });
        },
        plan('add_tasks', { tasks }),
        plan('start'),
        call('write_file', { path: 'count.txt', content: '3\n' }),
        plan('complete', { output: 'written' }),
        plan('start'),
        call('write_file', { path: 'docs.txt', content: 'docs\n' }),
        plan('complete', { output: 'written' }),
        plan('start'),
        async () => {
          await last.open;
          return plan('complete', { output: 'looked' });
        },
        { text: 'All three tasks are done.' },
      ]),
    );
    const person = await sit(world, ['--model', 'openai:test'], openai());

    await person.say('make a plan to add a count option');
    await person.waitFor(/because you wrote "make a plan"[\s\S]*\[Editing · no plan yet\]/u);
    const times = (text: string): number => person.history().filter((row) => row.includes(text)).length;
    expect(times('because you wrote')).toBe(1);
    first.go();

    await person.allow(/Add a count option[\s\S]*\[Editing\]/u);
    await person.waitFor(/parts? (?:is|are) missing|not complete/u);
    await person.idle();
    await person.say('/execute');
    await person.waitFor(/TEMPLATE_INVALID [\s\S]*- line 6: .*Target state[\s\S]*- line 9: /u);
    expect(archive()).toEqual([]);

    await person.say('please fill in what is missing');
    await person.waitFor(/It is complete now/u);
    await person.waitFor(/Ready for your review · 3 steps/u);
    expect(readFileSync(join(world.project, 'README.md'), 'utf8')).toBe('# Todos\n');
    expect(person.history().join('\n')).toMatch(/✗ write_file · GATE_CLOSED/u);
    expect(person.history().join('\n')).toMatch(/✗ bash · GATE_CLOSED/u);

    await person.say('/show-plan');
    await person.waitFor(/Add a count option[\s\S]*\[Editing\][\s\S]*Target state:[\s\S]*a approve/u);
    expect(person.buffer()).toBe('alternate');
    person.key('end');
    await person.waitFor(/3\. Look it over/u);
    await person.press('a', /Building checklist…[\s\S]*\[Active\]/u);
    expect(person.buffer()).toBe('normal');

    await person.say('/execute');
    await person.waitFor(/BUSY {2}A turn is running/u);
    seed.go();

    const rows = await person.allow(/2\/3[\s\S]*▸ 3 Look it over/u);
    expect(rows.join('\n')).not.toMatch(/\d queued/u);
    expect(times('plan add_tasks, 3 tasks')).toBe(1);
    last.go();
    await person.waitFor(/All three tasks are done\./u);
    const done = await person.idle();
    expect(done.join('\n')).not.toMatch(/\[Active\]/u);

    expect(archive()).toEqual([expect.stringMatching(/\.json$/u), expect.stringMatching(/\.md$/u)]);
    const [, md = ''] = archive();
    expect(readFileSync(join(sessionFolder(), 'archive', md), 'utf8')).toBe(complete);
    expect(readdirSync(sessionFolder())).toEqual(['archive']);
    expect(readFileSync(join(world.project, 'count.txt'), 'utf8')).toBe('3\n');
    expect(readFileSync(join(world.project, 'docs.txt'), 'utf8')).toBe('docs\n');
    // One seed turn: nothing was queued behind it.
    expect(server.requests).toHaveLength(21);

    await person.say('/quit');
    expect(await person.exit()).toBe(0);
    expect(person.modes().bracketedPaste).toBe(false);
    expect(person.history().join('\n')).toMatch(/Resume with: planchart --session [0-9a-f-]{36}/u);
  }, 90_000);
});
