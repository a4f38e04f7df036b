import { describe, expect, it } from 'vitest';
import type { FlowEvent } from '../../machines/index.ts';
import {
  edited,
  ends,
  fails,
  flood,
  type FlowRow,
  gone,
  leadsTo,
  opened,
  resumes,
  says,
  tick,
  tool,
  toolEnd,
  waits,
} from '../support/samples-flow.ts';

describe('D32 the flow message opens', () => {
  it.each<FlowRow>([
    ['not before the first tick of 1.5 s', [tick(1499)], 'closed'],
    ['header-only at 1.5 s', [tick(1500)], 'live', 'post: live -, 0 tools, 1 s []'],
    ['with the first tool', [tool('ls', 300)], 'live', 'post: live ls, 1 tools, 0 s [ls running]'],
    ['not with narration', [says('Looking.', 300)], 'closed'],
    [
      'which it then shows',
      [says('Looking.', 300), tick(1500)],
      'live',
      'post: live Looking., 0 tools, 1 s [Looking.]',
    ],
    [
      'with what is thought before anything is done',
      [{ type: 'thought', text: 'Read it first', now: 0 }, tick(1500)],
      'live',
      'post: live Read it first, 0 tools, 1 s []',
    ],
    ['D36 when a person is waited for', [waits(300)], 'frozen', 'post: waits for your answer, 0 tools []'],
    ['a short answer leaves none', [says('Done.', 100), ends(900)], 'settled'],
    ['later either', [ends(900), tick(3000)], 'settled'],
  ])('%s', (_, events, ...wanted) => {
    expect(leadsTo(...events)).toEqual(wanted);
  });
});

describe('D34 edits', () => {
  it.each<FlowRow>([
    ['come at most every 1.5 s', [...opened, says('Found.', 1400)], 'live'],
    [
      'and hold everything that came meanwhile',
      [...opened, says('Found.', 1400), tick(1500)],
      'live',
      'edit 7: live Found., 1 tools, 1 s [ls running, Found.]',
    ],
    ['move the clock', [...opened, tick(1500)], 'live', 'edit 7: live ls, 1 tools, 1 s [ls running]'],
    ['one is in flight at a time', [...opened, tick(1500), tick(3000)], 'live'],
    ['B108 none without a change', [...opened, tick(1500), edited(1600), tick(1999)], 'live'],
    ['nothing is sent before the post is answered', [tool('ls', 0), says('Found.', 2000)], 'live'],
    [
      'a tool is ended by its call, not by its name',
      [...opened, tool('cat', 200), toolEnd('ls', 300, 'yes'), toolEnd('cat', 400), tick(1500)],
      'live',
      'edit 7: live cat, 2 tools, 1 s [ls failed, cat done]',
    ],
    [
      'the header keeps the newest narration that reads well',
      [...opened, says('Found it.', 200), says('{"a":1}', 300, null), tool('cat', 400), tick(1500)],
      'live',
      'edit 7: live Found it., 2 tools, 1 s [ls running, Found it., {"a":1}, cat running]',
    ],
    [
      'a notice takes the place of the one before about the same',
      [
        ...opened,
        { type: 'noticed', about: 'retry', text: 'Retry 1/3', now: 200 },
        { type: 'noticed', about: 'retry', text: 'Retry 2/3', now: 300 },
        { type: 'noticed', about: 'model', text: 'Other model', now: 400 },
        tick(1500),
      ],
      'live',
      'edit 7: live ls, 1 tools, 1 s [ls running, Retry 2/3, Other model]',
    ],
    ['a failed edit is tried again', [...opened, tick(1500), fails(1600), tick(3000)], 'live'],
    [
      'after a while, and deletes nothing',
      [...opened, tick(1500), fails(1600), tick(3100)],
      'live',
      'edit 7: live ls, 1 tools, 3 s [ls running]',
    ],
    [
      'a failed post is posted again',
      [tool('ls', 0), fails(100), tick(1600)],
      'live',
      'post: live ls, 1 tools, 1 s [ls running]',
    ],
    [
      'a message that somebody deleted comes back',
      [...opened, tick(1500), gone(1600)],
      'live',
      'post: live ls, 1 tools, 1 s [ls running]',
    ],
    ['B117 a place that is gone ends it', [tool('ls', 0), gone(100)], 'settled'],
    ['for good', [tool('ls', 0), gone(100), tick(9000), ends(10_000)], 'settled'],
  ])('%s', (_, events, ...wanted) => {
    expect(leadsTo(...events)).toEqual(wanted);
  });
});

describe('frozen', () => {
  const limited: readonly FlowEvent[] = [...opened, tick(1500), flood(34_500, 1600)];
  const waiting: readonly FlowEvent[] = [...opened, waits(1500), edited(1600)];

  it.each<FlowRow>([
    ['B105 a flood wait sends nothing', [...limited, says('Found.', 2000), tick(34_499)], 'frozen'],
    [
      'B107 and then the newest text once, to the same message',
      [...limited, says('Found.', 2000), tick(34_500)],
      'live',
      'edit 7: live Found., 1 tools, 34 s [ls running, Found.]',
    ],
    [
      'D36 a waiting turn says so',
      [...opened, waits(1500)],
      'frozen',
      'edit 7: waits for your answer, 1 tools [ls running]',
    ],
    ['soon', [...opened, waits(1400)], 'frozen'],
    ['without a running clock', [...waiting, tick(60_000)], 'frozen'],
    ['and goes on', [...waiting, resumes(60_000)], 'live', 'edit 7: live ls, 1 tools, 60 s [ls running]'],
    ['also within 1.5 s', [...waiting, resumes(2000)], 'live'],
    [
      'what comes meanwhile is shown',
      [...waiting, toolEnd('ls', 9000)],
      'frozen',
      'edit 7: waits for your answer, 1 tools [ls done]',
    ],
    ['an answer does not end a flood wait', [...limited, waits(2000), resumes(3000)], 'frozen'],
    [
      'nor the end of a flood wait the question',
      [...limited, waits(2000), tick(34_500)],
      'frozen',
      'edit 7: waits for your answer, 1 tools [ls running]',
    ],
    ['the turn may end in a flood wait', [...limited, ends(2000)], 'settled'],
    [
      'B105 its last edit is not dropped',
      [...limited, ends(2000), tick(34_500)],
      'settled',
      'settle 7: finished, 1 tools, 2 s [ls stopped]',
    ],
  ])('%s', (_, events, ...wanted) => {
    expect(leadsTo(...events)).toEqual(wanted);
  });
});
