import type { SessionSnapshot, StoredSession } from '../../../machines/index.ts';
import { texts } from './session-samples.ts';
import { fileOf, type SessionWorld } from './session-world.ts';

type Change = (files: StoredSession) => StoredSession;

/** What editors, other programs and crashes do to files and processes, by the id of the choice. */
export function diskChoices(world: SessionWorld): Record<string, readonly [label: string, change: Change]> {
  const { files, snapshot } = world;
  return {
    'disk.complete': ['The .md becomes the complete text', withDocument(texts.complete)],
    'disk.other': ['The .md becomes another text', withDocument(texts.other)],
    'disk.faulty': ['The .md becomes a faulty text', withDocument(texts.faulty)],
    ...(files.document.kind === 'text' ? { 'disk.gone': ['The .md is deleted', withDocument(null)] } : {}),
    ...(files.record.lease === null ? {} : { 'disk.crash': ['The turn’s process dies', crashed] }),
    ...(files.record.queue.length === 0
      ? {}
      : { 'disk.sender-dies': ['Who sent the next message has ended', senderGone] }),
    ...(files.sidecar.kind === 'text' ? sidecarChoices(snapshot) : {}),
  };
}

const withDocument =
  (text: string | null): Change =>
  (files) => ({ ...files, document: fileOf(files.document.path, text) });
const withSidecar =
  (text: string | null): Change =>
  (files) => ({ ...files, sidecar: fileOf(files.sidecar.path, text) });

const crashed: Change = (files) => ({ ...files, leaseAlive: false });

/** Another process said it, and has ended without a trace but this. */
const senderGone: Change = (files) => {
  const [first, ...rest] = files.record.queue;
  if (first === undefined) return files;
  const process = 'a process that has ended';
  return { ...files, record: { ...files.record, queue: [{ ...first, process }, ...rest] }, gone: [process] };
};

interface Root {
  tasks: Record<string, unknown>[];
  [name: string]: unknown;
}

/** A sidecar edited by hand, or by an older program. */
const edited =
  (change: (root: Root) => object): Change =>
  (files) => {
    if (files.sidecar.kind !== 'text') return files;
    const root = JSON.parse(files.sidecar.text) as Root;
    return withSidecar(JSON.stringify({ ...root, ...change(root) }))(files);
  };

const firstTask = (fields: object): Change =>
  edited(({ tasks }) => ({
    tasks: tasks.map((task, index) => (index === 0 ? { ...task, ...fields } : task)),
  }));

function sidecarChoices({ context: { plan } }: SessionSnapshot): ReturnType<typeof diskChoices> {
  const always = {
    'disk.sidecar-gone': ['The sidecar is deleted', withSidecar(null)],
    'disk.sidecar-torn': ['The sidecar is torn', withSidecar('{')],
  } as const;
  if (plan === null) return always;
  const edits = {
    ...always,
    'disk.completed': ['The sidecar says Completed', edited(() => ({ status: 'Completed' }))],
    'disk.cancelled': ['The sidecar says Cancelled', edited(() => ({ status: 'Cancelled' }))],
    'disk.text-lost': ['The approved text is lost', edited(() => ({ description: '', approval: null }))],
  } as const;
  if (plan.tasks.length === 0) return edits;
  return {
    ...edits,
    'disk.tasks-lost': ['The tasks are lost', edited(() => ({ tasks: [] }))],
    'disk.blocked': ['Task 1 becomes blocked', firstTask({ status: { Blocked: 'no key' } })],
    'disk.waits': ['Task 1 waits for a task that is gone', firstTask({ dependencies: ['gone'] })],
    'disk.all-wait': [
      'All tasks wait for one that is gone',
      edited(({ tasks }) => ({ tasks: tasks.map((task) => ({ ...task, dependencies: ['gone'] })) })),
    ],
    'disk.done': ['Task 1 becomes completed', firstTask({ status: 'Completed' })],
    'disk.runs': ['Task 1 becomes running', firstTask({ status: 'InProgress' })],
    'disk.failed': ['Task 1 has failed three times', firstTask({ status: 'Failed', retry_count: 3 })],
  };
}
