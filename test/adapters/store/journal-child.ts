import { systemClock } from '../../../adapters/clock.ts';
import { createDispatcher } from '../../../adapters/runtime/index.ts';
import { createFileStore } from '../../../adapters/store/index.ts';
import { owner } from '../../support/samples.ts';

/** A real process that dispatches: `node journal-child.ts <home> <session> <process id> <times>`. */
const [home = '', session = '', self = '', times = ''] = process.argv.slice(2);
const dispatcher = createDispatcher({
  store: createFileStore({ home }),
  clock: systemClock,
  workspace: { endGroup: () => Promise.resolve() },
  process: self,
});
for (let n = 0; n < Number(times); n += 1)
  await dispatcher.dispatch(session, { type: 'user.policy', by: owner, yolo: n % 2 === 0 });
