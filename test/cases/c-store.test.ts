import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openHarness } from '../support/harness.ts';
import { plan, reply, says } from '../support/harness-script.ts';
import { rawTask } from '../support/samples.ts';
import {
  archived,
  checklist,
  codes,
  liveFiles,
  open,
  results,
  shows,
  sidecar,
  sidecarText,
} from './support.ts';

const one = checklist({ title: 'Only', description: 'the only one' });
const two = checklist({ title: 'First', description: 'a' }, { title: 'Second', description: 'b' });

describe('section C, the archive', () => {
  it('B52 a copy that cannot be made keeps the live files, says why, and works once that is mended', async () => {
    const h = await open(() => [
      reply(one, plan('start')),
      reply(plan('complete', { output: 'done' })),
      says('It is not archived.'),
      reply(plan('complete', { output: 'done' })),
      says('Done.'),
    ]);
    mkdirSync(h.session.paths.dir, { recursive: true });
    writeFileSync(h.session.paths.archive, 'a file, not a folder');
    await h.turn(() => h.chat('do the one thing'));
    expect(codes(h)).toEqual(['ok', 'ok', 'NOT_SAVED']);
    const told = results(h).at(-1)?.text ?? '';
    expect(told).toContain(h.session.paths.archive);
    expect(told).toContain('A file stands where a folder is needed');
    expect(sidecar(h).tasks).toMatchObject([{ status: 'InProgress' }]);
    expect(h.session.view()).toMatchObject({ phase: 'checklist', progress: { done: 0, total: 1 } });
    expect(h.session.view().hint).toContain('Task 1 was left in progress');

    rmSync(h.session.paths.archive);
    await h.turn(() => h.chat('again'));
    expect(codes(h).at(-1)).toBe('ok');
    expect(liveFiles(h)).toEqual([]);
    expect(JSON.parse(archived(h)['.json'] ?? '')).toMatchObject({ tasks: [{ status: 'Completed' }] });
    expect(h.session.view().phase).toBe('noPlan');
  });

  it('B53 loading a finished plan archives it, and deletes nothing', async () => {
    const first = await open();
    const text = JSON.stringify({
      status: 'Completed',
      title: 'Old',
      tasks: [rawTask(1, 'Completed')],
      why: 'kept',
    });
    await first.session.close();
    mkdirSync(first.session.paths.dir, { recursive: true });
    writeFileSync(first.session.paths.sidecar, text);
    // A look only: nothing moves (D8).
    await first.world.store.read(first.id);
    expect(readFileSync(first.session.paths.sidecar, 'utf8')).toBe(text);

    const h = await openHarness({ from: first });
    await shows(h, 'noPlan');
    expect(liveFiles(h)).toEqual([]);
    expect(JSON.parse(archived(h)['.json'] ?? '')).toMatchObject({
      title: 'Old',
      why: 'kept',
      tasks: [{ title: 'Task 1', status: 'Completed' }],
    });
  });

  it('B53 one task is in progress at a time: the next one is refused until it is settled', async () => {
    const h = await open(() => [
      reply(two, plan('start', { task_order: 1 })),
      reply(plan('start', { task_order: 2 })),
      reply(plan('complete', { task_order: 1 }), plan('start', { task_order: 2 })),
      says('Working.'),
    ]);
    await h.turn(() => h.chat('do two things'));
    expect(codes(h)).toEqual(['ok', 'ok', 'TASK_RUNNING', 'ok', 'ok']);
    expect(results(h)[2]?.text).toContain('task 1 "First" is in progress');
    expect(sidecar(h).tasks.map(({ status }) => status)).toEqual(['Completed', 'InProgress']);
    expect(sidecarText(h)).toContain('"completed_at": "20');
  });
});
