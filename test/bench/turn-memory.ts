import { setImmediate as breathe } from 'node:timers/promises';
import { RuntimeSession } from '../../adapters/runtime/index.ts';
import { initialState } from '../../adapters/tui/state.ts';
import { createStore } from '../../adapters/tui/store.ts';
import { replay } from '../../adapters/tui/transcript/replay.ts';
import { harnessWorld, person } from '../support/harness-world.ts';
import { type Held, instant } from './turn.ts';

/** Opens the session that the arguments name, as the terminal UI does, runs a turn, and prints what is held then. */
async function main([home = '', id = '']: readonly string[]): Promise<void> {
  const session = await RuntimeSession.open(id, harnessWorld({ home, model: instant }));
  const store = createStore(initialState(session.view(), replay(await session.transcript())));
  const ended = new Promise<void>((resolve) => {
    session.subscribe((published) => {
      store.dispatch({ type: 'published', published, now: 0 });
      if (published.type === 'turn.ended') resolve();
    });
  });
  await session.send({ type: 'user.chat', by: person, text: 'hello', origin: 'typed' });
  await ended;
  let least = Infinity;
  let outside = 0;
  for (let round = 0; round < 10; round += 1) {
    globalThis.gc?.();
    await breathe();
    const { heapUsed, external } = process.memoryUsage();
    least = Math.min(least, heapUsed);
    outside = external;
  }
  const held: Held = { heapBytes: least, externalBytes: outside };
  process.stdout.write(JSON.stringify(held));
  // Still in use: the session and what is shown of it belong to what was measured.
  if (store.get().transcript.items.length === 0) throw new Error('Nothing is shown.');
  await session.close();
}

await main(process.argv.slice(2));
