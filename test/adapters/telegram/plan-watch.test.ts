import { describe, expect, it } from 'vitest';
import { decidedElsewhere } from '../../../adapters/telegram/plan-watch.ts';
import type { SessionView } from '../../../machines/index.ts';
import { viewOf } from '../../support/fake-handle.ts';

const at = '2026-03-01T12:03:04.000Z';
const inPhase = (phase: SessionView['phase']): SessionView => viewOf({ phase });

describe('D47 who decided', () => {
  it.each<[SessionView['phase'], string | null]>([
    ['seeding', '✅ Approved in the terminal, 12:03 UTC.'],
    // Approve, seed and its end between two looks.
    ['seedFailedEmpty', '✅ Approved in the terminal, 12:03 UTC.'],
    ['seedFailedPartial', '✅ Approved in the terminal, 12:03 UTC.'],
    ['checklist', '✅ Approved in the terminal, 12:03 UTC.'],
    ['noPlan', '🗑 Discarded elsewhere, 12:03 UTC.'],
    ['postInit', null],
    ['unreadable', null],
  ])('from review to %s', (phase, said) => {
    expect(decidedElsewhere(inPhase('postInit'), inPhase(phase), at)).toBe(said);
  });

  it('says nothing of a seed that had begun before', () => {
    expect(decidedElsewhere(inPhase('seeding'), inPhase('checklist'), at)).toBeNull();
  });
});
