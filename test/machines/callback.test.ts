import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CallbackAction,
  encodeCallback,
  hashMark,
  parseCallback,
  planMark,
} from '../../machines/index.ts';
import { hashOf, planId, texts } from '../support/samples.ts';

const actions: readonly CallbackAction[] = ['ok', 'no', 'no!', 'keep', 'rev', 'res', 'go'];
const hash = hashOf(texts.valid);
const bytes = (text: string): number => new TextEncoder().encode(text).length;

describe('the data of plan buttons (D30)', () => {
  it('names action, plan, phase and text', () => {
    const mark = '3f2b8c1e6a4d4f0e9b7a2d5c8e1f0a63';
    const plan = '3f2b8c1e-6a4d-4f0e-9b7a-2d5c8e1f0a63';
    const full = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
    expect(encodeCallback('ok', { plan, phase: 'editing', hash: full })).toBe(
      `plan:ok:${mark}.e.9f86d081884c7d65`,
    );
    expect(encodeCallback('no!', { plan, phase: 'active', hash: null })).toBe(`plan:no!:${mark}.a.-`);
  });

  it.each(actions)('B121 plan:%s is at most 64 bytes and reads back, whatever the ids are', (action) => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constant(planId), fc.uuid(), fc.string(), fc.string({ unit: 'grapheme' })),
        fc.option(fc.oneof(fc.constant(hash), fc.string())),
        fc.constantFrom('editing' as const, 'active' as const),
        (plan, text, phase) => {
          const data = encodeCallback(action, { plan, phase, hash: text });
          expect(bytes(data)).toBeLessThanOrEqual(64);
          expect(parseCallback(data)).toEqual({ action, plan: planMark(plan), phase, hash: hashMark(text) });
        },
      ),
    );
  });

  it('tells plans and texts apart', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        fc.pre(a !== b);
        expect(planMark(a)).not.toBe(planMark(b));
      }),
    );
    expect(hashMark(hash)).not.toBe(hashMark(hashOf(texts.changed)));
    expect([hashMark(null), hashMark('')]).toEqual([null, null]);
  });

  it.each([
    '',
    'plan:ok',
    'plan:ok:',
    `plan:yes:${planMark(planId)}.e.-`,
    `plan:ok:${planMark(planId)}.x.-`,
    `plan:ok:${planMark(planId)}.e.${hash}`,
    `plan:ok:${planMark(planId)}.e.- `,
    'approve:4f',
  ])('anything else is no plan button: %j', (data) => {
    expect(parseCallback(data)).toBeNull();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((rest) => `plan:ok:${rest}`),
        ),
        (data) => {
          expect(() => parseCallback(data)).not.toThrow();
        },
      ),
    );
  });
});
