import { describe, expect, it } from 'vitest';
import type { Published, TranscriptEntry } from '../../../../adapters/ports.ts';
import type { Item } from '../../../../adapters/tui/transcript/items.ts';
import { replay } from '../../../../adapters/tui/transcript/replay.ts';
import { emptyTranscript, follow } from '../../../../adapters/tui/transcript/transcript.ts';

const turn = 'turn-1';
const started = (call: string): Published => ({
  type: 'tool.started',
  turn,
  call,
  name: 'bash',
  summary: call,
});
const ended = (call: string): Published => ({
  type: 'tool.ended',
  turn,
  call,
  name: 'bash',
  text: `${call} ok`,
  failed: false,
});

function after(...events: readonly Published[]) {
  return events.reduce(follow, emptyTranscript);
}

function kinds(items: readonly Item[]): string[] {
  return items.map((item) => (item.type === 'tool' ? `tool ${item.call}` : item.type));
}

describe('transcript', () => {
  it('prints what the turn answers to first, then the label of the model, then the answer', () => {
    const { items } = after(
      { type: 'turn.started', turn, kind: 'chat', label: 'rehearsal' },
      { type: 'user', turn, text: 'hello', from: 'person' },
      { type: 'reasoning', turn, text: 'hm' },
      { type: 'text', turn, text: 'Hel' },
      { type: 'message.ended', turn, text: 'Hello.' },
    );
    expect(items).toEqual([
      { type: 'user', text: 'hello', from: 'person' },
      { type: 'label', text: 'rehearsal' },
      { type: 'reasoning', text: 'hm' },
      { type: 'assistant', text: 'Hello.' },
    ]);
  });

  it('shows the label also in a turn that no message opened', () => {
    const { items } = after(
      { type: 'turn.started', turn, kind: 'resume', label: 'rehearsal' },
      { type: 'text', turn, text: 'Going on' },
    );
    expect(kinds(items)).toEqual(['label']);
  });

  it('D42 notes what a sub-agent does under the call that started it', () => {
    const text = 'sub-agent 1, general: ls .';
    const { tools } = after(started('a'), started('b'), { type: 'tool.progress', turn, call: 'b', text });
    expect(tools).toMatchObject([
      { call: 'a', summary: 'a' },
      { call: 'b', summary: 'b', progress: text },
    ]);
    expect(tools[0]).not.toHaveProperty('progress');
  });

  it('adds streamed pieces and lets the whole message replace them', () => {
    const streaming = after({ type: 'text', turn, text: 'a' }, { type: 'text', turn, text: 'b' });
    expect(streaming).toMatchObject({ text: 'ab', items: [] });
    expect(follow(streaming, { type: 'message.ended', turn, text: 'abc' })).toMatchObject({
      text: '',
      items: [{ type: 'assistant', text: 'abc' }],
    });
  });

  it('prints no empty message', () => {
    expect(after({ type: 'message.ended', turn, text: ' \n' }).items).toEqual([]);
  });

  it('prints calls in the order in which they began', () => {
    const early = after(started('one'), started('two'), ended('two'));
    expect(kinds(early.items)).toEqual([]);
    expect(kinds(follow(early, ended('one')).items)).toEqual(['tool one', 'tool two']);
  });

  it('prints a result whose beginning was not seen', () => {
    expect(kinds(after(ended('late')).items)).toEqual(['tool late']);
  });

  it('closes everything that a turn leaves open', () => {
    const { items, tools, text } = after({ type: 'text', turn, text: 'half a sen' }, started('one'), {
      type: 'turn.ended',
      turn,
      outcome: 'cancelled',
      cause: null,
    });
    expect(tools).toEqual([]);
    expect(text).toBe('');
    expect(items).toMatchObject([
      { type: 'assistant', text: 'half a sen' },
      { type: 'tool', result: { state: 'stopped' } },
      { type: 'ended', outcome: 'cancelled' },
    ]);
  });
});

describe('replay', () => {
  const v = 1 as const;
  const at = '2026-01-02T12:03:00.000Z';

  it('prints an earlier session with the harness marked and the calls named', () => {
    const entries: TranscriptEntry[] = [
      { v, at, type: 'user', turn, text: 'implement', from: 'harness', kind: 'seed' },
      {
        v,
        at,
        type: 'assistant',
        turn,
        text: '',
        calls: [{ id: 'c', name: 'bash', input: { command: 'npm\ntest' } }],
      },
      { v, at, type: 'tool.started', turn, call: 'c', name: 'bash' },
      { v, at, type: 'tool', turn, call: 'c', name: 'bash', text: '3 passed', failed: false },
      { v, at, type: 'turn.ended', turn, outcome: 'failed', cause: 'no model' },
    ];
    expect(replay(entries)).toEqual([
      { type: 'user', text: 'implement', from: 'harness' },
      {
        type: 'tool',
        call: 'c',
        name: 'bash',
        summary: 'npm test',
        result: { text: '3 passed', state: 'done' },
      },
      { type: 'ended', outcome: 'failed', cause: 'no model' },
    ]);
  });

  it('says how much of a long session is left out', () => {
    const entries = Array.from({ length: 130 }, (_, index): TranscriptEntry => ({
      v,
      at,
      type: 'notice',
      turn: null,
      text: `${index}`,
    }));
    const items = replay(entries);
    expect(items).toHaveLength(101);
    expect(items[0]).toMatchObject({ text: expect.stringContaining('30 earlier') });
    expect(items.at(-1)).toMatchObject({ text: '129' });
  });
});
