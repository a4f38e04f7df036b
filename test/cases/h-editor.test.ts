import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../cli/planchart.ts';
import { call, complete, plan, planPath, script } from '../e2e/model.ts';
import { sit, type Person } from '../e2e/person.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';

let world: World;
let server: ModelServer;

beforeEach(async () => {
  world = createWorld();
  server = await startModelServer(
    script([
      plan('init', { mode: 'design', title: 'Add a count option' }),
      (request) => call('read_file', { path: planPath(request) }),
      (request) => call('write_file', { path: planPath(request), content: complete }),
      { text: 'The plan is there.' },
    ]),
  );
});
afterEach(async () => {
  await server.close();
  world.end();
});

/** A plan in review, open on the screen, with an editor that runs whatever `edits` writes. */
async function reviewing(): Promise<{ person: Person; edits: (commands: string) => void }> {
  const editor = join(world.folder, 'my editor.sh');
  const env = { OPENAI_BASE_URL: server.baseUrl, VISUAL: undefined, EDITOR: `sh "${editor}" --wait` };
  const person = await sit(world, ['--model', 'openai:test'], env);
  await person.say('make a plan to add a count option');
  await person.allow(/The plan is there\.[\s\S]*Ready for your review/u);
  await person.idle();
  await person.say('/show-plan');
  await person.waitFor(/Target state:[\s\S]*q close/u);
  // `$2` is the plan; `$1` is the option from the command line of the editor.
  return { person, edits: (commands) => writeFileSync(editor, `${commands}\n`) };
}

/** The session plan on disk. */
function planFile(): string {
  const folder = join(world.home, '.opencrabs/session');
  const [name = ''] = readdirSync(folder).filter((entry) => entry.endsWith('.md'));
  return join(folder, name);
}

describe('H. the editor, from the plan on the screen', () => {
  it('B102 the plan is read and checked again after each edit, and only the text that is shown is approved', async () => {
    const { person, edits } = await reviewing();

    // Replaces the file by another one, as many editors do.
    edits('sed -i "s/ .list --count. prints the numbers.//" "$2"');
    const rows = await person.press('e', /line 6 /u);
    expect(rows.join('\n')).toMatch(/Edited: this is the text as it is now/u);
    expect(rows.join('\n')).toMatch(/a approve \(off\)/u);

    edits('rm "$2"');
    // A file that vanished comes back with the text that was kept (D10).
    await person.press('e', /The text is unchanged/u);
    expect(readFileSync(planFile(), 'utf8')).toContain('- **Target state:**\n');

    const other = complete.replace('3. Look it over — nothing to write\n', '');
    writeFileSync(join(world.folder, 'other.md'), other);
    edits(`cat "${join(world.folder, 'other.md')}" > "$2"`);
    await person.press('e', (now) => /2\. Document/u.test(now.join()) && !/3\. Look/u.test(now.join()));
    await person.press('c', /−1 step[\s\S]*^- 3\. Look it over/mu);
    // What was compared is not the text: the first press turns to that.
    await person.press('a', /This is the text to approve/u);
    expect(person.buffer()).toBe('alternate');

    edits('exit 3');
    await person.press('e', /sh ended with 3/u);
    expect(person.screen().join('\n')).toMatch(/a approve/u);
    person.type('q');
    await person.waitFor(() => person.buffer() === 'normal');
    expect(person.modes().mouse).toBe('off');
    await person.say('/quit');
    expect(await person.exit()).toBe(0);
  }, 60_000);
});
