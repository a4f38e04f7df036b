import * as fc from 'fast-check';
import { HttpError } from 'grammy';
import { describe, expect, it } from 'vitest';
import { bold, run } from '../../../adapters/telegram/html/rich.ts';
import {
  chat,
  dropped,
  edit,
  flood,
  group,
  keyboard,
  landed,
  notModified,
  outboxWorld,
  post,
  refusal,
  watch,
} from './outbox-world.ts';

const parseFault = () =>
  refusal(400, `Bad Request: can't parse entities: Unsupported start tag "x" at byte offset 0`);

describe('failures are values', () => {
  it('what is droppable is told of a dead line at once, the rest is tried until it lands', async () => {
    const { outboxes, timers, log, answer } = outboxWorld();
    const box = outboxes.of(chat);
    answer((_, index) => (index < 4 ? dropped() : null));
    const tick = watch(box.edit(edit(1, 'tick')));
    await timers.advance(0);
    expect(tick.value).toEqual({ kind: 'failed', text: 'Network request failed!', messages: [] });
    const final = watch(box.post(post('final')));
    await timers.advance(60_000);
    expect(log()).toEqual(
      [0, 0, 1000, 3000, 7000].map((at, index) =>
        index === 0 ? `editMessageText tick @${at}` : `sendMessage final @${at}`,
      ),
    );
    expect(final.value).toEqual(landed(101));
  });

  it('a send that had no connection is not looked for (0060)', async () => {
    const { outboxes, timers, log, answer } = outboxWorld();
    const box = outboxes.of(chat);
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    answer((_, index) => (index === 1 ? new HttpError('Network request failed!', refused) : null));
    void box.post(post('one'));
    const final = watch(box.post(post('final')));
    await timers.advance(10_000);
    expect(log()).toEqual(['sendMessage one @0', 'sendMessage final @1000', 'sendMessage final @2000']);
    expect(final.value).toEqual(landed(102));
  });

  it('what comes later does not overtake a send that is tried again; edits may', async () => {
    const { outboxes, timers, log, answer } = outboxWorld();
    answer((_, index) => (index < 3 ? dropped() : null));
    void outboxes.of(chat).post(post('first'));
    await timers.advance(500);
    void outboxes.of(chat).post(post('second'));
    await timers.advance(4_000);
    void outboxes.of(chat).edit(edit(1, 'edit'));
    await timers.advance(10_000);
    expect(log()).toEqual([
      'sendMessage first @0',
      'sendMessage first @1000',
      'sendMessage first @3000',
      'editMessageText edit @4500',
      'sendMessage first @7000',
      'sendMessage second @8000',
    ]);
  });

  it('an edit whose fate is unknown is sent again even with the same content', async () => {
    const { outboxes, timers, made, answer } = outboxWorld();
    answer((_, index) => (index === 1 ? dropped() : null));
    for (const text of ['a', 'b', 'a']) {
      void outboxes.of(chat).edit(edit(1, text));
      await timers.advance(1_500);
    }
    expect(made).toHaveLength(3);
  });

  it("Telegram's own errors are met ten times, a call without an answer is given up after 30 s", async () => {
    const { outboxes, timers, made, answer } = outboxWorld();
    answer(() => refusal(502, 'Bad Gateway'));
    const sent = watch(outboxes.of(chat).post(post('a')));
    await timers.advance(600_000);
    expect(made).toHaveLength(10);
    expect(sent.value).toEqual({ kind: 'failed', text: 'Bad Gateway', messages: [] });
    answer(({ signal }, index) =>
      index > 10
        ? null
        : new Promise((resolve) => {
            timers.after(30_000, () => resolve(signal.aborted ? dropped() : null));
          }),
    );
    const slow = watch(outboxes.of(chat).post(post('b')));
    await timers.advance(32_000);
    expect(made[10]?.signal.aborted).toBe(true);
    expect(slow.value).toEqual(landed(101));
  });

  it('a parse error is sent again as plain text, at once and once', async () => {
    const { outboxes, timers, made, answer } = outboxWorld();
    const box = outboxes.of(chat);
    answer(({ payload }) => (payload['parse_mode'] === undefined ? null : parseFault()));
    const body = [...run('a<', bold), ...run('b'.repeat(9_000))];
    const sent = watch(box.post({ ...post(''), body }));
    const edited = watch(box.edit({ ...edit(1, ''), body: run('x<y', bold) }));
    const file = watch(box.document({ ...post(''), name: 'p', text: 't', caption: run('c<', bold) }));
    await timers.advance(20_000);
    expect(sent.value).toMatchObject({ kind: 'landed', as: 'plain', messages: [101, 102, 103] });
    expect(edited.value).toEqual({ kind: 'landed', as: 'plain', messages: [1] });
    expect(file.value).toMatchObject({ kind: 'landed', as: 'plain' });
    const plain = made.filter(
      ({ payload, method }) => payload['parse_mode'] === undefined && method === 'sendMessage',
    );
    expect(plain.map(({ payload }) => payload['text']).join('')).toBe(`a<${'b'.repeat(9_000)}`);
    expect(
      made
        .filter(({ method }) => method === 'editMessageText')
        .map(({ at, payload }) => [at, payload['text']]),
    ).toEqual([
      [0, '<b>x&lt;y</b>'],
      [0, 'x<y'],
    ]);
    answer(() => parseFault());
    const refused = watch(box.edit(edit(2, 'z')));
    await timers.advance(0);
    expect(refused.value).toMatchObject({ kind: 'refused', status: 400 });
  });

  it.each([
    [400, 'Bad Request: message to edit not found', { kind: 'gone', what: 'message' }],
    [400, "Bad Request: message can't be edited", { kind: 'gone', what: 'message' }],
    [400, 'Bad Request: message thread not found', { kind: 'gone', what: 'place' }],
    [400, 'Bad Request: chat not found', { kind: 'gone', what: 'place' }],
    [403, 'Forbidden: bot was blocked by the user', { kind: 'gone', what: 'place' }],
    [401, 'Unauthorized', { kind: 'refused', status: 401, text: 'Unauthorized' }],
    [400, 'Bad Request: BUTTON_DATA_INVALID', { kind: 'refused', status: 400 }],
  ])('%i %s', async (status, description, expected) => {
    const { outboxes, answer, made, timers } = outboxWorld();
    answer(() => refusal(status, description));
    expect(await outboxes.of(chat).edit(edit(1, 'a', 'always'))).toMatchObject(expected);
    await timers.advance(100_000);
    expect(made.map(({ method }) => method)).toEqual(['editMessageText']);
  });

  it('a group that moved tells where to (B127), and anything else thrown is a value too', async () => {
    const { outboxes, answer } = outboxWorld();
    answer(() => refusal(400, 'Bad Request: group chat was upgraded', { migrate_to_chat_id: -100_5 }));
    expect(await outboxes.of(group).post(post('a'))).toEqual({ kind: 'moved', chat: -1005, messages: [] });
    answer(() => new TypeError('a defect'));
    expect(await outboxes.of(group).edit(edit(1, 'b'))).toMatchObject({
      kind: 'refused',
      status: 0,
      text: 'a defect',
    });
  });

  it('says which parts are in the chat when one of them does not go', async () => {
    const { outboxes, timers, answer } = outboxWorld();
    answer((_, index) => (index === 1 ? refusal(403, 'Forbidden: bot was blocked by the user') : null));
    const sent = watch(outboxes.of(chat).post(post('b'.repeat(9_000))));
    await timers.advance(5_000);
    expect(sent.value).toMatchObject({ kind: 'gone', what: 'place', messages: [101] });
  });
});

describe('the end', () => {
  it('answers ticks, sends finals, then closes', async () => {
    const { outboxes, ends, timers, log } = outboxWorld();
    const box = outboxes.of(chat);
    void box.post(post('one'));
    const final = watch(box.post(post('two')));
    void box.edit(edit(1, 'a'));
    await timers.advance(0);
    const tick = watch(box.edit(edit(1, 'tick')));
    const over = watch(outboxes.ended);
    ends.abort();
    await timers.advance(0);
    expect(tick.value).toEqual({ kind: 'ended', messages: [] });
    expect(over.value).toBe('open');
    await timers.advance(1_000);
    expect(final.value).toEqual(landed(102));
    expect(over.value).toBeUndefined();
    expect(log()).toEqual(['sendMessage one @0', 'editMessageText a @0', 'sendMessage two @1000']);
    expect(await box.post(post('late'))).toEqual({ kind: 'ended', messages: [] });
    expect(await outboxes.of(9).post(post('late'))).toEqual({ kind: 'ended', messages: [] });
    expect(timers.pending).toBe(0);
  });

  it('gives up at the deadline, the call in flight included', async () => {
    const { outboxes, ends, timers, made, answer } = outboxWorld({ flushMs: 3_000 });
    answer(({ payload }) => (payload['chat_id'] === chat ? new Promise(() => {}) : flood(60)));
    const left = [chat, chat, 5].map((id) => watch(outboxes.of(id).post(post('x'))));
    const over = watch(outboxes.ended);
    await timers.advance(0);
    ends.abort();
    await timers.advance(2_999);
    expect(over.value).toBe('open');
    await timers.advance(1);
    expect(over.value).toBeUndefined();
    expect(left.map(({ value }) => value)).toEqual(left.map(() => ({ kind: 'ended', messages: [] })));
    expect(made[0]?.signal.aborted).toBe(true);
    expect(timers.pending).toBe(0);
  });

  it('closes at once when nothing waits', async () => {
    const { outboxes, ends, timers } = outboxWorld();
    ends.abort();
    const over = watch(outboxes.ended);
    await timers.advance(0);
    expect(over.value).toBeUndefined();
    expect(timers.pending).toBe(0);
  });
});

describe('whatever Telegram answers', () => {
  const faults = [
    null,
    null,
    null,
    flood(3),
    dropped(),
    notModified(),
    refusal(500, 'x'),
    refusal(400, "can't parse entities: x"),
  ];
  const step = fc.record({
    wait: fc.integer({ min: 0, max: 2_000 }),
    what: fc.constantFrom('edit', 'final edit', 'post', 'markup'),
    message: fc.integer({ min: 1, max: 2 }),
    fault: fc.constantFrom(...faults),
  });

  it('limits hold, no final is lost, the last edit of each message shows the newest content', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        const { outboxes, timers, made, answer } = outboxWorld();
        const answers = new Map<number, unknown>();
        let waitUntil = 0;
        answer(({ at }, index) => {
          if (at < waitUntil) throw new Error(`A call at ${at} in the wait until ${waitUntil}`);
          const fault = steps[index]?.fault ?? null;
          answers.set(index, fault);
          if (fault?.message.includes('429') === true) waitUntil = at + 3_000;
          return fault;
        });
        const box = outboxes.of(group);
        const finals = [];
        for (const [index, { wait, what, message }] of steps.entries()) {
          const text = `n${index}`;
          if (what === 'post') finals.push(watch(box.post(post(text))));
          else if (what === 'markup')
            finals.push(watch(box.markup({ message, keyboard: keyboard(text), keep: 'always' })));
          else if (what === 'edit') watch(box.edit(edit(message, text)));
          else finals.push(watch(box.edit(edit(message, text, 'always'))));
          await timers.advance(wait);
        }
        await timers.advance(600_000);
        expect(
          finals
            .map(({ value }) => (value === 'open' ? value : value.kind))
            .filter((kind) => kind !== 'landed' && kind !== 'failed' && kind !== 'refused'),
        ).toEqual([]);
        const sends = made.filter(({ method }) => method === 'sendMessage').map(({ at }) => at);
        expect(sends.filter((at, index) => index > 0 && at - (sends[index - 1] ?? 0) < 1_000)).toEqual([]);
        expect(sends.filter((at, index) => index >= 20 && at - (sends[index - 20] ?? 0) < 60_000)).toEqual(
          [],
        );
        for (const message of [1, 2]) {
          const given = steps
            .map((one, index) => ({ ...one, text: `n${index}` }))
            .filter((one) => one.message === message);
          const newest = given.findLast(({ what }) => what === 'edit' || what === 'final edit');
          const edits = made.filter(
            ({ method, payload }) => method === 'editMessageText' && payload['message_id'] === message,
          );
          const shown = newest?.what === 'final edit' ? edits.at(-1)?.payload['text'] : newest?.text;
          expect(shown).toBe(newest?.text);
        }
      }),
      { numRuns: 60 },
    );
  });
});
