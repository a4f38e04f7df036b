import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, Said } from '../../machines/index.ts';
import { findTool } from '../../tools/registry.ts';
import { type Sent, world } from './world.ts';

const call = { turn: 'turn-1', child: false };
const task = { title: 'Write it', description: 'In full' };

describe('D6 the plan tool words events', () => {
  const cases: [string, Record<string, unknown>, Sent][] = [
    [
      'init design',
      { operation: 'init', title: 'T', description: 'D', mode: 'design' },
      { type: 'tool.init', ...call, title: 'T', description: 'D', mode: 'design' },
    ],
    [
      'init with tasks',
      { operation: 'init', title: 'T', tasks: [task] },
      { type: 'tool.init', ...call, title: 'T', tasks: [task] },
    ],
    ['init with nothing', { operation: 'init' }, { type: 'tool.init', ...call }],
    [
      'init with what only the machine may judge',
      { operation: 'init', mode: 'other', tasks: [] },
      { type: 'tool.init', ...call, mode: 'other', tasks: [] },
    ],
    [
      'add_tasks',
      {
        operation: 'add_tasks',
        tasks: [
          {
            ...task,
            dependencies: [1, 'x'],
            acceptance_criteria: ['ok'],
            complexity: 9,
            task_type: 'fix',
            more: 1,
          },
        ],
      },
      {
        type: 'tool.addTasks',
        ...call,
        tasks: [
          { ...task, dependencies: [1, 'x'], acceptance_criteria: ['ok'], complexity: 9, task_type: 'fix' },
        ],
      },
    ],
    ['add_tasks with none', { operation: 'add_tasks' }, { type: 'tool.addTasks', ...call, tasks: [] }],
    [
      'add_tasks with blanks',
      { operation: 'add_tasks', tasks: [{ title: ' ' }] },
      { type: 'tool.addTasks', ...call, tasks: [{ title: ' ', description: '' }] },
    ],
    [
      'add_task, flat',
      { operation: 'add_task', ...task, dependencies: [1], acceptance_criteria: ['ok'], complexity: 2 },
      {
        type: 'tool.addTasks',
        ...call,
        tasks: [{ ...task, dependencies: [1], acceptance_criteria: ['ok'], complexity: 2 }],
      },
    ],
    [
      'add_task, as a list',
      { operation: 'add_task', tasks: [task] },
      { type: 'tool.addTasks', ...call, tasks: [task] },
    ],
    ['start', { operation: 'start' }, { type: 'tool.start', ...call }],
    ['start n', { operation: 'start', task_order: 2 }, { type: 'tool.start', ...call, task: 2 }],
    ['start 0', { operation: 'start', task_order: 0 }, { type: 'tool.start', ...call, task: 0 }],
    [
      'complete',
      { operation: 'complete', task_order: 1.5, action: 'explode', output: 'o' },
      { type: 'tool.complete', ...call, task: 1.5, action: 'explode', output: 'o' },
    ],
    ['complete alone', { operation: 'complete' }, { type: 'tool.complete', ...call }],
    ...['approve', 'discard', 'create', 'finalize', 'INIT', 'toString', ''].map(
      (operation): [string, Record<string, unknown>, Sent] => [
        `unknown: ${operation}`,
        { operation },
        { type: 'tool.unknown', ...call, operation },
      ],
    ),
  ];

  it.each(cases)('%s', async (_name, input, event) => {
    const { sent, call: run } = world();
    expect(await run('plan', input)).toEqual({ text: 'Done.' });
    expect(sent).toEqual([event]);
    expect(Said.safeParse(sent[0]).success).toBe(true);
  });

  it('says whose call it is', async () => {
    const { sent, call: run } = world({}, { child: true, turn: 'turn-9' });
    await run('plan', { operation: 'start' });
    expect(sent).toEqual([{ type: 'tool.start', turn: 'turn-9', child: true }]);
  });
});

describe('the answer becomes a result', () => {
  const answers: [Answer, object][] = [
    [{ kind: 'accepted', text: 'Task 1 started.' }, { text: 'Task 1 started.' }],
    [
      { kind: 'refused', code: 'TASK_RUNNING', text: 'One runs.' },
      { text: 'TASK_RUNNING: One runs.', failed: true, code: 'TASK_RUNNING' },
    ],
    [
      { kind: 'info', code: 'STOPPING', text: 'Stops.' },
      { text: 'STOPPING: Stops.', failed: true, code: 'STOPPING' },
    ],
    [
      { kind: 'queued', text: 'Waits.' },
      { text: 'Waits.', failed: true },
    ],
    [
      { kind: 'refused', code: 'TEXT_CHANGED', text: 'Changed.' },
      { text: 'TEXT_CHANGED: Changed.', failed: true, code: 'TEXT_CHANGED' },
    ],
  ];

  it.each(answers)('%j', async (answer, result) => {
    const { call: run } = world({}, { send: async () => answer });
    expect(await run('plan', { operation: 'start' })).toEqual(result);
  });

  it.each(['add_tasks', 'add_task'])('D41 %s on a changed text ends the turn', async (operation) => {
    const send = async (): Promise<Answer> => ({ kind: 'refused', code: 'TEXT_CHANGED', text: 'Changed.' });
    expect(await world({}, { send }).call('plan', { operation, title: 't' })).toEqual({
      text: 'TEXT_CHANGED: Changed.',
      failed: true,
      code: 'TEXT_CHANGED',
      endsTurn: true,
    });
  });

  it('D41 no other refusal of add_tasks does', async () => {
    const send = async (): Promise<Answer> => ({ kind: 'refused', code: 'SEED_COUNT', text: 'Two steps.' });
    expect(await world({}, { send }).call('plan', { operation: 'add_tasks' })).not.toHaveProperty('endsTurn');
  });
});

describe('D19 import', () => {
  const imported = async (file_path: string, prepare: (cwd: string) => void = () => undefined) => {
    const { cwd, sent, call: run } = world({ 'in/plan.json': '{"tasks":[]}' });
    prepare(cwd);
    await run('plan', { operation: 'init', file_path });
    const [event] = sent;
    return { cwd, file: event?.type === 'tool.init' ? event.file : undefined };
  };

  it.each(['in/plan.json', './in/../in/plan.json', '~/in/plan.json'])('reads %s', async (file_path) => {
    const { cwd, file } = await imported(file_path);
    expect(file).toEqual({ path: join(cwd, 'in/plan.json'), text: '{"tasks":[]}' });
  });

  it('reads an absolute path, through links, without its byte order mark', async () => {
    const { cwd, sent, call: run } = world({ 'in/plan.json': '\uFEFF{}' });
    symlinkSync(join(cwd, 'in'), join(cwd, 'door'));
    symlinkSync('door/plan.json', join(cwd, 'link.json'));
    await run('plan', { operation: 'init', file_path: join(cwd, 'link.json') });
    expect(sent).toMatchObject([{ file: { path: join(cwd, 'in/plan.json'), text: '{}' } }]);
  });

  it.each([
    ['in/none.json', 'no such file or directory (ENOENT)'],
    ['in', 'is a folder (EISDIR)'],
    ['/dev/null', 'is not a regular file'],
    ['latin.json', 'it is not UTF-8 text'],
    ['large.json', 'it has 10485761 bytes'],
  ])('tells the machine why %s can not be read', async (file_path, cause) => {
    const { file } = await imported(file_path, (cwd) => {
      writeFileSync(join(cwd, 'latin.json'), Buffer.from([0x7b, 0xe9, 0x7d]));
      writeFileSync(join(cwd, 'large.json'), '');
      truncateSync(join(cwd, 'large.json'), 10 * 1024 * 1024 + 1);
    });
    expect(file).toEqual({ path: expect.stringContaining(file_path) as string, cause });
  });

  it('takes a file of exactly 10 MiB', async () => {
    const { file } = await imported('large.json', (cwd) => {
      writeFileSync(join(cwd, 'large.json'), ' '.repeat(10 * 1024 * 1024));
    });
    expect(file !== undefined && 'text' in file ? file.text.length : file).toBe(10 * 1024 * 1024);
  });

  it('passes on what the resolver refuses', async () => {
    expect((await imported('a\0b')).file).toEqual({
      path: 'a\0b',
      cause: expect.stringContaining('NUL character') as string,
    });
  });

  it('leaves file_path with tasks to the machine, and reads for init only', async () => {
    const { cwd, sent, call: run } = world({ 'plan.json': '{}' });
    await run('plan', { operation: 'init', file_path: 'plan.json', tasks: [task], mode: 'design' });
    await run('plan', { operation: 'start', file_path: 'plan.json' });
    expect(sent).toEqual([
      {
        type: 'tool.init',
        ...call,
        mode: 'design',
        tasks: [task],
        file: { path: join(cwd, 'plan.json'), text: '{}' },
      },
      { type: 'tool.start', ...call },
    ]);
  });
});

describe('D43 first text from the archive', () => {
  it('is passed on by its text', async () => {
    const names: string[] = [];
    const archived = async (name: string) => (names.push(name), { text: '# Old' });
    const { sent, call: run } = world({}, { archived });
    await run('plan', { operation: 'init', title: 'T', mode: 'design', from: 'old.md' });
    expect(names).toEqual(['old.md']);
    expect(sent).toEqual([{ type: 'tool.init', ...call, title: 'T', mode: 'design', from: '# Old' }]);
  });

  it('says when there is none, and starts nothing', async () => {
    const { sent, call: run } = world();
    expect(await run('plan', { operation: 'init', title: 'T', from: 'no.md' })).toEqual({
      text: "Nothing was started. no.md can't be used as first text: there is no no.md in the archive.",
      failed: true,
    });
    expect(sent).toEqual([]);
  });
});

describe('what a person sees', () => {
  it.each([
    [{ operation: 'init', title: 'Parser' }, 'Start a session plan: Parser', ''],
    [
      { operation: 'init', title: 'Parser', mode: 'design', from: 'o.md', description: 'D' },
      'Start a session plan: Parser',
      'D\n\nFirst text: o.md',
    ],
    [{ operation: 'init', title: 'P', tasks: [task, {}] }, 'Start a checklist: P', '1. Write it\n2. '],
    [{ operation: 'init', file_path: 'p.json' }, 'Import a checklist from p.json', ''],
  ])('%j', async (input, title, body) => {
    expect(await world().preview('plan', input)).toEqual({ title, body });
  });

  it.each([
    [{ operation: 'init', title: 'A\nB' }, 'init A B'],
    [{ operation: 'init', file_path: 'p.json' }, 'init p.json'],
    [{ operation: 'add_tasks', tasks: [task] }, 'add_tasks, 1 task'],
    [{ operation: 'start' }, 'start'],
    [{ operation: 'start', task_order: 2 }, 'start 2'],
    [{ operation: 'complete', task_order: 2, action: 'skip' }, 'complete 2 skip'],
    [{ operation: 'approve' }, 'approve'],
  ])('in the tool log: %j', (input, line) => {
    expect(findTool('plan')?.summary(input)).toBe(line);
  });
});

it('never reads a folder of imports as a file', async () => {
  const { cwd, sent, call: run } = world();
  mkdirSync(join(cwd, 'd.json'));
  await run('plan', { operation: 'init', file_path: 'd.json/' });
  expect(sent).toMatchObject([{ file: { cause: 'is a folder (EISDIR)' } }]);
});
