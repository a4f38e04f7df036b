import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openModel } from '../../../adapters/llm/index.ts';
import type { ModelPort } from '../../../adapters/ports.ts';
import { startModelServer } from '../../support/model-server.ts';
import { asked, key, protocols, told } from './asking.ts';

const rehearsal: ModelPort = {
  name: 'rehearsal',
  label: 'Rehearsal: not a language model',
  async *step() {
    yield { type: 'end', reason: 'stop' };
  },
};
const none = { baseUrl: null, apiKey: null };
const settings = { servers: { openai: none, anthropic: none }, rehearsal: async () => rehearsal };

describe('openModel', () => {
  it('D5 hands out the rehearsal model that it was given', async () => {
    expect(await openModel({ kind: 'rehearsal' }, settings)).toBe(rehearsal);
  });

  it.each(protocols)(
    'opens a model by the base URL of %s, under its own name and without a label',
    async (kind) => {
      const server = await startModelServer([{ text: 'ok' }]);
      onTestFinished(() => server.close());
      const servers = { ...settings.servers, [kind]: { baseUrl: server.baseUrl, apiKey: key } };
      const model = await openModel({ kind, model: 'm-1' }, { ...settings, servers });
      expect({ name: model.name, label: model.label }).toEqual({ name: `${kind}:m-1`, label: null });
      expect(told(await asked(model)).text).toBe('ok');
      expect(JSON.stringify(server.headers[0])).toContain(key);
    },
  );

  it.each(protocols)('hands on to %s what is configured of window and longest answer', async (kind) => {
    const server = await startModelServer([{ text: 'ok' }]);
    onTestFinished(() => server.close());
    const servers = { ...settings.servers, [kind]: { baseUrl: server.baseUrl, apiKey: null } };
    const sizes = { context: 9_000, maxOutput: 700 };
    const model = await openModel({ kind, model: 'm-1' }, { ...settings, servers, ...sizes });
    await asked(model);
    expect([model.context, server.bodies[0]]).toMatchObject([9_000, { max_tokens: 700 }]);
  });

  it.each(protocols)('D54 sends %s its own key only, and hides the other one too', async (kind) => {
    const server = await startModelServer([{ status: 400, error: 'Keys: sk-of-openai, sk-of-anthropic' }]);
    onTestFinished(() => server.close());
    const { baseUrl } = server;
    const servers = {
      openai: { baseUrl, apiKey: 'sk-of-openai' },
      anthropic: { baseUrl, apiKey: 'sk-of-anthropic' },
    };
    const model = await openModel({ kind, model: 'm-1' }, { ...settings, servers });
    expect(told(await asked(model)).end?.fault?.message).toContain('(Keys: [secret], [secret])');
    const sent = JSON.stringify(server.headers[0]).match(/sk-of-[a-z]+/gu);
    expect(sent).toEqual([`sk-of-${kind}`]);
  });

  it('loads only what a choice needs, reads no environment, and loads nothing to parse a choice', () => {
    const script = `
      import { registerHooks } from 'node:module';
      let seen = [];
      registerHooks({ resolve: (name, context, next) => (seen.push(name), next(name, context)) });
      const { parseModelChoice } = await import('./adapters/llm/choice.ts');
      const { openModel } = await import('./adapters/llm/index.ts');
      const none = { baseUrl: null, apiKey: null };
      const settings = { servers: { openai: none, anthropic: none }, rehearsal: async () => ({}) };
      const loaded = [];
      for (const choice of ['rehearsal', 'openai:m-1', 'anthropic:m-1']) {
        seen = [];
        await openModel(parseModelChoice(choice), settings);
        loaded.push(seen.filter((name) => /^(ai|@ai-sdk\\/(openai-compatible|anthropic).*)$/.test(name)).sort());
      }
      console.log(JSON.stringify(loaded));`;
    const root = fileURLToPath(new URL('../../../', import.meta.url));
    const args = ['--input-type=module', '--eval', script];
    // An empty address in the environment would break the SDK's own client while it loads.
    const env = { ...process.env, ANTHROPIC_BASE_URL: '', OPENAI_BASE_URL: '' };
    const loaded = JSON.parse(
      execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', env }),
    ) as string[][];
    expect(loaded.map((names) => [...new Set(names)])).toEqual([
      [],
      ['@ai-sdk/openai-compatible', 'ai'],
      ['@ai-sdk/anthropic/internal'],
    ]);
  });
});
