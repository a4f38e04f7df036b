import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type Commit,
  derive,
  projectCommit,
  recordText,
  type Said,
  step,
  type StoredSession,
} from '../../machines/index.ts';
import { fileOf, paths, rawTask, sessionId, sessionIn, stampOf, texts } from '../support/samples.ts';
import { calls, draft, people, turnEnd } from '../support/samples-said.ts';
import { applied, type Disk, leftovers, restarted, type Whose } from '../support/two-process-disk.ts';

const page = readFileSync(new URL('../../docs/durability.md', import.meta.url), 'utf8');

/** An act as the page names it, the files before it, and the event; null: what loading finds by itself. */
type Row = readonly [act: string, before: StoredSession, said: Said | null];

const last = [rawTask(1, 'Completed'), rawTask(2, 'InProgress')];
const queued = { queue: [{ id: 'q', at: '', process: 'process-1', said: people.goal('x') }] };
const orphan = { ...sessionIn('noPlan'), document: fileOf(paths.document, texts.valid) };

const rows: readonly Row[] = [
  ['a message', sessionIn('noPlan'), people.chat('hello')],
  ['a message with plan words', sessionIn('noPlan'), people.chat('make a plan for it')],
  ['`/plan`', sessionIn('noPlan'), people.plan()],
  ['`init`, design', sessionIn('preInit', { turn: 'running' }), calls.init()],
  ['`init`, checklist', sessionIn('noPlan', { turn: 'running' }), calls.init({ tasks: [draft('A')] })],
  ['the agent writes the `.md`', sessionIn('postInit', { turn: 'running' }), calls.document()],
  ['your edit of the `.md` is seen', sessionIn('postInit', { document: 'changed' }), null],
  ['your `.md` is gone and comes back', sessionIn('postInit', { document: 'missing' }), null],
  ['Approve', sessionIn('postInit'), people.execute()],
  ['a retry of the seed turn', sessionIn('seedFailedEmpty'), people.execute()],
  [
    'the approved text is written back',
    sessionIn('seedFailedEmpty', { document: 'changed' }),
    people.restore(),
  ],
  ['`add_tasks`', sessionIn('seeding'), calls.addTasks([draft('A'), draft('B')])],
  ['`complete`', sessionIn('checklist', { turn: 'running' }), calls.complete()],
  ['the last `complete`', sessionIn('checklist', { turn: 'running', tasks: last }), calls.complete()],
  ['the end of a turn', sessionIn('checklist', { turn: 'running' }), turnEnd()],
  ['`/discard`', sessionIn('postInit'), people.discard()],
  ['`/discard` while a turn runs', sessionIn('postInit', { turn: 'running' }), people.discard()],
  ['the end of a turn that is being discarded', sessionIn('postInit', { turn: 'discarding' }), turnEnd()],
  ['`/stop`', sessionIn('postInit', { turn: 'running' }), people.stop()],
  ['a message that waits', sessionIn('postInit', { turn: 'running' }), people.chat('and then?')],
  ['a waiting message is taken', sessionIn('noPlan', { record: queued }), { type: 'queue.take', item: 'q' }],
  ['`/goal`, `/approve`, a change of folder', sessionIn('noPlan'), people.goal('x')],
  ['a `.md` without a plan is found', orphan, null],
];

function commitOf([act, before, said]: Row): Commit {
  const { snapshot, found } = derive(before);
  const event = said ?? found[0];
  if (event === undefined) throw new Error(`nothing is found: ${act}`);
  const stamp = stampOf(2);
  const next = step(snapshot, { ...event, ...stamp });
  return projectCommit(before, next.snapshot, next.archive, stamp.at) ?? {};
}

/** The writes of a commit in the words of the page; the one that decides is bold. */
function writesOf(row: Row): string {
  const { record, archive, revision, sidecar, document } = commitOf(row);
  const removed = (wanted: Commit['sidecar'], name: string): string[] => {
    if (wanted === undefined) return [];
    return ['text' in wanted ? name : `${name} removed`];
  };
  const [first = 'record', second] = [...removed(sidecar, 'sidecar'), ...removed(document, '`.md`')];
  // A new text over an old one: until the `.md` has it, a restart mirrors the old one again.
  const point = isOldUntilDocument(row) && second !== undefined ? second : first;
  const claims = record?.order === 'first' ? ['record'] : [];
  const writes = [
    ...claims,
    ...(archive === undefined ? [] : ['copies']),
    ...(revision === undefined ? [] : ['revision']),
    ...removed(sidecar, 'sidecar'),
    ...removed(document, '`.md`'),
    ...(record?.order === 'last' ? ['record'] : []),
  ];
  return writes.map((write) => (write === point ? `**${write}**` : write)).join(', ');
}

function diskOf({ record, sidecar, document }: StoredSession): Disk {
  const text = (file: StoredSession['sidecar']): string | null => (file.kind === 'text' ? file.text : null);
  const none = { archives: new Map<string, string>(), revisions: new Set<string>(), others: new Map() };
  return { record: recordText(record), sidecar: text(sidecar), document: text(document), ...none };
}

/** Whether the sidecar alone brings a restart no further. */
function isOldUntilDocument(row: Row): boolean {
  const { document, ...before } = commitOf(row);
  const disk = diskOf(row[1]);
  const [old, half, next] = [
    disk,
    applied(disk, before, sessionId),
    applied(disk, commitOf(row), sessionId),
  ].map((one) => restarted(one, whose));
  return document !== undefined && half === old && next !== old;
}

const whose: Whose = {
  session: sessionId,
  paths: () => ({ ...paths, dir: '/home/ann', archive: '/home/ann/archive', own: '/home/ann/own' }),
};

describe('D7 docs/durability.md', () => {
  it('names the writes of each act, in order', () => {
    const table = rows.map((row) => `| ${row[0]} | ${writesOf(row)} |`);
    expect(page).toContain(table.join('\n'));
  });

  it.each(rows)(
    '%s: whichever write is the last one, a restart finds the old state or the new one',
    (...row) => {
      const disk = diskOf(row[1]);
      const commit = commitOf(row);
      const states = leftovers(disk, commit, sessionId).map((one) => restarted(one, whose));
      const [old, next] = [restarted(disk, whose), restarted(applied(disk, commit, sessionId), whose)];
      const turns = states.findIndex((state) => state !== old);
      // Old up to some write, and from it on new.
      expect(states).toEqual(states.map((_, index) => (turns === -1 || index < turns ? old : next)));
    },
  );
});
