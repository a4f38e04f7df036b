import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { archiveNames } from '../../adapters/store/archive.ts';
import { createFileStore } from '../../adapters/store/index.ts';
import { createPlaces, markerBeside } from '../../adapters/store/places.ts';
import { scanDocument } from '../../machines/document.ts';
import { draftTasks } from '../../machines/drafts.ts';
import { readImport } from '../../machines/import.ts';
import { loadSidecar, type Plan, projectSidecar, rootFields, unreadFields } from '../../machines/sidecar.ts';
import { loadTasks, taskClosed, taskFields } from '../../machines/tasks.ts';
import { hashOf, rawTask, sessionId } from '../support/samples.ts';
import { openHarness } from '../support/harness.ts';
import { inOrder, plan, reply, says } from '../support/harness-script.ts';

const page = readFileSync(new URL('../../docs/plan-format.md', import.meta.url), 'utf8');
const session = '3f2b8c1e-6a4d-4f0e-9b7a-2d5c8e1f0a63';

/** Text of each level-2 section by its heading; what looks like a heading in a code block is none. */
function sectionsOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let heading = '';
  let fenced = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) fenced = !fenced;
    if (!fenced && line.startsWith('## ')) heading = line.slice(3);
    else found.set(heading, `${found.get(heading) ?? ''}${line}\n`);
  }
  return found;
}

const sections = sectionsOf(page);
const section = (heading: string): string => sections.get(heading) ?? '';

/** The one code block of a section. */
function block(heading: string, language: string): string {
  const blocks = [...section(heading).matchAll(/^```(\w+)\n([^]*?)^```$/gmu)];
  expect(blocks.map(([, found]) => found)).toEqual([language]);
  return blocks[0]?.[2] ?? '';
}

const cells = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** Rows of the table with exactly these heads in a section. */
function rows<H extends string>(heading: string, ...heads: H[]): Record<H, string>[] {
  const tables = section(heading)
    .split(/\n\n+/u)
    .map((part) => part.split('\n').filter((line) => line.startsWith('|')));
  const table = tables.find(([head = '']) => cells(head).join('|') === heads.join('|')) ?? [];
  expect(table.length).toBeGreaterThan(2);
  return table.slice(2).map((line) => {
    expect(cells(line)).toHaveLength(heads.length);
    return Object.fromEntries(heads.map((name, at) => [name, cells(line)[at] ?? ''])) as Record<H, string>;
  });
}

const code = (cell: string): string | null => /^`(.*)`$/u.exec(cell)?.[1] ?? null;
/** The table of fields of the root or of a task. */
const fields = (heading: 'Root fields' | 'Task fields') =>
  rows(heading, 'field', 'type', 'default', 'meaning', 'written by').map(({ field, ...row }) => ({
    ...row,
    field: code(field) ?? '',
  }));

function planOf(text: string, document: 'beside' | 'none' = 'none'): Plan {
  const loaded = loadSidecar(text, { session, document: document === 'beside' });
  if (!('plan' in loaded)) throw new Error(`unreadable: ${loaded.cause}`);
  return loaded.plan;
}

describe('docs/plan-format.md, fields', () => {
  it('names every root field and no other, each with its type and its writer', () => {
    const named = fields('Root fields');
    expect(named.map(({ field }) => field).toSorted()).toEqual([...rootFields].toSorted());
    expect(named.filter((row) => row.type === '' || row['written by'] === '')).toEqual([]);
    expect(section('Root fields')).toContain('`legacy_tasks`');
  });

  it('names every task field and no other, each with its type and its writer', () => {
    const named = fields('Task fields');
    expect(named.map(({ field }) => field).toSorted()).toEqual([...taskFields].toSorted());
    expect(named.filter((row) => row.type === '' || row['written by'] === '')).toEqual([]);
  });

  it('gives the defaults that a file without the field is read with', () => {
    const bare = planOf('{"status":"Active","tasks":[]}');
    const [task] = loadTasks([{}], session);
    const stated = (heading: 'Root fields' | 'Task fields') =>
      fields(heading).flatMap(({ field, default: value }) => {
        const text = code(value);
        return text === null ? [] : [[field, JSON.parse(text) as unknown] as const];
      });
    expect(stated('Root fields').length).toBeGreaterThan(8);
    expect(stated('Task fields').length).toBeGreaterThan(9);
    // The only one that no plan in memory has.
    expect({ ...bare, pending_approval: false }).toMatchObject(Object.fromEntries(stated('Root fields')));
    expect(task).toMatchObject(Object.fromEntries(stated('Task fields')));
  });

  it('lists what is written for older programs', () => {
    const listed = rows('Root fields', 'field', 'default').map((row) => [
      code(row.field) ?? '',
      JSON.parse(code(row.default) ?? '') as unknown,
    ]);
    expect(Object.fromEntries(listed)).toEqual(unreadFields);
  });

  it('tells which task statuses resolve a task', () => {
    const table = rows('Task fields', 'task status', '`start`', '`complete`', 'resolved');
    expect(table.map((row) => code(row['task status']))).toEqual(
      'Pending InProgress Completed Skipped Failed Blocked'.split(' '),
    );
    const resolved = table.filter((row) => {
      const [task] = loadTasks([rawTask(1, code(row['task status']))], session);
      return task !== undefined && taskClosed(task);
    });
    expect(table.filter((row) => row.resolved === 'yes')).toEqual(resolved);
  });

  it('maps every status that was ever written', () => {
    const kinds: Record<string, string> = { editing: 'Editing', active: 'Active', finished: 'archived' };
    const table = rows('Legacy map', 'status on disk', 'read as');
    expect(table).toHaveLength(9);
    for (const row of table) {
      const status = code(row['status on disk']);
      const text = JSON.stringify({ status, tasks: [rawTask(1, 'Pending')] });
      const loaded = loadSidecar(text, { session, document: true });
      expect([status, row['read as'].startsWith(kinds[loaded.kind] ?? 'unreadable')]).toEqual([status, true]);
      const discarded = loaded.kind === 'finished' && loaded.as === 'discarded';
      expect([status, row['read as'].includes('.discarded')]).toEqual([status, discarded]);
      const alone = loadSidecar(text, { session, document: false });
      expect([status, row['read as'].includes('a checklist')]).toEqual([status, alone.kind !== loaded.kind]);
    }
  });
});

describe('docs/plan-format.md, examples', () => {
  it('the sidecar has every field and comes back as it is, unknown fields included', () => {
    const text = block('Example of a sidecar', 'json');
    const example = JSON.parse(text) as { tasks: object[] };
    const loaded = planOf(text, 'beside');
    expect(JSON.parse(projectSidecar(loaded))).toEqual(example);
    expect(planOf(projectSidecar(loaded), 'beside')).toEqual(loaded);
    const absent = [...rootFields].filter((field) => !(field in example));
    expect(absent.toSorted()).toEqual(['pending_approval', 'pre_init_editing']);
    for (const task of example.tasks) expect([...taskFields].filter((field) => !(field in task))).toEqual([]);
    expect(loaded.rest).toMatchObject({ ...unreadFields, approval_source: 'user' });
    expect(loaded.tasks[0]?.rest).toEqual({ scope: 'src' });
    expect(scanDocument(loaded.description).faults).toEqual([]);
    expect(loaded.approval?.hash).toBe(hashOf(loaded.description));
  });

  it('the import file is read, and its tasks are taken', () => {
    const file = readImport(block('Example of an import file', 'json'));
    if ('faults' in file) throw new Error(file.faults.join('\n'));
    const ids = file.tasks.map((_, index) => `00000000-0000-4000-8000-00000000000${index}`);
    const taken = draftTasks(file.tasks, [], ids);
    if ('faults' in taken) throw new Error(taken.faults.join('\n'));
    expect(taken.tasks.map(({ task_type, complexity }) => [task_type, complexity])).toEqual([
      ['research', 3],
      ['create', 3],
      ['configuration', 3],
      ['test', 2],
    ]);
    expect(taken.tasks[3]?.dependencies).toEqual([ids[1], ids[2]]);
    expect(taken.tasks[1]?.acceptance_criteria).toHaveLength(2);
  });

  it('the import file goes Active through the plan tool', async () => {
    const text = block('Example of an import file', 'json');
    const h = await openHarness({
      files: { 'auth.json': text },
      script: inOrder(() => [
        reply(plan('init', { file_path: 'auth.json' }), plan('start')),
        says('Working.'),
      ]),
    });
    await h.turn(() => h.chat('import auth.json'));
    expect(h.session.view()).toMatchObject({ phase: 'checklist', title: 'Add user authentication' });
    expect(h.session.view().tasks.map(({ status, waitsFor }) => [status, waitsFor])).toEqual([
      ['running', []],
      ['pending', [1]],
      ['pending', [2]],
      ['pending', [2, 3]],
    ]);
    const written = JSON.parse(readFileSync(h.session.paths.sidecar, 'utf8')) as Record<string, unknown>;
    const optional = ['approval', 'origin', 'pending_approval', 'pre_init_editing'];
    const wanted = [...rootFields, ...Object.keys(unreadFields)].filter((field) => !optional.includes(field));
    expect(Object.keys(written).toSorted()).toEqual(wanted.toSorted());
  });

  it('the session plan can be approved, and its steps are read', () => {
    const scan = scanDocument(block('Example of a session plan', 'markdown'));
    expect(scan).toMatchObject({
      title: 'Add a --count option',
      faults: [],
      context: { intent: 'it was asked for.' },
    });
    expect(scan.steps.map(({ title, doneWhen }) => [title, doneWhen])).toEqual([
      ['Count the todos', []],
      ['Test the option', ['`npm test` passes.']],
    ]);
  });
});

describe('docs/plan-format.md, places', () => {
  function tempRoot(): string {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'planchart-format-')));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    return root;
  }

  it('names the paths that the store uses', () => {
    const root = tempRoot();
    const home = join(root, 'profiles', 'dev');
    const places = createPlaces({ home, root });
    const hash = 'ab'.repeat(32);
    const own = places.paths(session, null);
    const project = places.paths(session, 'demo');
    const real: Record<string, string> = {
      sidecar: own.sidecar,
      'session plan': own.document,
      archive: own.archive,
      marker: markerBeside(own.sidecar),
      'sidecar of a project': project.sidecar,
      'session plan of a project': project.document,
      'archive of a project': project.archive,
      'legacy sidecar': places.legacy(session).sidecar,
      'legacy session plan': places.legacy(session).document,
      'session record': places.record(session),
      transcript: places.transcript(session),
      revision: places.revision(session, hash),
      'session lock': places.sessionLock(session),
      'turn lock': places.turnLock(sessionId),
    };
    const named = rows('Where files live', 'file', 'path').map(({ file, path }) => {
      const filled = (code(path) ?? '')
        .replace('<home>', home)
        .replace('<root>', root)
        .replace('<id>', session)
        .replace('<slug>', 'demo')
        .replace('<sha-256>', hash)
        .replace('<turn>', sessionId);
      return [file, filled];
    });
    expect(Object.fromEntries(named)).toEqual(real);
  });

  it('lists archive names as the store reads them, and every suffix that it writes', async () => {
    const names = block('Archive', 'text').trim().split('\n');
    expect(archiveNames(session, names.toReversed())).toEqual(names);
    const suffixes = ['', '.discarded', '.unreadable', '.orphan'] as const;
    const stated = rows('Archive', 'suffix', 'why').map(({ suffix }) => code(suffix) ?? '');
    expect(stated).toEqual([...suffixes]);

    const home = tempRoot();
    const store = createFileStore({ home });
    const at = '2026-03-01T10:15:00.000Z';
    const base = { v: 1, project: null, yolo: false, goal: { user: null, task: null }, lease: null };
    await store.create({
      ...base,
      id: session,
      cwd: home,
      created: at,
      used: at,
      queue: [],
      interrupted: false,
    });
    const { dir, document } = store.paths(session);
    mkdirSync(dir, { recursive: true });
    for (const suffix of suffixes) {
      writeFileSync(document, '# T\n');
      const archive = { suffix, stamp: '20260301-101500', sidecar: suffix === '.orphan' ? null : '{}' };
      await store.exclusive(session, (tx) => tx.commit({ archive, document: { remove: true } }));
    }
    const pattern =
      /^opencrabs_plan_[0-9a-f-]{36}-\d{8}-\d{6}(?:-\d+)?(\.discarded|\.unreadable|\.orphan)?\.(?:json|md)$/u;
    const { archives } = await store.read(session);
    expect(archives).toHaveLength(7);
    expect(new Set(archives.map((name) => pattern.exec(name)?.[1] ?? ''))).toEqual(new Set(stated));
  });
});
