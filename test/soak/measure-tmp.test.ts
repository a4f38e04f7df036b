import { expect, it } from 'vitest';
import { bundleTwo } from '../support/two-process.ts';
it('m', async () => {
  const program = await bundleTwo();
  for (const [seed, events, kills] of [[1,60,0],[2,60,0],[3,60,0],[4,60,0],[5,60,6],[6,60,6],[7,300,12]] as const) {
    const r = await program.run({ seed, events, lock: 'shared', kills });
    console.log(seed, r.events, 'restored', r.restored, 'torn', r.torn, [...r.answers].filter(([n]) => n.startsWith('SEND')), r.faults);
  }
  program.end();
  expect(1).toBe(1);
}, 120_000);
