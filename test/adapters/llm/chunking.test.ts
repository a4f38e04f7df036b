import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { anthropicEvents } from '../../support/model-server/anthropic.ts';
import { openAiEvents } from '../../support/model-server/reply.ts';
import type { Reply } from '../../support/model-server/reply.ts';
import { asked, speaking } from './asking.ts';

const reply: Reply = {
  reasoning: 'Erst überlegen 🤔, dann handeln.',
  text: 'Grüße an 世界: “naïve” 👩‍👩‍👧 \\ "ok"\nzweite Zeile',
  calls: [
    { name: 'read', input: { path: '文档/é.md', note: 'a\nb' } },
    { name: 'read', raw: '{"path": "ü' },
  ],
  chunk: 7,
  usage: { prompt_tokens: 3, completion_tokens: 4 },
};

it.each([
  ['openai', openAiEvents],
  ['anthropic', anthropicEvents],
] as const)('%s gives the same parts however the bytes of a stream are cut', async (protocol, eventsOf) => {
  const { model, server } = await speaking(protocol)(() => ({ ...reply, ...cut }));
  let cut: Reply = {};
  const whole = await asked(model);
  expect(whole.map((part) => part.type)).toContain('call');
  const request = server.requests[0];
  if (request === undefined) throw new Error('nothing was asked');
  const bytes = Buffer.from(eventsOf(reply, request).join('')).length;
  const offsets = fc.uniqueArray(fc.integer({ min: 1, max: bytes - 1 }), { maxLength: 60 });
  const everyByte = Array.from({ length: bytes - 1 }, (_, index) => index + 1);
  await fc.assert(
    fc.asyncProperty(offsets, async (splitAt) => {
      cut = { splitAt };
      expect(await asked(model)).toEqual(whole);
    }),
    { numRuns: 25, examples: [[everyByte]] },
  );
});
