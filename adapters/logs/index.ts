export { createLog, type Log } from './log.ts';
export { createObserver, loggedDispatcher, loggedModel } from './observe.ts';
