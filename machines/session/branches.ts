import type { Code } from '../refusals.ts';
import type { FaultName } from './faults.ts';

/** Branches that refuse, one per code, in the order in which the question finds its faults. */
export function refuse(of: FaultName, ...codes: Code[]) {
  return codes.map((code) => ({
    guard: { type: 'fault', params: { of, code } } as const,
    meta: { answer: { kind: 'refused', code } } as const,
  }));
}

/** The last branch of a state that never accepts an event. */
export const always = (code: Code) => ({ meta: { answer: { kind: 'refused', code } } }) as const;
export const inform = (code: Code) => ({ meta: { answer: { kind: 'info', code } } }) as const;
export const view = { meta: { answer: { kind: 'view' } } } as const;
export const queueWhileBusy = {
  guard: 'busy',
  actions: 'enqueue',
  meta: { answer: { kind: 'queued' } },
} as const;

/** What comes before anything a state says itself (D30, D16). */
export const person = refuse('person', 'NOT_OWNER', 'STALE_BUTTON', 'NEEDS_PERSON');
export const design = refuse('person', 'NOT_OWNER', 'UNATTENDED_DESIGN');
export const call = refuse('call', 'NOT_FOR_CHILD', 'CANCELLED');
export const busy = refuse('busy', 'BUSY');
