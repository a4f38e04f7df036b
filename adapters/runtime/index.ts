export { createDispatcher, type Dispatcher } from './dispatch.ts';
export { RuntimeSession } from './session.ts';
export type { RuntimeWorld } from './turn-world.ts';
