import { agentScene } from './agent-scene.ts';
import { flowScene } from './flow-scene.ts';
import { keyboardScene } from './keyboard-scene.ts';
import type { Scene } from './scene.ts';
import { sessionScene } from './session-scene.ts';

/** Where each machine begins, by its id. The page plays these; a chart of any other machine can only be read. */
export const startScenes: Readonly<Record<string, () => Scene>> = {
  session: sessionScene,
  keyboard: keyboardScene,
  flow: flowScene,
  agent: agentScene,
};
