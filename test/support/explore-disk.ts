import type { Said, StoredSession } from '../../machines/index.ts';
import { leavesOf } from './explore-branches.ts';
import type { Move, World } from './explore.ts';
import { fileOf, paths, stampOf, texts } from './samples.ts';
import { dispatch } from './samples-world.ts';

/** What an editor, another program or a crash does to the files in this place. */
export function diskMoves({ stored, snapshot }: World): Move[] {
  const moves: Move[] = [];
  const add = (name: string, disk: (files: StoredSession) => StoredSession): void => {
    moves.push({ type: 'disk', name: `disk: ${name}`, disk });
  };
  if (snapshot.context.plan?.track !== 'checklist') {
    for (const state of ['valid', 'changed', 'invalid'] as const) {
      add(`the .md becomes the ${state} text`, (files) => withDocument(files, texts[state]));
    }
  }
  if (stored.document.kind === 'text') add('the .md is deleted', (files) => withDocument(files, null));
  if (stored.record.lease !== null) add('the process dies', (files) => ({ ...files, leaseAlive: false }));
  if (stored.record.queue.length > 0) add('who said the next message has died', withDeadSender);
  if (stored.sidecar.kind !== 'text') return moves;
  add('the sidecar is deleted', (files) => withSidecar(files, null));
  add('the sidecar is torn', (files) => withSidecar(files, '{'));
  if (snapshot.context.plan !== null) sidecarEdits(snapshot, add);
  return moves;
}

/**
 * A command runs with nothing around it and does this to the plan files (D22). It leads nowhere new: what it did is
 * undone, which `edgeFaults` looks at.
 */
export function commandMoves({ stored }: World): Move[] {
  const { lease } = stored.record;
  if (lease === null) return [];
  const begins: Said = { type: 'turn.note', turn: lease.turn, shell: 'begins' };
  const watched = (files: StoredSession) => dispatch(files, { ...begins, ...stampOf(1) }).stored;
  const command = (name: string, disk: (files: StoredSession) => StoredSession): Move => ({
    type: 'command',
    name: `a command: ${name}`,
    disk: (files) => disk(watched(files)),
  });
  return [
    command('nothing is changed', (files) => files),
    command('the .md becomes another text', (files) => withDocument(files, '# Forged\n')),
    command('the .md is deleted', (files) => withDocument(files, null)),
    command('the sidecar is torn', (files) => withSidecar(files, '{')),
    command('the sidecar is deleted', (files) => withSidecar(files, null)),
    command('both are deleted', (files) => withSidecar(withDocument(files, null), null)),
  ];
}

type Root = { tasks: Record<string, unknown>[]; [name: string]: unknown };

/** Edits of a sidecar by hand or by an older program; only where they lead to something new. */
function sidecarEdits(
  snapshot: World['snapshot'],
  add: (name: string, disk: (files: StoredSession) => StoredSession) => void,
): void {
  const edit = (name: string, change: (root: Root) => Partial<Root>): void =>
    add(name, (files) => {
      if (files.sidecar.kind !== 'text') return files;
      const root = JSON.parse(files.sidecar.text) as Root;
      return withSidecar(files, JSON.stringify({ ...root, ...change(root) }));
    });
  const tasks = snapshot.context.plan?.tasks ?? [];
  const untouched = tasks.length === 2 && tasks.every((t) => t.status === 'Pending' && t.retry_count === 0);
  const first = (fields: Record<string, unknown>) => (root: Root) => ({
    tasks: root.tasks.map((task, index) => (index === 0 ? { ...task, ...fields } : task)),
  });
  edit('it says Completed', () => ({ status: 'Completed' }));
  edit('it says Cancelled', () => ({ status: 'Cancelled' }));
  if (leavesOf(snapshot).includes('plan.active.seedFailed.empty')) {
    edit('the approved text is lost', () => ({ description: '', approval: null }));
  }
  if (leavesOf(snapshot).includes('plan.active.checklist')) edit('the tasks are lost', () => ({ tasks: [] }));
  if (!untouched || snapshot.context.record.lease?.cancel !== null) return;
  edit('task 1 is blocked', first({ status: { Blocked: 'no key' } }));
  edit('task 1 waits for nothing known', first({ dependencies: ['gone'] }));
  edit('both tasks wait for nothing known', (root) => ({
    tasks: root.tasks.map((task) => ({ ...task, dependencies: ['gone'] })),
  }));
  if (!snapshot.hasTag('seedWindow')) return;
  edit('task 1 is done before the start', first({ status: 'Completed' }));
  edit('task 1 runs before the start', first({ status: 'InProgress' }));
  edit('task 1 has failed before the start', first({ status: 'Failed', retry_count: 3 }));
}

/** Another process said it, and has ended without a trace but this. */
function withDeadSender(files: StoredSession): StoredSession {
  const [first, ...rest] = files.record.queue;
  if (first === undefined) return files;
  const process = '00000000-0000-4000-8000-0000000000a2';
  const queue = [{ ...first, process }, ...rest];
  return { ...files, record: { ...files.record, queue }, gone: [process] };
}

const withDocument = (files: StoredSession, text: string | null): StoredSession => ({
  ...files,
  document: fileOf(paths.document, text),
});

const withSidecar = (files: StoredSession, text: string | null): StoredSession => ({
  ...files,
  sidecar: fileOf(paths.sidecar, text),
});
