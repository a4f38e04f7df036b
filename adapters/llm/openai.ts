import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ModelPort } from '../ports.ts';
import { openAiBase } from './base-url.ts';
import { type ClientSettings, createClient, type Wire } from './client.ts';
import { sdkRequest } from './request.ts';

const wire: Wire = {
  protocol: 'openai',
  speaks: 'OpenAI chat completions',
  example: 'http://localhost:11434/v1',
  open({ model, baseUrl, apiKey, fetch }) {
    const provider = createOpenAICompatible({
      name: 'openai',
      baseURL: openAiBase(baseUrl),
      includeUsage: true,
      fetch,
      ...(apiKey === null ? {} : { apiKey }),
    });
    return provider.chatModel(model);
  },
  sdk: sdkRequest,
  mostTokens: () => null,
};

/** A model behind an OpenAI-compatible chat completions endpoint. */
export const createOpenAiModel = (settings: ClientSettings): ModelPort => createClient(wire, settings);
