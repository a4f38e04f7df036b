import { describe, expect, it } from 'vitest';
import { anthropicBase, openAiBase } from '../../../adapters/llm/base-url.ts';
import { asked, protocols, speaking, told } from './asking.ts';

describe('the forms of a base URL', () => {
  it.each([
    ['http://localhost:11434', 'http://localhost:11434/v1'],
    ['http://localhost:11434/', 'http://localhost:11434/v1'],
    ['http://localhost:11434/v1', 'http://localhost:11434/v1'],
    ['http://localhost:11434/v1//', 'http://localhost:11434/v1'],
    ['http://localhost:11434/v1/chat/completions', 'http://localhost:11434/v1'],
    ['https://example.org/inference', 'https://example.org/inference'],
    ['https://example.org/v1beta/openai/', 'https://example.org/v1beta/openai'],
    ['https://example.org/chat/completions', 'https://example.org'],
    [' https://example.org/v1 ', 'https://example.org/v1'],
    ['localhost', 'localhost'],
  ])('OpenAI: %s', (given, wanted) => {
    expect(openAiBase(given)).toBe(wanted);
  });

  it.each([
    ['https://api.anthropic.com', 'https://api.anthropic.com/v1'],
    ['https://api.anthropic.com/', 'https://api.anthropic.com/v1'],
    ['https://api.anthropic.com/v1', 'https://api.anthropic.com/v1'],
    ['https://api.anthropic.com/v1/', 'https://api.anthropic.com/v1'],
    ['https://api.anthropic.com/v1/messages', 'https://api.anthropic.com/v1'],
    ['https://example.org/anthropic', 'https://example.org/anthropic/v1'],
    ['https://example.org/anthropic/v1', 'https://example.org/anthropic/v1'],
    ['https://example.org/messages', 'https://example.org'],
    ['localhost', 'localhost'],
  ])('Anthropic: %s', (given, wanted) => {
    expect(anthropicBase(given)).toBe(wanted);
  });

  it.each(protocols)('%s reaches the server by each of them', async (protocol) => {
    const opened = speaking(protocol);
    const { server } = await opened(() => ({ text: 'ok' }));
    const last = protocol === 'openai' ? '/chat/completions' : '/messages';
    const { origin } = new URL(server.baseUrl);
    const forms = ['', '/', '/v1', '/v1/', `/v1${last}`].map((path) => `${origin}${path}`);
    for (const baseUrl of forms) {
      const { model } = await opened([], { baseUrl });
      expect(told(await asked(model))).toMatchObject({ text: 'ok', end: { reason: 'stop' } });
    }
    expect(server.requests).toHaveLength(forms.length);
  });
});
