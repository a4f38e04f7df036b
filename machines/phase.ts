import type { SessionSnapshot } from './session/derive.ts';
import type { Phase, TurnState } from './views.ts';

/** The eight rows of the matrix, from the configuration of the machine. */
export function phaseOf(snapshot: SessionSnapshot): Phase {
  if (snapshot.matches({ plan: 'noPlan' })) return 'noPlan';
  if (snapshot.matches({ plan: 'unreadable' })) return 'unreadable';
  if (snapshot.matches({ plan: { editing: 'preInit' } })) return 'preInit';
  if (snapshot.matches({ plan: { editing: 'postInit' } })) return 'postInit';
  if (snapshot.matches({ plan: { active: 'seeding' } })) return 'seeding';
  if (snapshot.matches({ plan: { active: { seedFailed: 'empty' } } })) return 'seedFailedEmpty';
  if (snapshot.matches({ plan: { active: { seedFailed: 'partial' } } })) return 'seedFailedPartial';
  return 'checklist';
}

export function turnOf(snapshot: SessionSnapshot): TurnState {
  if (snapshot.matches({ turn: 'running' })) return 'running';
  if (snapshot.matches({ turn: 'stopping' })) return 'stopping';
  return snapshot.matches({ turn: 'discarding' }) ? 'discarding' : 'idle';
}
