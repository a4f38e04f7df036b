import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRehearsalModel } from '../../../adapters/rehearsal/index.ts';
import type { ModelMessage, ModelPart, ModelRequest } from '../../../adapters/ports.ts';
import { collect, prompts, Session } from './session.ts';
import { toolList } from './tools.ts';

const sample = fileURLToPath(new URL('../../../adapters/demo/sample/', import.meta.url));
const model = createRehearsalModel();

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rehearsal-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function request(text: string, reminder?: string): ModelRequest {
  const system = [prompts.render('preamble', {}), ...(reminder === undefined ? [] : [reminder])].join('\n\n');
  return { system, messages: [{ role: 'user', text }], tools: toolList };
}

async function answer(asked: ModelRequest): Promise<{ text: string; calls: string[] }> {
  const parts = await collect(model, asked);
  return {
    text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    calls: parts.flatMap((part) => (part.type === 'call' ? [part.call.name] : [])),
  };
}

const ends = (parts: readonly ModelPart[]) =>
  parts.flatMap((part) => (part.type === 'end' ? [part.reason] : []));

describe('createRehearsalModel', () => {
  it('says in name and label that it is no model', () => {
    expect(model).toMatchObject({ name: 'rehearsal', label: 'Rehearsal model: fixed rules, not an LLM' });
  });

  it('gives the same parts for the same request, and new call ids in every step', async () => {
    cpSync(sample, join(root, 'project'), { recursive: true });
    const session = new Session(root, { model: createRehearsalModel({ editsSample: true }) });
    await session.chat('make a plan to add a `--count` option to the list command');
    await session.revise('Keep the old flag');
    await session.approve();
    expect(session.requests.length).toBeGreaterThan(20);
    for (const asked of session.requests) {
      const twin = createRehearsalModel({ editsSample: true });
      expect(await collect(twin, structuredClone(asked))).toEqual(await collect(twin, asked));
    }
    const ids = session.calls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('streams text in small pieces and ends once', async () => {
    const parts = await collect(model, request('hello'));
    const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    expect(texts.length).toBeGreaterThan(10);
    expect(Math.max(...texts.map((text) => text.trim().split(/\s+/).length))).toBeLessThanOrEqual(3);
    expect(texts.join('')).toMatch(/^I'm the rehearsal model: fixed rules, not an LLM\. /);
    expect(ends(parts)).toEqual(['stop']);
    expect(parts.at(-1)?.type).toBe('end');
  });

  it('ends with `calls` when it calls', async () => {
    const asked = request('count the words', prompts.render('reminder-pre-init', {}));
    expect(ends(await collect(model, asked))).toEqual(['calls']);
  });
});

describe('abort', () => {
  it('before the first part ends at once', async () => {
    expect(await collect(model, request('hello'), AbortSignal.abort())).toEqual([
      { type: 'end', reason: 'aborted' },
    ]);
  });

  it('between two pieces ends the stream without a call', async () => {
    const control = new AbortController();
    const parts: ModelPart[] = [];
    const asked = request('count the words', prompts.render('reminder-pre-init', {}));
    for await (const part of model.step(asked, control.signal)) {
      parts.push(part);
      if (parts.length === 2) control.abort();
    }
    expect(parts.map(({ type }) => type)).toEqual(['text', 'text', 'end']);
    expect(ends(parts)).toEqual(['aborted']);
  });

  it('ends a pause at once', async () => {
    const control = new AbortController();
    const slow = createRehearsalModel({ paceMs: 600_000 });
    const reading = collect(slow, request('hello'), control.signal);
    control.abort();
    expect(ends(await reading)).toEqual(['aborted']);
  });

  it('a pause goes by', async () => {
    const parts = await collect(createRehearsalModel({ paceMs: 1 }), request('hello'));
    expect(ends(parts)).toEqual(['stop']);
  });
});

describe('any request', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom(
      ...['plan-hint', 'unattended-hint', 'resume', 'reminder-pre-init', 'reminder-seed-failed'].map((name) =>
        prompts.render(name, {}),
      ),
      prompts.render('implement', { path: '/p.md', steps: 1, again: '', bounds: '' }),
      prompts.render('reminder-post-init', { path: '/p.md', missing: 'all' }),
      prompts.render('revise', { revision: 'the newest', note: 'add x' }),
      '[planchart harness]',
      '1\t1. A — b\n2\t## Implementation steps',
    ),
  );
  const input = fc.oneof(
    fc.dictionary(fc.constantFrom('path', 'operation', 'task_order', 'title'), fc.oneof(text, fc.integer())),
    fc.constantFrom(...['init', 'add_tasks', 'start', 'complete'].map((operation) => ({ operation }))),
    fc.constant({ path: '/p.md' }),
    fc.jsonValue(),
  );
  const name = fc.constantFrom('plan', 'read_file', 'write_file', 'ls', 'glob', 'grep', 'x');
  const message: fc.Arbitrary<ModelMessage> = fc.oneof(
    fc.record({ role: fc.constant('user' as const), text }),
    fc.record({
      role: fc.constant('assistant' as const),
      text,
      calls: fc.array(fc.record({ id: fc.constantFrom('a', 'b'), name, input }), { maxLength: 2 }),
    }),
    fc.record({
      role: fc.constant('tool' as const),
      call: fc.constantFrom('a', 'b'),
      name,
      text,
      failed: fc.boolean(),
    }),
  );

  it('gets parts with exactly one end, never an error', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(message, { maxLength: 8 }),
        fc.subarray([...toolList]),
        async (system, messages, tools) => {
          const parts = await collect(model, { system, messages, tools });
          expect(ends(parts)).toHaveLength(1);
          expect(['stop', 'calls']).toContain(ends(parts)[0]);
          const called = parts.flatMap((part) => (part.type === 'call' ? [part.call.name] : []));
          expect(called.every((tool) => tools.some((offered) => offered.name === tool))).toBe(true);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('a request that breaks its type ends as failed with a reason', async () => {
    const parts = await collect(model, {
      system: 'x',
      messages: null,
      tools: toolList,
    } as unknown as ModelRequest);
    expect(parts).toHaveLength(1);
    expect(parts[0]).toMatchObject({ type: 'end', reason: 'failed', fault: { code: 'MODEL_FAILED' } });
  });
});

describe('what it says in each state', () => {
  const path = '/home/ada/.opencrabs/session/.opencrabs_plan_7f.md';
  const states: [name: string, said: string, reminder: string | undefined, words: RegExp][] = [
    ['no plan', 'what can you do?', undefined, /`\/plan <what is to be done>`.*`--model openai:<model>`/],
    ['no plan, work', 'implement dark mode', undefined, /not an LLM/],
    ['no words yet', 'hi', prompts.render('reminder-pre-init', {}), /^Plan mode is on\. Tell me/],
    [
      'in review',
      'why so?',
      prompts.render('reminder-post-init', { path, missing: 'nothing' }),
      /`\/execute`/,
    ],
    [
      'with a checklist',
      'how far are you?',
      prompts.render('reminder-active', { title: 'Split "it"', done: 1, total: 3, lines: '☐ 2. B' }),
      /^The CHECKLIST "Split "it"" has open tasks\./,
    ],
    [
      'after a failed seed',
      'go on',
      prompts.render('reminder-seed-failed', {}),
      /`\/execute` builds it again/,
    ],
    [
      'with a broken file',
      'go on',
      prompts.render('reminder-unreadable', { path: '/x.json', cause: 'EACCES' }),
      /\/x\.json can't be read \(EACCES\)/,
    ],
  ];

  it.each(states)('%s', async (_, said, reminder, words) => {
    const { text, calls } = await answer(request(said, reminder));
    expect(text).toMatch(words);
    expect(calls).toEqual([]);
  });

  it('D25: with nobody to approve it says that design needs a person', async () => {
    const { text, calls } = await answer(request(`make a plan\n\n${prompts.render('unattended-hint', {})}`));
    expect(text).toMatch(/needs a person.*checklist or an import/);
    expect(calls).toEqual([]);
  });

  it('goes on with a checklist when told so', async () => {
    const reminder = prompts.render('reminder-active', { title: 'T', done: 1, total: 3, lines: '☐ 2. B' });
    expect((await answer(request('continue please', reminder))).calls).toEqual(['plan']);
  });

  it('summarizes when no tools are offered', async () => {
    const { text } = await answer({ ...request('sum it up'), tools: [] });
    expect(text).toMatch(/^Summary by the rehearsal model .*sum it up/);
  });

  it('names a tool that it would need', async () => {
    const reminder = prompts.render('reminder-pre-init', {});
    const tools = toolList.filter(({ name }) => name !== 'plan' && name !== 'ls');
    const first = await answer({ ...request('count words', reminder), tools: tools.slice(0, 1) });
    expect(first.text).toContain('no tool "plan"');
  });
});
