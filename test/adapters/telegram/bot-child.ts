import { join } from 'node:path';
import { RuntimeSession } from '../../../adapters/runtime/index.ts';
import { createOpenAiModel } from '../../../adapters/llm/openai.ts';
import { runBot } from '../../../adapters/telegram/index.ts';
import { systemTimers, type Timers } from '../../../adapters/telegram/outbox.ts';
import { harnessWorld, newSession } from '../../support/harness-world.ts';

// The bot in a process of its own, to be killed: a fast clock, and every tool that asks is allowed at once.
const [home = '', project = '', apiRoot = '', token = '', owner = '', baseUrl = ''] = process.argv.slice(2);
const speed = 5;
const began = Date.now();
const quick: Timers = {
  now: () => began + (Date.now() - began) * speed,
  after: (ms, run) => systemTimers.after(ms / speed, run),
};

const ending = new AbortController();
process.once('SIGTERM', () => ending.abort());
const model = createOpenAiModel({ model: 'test', baseUrl, apiKey: null, sleep: () => Promise.resolve() });
const world = harnessWorld({ home, model });
await runBot({
  token,
  apiRoot,
  people: { owner: Number(owner), allowed: [] },
  sessions: {
    open: async (id) => {
      const session = await RuntimeSession.open(id, world);
      session.subscribe((published) => {
        if (published.type !== 'prompt.opened' || published.prompt.kind !== 'approval') return;
        const asked = published.prompt.id;
        queueMicrotask(() => session.answer(asked, { kind: 'approval', allow: 'once' }));
      });
      return session;
    },
    create: () => newSession(world, project),
    list: async () => [],
  },
  folder: join(home, 'planchart', 'telegram'),
  line: (text) => process.stderr.write(`${text}\n`),
  defect: (error) => process.stderr.write(`${String(error)}\n`),
  signal: ending.signal,
  retryMs: 20,
  timers: quick,
});
