import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { createWorld, type World } from './planchart.ts';

let world: World;
let home: string;
beforeEach(() => {
  world = createWorld();
  home = join(world.home, '.opencrabs');
});
afterEach(() => world.end());

const idOf = (stderr: string): string => /^Session (\S+) in /mu.exec(stderr)?.[1] ?? '';
const sidecar = (id: string): string => join(home, 'session', `.opencrabs_plan_${id}.json`);
const document = (id: string): string => join(home, 'session', `.opencrabs_plan_${id}.md`);

async function newSession(): Promise<string> {
  const { stderr } = await world.run(['run', 'hello']);
  mkdirSync(join(home, 'session'), { recursive: true });
  return idOf(stderr);
}

/** Every path below a folder with its kind, size, mode and times: what a reader must not change. */
function tree(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return ['.', ...names].toSorted().map((name) => {
    const { size, mode, mtimeMs, ctimeMs, ino } = statSync(join(folder, name));
    return `${name} ${ino} ${size} ${mode} ${mtimeMs} ${ctimeMs}`;
  });
}

/** A plan as OpenCrabs may have left it, with fields of the given values. */
function plan(id: string, fields: object): string {
  const base = { id: '0f6a8f6e-32c2-4f6d-8a52-0a8e5b1c9d11', session_id: id, title: 'Dark mode', tasks: [] };
  return JSON.stringify({ ...base, description: '', status: 'Editing', ...fields });
}

describe('planchart status', () => {
  it('says that there is nothing, and makes nothing', async () => {
    const { code, stdout } = await world.run(['status']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `No sessions in ${home}.\n` });
    expect(readdirSync(world.home)).toEqual([]);
  });

  it('lists state, folder, title and paths, and says what is next', async () => {
    const id = await newSession();
    writeFileSync(sidecar(id), plan(id, { description: '# Dark mode\n' }));
    writeFileSync(document(id), '# Dark mode\n');
    const { code, stdout } = await world.run(['status']);
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      `${id}  Editing`,
      `  folder  ${world.project}`,
      '  title   Dark mode',
      `  files   ${sidecar(id)}`,
      `          ${document(id)}`,
      expect.stringMatching(/^ {2}next {4}The session plan is not complete/u),
      '',
    ]);
  });

  it('shows progress, yolo and only the session that is named', async () => {
    const task = {
      id: '5a0c8f0e-0f3b-4a30-9c57-5a1f1f0f7a01',
      title: 'A',
      description: 'a',
      task_type: 'other',
    };
    const one = await newSession();
    const two = idOf((await world.run(['--yolo', 'run', 'hello'])).stderr);
    writeFileSync(
      sidecar(two),
      plan(two, {
        status: 'InProgress',
        tasks: [
          { ...task, order: 1, status: 'Completed' },
          { ...task, id: '5a0c8f0e-0f3b-4a30-9c57-5a1f1f0f7a02', order: 2, status: 'Pending' },
        ],
      }),
    );
    const all = await world.run(['status']);
    expect(all.stdout).toContain(`${one}  No plan\n`);
    expect(all.stdout).toContain(`${two}  Active 1/2, yolo\n`);
    const only = await world.run(['status', '--session', two]);
    expect(only.stdout).toContain(two);
    expect(only.stdout).not.toContain(one);
  });

  it('changes nothing on disk, whatever loading would mend', async () => {
    const ids = [await newSession(), await newSession(), await newSession(), await newSession()];
    const [orphan = '', finished = '', lost = '', corrupt = ''] = ids;
    writeFileSync(document(orphan), '# Left behind\n');
    writeFileSync(sidecar(finished), plan(finished, { status: 'Completed' }));
    writeFileSync(sidecar(lost), plan(lost, { description: '# Only here\n' }));
    writeFileSync(sidecar(corrupt), '{"tasks": 7');
    const before = tree(home);
    const { code, stdout } = await world.run(['status']);
    expect(code).toBe(0);
    expect(stdout).toContain(`${orphan}  No plan\n`);
    expect(stdout).toContain(`${finished}  No plan\n`);
    expect(stdout).toContain(`${lost}  Editing\n`);
    expect(stdout).toMatch(new RegExp(`${corrupt} {2}Unreadable`, 'u'));
    expect(tree(home)).toEqual(before);
  });

  it('lists what can not be read with the cause, beside the others', async () => {
    const good = await newSession();
    const damaged = await newSession();
    const newer = await newSession();
    const record = (id: string): string => join(home, 'planchart/sessions', id, 'session.json');
    writeFileSync(record(damaged), '{ "v": 1, "cwd');
    const fields = JSON.parse(readFileSync(record(newer), 'utf8')) as object;
    writeFileSync(record(newer), JSON.stringify({ ...fields, v: 99 }));
    const before = tree(home);
    const { code, stdout, stderr } = await world.run(['status']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`${good}  No plan`);
    expect(stdout).toContain(damaged);
    expect(stdout).toMatch(new RegExp(`${newer}\\n {2}cannot be read: .*newer version`, 'u'));
    expect(tree(home)).toEqual(before);
  });

  it('--json says the same for scripts', async () => {
    const id = await newSession();
    const broken = await newSession();
    writeFileSync(sidecar(id), plan(id, { description: '# Dark mode\n' }));
    writeFileSync(document(id), '# Dark mode\n');
    const record = join(home, 'planchart/sessions', broken, 'session.json');
    writeFileSync(record, '{ "v": 99 }');
    const { code, stdout } = await world.run(['status', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      v: 1,
      home,
      sessions: [
        expect.objectContaining({
          id,
          phase: 'postInit',
          turn: 'idle',
          title: 'Dark mode',
          cwd: world.project,
          policy: 'ask',
          progress: { done: 0, total: 0 },
          files: { sidecar: sidecar(id), document: document(id), archive: join(home, 'session/archive') },
        }),
        { id: broken, error: expect.stringMatching(/newer version/u) },
      ],
    });
    const none = await world.run(['status', '--json', '--home', 'none']);
    expect(JSON.parse(none.stdout)).toMatchObject({ v: 1, sessions: [] });
  });

  it('D39 makes control bytes of a title and a folder visible, each on its line', async () => {
    const id = await newSession();
    writeFileSync(sidecar(id), plan(id, { title: 'A\u001b[2J\nnext  forged\u202e' }));
    const { stdout } = await world.run(['status']);
    expect(stdout).toContain('  title   A␛[2J next forged<U+202E>\n');
  });
});

describe('status while a turn runs', () => {
  let server: ModelServer;
  afterEach(() => server.close());

  it('names the turn of another process and leaves it alone', async () => {
    server = await startModelServer([{ text: 'I think', chunk: 2, hang: 2 }]);
    const env = { OPENAI_BASE_URL: server.baseUrl };
    const run = world.start(['--model', 'openai:m', 'run', 'hello'], env);
    await run.until(/I th/u);
    const before = tree(home);
    const { stdout } = await world.run(['status']);
    expect(stdout).toMatch(/ {2}No plan, turn running since \d{4}-/u);
    expect(tree(home)).toEqual(before);
    run.child.kill('SIGKILL');
    await run.ended;
    const after = await world.run(['status']);
    expect(after.stdout).not.toMatch(/turn/u);
  });
});
