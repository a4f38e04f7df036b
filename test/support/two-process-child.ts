import { openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { systemClock } from '../../adapters/clock.ts';
import { createDispatcher, type Dispatched } from '../../adapters/runtime/dispatch.ts';
import { createFileOps, createFileStore, type FileCall, type FileHook } from '../../adapters/store/index.ts';
import { derive, select, type StoredSession } from '../../machines/index.ts';
import { texts } from './samples.ts';
import { type Asked, hashOf, lineText } from './two-process-log.ts';
import { type Move, spoken } from './two-process-moves.ts';
import { type Doing, loggingStore, recordingClock, type Write } from './two-process-store.ts';

/** What one of the two processes is to do: `node two-process-child.ts <this as JSON>`. */
export interface TwoProcessOrder {
  by: string;
  home: string;
  /** Where the locks are. Two processes with two of them have no lock in common. */
  root: string;
  session: string;
  log: string;
  /** File of the list, and the move to begin with. */
  moves: string;
  from: number;
  /** Number of the file change, from 1, at which it dies or asks to be killed; null: never. */
  kill: { change: number; how: 'at once' | 'from outside' } | null;
}

const order = JSON.parse(process.argv[2] ?? '{}') as TwoProcessOrder;
const moves = JSON.parse(readFileSync(order.moves, 'utf8')) as Move[];
const log = openSync(order.log, 'a');
const write: Write = (line) => void writeSync(log, lineText({ by: order.by, ...line }));
const say = (word: string): void => void writeSync(1, `${word}\n`);

const reading: readonly FileCall[] = ['read', 'stat', 'list', 'end'];

function killer({ kill }: TwoProcessOrder): FileHook {
  let count = 0;
  return ({ call }) => {
    if (kill === null || reading.includes(call)) return;
    count += 1;
    if (count !== kill.change) return;
    write({ t: 'killing' });
    if (kill.how === 'at once') process.kill(process.pid, 'SIGKILL');
    else say('kill');
  };
}

const self = systemClock.id();
const clock = recordingClock(systemClock);
const files = createFileStore({
  home: order.home,
  root: order.root,
  ops: createFileOps(killer(order)),
});
let doing: Doing = { n: 0, asked: { look: 'watch' } };
const store = loggingStore(files, clock, () => doing, write);
// No command runs, so there is no process group to end.
const workspace = { endGroup: () => Promise.resolve() };
const dispatcher = createDispatcher({ store, clock, workspace, process: self });

async function act(move: Move, n: number): Promise<void> {
  const stored = await files.read(order.session);
  if (move.do === 'edit') return edit(move, n, stored);
  const asked: Asked =
    move.do === 'look' ? { look: move.look } : { said: spoken(move, stored, `${order.by} ${n}`) };
  doing = { n, asked };
  try {
    const { answer, effects, snapshot } = await dispatched(asked);
    write({ t: 'answer', n, answer, effects, view: hashOf(JSON.stringify(select(snapshot))) });
  } catch (error) {
    write({ t: 'failed', n, error: String(error) });
  }
}

function dispatched(asked: Asked): Promise<Dispatched> {
  return 'said' in asked
    ? dispatcher.dispatch(order.session, asked.said)
    : dispatcher.refresh(order.session, asked.look);
}

/** A person's editor: it knows nothing of locks. Only where there is a session plan to edit. */
function edit({ how, text }: Extract<Move, { do: 'edit' }>, n: number, stored: StoredSession): void {
  const shown = select(derive(stored).snapshot).document;
  if (shown === null) return;
  const { path } = shown;
  const next = `${texts[text]}<!-- ${order.by} ${n}, ${how} -->\n`;
  const found = { rename: [next], inPlace: ['', next], aside: [null, '', next], remove: [null] } as const;
  write({ t: 'edit', n, path, texts: found[how] });
  if (how === 'rename') {
    const beside = `${path}.${order.by}`;
    writeFileSync(beside, next);
    renameSync(beside, path);
  }
  if (how === 'aside' || how === 'remove') rmSync(path, { force: true });
  if (how === 'aside' || how === 'inPlace') writeFileSync(path, next);
  write({ t: 'edited', n });
}

async function work(): Promise<void> {
  for (const [n, move] of moves.entries()) if (n >= order.from) await act(move, n);
}

write({ t: 'start', process: self });
say('ready');
// It stays until it is told to leave: the turns that it claimed are alive as long as it is.
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'leave') process.exit(0);
  void work().then(() => say('finished'));
});
