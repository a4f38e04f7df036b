import { readFileSync, writeFileSync } from 'node:fs';
import { atomicWrite } from '../../../adapters/store/atomic-write.ts';
import { createFileOps, systemError } from '../../../adapters/store/file-ops.ts';
import { createFileStore } from '../../../adapters/store/index.ts';
import type { Commit } from '../../../machines/index.ts';

/** Real processes for the store's tests: `node child.ts <act> <arguments>`. */
const acts: Record<string, (...args: string[]) => Promise<void>> = {
  /** Replaces a file many times. */
  overwrite: async (path = '', by = '', times = '') => {
    const ops = createFileOps();
    for (let n = 0; n < Number(times); n += 1) {
      await atomicWrite(ops, path, Buffer.from(JSON.stringify({ by, n })));
    }
  },

  /** Reads a number, adds one, writes it: loses updates without a lock. */
  count: async (home = '', session = '', times = '', root = home) => {
    const store = createFileStore({ home, root });
    for (let n = 0; n < Number(times); n += 1) {
      await store.exclusive(session, async (tx) => {
        const { sidecar } = await tx.read();
        const before = sidecar.kind === 'text' ? Number(sidecar.text) : 0;
        await tx.commit({ sidecar: { text: String(before + 1) } });
      });
    }
  },

  /** Holds the session's lock until it is killed. */
  lock: async (home = '', session = '') => {
    await createFileStore({ home }).exclusive(session, async () => {
      console.log('locked');
      await hang();
    });
  },

  /** Asks for the lock with little patience, and prints how that went. */
  try: async (home = '', session = '') => {
    const work = () => Promise.resolve('got it');
    const outcome = await createFileStore({ home, lockWaitMs: 50 })
      .exclusive(session, work)
      .catch((error: unknown) => String(error));
    console.log(outcome);
  },

  /** Holds a turn until it is killed. */
  turn: async (home = '', session = '', turn = '') => {
    const hold = createFileStore({ home }).holdTurn(session, turn);
    // Reachable from a timer: a store that nobody refers to is collected, and its locks go with it.
    setInterval(() => hold, 60_000);
    console.log('held');
    await hang();
  },

  /** Appends batches of two lines. */
  append: async (home = '', session = '', times = '') => {
    const store = createFileStore({ home });
    const line = { v: 1, at: 'now', turn: 'x' } as const;
    for (let n = 0; n < Number(times); n += 1) {
      const text = `${process.pid} ${'x'.repeat(n * 50)}`;
      await store.append(session, [
        { ...line, type: 'user', text, from: 'person', kind: 'chat' },
        { ...line, type: 'turn.ended', outcome: 'done' },
      ]);
    }
  },

  /** Reads the session and prints whether the lease's owner is alive. */
  alive: async (home = '', session = '') => {
    console.log(`alive ${(await createFileStore({ home }).read(session)).leaseAlive}`);
  },

  /** Fills the disk if told, tries one commit, prints the error, and what a restart finds. */
  commit: async (home = '', session = '', change = '{}', fault = '', fill = '') => {
    if (fill !== '') fillDisk(fill);
    const store = createFileStore({ home, ops: faultyOps(fault) });
    const error: unknown = await store
      .exclusive(session, (tx) => tx.commit(JSON.parse(change) as Commit))
      .then(() => null)
      .catch((thrown: unknown) => thrown);
    const found = await createFileStore({ home }).read(session);
    console.log(JSON.stringify({ error, message: String(error), found }));
  },

  /** Makes a session with a plan first: for places that exist only inside this process' mounts. */
  prepared: async (home = '', session = '', ...rest: string[]) => {
    const store = createFileStore({ home });
    const record = { v: 1, id: session, cwd: '/', created: 'then', used: 'then' };
    await store.create(record as Parameters<typeof store.create>[0]);
    await store.exclusive(session, (tx) =>
      tx.commit({ sidecar: { text: '{"old":true}' }, document: { text: '# Old' } }),
    );
    await acts['commit']?.(home, session, ...rest);
  },
};

/** `call:path-pattern:CODE` fails those calls, where the mounts that would cause it are not to be had. */
function faultyOps(fault: string): ReturnType<typeof createFileOps> {
  const [call = '', pattern = '', code = ''] = fault.split(':');
  if (fault === '') return createFileOps();
  return createFileOps((point) => {
    if (point.when === 'before' && point.call === call && new RegExp(pattern).test(point.path)) {
      throw systemError(code, 'caused by the test');
    }
  });
}

function fillDisk(path: string): void {
  for (let size = 1 << 20; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) writeFileSync(path, 'x'.repeat(size), { flag: 'a' });
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOSPC') throw error;
    }
  }
  console.error(`filled with ${readFileSync(path).length} bytes`);
}

/** Keeps the process until somebody ends it. */
async function hang(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 120_000));
}

const [act = '', ...args] = process.argv.slice(2);
const run = acts[act];
if (!run) throw new Error(`no act ${act}`);
await run(...args);
