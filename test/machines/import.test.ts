import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readImport } from '../../machines/import.ts';
import { importIds } from '../../machines/session/init-faults.ts';
import { calls, importable } from '../support/samples-said.ts';
import { stampOf } from '../support/samples.ts';

const read = (value: unknown) => readImport(JSON.stringify(value));
const minimal = {
  title: 'T',
  description: 'D',
  tasks: [{ title: 'A', description: 'a', task_type: 'research' }],
};
const faultsOf = (text: string): readonly string[] => {
  const plan = readImport(text);
  return 'faults' in plan ? plan.faults : [];
};

describe('D19 import files', () => {
  it('the minimal format of the JSON spec is enough', () => {
    expect(read(minimal)).toEqual({
      title: 'T',
      description: 'D',
      tasks: [expect.objectContaining({ title: 'A', description: 'a', task_type: 'research' })],
    });
  });

  it('task_type may be missing, and fields that are made anew are not taken', () => {
    const task = {
      title: 'A',
      description: 'a',
      status: 'Completed',
      notes: 'x',
      retry_count: 7,
      max_retries: 9,
    };
    const plan = read({ ...minimal, id: 'x', status: 'Completed', tasks: [task] });
    expect(plan).toMatchObject({ tasks: [{ title: 'A' }] });
    expect(JSON.stringify(plan)).not.toMatch(/Completed|notes|retr/u);
  });

  it('no tasks and an empty list read alike', () => {
    const { title, description } = minimal;
    expect(read({ title, description })).toMatchObject({ tasks: [] });
    expect(read({ title, description, tasks: [] })).toMatchObject({ tasks: [] });
  });

  it('a byte order mark is allowed, the root description has no cap', () => {
    expect(readImport(`\uFEFF${JSON.stringify(minimal)}`)).toMatchObject({ title: 'T' });
    expect(read({ ...minimal, description: 'x'.repeat(9000) })).toMatchObject({ title: 'T' });
  });

  it.each([
    ['', ['the file is empty']],
    ['{"title": "T",}', ['not JSON at line 1, column 15']],
    ['{\n  "title": "T"\n  "x": 1\n}', ['not JSON at line 3, column 3']],
    ['[]', [expect.stringMatching(/^the file: /)]],
    ['{"title":"T","description":"D","tasks":{}}', [expect.stringMatching(/^tasks: /)]],
    ['{"title":" ","description":"","tasks":[]}', ['title is blank', 'description is blank']],
    ['{"description":"D","tasks":[]}', [expect.stringMatching(/^title: /)]],
    [
      '{"title":"T","description":"D","tasks":[{"title":"A"}]}',
      [expect.stringMatching(/^task 1 description: /)],
    ],
    [
      '{"title":"T","description":"D","tasks":[{"title":"A","description":"a","order":0}]}',
      [expect.stringMatching(/^task 1 order: /)],
    ],
    [
      '{"title":"T","description":"D","tasks":[{"title":"A","description":"a","dependencies":"1"}]}',
      [expect.stringMatching(/^task 1 dependencies: /)],
    ],
  ])('%s says where and what', (text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
        const plan = readImport(text);
        expect('faults' in plan ? plan.faults.length > 0 : plan.title !== '').toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('ids of imported tasks', () => {
  it('are UUIDs under the plan’s id and never collide', () => {
    const event = { ...calls.init({ file: importable }), ...stampOf(1) };
    if (event.type !== 'tool.init') throw new Error('not an init');
    const made = importIds(event, 300);
    expect(new Set(made).size).toBe(300);
    for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u);
  });
});
