import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '../../../adapters/ports.ts';
import { toMessages, withResults } from '../../../adapters/runtime/conversation.ts';
import { Lease, recordText } from '../../../machines/index.ts';
import { type Harness, openHarness, until } from '../../support/harness.ts';
import { call, inOrder, plan, planText, reply, says, tasks } from '../../support/harness-script.ts';
import { person } from '../../support/harness-world.ts';

const turn = '11111111-2222-4333-8444-555555555555';
const at = '2026-03-01T12:00:00.000Z';
const line = { v: 1, at, turn } as const;
const checklist = plan('init', { mode: 'checklist', title: 'Two files', ...tasks('A', 'B') });

/** What a process leaves behind that dies in a turn: its lease, and a transcript that stops somewhere. */
async function died(h: Harness, kind: 'chat' | 'seed', entries: readonly TranscriptEntry[]): Promise<void> {
  await h.session.close();
  await h.world.store.append(h.id, entries);
  await h.world.store.exclusive(h.id, async (tx) => {
    const { record } = await tx.read();
    const lease = Lease.parse({ turn, kind, by: person, since: at });
    await tx.commit({ record: { text: recordText({ ...record, lease }), order: 'first' } });
  });
}

const call1 = { id: 'call_a', name: 'ls', input: { path: '.' } };
const call2 = { id: 'call_b', name: 'bash', input: { command: 'make' } };
const call3 = { id: 'call_c', name: 'write_file', input: { path: 'x', content: 'x' } };
const broken: TranscriptEntry[] = [
  { ...line, type: 'user', text: 'work', from: 'person', kind: 'chat' },
  { ...line, type: 'assistant', text: 'I look.', calls: [call1, call2, call3] },
  { ...line, type: 'tool.started', call: 'call_a', name: 'ls' },
  { ...line, type: 'tool', call: 'call_a', name: 'ls', text: 'a b', failed: false },
  { ...line, type: 'tool.started', call: 'call_b', name: 'bash' },
];

describe('D37 a restart after a turn that died', () => {
  it('says so, runs nothing by itself, and Continue goes on with a mended conversation', async () => {
    const first = await openHarness({
      script: inOrder(() => [reply(checklist, plan('start')), says('Started.')]),
    });
    await first.turn(() => first.chat('two files'));
    await died(first, 'chat', broken);

    const h = await openHarness({
      from: first,
      script: inOrder(() => [reply(plan('start')), reply(plan('complete')), says('Well.')]),
    });
    await until('told', () => h.notices().includes('The last turn was interrupted: its program ended.'));
    expect(h.session.view()).toMatchObject({
      phase: 'checklist',
      turn: 'idle',
      interrupted: true,
      running: null,
    });
    expect(h.session.view().decisions.resume).toBe(true);
    expect(h.session.view().hint).toContain('/continue');
    expect([h.server.requests.length, h.prompts.length]).toEqual([0, 0]);
    const results = (await h.session.transcript()).filter((entry) => entry.type === 'tool').slice(-3);
    expect(results.map(({ call: of, text }) => `${of}: ${text}`)).toEqual([
      'call_a: a b',
      expect.stringMatching(/^call_b: Interrupted.*may have run in part/u),
      expect.stringMatching(/^call_c: Not run.*the question has expired/u),
    ]);

    await h.turn(() => h.send({ type: 'user.continue', by: person }));
    const messages = h.server.requests[0]?.messages.slice(-6) ?? [];
    expect(messages.map(({ role, tool_call_id: of }) => of ?? role)).toEqual([
      'user',
      'assistant',
      'call_a',
      'call_b',
      'call_c',
      'user',
    ]);
    expect(messages.map(({ content }) => content)).toEqual([
      'work',
      'I look.',
      'a b',
      expect.stringContaining('may have run in part'),
      expect.stringContaining('Not run: the program ended before'),
      expect.stringContaining('The person pressed Continue after an interruption.'),
    ]);
    expect(h.session.view()).toMatchObject({ interrupted: false, progress: { done: 1, total: 2 } });
    const shown = h.published.flatMap((told) => (told.type === 'user' ? [told.from] : []));
    expect(shown).toEqual(['harness']);
  });

  it('B75 a seed turn that died is a failed seed: it is sent again only by a person', async () => {
    const text = planText('Split', 'A.', 'B.');
    const first: Harness = await openHarness({
      script: inOrder(() => [
        reply(
          plan('init', { mode: 'design', title: 'Split' }),
          call('write_file', { path: first.session.paths.document, content: text }),
        ),
        says('Ready.'),
        says('No tasks.'),
      ]),
    });
    await first.turn(() => first.chat('make a plan'));
    await first.turn(() => first.execute());
    await died(first, 'seed', []);
    const h = await openHarness({
      from: first,
      script: inOrder(() => [reply(plan('add_tasks', tasks('A', 'B')), plan('start')), says('On it.')]),
    });
    expect(h.session.view()).toMatchObject({
      phase: 'seedFailedEmpty',
      turn: 'idle',
      decisions: { retry: true },
    });
    expect(h.server.requests).toHaveLength(0);
    await h.turn(() => h.execute());
    expect(h.session.view().phase).toBe('checklist');
  });

  it('a torn last line of the transcript costs that line only', async () => {
    const first = await openHarness({ script: inOrder(() => [says('One.')]) });
    await first.turn(() => first.chat('one'));
    await died(first, 'chat', []);
    const { appendFileSync } = await import('node:fs');
    appendFileSync(`${first.session.paths.own}/transcript.jsonl`, '{"v":1,"at":"2026');
    const h = await openHarness({ from: first, script: inOrder(() => [says('Two.')]) });
    await h.turn(() => h.chat('two'));
    const { entries, torn } = await h.world.store.transcript(h.id);
    expect(torn).toBe(null);
    expect(entries.map((entry) => ('text' in entry ? entry.text : entry.type))).toEqual([
      'one',
      'One.',
      'turn.ended',
      'two',
      'Two.',
      'turn.ended',
    ]);
  });
});

describe('the transcript as a conversation', () => {
  const roles = (entries: readonly TranscriptEntry[]): string[] =>
    toMessages(entries).map((message) =>
      message.role === 'tool' ? `${message.call}: ${message.text}` : message.role,
    );
  const said = { ...line, type: 'assistant', text: '', calls: [call1] } as const;
  const done = { ...line, type: 'tool', call: 'call_a', name: 'ls', text: 'ok', failed: false } as const;

  it('keeps results with their own response where ids repeat', () => {
    expect(roles([said, done, said, done, said])).toEqual([
      'assistant',
      'call_a: ok',
      'assistant',
      'call_a: ok',
      'assistant',
      expect.stringContaining('call_a: Not run'),
    ]);
  });

  it('drops what no provider takes: a result without a call, a second result, an empty answer', () => {
    const empty = { ...said, calls: [] };
    const notes: TranscriptEntry[] = [
      { ...line, type: 'notice', text: 'n' },
      { ...line, type: 'turn.ended', outcome: 'done' },
    ];
    expect(roles([done, empty, said, done, done, ...notes])).toEqual(['assistant', 'call_a: ok']);
  });

  it('answers an open call before the next message of a person', () => {
    const user = { ...line, type: 'user', text: 'next', from: 'person', kind: 'chat' } as const;
    expect(roles([said, user])).toEqual(['assistant', expect.stringContaining('call_a: Not run'), 'user']);
  });

  it('leaves the calls of a live turn open, and takes an open question for expired', () => {
    const ask = { id: 'call_q', name: 'follow_up_question', input: { question: 'Which?' } };
    const open: TranscriptEntry[] = [
      { ...line, type: 'assistant', text: '', calls: [ask] },
      { ...line, type: 'tool.started', call: 'call_q', name: 'follow_up_question' },
    ];
    expect(withResults(open, turn)).toEqual(open);
    expect(withResults(open, null).at(-1)).toMatchObject({
      type: 'tool',
      turn,
      call: 'call_q',
      failed: true,
      text: expect.stringMatching(/^Not run.*expired/u),
    });
  });
});
