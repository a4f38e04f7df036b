import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inReview, plans, results, VALID, writeMd } from '../../cases/support.ts';
import { type Harness, hashes, openHarness } from '../../support/harness.ts';
import { call, inOrder, plan, reply, says, tasks } from '../../support/harness-script.ts';

const files = { 'src/app.ts': 'export const app = 1;\n' };

/** The calls of one turn, malformed in one way or another. */
const malformed = [
  call('write_file', { path: 'src/app.ts' }),
  call('edit_file', { path: 'src/app.ts', old_text: 1, new_text: 'x' }),
  call('hashline_edit', { path: 'src/app.ts', edits: 'all' }),
  call('bash', {}),
  call('http_request', { method: 'POST' }),
  call('spawn_agent', { agent_type: 'full', prompt: 'x' }),
  call('deploy', { now: true }),
  call('read_file', { path: 7 }),
  call('plan', { operation: 7 }),
];

type Told = readonly ('fault' | 'closed' | 'none')[];

/** `fault`: what is wrong with the arguments; `closed`: no arguments would help here; `none`: there is no such tool. */
const told = (h: Harness): Told =>
  results(h)
    .slice(-malformed.length)
    .map(({ failed, code, text }) => {
      if (!failed) throw new Error(`it was run: ${text}`);
      if (code === 'GATE_CLOSED') return 'closed';
      expect(code).toBeUndefined();
      return text.startsWith('There is no tool') ? 'none' : 'fault';
    });

async function opened(): Promise<Harness> {
  return openHarness({ files, script: inOrder(() => [reply(...malformed), says('I see.')]) });
}

async function run(h: Harness): Promise<Told> {
  const before = [hashes(h.project), h.prompts.length, h.session.view().phase];
  await h.turn(() => h.chat('go on'));
  expect([hashes(h.project), h.prompts.length, h.session.view().phase]).toEqual(before);
  return told(h);
}

describe('D21 a call with malformed arguments is never run, in any state', () => {
  it('where its tool is open, the arguments are told', async () => {
    expect(await run(await opened())).toEqual([
      ...Array.from({ length: 6 }, () => 'fault'),
      'none',
      'fault',
      'fault',
    ]);
  });

  it('pre-init: writers are closed whatever the arguments; bash, GET and an architect would not be', async () => {
    const h = await opened();
    await plans.arm(h);
    const open = ['fault', 'fault', 'fault'];
    expect(await run(h)).toEqual(['closed', 'closed', 'closed', ...open, 'closed', 'fault', 'fault']);
  });

  it('post-init: writers are told, since the session .md is open; bash and sub-agents are closed', async () => {
    const h = await inReview(VALID, () => [reply(...malformed), says('I see.')]);
    expect(await run(h)).toEqual([
      'fault',
      'fault',
      'fault',
      'closed',
      'fault',
      'closed',
      'closed',
      'fault',
      'fault',
    ]);
    expect(h.document()).toBe(VALID);
  });

  it('a path that can’t be resolved is told where another one could be written', async () => {
    const bad = call('write_file', { path: 'a\0b', content: 'x' });
    const h = await inReview(VALID, () => [reply(bad), says('I see.')]);
    await h.turn(() => h.chat('go on'));
    expect(results(h).at(-1)).toMatchObject({ failed: true, text: expect.stringMatching(/^write_file: /) });
    expect(results(h).at(-1)).not.toHaveProperty('code');
  });
});

describe('D23 a write of the session plan says how it stands', () => {
  it('complete: written and complete, without a warning', async () => {
    const h = await inReview(VALID);
    expect(results(h)[1]?.text.split('\n')).toEqual([
      `Replaced ${h.session.paths.document}, 9 lines.`,
      "Written. The session plan is complete (2 steps); end the turn for the user's review.",
    ]);
  });

  it('incomplete: written, and what is missing, line by line', async () => {
    const h = await inReview('# Split the cache key\n', (at) => [
      reply(
        writeMd(at, VALID.replace('**Intent:** the next release needs it.', '**Intent:**')),
        call('edit_file', {
          path: at.session.paths.document,
          old_text: 'Intent:**',
          new_text: 'Intent:** now',
        }),
      ),
      says('Ready.'),
    ]);
    await h.turn(() => h.chat('go on'));
    const [first, part, edit] = results(h)
      .slice(1)
      .map(({ text }) => text);
    expect(first).toMatch(/\nWritten\. Still missing before it can be approved:\n- /u);
    expect(part?.split('\n')).toEqual([
      expect.stringMatching(/^Replaced /),
      'Written. Still missing before it can be approved:',
      expect.stringMatching(/^- .*Intent/),
    ]);
    expect(edit).toMatch(/^Edited .*\nWritten\. The session plan is complete \(2 steps\)/u);
    expect(
      results(h)
        .map(({ text }) => text)
        .join('\n'),
    ).not.toContain('Warning');
  });
});

describe('the code of a refused call', () => {
  it('is told beside the text: by the gate, the machine, and for want of a person', async () => {
    const h = await openHarness({
      files,
      script: inOrder(() => [
        reply(
          plan('start'),
          plan('init', { mode: 'design' }),
          plan('init', { mode: 'design', title: 'T' }),
          plan('init', { mode: 'checklist', title: 'T', ...tasks('A') }),
          call('write_file', { path: 'a', content: 'x' }),
          call('write_file', { path: h.session.paths.document, content: 'x' }),
          call('ls', {}),
          call('read_file', { path: 'nothing' }),
        ),
        says('I see.'),
      ]),
    });
    const by = { entry: 'run', surface: 'run', person: 'terminal', owner: true } as const;
    await h.turn(() => h.send({ type: 'user.chat', by, text: 'go', origin: 'typed' }));
    expect(results(h).map(({ code }) => code)).toEqual([
      'NO_PLAN',
      'TITLE_MISSING',
      'UNATTENDED_DESIGN',
      'NEEDS_PERSON',
      'NEEDS_PERSON',
      'GATE_CLOSED',
      undefined,
      undefined,
    ]);
    const refused = results(h).filter(({ code }) => code !== undefined);
    expect(refused.filter(({ code, text }) => !text.includes(`${code}: `))).toEqual([]);
  });

  it('comes through a tool that hands on what the machine says', async () => {
    const h = await inReview(VALID, (at) => [
      () => {
        writeFileSync(at.session.paths.document, `${VALID}<!-- mine -->\n`);
        return reply(writeMd(at, VALID));
      },
      says('I see.'),
    ]);
    await h.turn(() => h.chat('go on'));
    expect(results(h).at(-1)).toMatchObject({ failed: true, code: 'STALE_TEXT' });
  });
});
