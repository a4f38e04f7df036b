import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSkills } from '../../../adapters/skills/index.ts';
import { type Harness, openHarness, until } from '../../support/harness.ts';
import { call, inOrder, isSubAgent, reply, says, systemOf, textsOf } from '../../support/harness-script.ts';
import { person } from '../../support/harness-world.ts';
import { asked, codes, open, plans, results } from '../../cases/support.ts';
import { markdown, writeTree } from './places.ts';

type Replies = Parameters<typeof open>[0];

/** A session with these files in its home's `planchart` folder. */
function openWith(
  files: Readonly<Record<string, string>>,
  replies: Replies,
  more: Parameters<typeof open>[1] = {},
) {
  return open(replies, {
    ...more,
    extensions: ({ home }) => {
      writeTree(join(home, 'planchart'), files);
      return { skills: createSkills({ root: home, homes: [home], trusted: async () => false }) };
    },
  });
}

const own = (h: Harness, text: string) => h.send({ type: 'user.chat', by: person, text, origin: 'command' });
const users = (h: Harness, at: number) => textsOf(h.server.requests[at], 'user');
const review = {
  'commands/review.md': markdown('Reviews', 'Look at $1 and make a plan.\nSay what is wrong.'),
};

describe('D25 a command of the user', () => {
  it('is told as typed, and the model gets its text, in this turn and in later ones', async () => {
    const h = await openWith(review, () => [says('It is fine.'), says('Yes.')]);
    await h.turn(() => own(h, '/review src/app.ts'));
    await h.turn(() => h.chat('sure?'));
    const [first = ''] = users(h, 0);
    expect(first).toMatch(/^\[planchart harness\]\n/u);
    expect(first).toContain('\n/review src/app.ts\n');
    expect(first).toContain('\n\nLook at src/app.ts and make a plan.\nSay what is wrong.');
    expect(users(h, 1)).toEqual([first, 'sure?']);
    const path = join(h.home, 'planchart/commands/review.md');
    expect(h.published).toContainEqual(
      expect.objectContaining({ type: 'user', text: '/review src/app.ts', from: 'person', command: path }),
    );
    const [entry] = await h.session.transcript();
    expect(entry).toMatchObject({
      type: 'user',
      text: '/review src/app.ts',
      expanded: { path, text: first },
    });
  });

  it.each(['typed', 'command'] as const)('arms nothing and adds no hint (%s)', async (origin) => {
    const h = await openWith(review, () => [says('I see.')]);
    await h.turn(() => h.send({ type: 'user.chat', by: person, text: '/review make a plan', origin }));
    expect(h.session.view().phase).toBe('noPlan');
    expect(h.notices()).toEqual([]);
    expect(users(h, 0)[0]).not.toContain('Plan mode is on');
    expect(users(h, 0)).toHaveLength(1);
  });

  it('waits while a turn runs, and its text is what the file holds then', async () => {
    const going = Promise.withResolvers<void>();
    const wait = async () => {
      await going.promise;
      return says('First done.');
    };
    const h = await openWith(review, () => [wait, says('Second done.')]);
    await h.chat('begin');
    expect((await own(h, '/review make a plan')).kind).toBe('queued');
    expect(h.session.view().queue).toHaveLength(1);
    writeTree(join(h.home, 'planchart'), { 'commands/review.md': markdown('Reviews', 'Newer: $ARGUMENTS.') });
    going.resolve();
    await h.ended(2);
    expect(users(h, 1).at(-1)).toContain('\n\nNewer: make a plan.');
    expect(h.session.view().phase).toBe('noPlan');
  });

  it('that is gone when its turn comes is sent as it is, and that is said', async () => {
    const h = await openWith({}, () => [says('What is that?')]);
    await h.turn(() => own(h, '/review src'));
    expect(users(h, 0)).toEqual(['/review src']);
    expect(h.notices()).toEqual(['There is no command /review; the line was sent as it is.']);
  });

  it('a path at the start of a message is no command', async () => {
    const h = await openWith(review, () => [says('I see.')]);
    await h.turn(() => h.chat('/review/src is empty'));
    expect([users(h, 0), h.notices()]).toEqual([['/review/src is empty'], []]);
  });

  it('D26 comes back as typed when the queue is emptied', async () => {
    const going = Promise.withResolvers<void>();
    const h = await openWith(review, () => [async () => (await going.promise, says('Done.'))]);
    await h.chat('begin');
    await own(h, '/review src');
    await h.stop();
    going.resolve();
    await h.ended(1);
    expect(h.published).toContainEqual({ type: 'returned', text: '/review src' });
  });
});

const pdf = {
  'skills/pdf/SKILL.md': markdown('Reads PDF files', 'Use pdftotext.'),
  'skills/pdf/more.md': 'Page by page.',
};

describe('D21 a skill', () => {
  it('is named to the model with its file, to sub-agents too; a command is not', async () => {
    const h = await openWith({ ...pdf, ...review }, () => [
      reply(call('spawn_agent', { agent_type: 'architect', prompt: 'look' })),
      says('Nothing here.'),
      says('Done.'),
    ]);
    await h.turn(() => h.chat('look around'));
    expect(h.server.requests.map(isSubAgent)).toEqual([false, true, false]);
    const line = `- pdf (${h.home}/planchart/skills/pdf/SKILL.md): Reads PDF files`;
    for (const request of h.server.requests) {
      expect(systemOf(request)).toContain(line);
      expect(systemOf(request)).not.toContain('review.md');
    }
  });

  it('no skill, no word about skills', async () => {
    const h = await openWith(review, () => [says('Hello.')]);
    await h.turn(() => h.chat('hello'));
    expect(systemOf(h.server.requests[0])).not.toMatch(/skill/iu);
  });

  it.each(['noPlan', 'preInit'] as const)(
    'is read without a question in %s, and nothing else of the home',
    async (phase) => {
      const h = await openWith(pdf, (at) => [
        reply(
          call('read_file', { path: `${at.home}/planchart/skills/pdf/SKILL.md` }),
          call('read_file', { path: `${at.home}/planchart/skills/pdf/more.md` }),
          call('ls', { path: `${at.home}/planchart/skills` }),
          call('grep', { pattern: 'Page', path: `${at.home}/planchart/skills` }),
          call('read_file', { path: `${at.home}/planchart/skills/pdf/key.md` }),
          call('read_file', { path: `${at.home}/planchart.toml` }),
          call('read_file', { path: `${at.home}/planchart/skills/../sessions` }),
          call('write_file', { path: `${at.home}/planchart/skills/pdf/SKILL.md`, content: 'x' }),
          call('write_file', { path: `${at.home}/planchart/commands/new.md`, content: 'x' }),
        ),
        says('I see.'),
      ]);
      writeTree(h.home, { 'planchart.toml': 'key = "secret"' });
      symlinkSync('../../../planchart.toml', join(h.home, 'planchart/skills/pdf/key.md'));
      if (phase === 'preInit') await plans.arm(h);
      await h.turn(() => h.chat('read the PDF'));
      expect(codes(h)).toEqual(['ok', 'ok', 'ok', 'ok', ...Array.from({ length: 5 }, () => 'GATE_CLOSED')]);
      expect(asked(h)).toEqual([]);
      expect(results(h)[0]?.text).toContain('Use pdftotext.');
      expect(results(h)[3]?.text).toContain('Page by page.');
    },
  );

  it('a link in the place of the folder opens nothing of the home', async () => {
    let home = '';
    const h = await openHarness({
      script: inOrder(() => [
        reply(call('read_file', { path: `${home}/planchart.toml` })),
        reply(call('read_file', { path: `${home}/planchart/skills/planchart.toml` })),
        says('I see.'),
      ]),
      extensions: (places) => {
        home = places.home;
        mkdirSync(join(home, 'planchart'));
        symlinkSync('..', join(home, 'planchart/skills'));
        writeTree(home, { 'planchart.toml': 'key = "secret"' });
        return { skills: createSkills({ root: home, homes: [home], trusted: async () => false }) };
      },
    });
    await h.turn(() => h.chat('look'));
    expect(codes(h)).toEqual(['GATE_CLOSED', 'GATE_CLOSED']);
  });

  it('by its name it is a command too', async () => {
    const h = await openWith(pdf, () => [says('Done.')]);
    await h.turn(() => own(h, '/pdf a.pdf'));
    await until('the turn is told', () => users(h, 0).length === 1);
    expect(users(h, 0)[0]).toMatch(/planchart\/skills\/pdf\/SKILL\.md\n\nUse pdftotext\.\n\na\.pdf$/u);
  });
});
