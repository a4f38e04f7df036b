import type { ModelPort } from '../ports.ts';
import type { ModelChoice, Protocol } from './choice.ts';

/** Where a protocol's models are; nulls mean the provider's own address, and no key. */
export interface ModelServerSettings {
  baseUrl: string | null;
  apiKey: string | null;
}

export interface ModelSettings {
  servers: Readonly<Record<Protocol, ModelServerSettings>>;
  /** Values beside the key in use that must never show in a message. */
  secrets?: readonly string[];
  /** Window in tokens as configured (D27); absent or null: judged by the name. */
  context?: number | null;
  /** Longest answer in tokens as configured; absent or null: the server's own, or what its protocol has to name. */
  maxOutput?: number | null;
  /** Opens the rehearsal model (D5), which this folder does not know. */
  rehearsal: () => Promise<ModelPort>;
}

const ownAddress: Readonly<Record<Protocol, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
};

/** Opens the model that was chosen. The SDK is loaded only for a choice that needs it. Asks nothing yet. */
export async function openModel(choice: ModelChoice, settings: ModelSettings): Promise<ModelPort> {
  if (choice.kind === 'rehearsal') return settings.rehearsal();
  const { kind, model } = choice;
  const { context = null, maxOutput = null } = settings;
  const { baseUrl, apiKey } = settings.servers[kind];
  const secrets = [...(settings.secrets ?? []), ...keysOf(settings)];
  const client = { model, baseUrl: baseUrl ?? ownAddress[kind], apiKey, secrets, context, maxOutput };
  if (kind === 'openai') return (await import('./openai.ts')).createOpenAiModel(client);
  return (await import('./anthropic.ts')).createAnthropicModel(client);
}

/** Every key, whatever the model in use: a proxy may quote any of them. */
export function keysOf({ servers }: Pick<ModelSettings, 'servers'>): string[] {
  return Object.values(servers).flatMap(({ apiKey }) => (apiKey === null ? [] : [apiKey]));
}
