import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '../../../adapters/ports.ts';
import { toMessages } from '../../../adapters/runtime/conversation.ts';
import { toolContext } from '../../../adapters/runtime/tool-context.ts';
import type { TurnWorld } from '../../../adapters/runtime/turn-world.ts';
import type { FileHook } from '../../../adapters/store/file-ops.ts';
import { derive } from '../../../machines/index.ts';
import { codes, plans, results } from '../../cases/support.ts';
import {
  type Harness,
  type HarnessOptions,
  hashes,
  openHarness,
  policies,
  until,
} from '../../support/harness.ts';
import {
  call,
  isSubAgent,
  perAgent,
  plan,
  reply,
  says,
  systemOf,
  tasks,
  textsOf,
} from '../../support/harness-script.ts';

const files = { 'src/app.ts': 'export const app = 1;\n' };
const spawn = (agent_type: string, prompt = 'Look at src/app.ts.') =>
  call('spawn_agent', { agent_type, prompt });
const read = call('read_file', { path: 'src/app.ts' });
const write = call('write_file', { path: 'src/new.ts', content: 'new\n' });

type Replies = Parameters<typeof perAgent>[0];
type Options = Omit<HarnessOptions, 'script' | 'files'>;
async function opened(main: Replies, children: Replies, more: Options = {}): Promise<Harness> {
  return openHarness({ files, script: perAgent(main, children), ...more });
}

async function viewOf(h: Harness) {
  const stored = await h.world.store.read(h.id);
  return { stored, snapshot: derive(stored).snapshot };
}

const agentsOf = (h: Harness): string => join(h.session.paths.own, 'agents');
function transcriptsOf(h: Harness): { name: string; entries: TranscriptEntry[] }[] {
  const names = existsSync(agentsOf(h)) ? readdirSync(agentsOf(h)).toSorted() : [];
  return names.map((name) => {
    const lines = readFileSync(join(agentsOf(h), name), 'utf8')
      .trimEnd()
      .split('\n');
    return { name, entries: lines.map((line) => JSON.parse(line) as TranscriptEntry) };
  });
}
const toldToChild = (h: Harness): string[] =>
  transcriptsOf(h).flatMap(({ entries }) =>
    entries.flatMap((entry) => (entry.type === 'tool' ? [entry.text] : [])),
  );

describe('D42 a sub-agent', () => {
  it('has a conversation and a transcript of its own, and its last message is the result', async () => {
    const h = await opened(
      () => [reply(spawn('general', 'Write src/new.ts.')), says('Done.')],
      () => [{ text: 'I look first.', calls: [read, read] }, reply(write), says('Wrote src/new.ts.')],
    );
    await h.turn(() => h.chat('use a helper'));
    expect(results(h).map(({ name, text }) => [name, text])).toEqual([
      ['spawn_agent', 'Wrote src/new.ts.\n\n[sub-agent 1, general: 3 tool calls]'],
    ]);
    expect(readFileSync(join(h.project, 'src/new.ts'), 'utf8')).toBe('new\n');
    const [first] = h.server.requests.filter(isSubAgent);
    expect(textsOf(first, 'user')).toEqual(['Write src/new.ts.']);
    expect(systemOf(first)).toContain(`Working folder: ${h.project}`);
    expect(systemOf(first)).not.toContain('use a helper');
    expect(first?.tools?.map((tool) => tool.function.name)).not.toContain('plan');
    // The parent's next request has the report and nothing of the way to it.
    expect(textsOf(h.server.requests.at(-1), 'tool')).toEqual([
      expect.stringMatching(/^Wrote src\/new\.ts\./),
    ]);
    expect((await h.session.transcript()).map(({ type }) => type)).toEqual([
      'user',
      'assistant',
      'tool.started',
      'tool',
      'assistant',
      'turn.ended',
    ]);
  });

  it('leaves its transcript among the session’s own files, private, and says which call it works on', async () => {
    const h = await opened(
      () => [reply(spawn('architect', 'One.'), spawn('general', 'Two.')), says('Done.')],
      () => [reply(read), says('First.'), says('Second.')],
    );
    const { turn } = await h.turn(() => h.chat('use two'));
    const [one, two] = transcriptsOf(h);
    expect([one?.name, two?.name]).toEqual([`${turn}-1.jsonl`, `${turn}-2.jsonl`]);
    expect(one?.entries.map(({ type }) => type)).toEqual([
      'user',
      'assistant',
      'tool.started',
      'tool',
      'assistant',
      'turn.ended',
    ]);
    expect(two?.entries[0]).toMatchObject({
      type: 'user',
      text: 'Two.',
      from: 'harness',
      kind: 'agent:general',
    });
    expect(two?.entries.at(-1)).toMatchObject({ type: 'turn.ended', outcome: 'done' });
    expect(statSync(agentsOf(h)).mode & 0o777).toBe(0o700);
    expect(statSync(join(agentsOf(h), one?.name ?? '')).mode & 0o777).toBe(0o600);
    const [started] = h.published.filter(({ type }) => type === 'tool.started');
    const progress = h.published.filter(({ type }) => type === 'tool.progress');
    expect(progress).toEqual([
      {
        type: 'tool.progress',
        turn,
        call: started?.type === 'tool.started' ? started.call : '',
        text: 'sub-agent 1, architect: read_file src/app.ts',
      },
    ]);
    expect(
      h.published
        .filter(({ type }) => type === 'text')
        .map((told) => 'text' in told && told.text)
        .join(''),
    ).toBe('Done.');
  });

  it('asks the person through the session’s desk, by its name, and an allowed tool is allowed for it too', async () => {
    const h = await opened(
      () => [
        reply(spawn('general'), call('write_file', { path: 'src/two.ts', content: '2' })),
        says('Done.'),
      ],
      () => [reply(write), says('Written.')],
      { policy: policies.session },
    );
    await h.turn(() => h.chat('use a helper'));
    expect(h.prompts).toEqual([
      expect.objectContaining({
        tool: 'write_file',
        title: `sub-agent 1, general: Create ${join(h.project, 'src/new.ts')}`,
      }),
    ]);
    expect(codes(h)).toEqual(['ok', 'ok']);
  });

  it('without a person its calls that ask are refused like the parent’s', async () => {
    const h = await opened(
      () => [reply(spawn('general')), says('Done.')],
      () => [reply(read, write), says('No.')],
    );
    const by = { entry: 'run', surface: 'run', person: 'terminal', owner: true } as const;
    await h.turn(() => h.send({ type: 'user.chat', by, text: 'go', origin: 'typed' }));
    expect(toldToChild(h)).toEqual([
      expect.stringContaining('export const app'),
      expect.stringMatching(/^NEEDS_PERSON: write_file/),
    ]);
  });

  it('an unknown type, or none, starts nothing in any state', async () => {
    const unknown = [
      spawn('full'),
      call('spawn_agent', { prompt: 'x' }),
      call('spawn_agent', { type: 'architect', prompt: 'x' }),
    ];
    const h = await opened(
      () => [reply(...unknown), says('I see.'), reply(...unknown), says('I see.')],
      () => [],
    );
    await h.turn(() => h.chat('use a helper'));
    await plans.arm(h);
    await h.turn(() => h.chat('use a helper'));
    expect(results(h).map(({ text }) => text.split('\n', 1)[0])).toEqual(
      Array.from({ length: 6 }, () => 'spawn_agent was not run, its arguments do not fit:'),
    );
    expect(h.server.requests.filter(isSubAgent)).toEqual([]);
  });
});

describe('D21 the gate of a sub-agent', () => {
  const closed = [
    plan('init', { mode: 'checklist', title: 'T', ...tasks('A') }),
    plan('start'),
    spawn('architect'),
    spawn('general'),
    call('follow_up_question', { question: 'May I?' }),
  ];

  it('a general one has no plan tool, asks nothing, starts none and does not write the session .md', async () => {
    const h = await opened(
      () => [
        reply(
          plan('init', { mode: 'checklist', title: 'T', ...tasks('A') }),
          plan('start'),
          spawn('general'),
        ),
        says('Ok.'),
      ],
      () => [
        reply(...closed, call('write_file', { path: h.session.paths.document, content: 'x' })),
        says('No way.'),
      ],
    );
    await h.turn(() => h.chat('use a helper'));
    expect(toldToChild(h)).toEqual([
      expect.stringMatching(/^NOT_FOR_CHILD: .*no plan tool/),
      expect.stringMatching(/^NOT_FOR_CHILD: /),
      expect.stringMatching(/^GATE_CLOSED: spawn_agent is closed: a sub-agent starts no further ones/),
      expect.stringMatching(/^GATE_CLOSED: spawn_agent is closed/),
      expect.stringMatching(/^GATE_CLOSED: follow_up_question is closed: a sub-agent asks the user nothing/),
      expect.stringMatching(/^NOT_FOR_CHILD: /),
    ]);
    expect(h.session.view()).toMatchObject({ phase: 'checklist', tasks: [{ title: 'A' }] });
    expect(h.prompts.filter((prompt) => prompt.kind === 'approval' && prompt.tool !== 'plan')).toEqual([]);
    expect(existsSync(h.session.paths.document)).toBe(false);
  });

  it.each(['noPlan', 'preInit'] as const)('an architect only reads, also in %s', async (phase) => {
    const h = await opened(
      () => [reply(spawn('plan')), says('Ok.')],
      () => [
        reply(read, write, call('edit_file', { path: 'src/app.ts', old_text: '1', new_text: '2' })),
        reply(call('bash', { command: 'cat src/app.ts' }), call('deploy', {}), ...closed),
        says('It exports one.'),
      ],
    );
    if (phase === 'preInit') await plans.arm(h);
    const before = hashes(h.project);
    await h.turn(() => h.chat('look around'));
    expect(toldToChild(h).map((text) => text.split(':', 1)[0])).toEqual([
      expect.stringContaining('export const app'),
      ...Array.from({ length: 4 }, () => 'GATE_CLOSED'),
      'NOT_FOR_CHILD',
      'NOT_FOR_CHILD',
      ...Array.from({ length: 3 }, () => 'GATE_CLOSED'),
    ]);
    expect(toldToChild(h)[1]).toContain('this sub-agent (architect) only reads');
    expect(results(h).at(-1)?.text).toBe('It exports one.\n\n[sub-agent 1, architect: 10 tool calls]');
    expect(hashes(h.project)).toEqual(before);
    expect([h.session.view().phase, h.prompts]).toEqual([phase, []]);
  });
});

describe('what a sub-agent tells the machine', () => {
  it.each(['main', 'general', 'architect'] as const)('says who it is: %s', async (kind) => {
    const sent: unknown[] = [];
    const h = await opened(
      () => [],
      () => [],
    );
    const { stored, snapshot } = await viewOf(h);
    const world = {
      ...h.world,
      turn: 'turn-1',
      agent: { kind, name: null },
      paths: h.session.paths,
      seen: { hash: null },
      send: async (said: unknown) => (sent.push(said), { kind: 'accepted', text: 'Written.' }),
    } as unknown as TurnWorld;
    const path = h.session.paths.document;
    const target = { given: path, path, access: 'write', link: false } as const;
    const facts = { tool: 'write_file', call: 'c', target, shell: 'project', snapshot, stored } as const;
    const context = toolContext(world, facts);
    expect(context.child).toBe(kind !== 'main');
    expect(await context.files.write(target, 'x')).toEqual({ ok: true, notes: ['Written.'] });
    expect(sent).toEqual([expect.objectContaining({ type: 'tool.document', child: kind !== 'main' })]);
  });
});

describe('how a sub-agent ends', () => {
  it('D16 with its parent: a cancel refuses the call that waits and runs nothing more', async () => {
    const h = await opened(
      () => [reply(spawn('general'), write), says('Never.')],
      () => [reply(write, read), says('Never.')],
      { policy: policies.open },
    );
    await h.chat('use a helper');
    await until('the prompt is open', () => h.prompts.length === 1);
    await h.stop();
    expect(await h.ended(1)).toMatchObject({ outcome: 'cancelled' });
    expect(toldToChild(h)).toEqual([
      expect.stringMatching(/^CANCELLED: /),
      expect.stringMatching(/^Not run: the turn was cancelled/),
    ]);
    expect(results(h).map(({ text }) => text.split('\n', 1)[0])).toEqual([
      expect.stringContaining('The sub-agent did not finish: the turn was cancelled.'),
      expect.stringMatching(/^Not run: /),
    ]);
    expect(transcriptsOf(h)[0]?.entries.at(-1)).toMatchObject({ type: 'turn.ended', outcome: 'cancelled' });
    expect([existsSync(join(h.project, 'src/new.ts')), h.session.view().turn]).toEqual([false, 'idle']);
  });

  it('with its parent while its model answers', async () => {
    const h = await opened(
      () => [reply(spawn('general')), says('Never.')],
      () => [{ text: 'Let me see', chunk: 4, hang: 1 }],
    );
    await h.chat('use a helper');
    await until('the sub-agent asked', () => h.server.requests.some(isSubAgent));
    await h.stop();
    expect(await h.ended(1)).toMatchObject({ outcome: 'cancelled' });
    await until('it let go of the model', () => h.server.abandoned === 1);
  });

  it('failed, where its model fails: the parent is told and goes on', async () => {
    const h = await opened(
      () => [reply(spawn('general')), says('I do it myself.')],
      () => [reply(read), { status: 401, error: 'bad key' }],
    );
    expect(await h.turn(() => h.chat('use a helper'))).toMatchObject({ outcome: 'done' });
    expect(results(h)[0]).toMatchObject({
      failed: true,
      text: expect.stringMatching(
        /^The sub-agent did not finish: .*key.*\[sub-agent 1, general: 1 tool call\]$/su,
      ),
    });
  });

  it('failed, where its transcript can’t be written: nothing of it runs without a trace', async () => {
    const hook: FileHook = ({ call: at, path }) => {
      if (at === 'write' && path.includes('/agents/'))
        throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    };
    const h = await opened(
      () => [reply(spawn('general')), says('I do it myself.')],
      () => [reply(write), says('Never.')],
      { hook },
    );
    expect(await h.turn(() => h.chat('use a helper'))).toMatchObject({ outcome: 'done' });
    expect(results(h)[0]).toMatchObject({ failed: true, text: expect.stringContaining('/agents/') });
    expect(h.server.requests.filter(isSubAgent)).toEqual([]);
    expect(h.notices().join()).toContain('/agents/');
  });

  it('D37 one that a crash ends is told as interrupted, from what is on disk while it works', async () => {
    const h = await opened(
      () => [reply(spawn('general')), says('Never.')],
      () => [{ text: 'Let me see', chunk: 4, hang: 1 }],
    );
    await h.chat('use a helper');
    await until('the sub-agent asked', () => h.server.requests.some(isSubAgent));
    const left = toMessages(await h.session.transcript());
    expect(left.at(-1)).toMatchObject({
      role: 'tool',
      name: 'spawn_agent',
      failed: true,
      text: expect.stringMatching(/^Interrupted: .*in part/),
    });
    expect(transcriptsOf(h)[0]?.entries.map(({ type }) => type)).toEqual(['user']);
    await h.stop();
    await h.ended(1);
  });
});
