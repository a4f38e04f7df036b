import { describe, expect, it } from 'vitest';
import {
  type FlowEvent,
  flowRecord,
  type FlowSnapshot,
  flowStart,
  flowStep,
  isFlowDone,
  restoreFlow,
} from '../../machines/index.ts';
import {
  buried,
  deleted,
  edited,
  ends,
  fails,
  flowPlayed,
  type FlowRow,
  flowState,
  flowWorded,
  gone,
  leadsTo,
  opened,
  overflow,
  posted,
  says,
  tick,
  tool,
  toolEnd,
  waits,
} from '../support/samples-flow.ts';

describe('moves down when buried', () => {
  const moved: readonly FlowEvent[] = [...opened, buried(1000)];
  it.each<FlowRow>([
    ['posts anew first', moved, 'live', 'post: live ls, 1 tools, 1 s [ls running]'],
    ['then deletes the old copy', [...moved, posted(9, 1100)], 'live', 'delete 7'],
    [
      'and edits the new one',
      [...moved, posted(9, 1100), deleted(1200), tick(2500)],
      'live',
      'edit 9: live ls, 1 tools, 2 s [ls running]',
    ],
    [
      'a post that fails leaves it where it is',
      [...moved, fails(1100), tick(2600)],
      'live',
      'edit 7: live ls, 1 tools, 2 s [ls running]',
    ],
    [
      'a delete that fails is tried again',
      [...moved, posted(9, 1100), fails(1200), tick(2700)],
      'live',
      'delete 7',
    ],
    [
      'at most once in 15 s',
      [...moved, posted(9, 1100), deleted(1200), edited(1300), buried(15_999)],
      'live',
      'edit 9: live ls, 1 tools, 15 s [ls running]',
    ],
    [
      'again after that',
      [...moved, posted(9, 1100), deleted(1200), buried(16_000)],
      'live',
      'post: live ls, 1 tools, 16 s [ls running]',
    ],
    ['not before there is a message', [tool('ls', 0), buried(1000), posted(7, 1100)], 'live'],
    [
      'the old copy goes although the turn ends',
      [...moved, ends(1050), posted(9, 1100)],
      'settled',
      'delete 7',
    ],
  ])('%s', (_, events, ...wanted) => {
    expect(leadsTo(...events)).toEqual(wanted);
  });
});

describe('D32 a split', () => {
  const long: readonly FlowEvent[] = [
    ...opened,
    toolEnd('ls', 200),
    says('Found.', 300),
    tick(1500),
    overflow(1, 1510),
  ];
  it.each<FlowRow>([
    ['marks the old message as continued', long, 'live', 'edit 7: continued [ls done] no plan'],
    [
      'carries the overflowing entry into a new one',
      [...long, edited(1600)],
      'live',
      'post: live Found., 1 tools, 1 s part 2 [Found.]',
    ],
    [
      'counts the whole turn',
      [...long, edited(1600), posted(9, 1700), tool('cat', 3200)],
      'live',
      'edit 9: live Found., 2 tools, 3 s part 2 [Found., cat running]',
    ],
    [
      'a tool that still runs goes along, so that its end is seen',
      [
        ...opened,
        tool('cat', 200),
        toolEnd('cat', 300),
        says('Found.', 400),
        tick(1500),
        overflow(2, 1510),
        edited(1600),
      ],
      'live',
      'post: live Found., 1 tools, 1 s part 2 [ls running, Found.]'.replace('1 tools', '2 tools'),
    ],
    [
      'a message too long to be posted is posted in two',
      [says('A', 0), says('B', 1), tick(1500), overflow(1, 1510)],
      'live',
      'post: continued [A] no plan',
    ],
    [
      'the second half follows',
      [says('A', 0), says('B', 1), tick(1500), overflow(1, 1510), posted(7, 1600)],
      'live',
      'post: live B, 0 tools, 1 s part 2 [B]',
    ],
    [
      'a failed mark is tried again before anything else',
      [...long, fails(1600), tick(3100)],
      'live',
      'edit 7: continued [ls done] no plan',
    ],
    ['one entry is not split', [...opened, tick(1500), overflow(0, 1510), tick(1520)], 'live'],
    [
      'the end may be too long as well',
      [...opened, says('Found.', 300), ends(1500), overflow(1, 1510)],
      'settled',
      'edit 7: continued [ls stopped] no plan',
    ],
    [
      'and is settled in the last part',
      [...opened, says('Found.', 300), ends(1500), overflow(1, 1510), edited(1600)],
      'settled',
      'post: finished, 1 tools, 1 s part 2 [Found.]',
    ],
  ])('%s', (_, events, ...wanted) => {
    expect(leadsTo(...events)).toEqual(wanted);
  });
});

describe('D32 every exit settles it', () => {
  it.each(['finished', 'failed', 'timedOut', 'cancelled', 'interrupted'] as const)('%s', (outcome) => {
    expect(leadsTo(...opened, ends(65_000, outcome))).toEqual([
      'settled',
      `settle 7: ${outcome}, 1 tools, 65 s [ls stopped]`,
    ]);
  });

  it.each<FlowRow>([
    [
      'after an edit that is in flight',
      [...opened, tick(1500), ends(3000), edited(3100)],
      'settled',
      'settle 7: finished, 1 tools, 3 s [ls stopped]',
    ],
    [
      'after the post is answered',
      [tool('ls', 0), ends(100), posted(7, 1500)],
      'settled',
      'settle 7: finished, 1 tools, 0 s [ls stopped]',
    ],
    [
      'while it waits for a person',
      [...opened, waits(1500), edited(1600), ends(9000, 'cancelled')],
      'settled',
      'settle 7: cancelled, 1 tools, 9 s [ls stopped]',
    ],
    [
      'again until it has landed',
      [...opened, ends(2000), fails(2100), tick(3600)],
      'settled',
      'settle 7: finished, 1 tools, 2 s [ls stopped]',
    ],
    ['but not where it was deleted', [...opened, ends(2000), gone(2100), tick(9000)], 'settled'],
    ['once', [...opened, ends(2000), edited(2100), tick(9000)], 'settled'],
    [
      'D33 its plan sections leave when a newer message has them',
      [...opened, ends(2000), edited(2100), { type: 'sections', sections: { kind: 'none' }, now: 9000 }],
      'settled',
      'settle 7: finished, 1 tools, 2 s [ls stopped] no plan',
    ],
    [
      'D17 one line is left of a plan',
      [
        ...opened,
        {
          type: 'sections',
          sections: { kind: 'closed', as: 'completed', title: 'Split the key', done: 7, total: 7 },
          now: 1500,
        },
      ],
      'live',
      'edit 7: live ls, 1 tools, 1 s [ls running] completed',
    ],
  ])('%s', (_, events, ...wanted) => {
    expect(leadsTo(...events)).toEqual(wanted);
  });
});

describe('the record of a flow message', () => {
  const restored = (...events: readonly FlowEvent[]): FlowSnapshot => {
    const stored: unknown = JSON.parse(JSON.stringify(flowRecord(flowPlayed(...events).snapshot)));
    return restoreFlow(stored) ?? flowStart('unreadable', 0);
  };
  const step = (at: FlowSnapshot, event: FlowEvent): string[] => {
    const [snapshot, effects] = flowStep(at, event);
    return [flowState(snapshot), ...effects.map(flowWorded)];
  };

  it.each<[string, readonly FlowEvent[], string, ...string[]]>([
    [
      'D37 an open one is settled as interrupted',
      opened,
      'settled',
      'settle 7: interrupted, 1 tools, 60 s [ls stopped]',
    ],
    [
      'with an edit in flight',
      [...opened, tick(1500)],
      'settled',
      'settle 7: interrupted, 1 tools, 60 s [ls stopped]',
    ],
    [
      'one that was posted and not answered is posted',
      [tool('ls', 0)],
      'settled',
      'post: interrupted, 1 tools, 60 s [ls stopped]',
    ],
    ['one that had not opened is not', [says('Hm', 5)], 'settled'],
    [
      'a split goes on',
      [...opened, toolEnd('ls', 1), says('B', 2), tick(1500), overflow(1, 1510)],
      'settled',
      'edit 7: continued [ls done] no plan',
    ],
    [
      'one in a waiting turn',
      [...opened, waits(1500)],
      'settled',
      'settle 7: interrupted, 1 tools, 60 s [ls stopped]',
    ],
  ])('%s', (_, events, ...wanted) => {
    expect(step(restored(...events), ends(60_000, 'interrupted'))).toEqual(wanted);
  });

  it('a settled one that had not landed is sent again', () => {
    expect(step(restored(...opened, ends(2000)), tick(60_000))).toEqual([
      'settled',
      'settle 7: finished, 1 tools, 2 s [ls stopped]',
    ]);
    expect(step(restored(...opened, ends(2000), edited(2100)), tick(60_000))).toEqual(['settled']);
  });

  it('an unknown one is none', () => {
    expect([null, 'x', {}, { v: 2 }].map(restoreFlow)).toEqual([null, null, null, null]);
  });

  it('says when nothing is owed any more', () => {
    const done = (...events: readonly FlowEvent[]): boolean => isFlowDone(flowPlayed(...events).snapshot);
    expect([done(...opened), done(...opened, ends(2000)), done(...opened, ends(2000), fails(2100))]).toEqual([
      false,
      false,
      false,
    ]);
    expect([
      done(...opened, ends(2000), edited(2100)),
      done(ends(100)),
      done(tool('ls', 0), gone(1)),
    ]).toEqual([true, true, true]);
    expect(done(...opened, buried(1500), ends(1600), posted(9, 3000))).toBe(false);
  });
});
