import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openModel } from '../../../adapters/llm/index.ts';
import type { ModelPort } from '../../../adapters/ports.ts';
import { startModelServer } from '../../support/model-server.ts';
import { asked, told } from './asking.ts';

const rehearsal: ModelPort = {
  name: 'rehearsal',
  label: 'Rehearsal: not a language model',
  async *step() {
    yield { type: 'end', reason: 'stop' };
  },
};
const settings = { baseUrl: null, apiKey: null, rehearsal: async () => rehearsal };

describe('openModel', () => {
  it('D5 hands out the rehearsal model that it was given', async () => {
    expect(await openModel({ kind: 'rehearsal' }, settings)).toBe(rehearsal);
  });

  it('opens a model by base URL, under its own name and without a label', async () => {
    const server = await startModelServer([{ text: 'ok' }]);
    const model = await openModel({ kind: 'openai', model: 'm-1' }, { ...settings, baseUrl: server.baseUrl });
    expect({ name: model.name, label: model.label }).toEqual({ name: 'openai:m-1', label: null });
    expect(told(await asked(model)).text).toBe('ok');
    await server.close();
  });

  it('loads the SDK for an OpenAI model only, and not for parsing a choice', () => {
    const script = `
      import { registerHooks } from 'node:module';
      const seen = [];
      registerHooks({ resolve: (name, context, next) => (seen.push(name), next(name, context)) });
      const { parseModelChoice } = await import('./adapters/llm/choice.ts');
      const { openModel } = await import('./adapters/llm/index.ts');
      const settings = { baseUrl: null, apiKey: null, rehearsal: async () => ({}) };
      await openModel(parseModelChoice('rehearsal'), settings);
      const before = seen.includes('ai');
      await openModel(parseModelChoice('openai:m-1'), settings);
      console.log(JSON.stringify([before, seen.includes('ai')]));`;
    const root = fileURLToPath(new URL('../../../', import.meta.url));
    const args = ['--input-type=module', '--eval', script];
    expect(JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }))).toEqual([
      false,
      true,
    ]);
  });
});
