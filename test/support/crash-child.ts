import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ModelPart, ModelPort, ModelRequest } from '../../adapters/ports.ts';
import { RuntimeSession } from '../../adapters/runtime/index.ts';
import type { FileCall, FileHook } from '../../adapters/store/file-ops.ts';
import type { Answer, Said } from '../../machines/index.ts';
import type { ChildOrder, ChildTold, ChildReply } from './crash-protocol.ts';
import { harnessWorld, person } from './harness-world.ts';

/**
 * One process with the real runtime on a home, without a surface: `node crash-child.ts <ChildOrder as JSON>`.
 * It does its acts, tells on standard output what its surface would show, and dies where it is told to.
 */
const order = JSON.parse(process.argv[2] ?? '{}') as ChildOrder;

/** Written at once: a killed process takes what it buffers along. */
const tell = (told: ChildTold): void => void writeSync(1, `${JSON.stringify(told)}\n`);

const changing: readonly FileCall[] = [
  ...(['makeFolder', 'create', 'append', 'write', 'sync', 'close'] as const),
  ...(['truncate', 'rename', 'link', 'remove', 'syncFolder'] as const),
];

/** Reads change nothing, so dying at one is dying between the changes around it. */
function killer(): FileHook {
  let count = 0;
  return ({ call, path, when }) => {
    if (!changing.includes(call)) return;
    count += 1;
    if (order.kill === 'never') tell({ type: 'point', at: `${when} ${call} ${path}` });
    if (count === order.kill) process.kill(process.pid, 'SIGKILL');
  };
}

/** Answers that wait for `go`, and `go`s that came before anybody waited. */
const held: (() => void)[] = [];
let early = 0;

/** A model that answers from a list; `hold` waits for `go` on standard input. */
function scripted(replies: readonly ChildReply[]): ModelPort {
  let asked = 0;
  return {
    name: 'scripted',
    label: null,
    async *step(_: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
      const number = asked;
      asked += 1;
      const { text = '', calls = [], hold = false } = replies[number] ?? { text: 'That was all.' };
      if (hold) await until(signal);
      if (signal.aborted) return yield { type: 'end', reason: 'aborted' };
      if (text !== '') yield { type: 'text', text };
      for (const [index, call] of calls.entries())
        yield { type: 'call', call: { id: `call_${number}_${index}`, ...call } };
      yield { type: 'end', reason: calls.length > 0 ? 'calls' : 'stop' };
    },
  };
}

const until = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (early > 0 || signal.aborted) {
      early = Math.max(0, early - 1);
      resolve();
      return;
    }
    held.push(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

function go(): void {
  const waiting = held.shift();
  if (waiting === undefined) early += 1;
  else waiting();
}

const world = harnessWorld({
  home: order.home,
  model: scripted(order.script),
  hook: killer(),
  prompts: order.prompts,
});
const session = await RuntimeSession.open(order.session, world);

const ended: string[] = [];
session.subscribe((published) => {
  if (published.type === 'prompt.opened' && order.answer !== 'nothing')
    session.answer(published.prompt.id, { kind: 'approval', allow: 'once' });
  if (published.type === 'turn.ended') ended.push(published.turn);
  tell(
    published.type === 'view' ? { type: 'view', view: published.view } : { type: 'told', told: published },
  );
});
tell({ type: 'ready', process: world.process });

const hash = (): string | null => session.view().document?.hash ?? null;
const acts = {
  chat: (text: string): Said => ({ type: 'user.chat', by: person, text, origin: 'typed' }),
  execute: (): Said => ({ type: 'user.execute', by: person, shown: hash() }),
  discard: (): Said => ({ type: 'user.discard', by: person }),
};

for (const act of order.acts) {
  const before = ended.length;
  const answer: Answer = await session.send(acts[act.do](act.text ?? ''));
  tell({ type: 'answer', answer });
  const isOver = (): boolean => act.turn === 'none' || ended.length > before;
  while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 2));
}
if (order.then === 'end') {
  await session.close();
  tell({ type: 'done' });
  process.exit(0);
}
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'go') go();
  else void session.send(JSON.parse(line) as Said).then((answer) => tell({ type: 'answer', answer }));
});
