import type { ModelPort } from '../ports.ts';
import type { ModelChoice } from './choice.ts';

export interface ModelSettings {
  /** Null means OpenAI's own address. */
  baseUrl: string | null;
  apiKey: string | null;
  /** Further values that must never show in a message. */
  secrets?: readonly string[];
  /** Opens the rehearsal model (D5), which this folder does not know. */
  rehearsal: () => Promise<ModelPort>;
}

const openAiAddress = 'https://api.openai.com/v1';

/** Opens the model that was chosen. The SDK is loaded only for a choice that needs it. Asks nothing yet. */
export async function openModel(choice: ModelChoice, settings: ModelSettings): Promise<ModelPort> {
  if (choice.kind === 'rehearsal') return settings.rehearsal();
  const { createOpenAiModel } = await import('./openai.ts');
  const { baseUrl, apiKey, secrets = [] } = settings;
  return createOpenAiModel({ model: choice.model, baseUrl: baseUrl ?? openAiAddress, apiKey, secrets });
}
