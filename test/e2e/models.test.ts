import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorld, type World } from '../cli/planchart.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { sit } from './person.ts';

let world: World;
let server: ModelServer;
beforeEach(() => {
  world = createWorld();
});
afterEach(async () => {
  world.end();
  await server.close();
});

it('D54 /model says what is in use, refuses what is no model, and takes another for the next turn', async () => {
  server = await startModelServer([{ reasoning: 'Somebody greets me.', text: 'Hello from the server.' }]);
  const person = await sit(world, [], {
    ANTHROPIC_BASE_URL: server.baseUrl,
    ANTHROPIC_API_KEY: 'sk-not-shown',
  });
  await person.waitFor(/no model is chosen: use\s+--model or \/model/u);
  await person.say('/model');
  await person.waitFor(/Model: Rehearsal model/u);
  await person.say('/model gpt');
  await person.waitFor(/"gpt" is not a model choice[\s\S]*The\s+model\s+stays\s+rehearsal/u);
  await person.say('/model anthropic:m-1');
  await person.waitFor(/The next turn asks anthropic:m-1\.[\s\S]*· anthropic:m-1 ·/u);
  await person.say('hello');
  await person.waitFor(/Hello from the server\./u);
  expect(server.headers[0]?.['x-api-key']).toBe('sk-not-shown');
  expect(person.bytes()).not.toContain('sk-not-shown');
}, 60_000);
