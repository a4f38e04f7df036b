import { describe, expect, it } from 'vitest';
import {
  type KeyboardEvent,
  keyboardRecord,
  type KeyboardSnapshot,
  keyboardStep,
  markupOf,
  type PlanButton,
  type PlanKeyboard,
  restoreKeyboard,
} from '../../machines/index.ts';
import { hashOf, planId, texts } from '../support/samples.ts';
import { keyboards, played, pressed, worded } from '../support/samples-keyboard.ts';

const shown: readonly KeyboardEvent[] = [
  { type: 'home', message: 55 },
  { type: 'want', keyboard: keyboards.review },
  { type: 'attached', message: 55 },
];
const asked: readonly KeyboardEvent[] = [...shown, pressed('discard', 55), { type: 'attached', message: 55 }];
const stripping: readonly KeyboardEvent[] = [...shown, { type: 'home', message: 60 }];

/** What the machine does after these events with the next one: state, effects in words. */
const next = (before: readonly KeyboardEvent[], event: KeyboardEvent): string[] => {
  const { snapshot, effects } = played(...before, event);
  return [snapshot.value, ...effects.map(worded)];
};

describe('one message carries the keyboard', () => {
  const failed = (message: number, until: number | null = null, now = 0): KeyboardEvent => ({
    type: 'failed',
    message,
    until,
    now,
  });
  const tick = (now: number): KeyboardEvent => ({ type: 'tick', now });

  it.each<[string, readonly KeyboardEvent[], KeyboardEvent, ...string[]]>([
    ['a wish waits for a message', [], { type: 'want', keyboard: keyboards.review }, 'none'],
    ['a message waits for a wish', [], { type: 'home', message: 55 }, 'none'],
    [
      'it is drawn on a message that is there',
      [shown[0]!],
      shown[1]!,
      'attaching',
      '55: approve revise discard',
    ],
    ['and is owned when that is known', shown.slice(0, 2), shown[2]!, 'owned'],
    [
      'another wish is one edit of the same message',
      shown,
      { type: 'want', keyboard: keyboards.writing },
      'attaching',
      '55: discard',
    ],
    ['the same wish is none (B58)', shown, { type: 'want', keyboard: { ...keyboards.review } }, 'owned'],
    [
      'B43 a new text draws it anew',
      shown,
      { type: 'want', keyboard: keyboards.changed },
      'attaching',
      '55: approve revise discard',
    ],
    ['no wish strips it', shown, { type: 'want', keyboard: null }, 'stripping', '55: -'],
    ['a restick strips the old message first', shown, { type: 'home', message: 60 }, 'stripping', '55: -'],
    [
      'and only then draws on the new one',
      stripping,
      { type: 'stripped', message: 55 },
      'attaching',
      '60: approve revise discard',
    ],
    [
      'a deleted message counts as stripped',
      stripping,
      { type: 'gone', message: 55 },
      'attaching',
      '60: approve revise discard',
    ],
    ['a failed strip lets no other message have it', stripping, failed(55), 'stripping'],
    ['and is not tried at once', [...stripping, failed(55)], tick(4999), 'stripping'],
    ['but later', [...stripping, failed(55)], tick(5000), 'stripping', '55: -'],
    ['a flood wait is kept', [...stripping, failed(55, 40_000)], tick(39_999), 'stripping'],
    ['B104 to the end', [...stripping, failed(55, 40_000)], tick(40_000), 'stripping', '55: -'],
    [
      'the second wait is longer',
      [...stripping, failed(55), tick(5000), failed(55, null, 5000)],
      tick(14_999),
      'stripping',
    ],
    [
      'the newest keyboard is sent after a failure',
      [...shown.slice(0, 2), failed(55), { type: 'want', keyboard: keyboards.working }],
      tick(5000),
      'attaching',
      '55: discard',
    ],
    [
      'a message with an attach that failed may show it, so it is stripped',
      [...shown.slice(0, 2), failed(55), { type: 'home', message: 60 }],
      tick(5000),
      'stripping',
      '55: -',
    ],
    ['one edit is in flight at a time', shown.slice(0, 2), { type: 'want', keyboard: null }, 'attaching'],
    [
      'what changed meanwhile follows',
      [...shown.slice(0, 2), { type: 'want', keyboard: null }],
      shown[2]!,
      'stripping',
      '55: -',
    ],
    [
      'an answer about another message is none',
      shown.slice(0, 2),
      { type: 'attached', message: 54 },
      'attaching',
    ],
    ['B117 without its message it is shown nowhere', shown, { type: 'gone', message: 55 }, 'none'],
    [
      'until there is a new one (/show-plan)',
      [...shown, { type: 'gone', message: 55 }],
      { type: 'home', message: 60 },
      'attaching',
      '60: approve revise discard',
    ],
    ['another deleted message changes nothing', shown, { type: 'gone', message: 12 }, 'owned'],
  ])('%s', (_, before, event, ...wanted) => {
    expect(next(before, event)).toEqual(wanted);
  });
});

describe('presses', () => {
  const late = { now: 60_000 };
  const stranger = { by: 'other' } as const;

  it.each<[string, readonly KeyboardEvent[], KeyboardEvent, ...string[]]>([
    ['Approve asks the session', shown, pressed('approve', 55), 'owned', 'q1 acts execute'],
    ['Ask for changes', shown, pressed('revise', 55), 'owned', 'q1 acts revise'],
    [
      'also before the answer is known',
      shown.slice(0, 2),
      pressed('approve', 55),
      'attaching',
      'q1 acts execute',
    ],
    ['B119 not for anybody else', shown, pressed('approve', 55, stranger), 'owned', 'q1 refused NOT_OWNER'],
    ['who strips nothing either', shown, pressed('approve', 12, stranger), 'owned', 'q1 refused NOT_OWNER'],
    [
      'a message that does not own the keyboard loses its buttons',
      shown,
      pressed('approve', 12),
      'owned',
      'q1 refused STALE_BUTTON',
      '12: -',
    ],
    ['with no keyboard at all too', [], pressed('discard', 12), 'none', 'q1 refused STALE_BUTTON', '12: -'],
    [
      'one that is being stripped is not sent again',
      stripping,
      pressed('approve', 55),
      'stripping',
      'q1 refused STALE_BUTTON',
    ],
    [
      'D38 Discard asks first',
      shown,
      pressed('discard', 55),
      'attaching',
      '55: confirm keep',
      'q1 press.confirm',
    ],
    ['and the question stands', [...shown, pressed('discard', 55)], shown[2]!, 'confirming'],
    ['a second fast press asks nothing new', asked, pressed('discard', 55), 'confirming', 'q1 press.confirm'],
    ['Discard plan acts', asked, pressed('confirm', 55), 'confirming', 'q1 acts discard'],
    [
      'Keep takes it back',
      asked,
      pressed('keep', 55),
      'attaching',
      '55: approve revise discard',
      'q1 press.kept',
    ],
    ['a late Keep says so', shown, pressed('keep', 55), 'owned', 'q1 press.kept'],
    [
      'Keep before the question was drawn',
      [...shown, pressed('discard', 55)],
      pressed('keep', 55),
      'attaching',
      'q1 press.kept',
    ],
    [
      'after 60 s the row falls back',
      asked,
      { type: 'tick', ...late },
      'attaching',
      '55: approve revise discard',
    ],
    ['not before', asked, { type: 'tick', now: 59_999 }, 'confirming'],
    [
      'Discard of an older plan is stale',
      shown,
      pressed('discard', 55, { keyboard: keyboards.other }),
      'owned',
      'q1 refused STALE_BUTTON',
    ],
    [
      'Discard of the other phase is stale',
      shown,
      pressed('discard', 55, { keyboard: keyboards.working }),
      'owned',
      'q1 refused STALE_BUTTON',
    ],
    [
      'a turn that ends under the finger does not swap the row',
      [...asked],
      { type: 'want', keyboard: keyboards.writing },
      'confirming',
    ],
    [
      'but another phase ends the question',
      asked,
      { type: 'want', keyboard: keyboards.working },
      'attaching',
      '55: discard',
    ],
    ['the question moves along', asked, { type: 'home', message: 60 }, 'stripping', '55: -'],
    [
      'to the new message',
      [...asked, { type: 'home', message: 60 }],
      { type: 'stripped', message: 55 },
      'attaching',
      '60: confirm keep',
    ],
  ])('%s', (_, before, event, ...wanted) => {
    expect(next(before, event)).toEqual(wanted);
  });

  it('tries a stray again until it is stripped', () => {
    const before = [...shown, pressed('approve', 12)];
    const failed: KeyboardEvent = { type: 'failed', message: 12, until: null, now: 0 };
    expect(next([...before, failed], { type: 'tick', now: 4999 })).toEqual(['owned']);
    expect(next([...before, failed], { type: 'tick', now: 5000 })).toEqual(['owned', '12: -']);
    const stripped: KeyboardEvent = { type: 'stripped', message: 12 };
    expect(next([...before, failed, stripped], { type: 'tick', now: 5000 })).toEqual(['owned']);
    expect(next([...before, failed, { type: 'gone', message: 12 }], { type: 'tick', now: 5000 })).toEqual([
      'owned',
    ]);
  });

  it('a stray that gets the keyboard is not stripped any more', () => {
    const events = [pressed('approve', 12), { type: 'home', message: 12 } as const, shown[1]!];
    expect(played(...events).snapshot.context.strays).toEqual([]);
  });

  const act = (button: PlanButton, keyboard: PlanKeyboard = keyboards.review, on = shown) =>
    played(...on, pressed(button, 55, { keyboard })).effects[0];
  const owning = (keyboard: PlanKeyboard): readonly KeyboardEvent[] => [
    shown[0]!,
    { type: 'want', keyboard },
    shown[2]!,
  ];

  it('a press carries the whole plan id and hash that it was drawn for', () => {
    const button = { plan: planId, phase: 'editing', owns: true, hash: hashOf(texts.valid) };
    expect(act('approve')).toMatchObject({ type: 'press.act', act: 'execute', button });
    expect(act('revise')).toMatchObject({ type: 'press.act', act: 'revise', button });
  });

  it.each<[PlanButton, keyof typeof keyboards, string]>([
    ['retry', 'retry', 'execute'],
    ['approveText', 'drifted', 'approveText'],
    ['restore', 'drifted', 'restore'],
    ['continue', 'interrupted', 'continue'],
  ])('%s asks the session for what it says', (button, keyboard, wanted) => {
    expect(act(button, keyboards[keyboard], owning(keyboards[keyboard]))).toMatchObject({
      act: wanted,
      button: { hash: keyboards[keyboard].hash },
    });
  });

  it('a text that the keyboard no longer stands for is passed on as one that nothing equals', () => {
    const late = act('approve', keyboards.review, owning(keyboards.changed));
    expect(late).toMatchObject({ act: 'execute', button: { hash: hashOf(texts.valid).slice(0, 16) } });
  });

  it('a text that is wanted but not drawn yet is known too', () => {
    const behind: readonly KeyboardEvent[] = [
      ...owning(keyboards.writing),
      { type: 'want', keyboard: keyboards.review },
    ];
    expect(act('approve', keyboards.review, behind)).toMatchObject({ button: { hash: hashOf(texts.valid) } });
  });

  it('a plan that nobody knows any more is passed on as it is, for the session to refuse', () => {
    expect(act('approve', keyboards.other)).toMatchObject({
      button: { plan: keyboards.other.plan.replaceAll('-', '') },
    });
  });
});

describe('the record of a chat', () => {
  const step = (snapshot: KeyboardSnapshot, event: KeyboardEvent): string[] => {
    const [after, effects] = keyboardStep(snapshot, event);
    return [after.value, ...effects.map(worded)];
  };
  const stored = (...events: readonly KeyboardEvent[]): unknown =>
    JSON.parse(JSON.stringify(keyboardRecord(played(...events).snapshot)));

  it.each<[string, readonly KeyboardEvent[], ...string[]]>([
    ['an attach in flight is sent again', shown.slice(0, 2), 'attaching', '55: approve revise discard'],
    ['a strip in flight is sent again', stripping, 'stripping', '55: -'],
    ['what has landed is not', shown, 'owned'],
    ['a question is left standing', asked, 'confirming'],
    ['nothing is nothing', [], 'none'],
    ['a stray is stripped again', [pressed('approve', 12)], 'none', '12: -'],
  ])('after a restart %s', (_, events, ...wanted) => {
    expect(step(restoreKeyboard(stored(...events)), { type: 'tick', now: 1 })).toEqual(wanted);
  });

  it.each([null, 'x', {}, { v: 2 }, { ...keyboardRecord(played().snapshot), state: 'gone' }])(
    'an unknown one is none: %j',
    (record) => {
      expect(restoreKeyboard(record).value).toBe('none');
    },
  );

  it('one that contradicts itself strips what may be shown', () => {
    const record = { ...keyboardRecord(played(...shown).snapshot), state: 'none' };
    expect(step(restoreKeyboard(record), { type: 'tick', now: 1 })).toEqual(['stripping', '55: -']);
    expect(restoreKeyboard({ ...record, state: 'owned', shows: null }).value).toBe('none');
  });

  it('B125 says which keyboard a text edit has to carry', () => {
    const of = (events: readonly KeyboardEvent[], message: number) =>
      markupOf(played(...events).snapshot, message)?.buttons.join(' ') ?? null;
    expect(of(shown, 55)).toBe('approve revise discard');
    expect(of(asked, 55)).toBe('confirm keep');
    expect([of(shown, 12), of(stripping, 55), of(stripping, 60), of([], 55)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
