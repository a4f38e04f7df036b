import { planRegion } from './plan.ts';
import { session } from './setup.ts';
import { turnRegion } from './turn.ts';

/**
 * The lifecycle of one session. Each event is decided by exactly one region; the other one follows
 * by `raise`. Run with XState's pure `transition` only: it starts nothing and waits for nothing.
 */
export const sessionMachine = session.createMachine({
  id: 'session',
  context: ({ input }) => input,
  type: 'parallel',
  states: { plan: planRegion, turn: turnRegion },
});
