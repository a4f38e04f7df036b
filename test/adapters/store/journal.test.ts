import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../adapters/clock.ts';
import { createDispatcher } from '../../../adapters/runtime/index.ts';
import { createFileOps, type FileOps, systemError } from '../../../adapters/store/file-ops.ts';
import { createFileStore, journalText, readJournal } from '../../../adapters/store/index.ts';
import { appendJournal, journalLimitBytes } from '../../../adapters/store/journal.ts';
import {
  derive,
  journalLine,
  type JournalLine,
  readJournalText,
  replay,
  SessionRecord,
} from '../../../machines/index.ts';
import { owner, sessionIn, stampOf } from '../../support/samples.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'planchart-journal-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (number: number): JournalLine => {
  const before = derive(sessionIn('noPlan')).snapshot;
  const event = { type: 'user.policy', by: owner, yolo: true, ...stampOf(number) } as const;
  return {
    ...journalLine({ before, event, verdict: { kind: 'accepted' }, after: before, saved: true }),
    process: String(number),
  };
};
const numbers = (most = 1000): string[] => readJournal(folder, most).map(({ process }) => process);
const file = (): string => join(folder, 'journal.jsonl');
const older = (): string => join(folder, 'journal.1.jsonl');

describe('the journal of a session', () => {
  it('has its lines in order, in a file for nobody else', () => {
    appendJournal(folder, [line(1), line(2)]);
    appendJournal(folder, [line(3)]);
    appendJournal(folder, []);
    expect(numbers()).toEqual(['1', '2', '3']);
    expect(numbers(2)).toEqual(['2', '3']);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('takes the place of the one before it when it is full, and never grows beyond', () => {
    const limit = 2000;
    for (let n = 1; n <= 60; n += 1) {
      appendJournal(folder, [line(n)], limit);
      for (const path of [file(), older()].filter(existsSync))
        expect(statSync(path).size).toBeLessThanOrEqual(limit);
    }
    const kept = numbers().map(Number);
    expect(kept.at(-1)).toBe(60);
    expect(kept.length).toBeGreaterThan(6);
    expect(kept).toEqual(kept.map((_, index) => 60 - kept.length + 1 + index));
    expect(journalLimitBytes).toBe(512 * 1024);
  });

  it('a line that is longer than the limit still has a file to itself', () => {
    appendJournal(folder, [line(1)], 10);
    appendJournal(folder, [line(2)], 10);
    expect(numbers()).toEqual(['1', '2']);
  });

  it('goes on after a torn line, as a crash leaves it', () => {
    appendJournal(folder, [line(1)]);
    appendFileSync(file(), JSON.stringify(line(2)).slice(0, 40));
    expect(readJournalText(journalText(folder))).toMatchObject({ torn: true, unreadable: [] });
    appendJournal(folder, [line(3)]);
    expect(numbers()).toEqual(['1', '3']);
    expect(readJournalText(journalText(folder))).toMatchObject({ torn: false, unreadable: [2] });
  });

  it.each<[name: string, put: () => void]>([
    ['a folder', () => mkdirSync(file())],
    ['a pipe', () => execFileSync('mkfifo', [file()])],
    ['a link', () => symlinkSync(join(folder, 'elsewhere'), file())],
  ])('%s in its place is an error, and nothing is written or waited for', (_name, put) => {
    put();
    expect(() => appendJournal(folder, [line(1)])).toThrow(/^Cannot append to .*journal\.jsonl: /u);
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
  });
});

const session = randomUUID();
const ownFolder = (): string => join(folder, 'planchart', 'sessions', session);

interface Started {
  journalFailed?: (error: unknown) => void;
  ops?: FileOps;
}

async function started({ ops = createFileOps(), ...more }: Started) {
  const store = createFileStore({ home: folder, ops });
  const at = systemClock.now();
  await store.create(SessionRecord.parse({ v: 1, id: session, cwd: folder, created: at, used: at }));
  return createDispatcher({
    store,
    clock: systemClock,
    workspace: { endGroup: () => Promise.resolve() },
    process: randomUUID(),
    ...more,
  });
}

describe('the journal and the dispatcher', () => {
  it('no dispatch fails by a journal that can not be written, and the fault is told once', async () => {
    const told: unknown[] = [];
    const dispatcher = await started({ journalFailed: (error) => told.push(error) });
    mkdirSync(join(ownFolder(), 'journal.jsonl'));
    for (const yolo of [true, false, true]) {
      const { answer, snapshot } = await dispatcher.dispatch(session, {
        type: 'user.policy',
        by: owner,
        yolo,
      });
      expect(answer?.kind).toBe('accepted');
      expect(snapshot.context.record.yolo).toBe(yolo);
    }
    expect(told).toEqual([expect.objectContaining({ code: 'WRITE_FAILED' })]);
  });

  it('a commit that the disk refuses is noted as not saved, and replays', async () => {
    const disk = { full: false };
    const ops = createFileOps(({ call }) => {
      if (disk.full && (call === 'create' || call === 'remove'))
        throw systemError('ENOSPC', 'no space left on device');
    });
    const dispatcher = await started({ ops });
    await dispatcher.dispatch(session, { type: 'user.plan', by: owner });
    disk.full = true;
    await expect(dispatcher.dispatch(session, { type: 'user.discard', by: owner })).rejects.toThrow(
      /ENOSPC/u,
    );
    disk.full = false;
    await dispatcher.dispatch(session, { type: 'user.discard', by: owner });
    const lines = readJournal(ownFolder(), 100);
    expect(lines.map(({ event, from, to, saved }) => [event.type, from, to, saved ?? true])).toEqual([
      ['user.plan', 'noPlan/idle', 'editing.preInit/idle', true],
      ['user.discard', 'editing.preInit/idle', 'editing.preInit/idle', false],
      ['user.discard', 'editing.preInit/idle', 'noPlan/idle', true],
    ]);
    expect(replay(lines).map(({ deviation, gap }) => [deviation, gap])).toEqual(
      lines.map(() => [null, null]),
    );
  });

  it('what happened to the files in between is a gap, and no deviation', async () => {
    const dispatcher = await started({});
    await dispatcher.dispatch(session, { type: 'user.plan', by: owner });
    writeFileSync(join(folder, 'session', `.opencrabs_plan_${session}.json`), '{');
    await dispatcher.dispatch(session, { type: 'user.discard', by: owner });
    const steps = replay(readJournal(ownFolder(), 100));
    expect(steps.map(({ line: one, deviation, gap }) => [one.from, deviation, gap])).toEqual([
      ['noPlan/idle', null, null],
      ['unreadable/idle', null, 'editing.preInit/idle'],
    ]);
  });

  it('two processes mix no lines, which stand in the order of the commits', async () => {
    await started({});
    const child = fileURLToPath(new URL('journal-child.ts', import.meta.url));
    const run = promisify(execFile);
    const selves = [randomUUID(), randomUUID()];
    await Promise.all(selves.map((self) => run(process.execPath, [child, folder, session, self, '40'])));
    const { lines, unreadable, torn } = readJournalText(journalText(ownFolder()));
    expect({ unreadable, torn, count: lines.length }).toEqual({ unreadable: [], torn: false, count: 80 });
    expect(new Set(lines.map(({ line: one }) => one.process))).toEqual(
      new Set(selves.map((self) => self.slice(0, 8))),
    );
    // What a line finds is what the line before it has left.
    for (const [index, { line: one }] of lines.entries())
      expect(one.before.yolo ?? false).toBe(lines[index - 1]?.line.event.yolo ?? false);
  });
});
