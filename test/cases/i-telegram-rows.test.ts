import { describe, expect, it } from 'vitest';
import { faultOf } from '../../adapters/llm/faults.ts';
import { checklistView, reviewView, viewOf } from '../support/fake-handle.ts';
import { chatWorld, type PlayedChat, said, toolEnded, toolStarted } from '../adapters/telegram/chat-world.ts';
import { flood, refusal } from '../adapters/telegram/outbox-world.ts';
import { VALID } from './support.ts';

/*
 * Faults that OpenCrabs users reported of its flow message and plan card, by issue number. The rows that other tests show
 * are in `i-rows.test.ts`.
 */

const owner = 1001;
const title = 'Split the cache key';
const review = reviewView(VALID, 'hash-1', { title, plan: 'plan-1' });
const checklist = (done: number) => checklistView(7, done, { title, plan: 'plan-1' });
const buttons = '[✅ Approve] [✏️ Ask for changes] [🗑 Discard]';

/** What the model client says of a host that keeps silent. */
const { message: silence } = faultOf(
  { kind: 'network', what: 'timeout', code: 'UND_ERR_HEADERS_TIMEOUT' },
  { model: 'm', host: 'host', key: 'none', speaks: 'it', secrets: [] },
  { tries: 1, answer: 'none', tooLongMs: null },
);

type Played = { world: ReturnType<typeof chatWorld>; chat: PlayedChat };

function open(view = viewOf()): Played {
  const world = chatWorld();
  return { world, chat: world.open(owner, { view }) };
}

/** A turn with one tool that ends with an answer, if one is given. */
async function turn({ world, chat }: Played, id: string, { view = review, answer = '' } = {}): Promise<void> {
  chat.begin(id, view);
  chat.say(toolStarted(id, id));
  await world.advance(2_000);
  chat.say(toolEnded(id, id));
  if (answer !== '') chat.say(said(id, answer));
  chat.end(id, view);
  await world.advance(10_000);
}

const withPlan = (chat: PlayedChat): string[] => chat.texts().filter((text) => text.includes('## Context'));
const withButtons = (chat: PlayedChat): string[] => chat.texts().filter((text) => /\n\[/u.test(text));
const deletes = ({ world }: Played) => world.calls.filter(({ method }) => method === 'deleteMessage');

describe('the plan in the chat', () => {
  it('539 551 617 what lands below moves the message down with its buttons, at most once in 15 s (1150)', async () => {
    const at = open();
    await turn(at, 'turn-1', { answer: 'Ready.' });
    const { world, chat } = at;
    chat.begin('turn-2');
    chat.say(toolStarted('turn-2', 'c1'));
    await world.advance(3_000);
    const first = chat.messages().findLast(({ buttons: rows }) => rows.length > 0)?.id ?? 0;
    chat.chat.say('Something else.');
    await world.advance(5_000);
    chat.chat.say('And more.');
    await world.advance(5_000);
    const moved = deletes(at).length;
    expect(moved).toBe(1);
    const second = chat.messages().findLast(({ buttons: rows }) => rows.length > 0)?.id ?? 0;
    expect(second).toBeGreaterThan(first);
    chat.end('turn-2', review);
    await world.advance(10_000);
    expect(withButtons(chat)).toEqual([expect.stringContaining(buttons) as string]);
  });

  it('580 826 830 833 a newer message takes the plan over: one shows it, one has buttons, none is doubled', async () => {
    const at = open();
    for (const id of ['turn-1', 'turn-2', 'turn-3']) await turn(at, id, { answer: `Answer of ${id}.` });
    expect(withPlan(at.chat)).toHaveLength(1);
    expect(withButtons(at.chat)).toEqual(withPlan(at.chat));
    expect(withPlan(at.chat)[0]).toMatch(/^✅ Finished/u);
    expect(at.chat.texts().filter((text) => text.startsWith('✅ Finished'))).toHaveLength(3);
  });

  it('a short turn without a message of its own leaves the plan current in the message before', async () => {
    const at = open();
    await turn(at, 'turn-1', { answer: 'Ready.' });
    const { world, chat } = at;
    chat.begin('turn-2', { ...checklist(0), phase: 'seeding', tasks: [], building: true });
    chat.say(said('turn-2', 'No tasks.'));
    chat.end('turn-2', { ...checklist(3), phase: 'checklist' });
    await world.advance(10_000);
    expect(chat.texts().filter((text) => text.includes('3/7'))).toHaveLength(1);
    expect(chat.texts().join()).not.toContain('Building');
  });

  it('822 two /show_plan at once: one plan with buttons, and every message is known', async () => {
    const at = open(review);
    const shown = Promise.all([at.chat.chat.showPlan(), at.chat.chat.showPlan()]);
    await at.world.advance(20_000);
    expect(await shown).toEqual([true, true]);
    expect(withPlan(at.chat)).toHaveLength(1);
    expect(withButtons(at.chat)).toEqual(withPlan(at.chat));
  });

  it('837 an answer that begins with the title of the plan goes on without it', async () => {
    const at = open();
    await turn(at, 'turn-1', { answer: `# ${title}\n\nIt is ready.` });
    expect(at.chat.texts()).toContain('It is ready.');
    await turn(at, 'turn-2', { answer: title });
    expect(at.chat.texts()).toContain(title);
  });

  it('1231 fork-16 a flood wait of minutes at the end: the final and the one line still come', async () => {
    const at = open();
    const { world, chat } = at;
    await turn(at, 'turn-1', { view: checklist(6), answer: 'Working.' });
    chat.begin('turn-2', checklist(6));
    chat.say(toolStarted('turn-2', 'c1'));
    await world.advance(2_000);
    const now = world.timers.now();
    world.answer(() => (world.timers.now() < now + 200_000 ? flood(200) : null));
    chat.say(toolEnded('turn-2', 'c1'), said('turn-2', 'All done.'));
    const closed = {
      title,
      tasks: checklist(7).tasks.map((task) => ({ title: task.title, status: 'Completed' })),
    };
    chat.handle.see({ ...viewOf({ closed }), turn: 'running', running: chat.handle.view().running });
    chat.end('turn-2', viewOf());
    await world.advance(260_000);
    expect(chat.texts()).toContain('All done.');
    expect(chat.texts().filter((text) => text.includes(`✅ ${title} • 7/7`))).toHaveLength(1);
    expect(withButtons(chat)).toEqual([]);
  });

  it('fork-62 fork-69 fork-402 a cancelled turn settles, and the plan has its buttons', async () => {
    const at = open();
    const { world, chat } = at;
    for (const id of ['turn-1', 'turn-2']) {
      chat.begin(id, review);
      chat.say(toolStarted(id, id));
      await world.advance(2_000);
      chat.end(id, review, 'cancelled');
      await world.advance(8_000);
    }
    expect(chat.texts().filter((text) => text.startsWith('⏹ Cancelled'))).toHaveLength(2);
    expect(withButtons(chat)).toEqual([expect.stringContaining(buttons) as string]);
    expect(chat.texts().join()).not.toContain('⚙️');
  });

  it('1158 a finished checklist leaves its line, and its message is never deleted', async () => {
    const at = open();
    await turn(at, 'turn-1', { view: checklist(7), answer: 'Done.' });
    at.chat.handle.see(viewOf());
    await at.world.advance(10_000);
    expect(at.chat.texts()[0]).toContain(`✅ ${title} • 7/7`);
    expect(deletes(at)).toEqual([]);
  });
});

describe('the flow message', () => {
  it('296 299 313 360 490 one message a turn, never deleted while nothing else lands', async () => {
    const at = open();
    const { world, chat } = at;
    chat.begin('turn-1');
    for (let step = 0; step < 8; step += 1) {
      chat.say(
        said('turn-1', `Step ${step}.`),
        toolStarted('turn-1', `c${step}`),
        toolEnded('turn-1', `c${step}`),
      );
      await world.advance(2_000);
    }
    expect(chat.texts()).toHaveLength(1);
    expect(deletes(at)).toEqual([]);
    // 405: folded or not, the newest activity is in the header.
    expect(chat.texts()[0]).toMatch(/^⚙️ Step 7\. • 8 tool calls/u);
  });

  it('311 316 478 498 the answer is below the log and nowhere else, and the settled header says the outcome alone', async () => {
    const at = open();
    const { world, chat } = at;
    chat.begin('turn-1');
    chat.say(said('turn-1', 'I look first.'), toolStarted('turn-1', 'c1'), toolEnded('turn-1', 'c1'));
    await world.advance(3_000);
    chat.say(said('turn-1', 'The answer.'));
    await world.advance(3_000);
    chat.end('turn-1');
    await world.advance(5_000);
    const [log = '', answer] = chat.texts();
    expect(answer).toBe('The answer.');
    expect(log.split('\n')[0]).toMatch(/^✅ Finished \(1 tool call, \d s\)$/u);
    expect(log).toContain('💬 I look first.');
    expect(log).not.toContain('The answer.');
  });

  it('439 1009 a turn that only worked says so, and what comes late of it leaks nowhere (462, 470)', async () => {
    const at = open();
    await turn(at, 'turn-1', { view: viewOf() });
    const before = at.chat.texts();
    expect(before).toEqual([expect.stringMatching(/^✅ Finished \(1 tool call/u) as string]);
    at.chat.say(toolEnded('turn-1', 'late'), said('turn-1', 'Late.'), toolStarted('turn-1', 'later'));
    await at.world.advance(10_000);
    expect(at.chat.texts()).toEqual(before);
  });

  it('481 484 488 data and code are no activity, and a mark is no outcome (1600)', async () => {
    const at = open();
    const { world, chat } = at;
    chat.begin('turn-1');
    chat.say(toolStarted('turn-1', 'c1', 'bash', 'npm test'), toolEnded('turn-1', 'c1'));
    for (const text of ['{"a": 1}', '```ts\nconst a = 1;\n```', '[1, 2]', '<div>']) {
      chat.say(said('turn-1', text), toolStarted('turn-1', text), toolEnded('turn-1', text));
      await world.advance(2_000);
      expect(chat.texts()[0]?.split('\n')[0]).toMatch(/^⚙️ (?:bash|read_file) /u);
    }
    chat.say(said('turn-1', '✅ **All** `tests` pass'), toolStarted('turn-1', 'c9'));
    await world.advance(2_000);
    expect(chat.texts()[0]).toMatch(/^⚙️ All tests pass • /u);
  });

  it('489 532 a long narration is cut in the log and does not push the rest out', async () => {
    const at = open();
    const { world, chat } = at;
    chat.begin('turn-1', review);
    chat.say(said('turn-1', 'word '.repeat(2_000)), toolStarted('turn-1', 'c1', 'bash', 'npm test'));
    await world.advance(3_000);
    expect(chat.texts()).toHaveLength(1);
    expect(chat.texts()[0]).toContain('⏳ bash npm test');
    expect(chat.texts()[0]).toContain(`📋 ${title}`);
    expect(chat.texts()[0]?.length).toBeLessThan(4_200);
  });

  it('356 1323 a failed edit deletes nothing and the message goes on', async () => {
    const at = open();
    const { world, chat } = at;
    chat.begin('turn-1');
    chat.say(toolStarted('turn-1', 'c1'));
    await world.advance(2_000);
    world.answer(({ method }) =>
      method === 'editMessageText' ? refusal(500, 'Internal Server Error') : null,
    );
    await world.advance(6_000);
    world.answer(() => null);
    await world.advance(20_000);
    expect(deletes(at)).toEqual([]);
    expect(chat.texts()).toEqual([
      expect.stringMatching(/^⚙️ read_file src\/a\.ts • 1 tool call • 2\d s/u) as string,
    ]);
  });

  it('1253 what went wrong is no answer of the model: it is marked, and so is a silence', async () => {
    const at = open();
    const { world, chat } = at;
    for (const [id, cause] of Object.entries({ 'turn-1': 'The host answered 500.', 'turn-2': silence })) {
      chat.begin(id, viewOf());
      chat.say(toolStarted(id, id));
      await world.advance(2_000);
      chat.end(id, viewOf(), 'failed', cause);
      await world.advance(5_000);
    }
    expect(chat.texts().map((text) => text.split('\n')[0])).toEqual([
      expect.stringMatching(/^❌ Failed \(1 tool call/u) as string,
      '❌ The host answered 500.',
      expect.stringMatching(/^⏱ Timed out \(1 tool call/u) as string,
      expect.stringMatching(/^⏱ .* did not answer in time/u) as string,
    ]);
  });
});
