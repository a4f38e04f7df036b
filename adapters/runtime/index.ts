export { createDispatcher, type Dispatcher } from './dispatch.ts';
export { RuntimeSession, type RuntimeWorld } from './session.ts';
