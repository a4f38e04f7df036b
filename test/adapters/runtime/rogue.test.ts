import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Phase } from '../../../machines/index.ts';
import { tools } from '../../../tools/registry.ts';
import { codes, plans, results, shows, VALID, writeMd } from '../../cases/support.ts';
import { type Harness, openHarness, policies } from '../../support/harness.ts';
import { call, isSubAgent, perAgent, plan, reply, says, tasks } from '../../support/harness-script.ts';
import { site } from '../../tools/site.ts';
import { allowedOnce, attacks, files, isRecord, photograph, plantTraps } from './rogue.ts';

/** Replies until the state is there, what takes the session from reply to reply, and the act that lets the rogue loose. */
interface Way {
  replies: (h: Harness) => ReturnType<typeof reply>[];
  go: (h: Harness) => Promise<unknown>;
  loose?: (h: Harness) => ReturnType<Harness['chat']>;
  /** Operations of the plan tool that are right in the other states. */
  more?: ReturnType<typeof call>[];
}

const chat = (h: Harness): ReturnType<Harness['chat']> => h.chat('go on');
const review: Way = {
  replies: (h) => [reply(plan('init', { mode: 'design', title: 'T' }), writeMd(h, VALID)), says('Ready.')],
  go: (h) => h.turn(() => h.chat('make a plan')),
};
const seedThat = (...replies: ReturnType<typeof reply>[]): Way => ({
  replies: (h) => [...review.replies(h), ...replies],
  go: async (h) => {
    await review.go(h);
    await h.turn(() => h.execute());
  },
});
const initDesign = plan('init', { mode: 'design', title: 'T' });
const initList = plan('init', { mode: 'checklist', title: 'T', ...tasks('A') });
const addRight = plan('add_tasks', tasks('A', 'B'));
const addWrong = plan('add_tasks', tasks('A', 'B', 'C'));
const inits = [initDesign, initList];
const listed: Way = {
  replies: () => [reply(initList), says('Listed.')],
  go: (h) => h.turn(() => h.chat('do A')),
};

/** Closed to every change; the shell of pre-init only explores. */
const closed: Readonly<Partial<Record<Phase, Way>>> = {
  preInit: { replies: () => [], go: plans.arm, more: [addRight, plan('start')] },
  postInit: { ...review, more: [...inits, addRight, plan('start')] },
  seeding: { ...review, loose: (h) => h.execute(), more: [...inits, addWrong, plan('start')] },
  seedFailedEmpty: { ...seedThat(says('No.')), more: [...inits, addRight, plan('start')] },
  seedFailedPartial: { ...seedThat(reply(addRight), says('No.')), more: [...inits, addRight, plan('start')] },
  unreadable: {
    replies: () => [],
    go: async (h) => {
      writeFileSync(h.session.paths.sidecar, '{"status":');
      await shows(h, 'unreadable');
    },
    more: [...inits, addRight, plan('start')],
  },
};
const open: Readonly<Partial<Record<Phase, Way>>> = {
  noPlan: { replies: () => [], go: async () => undefined, more: [addRight, plan('start')] },
  checklist: { ...listed, more: inits },
};

/** What is on the disk right before the rogue's response is worked, and right after. */
interface Seen {
  project: Record<string, string>;
  home: Record<string, string>;
  phase: Phase;
}
const look = (h: Harness): Seen => ({
  project: photograph(h.project),
  home: photograph(h.home, isRecord(h.id)),
  phase: h.session.view().phase,
});

async function loose(way: Way) {
  const { origin, seen: asked } = await site((_, response) => void response.end('page'));
  const seen: Seen[] = [];
  const rogue = (h: Harness) => () => {
    seen.push(look(h));
    asked.length = 0;
    return reply(
      ...attacks(h, origin),
      ...(way.more ?? []),
      call('spawn_agent', { agent_type: 'plan', prompt: 'look' }),
    );
  };
  const h: Harness = await openHarness({
    files,
    policy: policies.session,
    script: perAgent(
      () => [
        reply(...allowedOnce(h, origin)),
        says('Allowed.'),
        ...way.replies(h),
        rogue(h),
        () => (seen.push(look(h)), says('I tried.')),
      ],
      () => [
        reply(...attacks(h, origin), ...(way.more ?? [])),
        says('I tried too.'),
        reply(...attacks(h, origin)),
        says('And I.'),
      ],
    ),
  });
  plantTraps(h);
  await h.turn(() => h.chat('do all that'));
  expect(codes(h).filter((code) => code !== 'ok')).toEqual([]);
  await way.go(h);
  const before = { results: results(h).length, prompts: h.prompts.length };
  await h.turn(() => (way.loose ?? chat)(h));
  const [at, after] = seen;
  if (at === undefined || after === undefined) throw new Error('the rogue was not asked');
  const tried = results(h).slice(before.results);
  const approvals = h.prompts.slice(before.prompts).filter(({ kind }) => kind === 'approval');
  return { h, at, after, tried, approvals, methods: asked.map(({ method }) => method) };
}

describe('B01 B08 a rogue that tries everything, whatever was allowed before', () => {
  it('knows every tool of the registry', async () => {
    const paths = { document: '/d.md', sidecar: '/d.json', archive: '/a', own: '/o' };
    const h = { id: 'x', home: '/h', session: { paths } } as unknown as Harness;
    const names = new Set(attacks(h, 'http://h.test').map(({ name }) => name));
    expect(tools.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(Object.entries(closed))(
    '%s: not a byte of project or home changes, and nobody is asked',
    async (phase, way) => {
      const { h, at, after, tried, approvals, methods } = await loose(way);
      expect([at.phase, after.phase]).toEqual([phase, phase]);
      expect(after.project).toEqual(at.project);
      expect(after.home).toEqual(at.home);
      expect(Object.keys(at.home).length).toBeGreaterThan(0);
      // Each of the rogue's requests that read came through, and no other.
      expect([...new Set(methods)]).toEqual(['GET']);
      expect(approvals).toEqual([]);
      expect(h.server.requests.filter(isSubAgent)).toHaveLength(phase === 'preInit' ? 2 : 0);
      expect(existsSync(join(dirname(h.project), 'outside.txt'))).toBe(false);
      const ok = new Set(tried.flatMap(({ failed, name }) => (failed ? [] : [name])));
      const allowed = ['http_request', 'ls', 'glob', 'grep', 'follow_up_question', 'spawn_agent'];
      expect([...ok].filter((name) => !allowed.includes(name))).toEqual([]);
    },
  );

  it.each(Object.entries(open))(
    '%s: the project is open, and not a byte of home changes',
    async (phase, way) => {
      const { h, at, after } = await loose(way);
      expect([at.phase, after.phase]).toEqual([phase, phase]);
      expect(after.project).not.toEqual(at.project);
      expect(after.home).toEqual(at.home);
      expect(h.server.requests.filter(isSubAgent).length).toBeGreaterThan(2);
    },
  );
});
