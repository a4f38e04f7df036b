import { describe, expect, it } from 'vitest';
import { modelOf, openHarness } from '../../support/harness.ts';
import { call, inOrder, reply, says } from '../../support/harness-script.ts';
import { person } from '../../support/harness-world.ts';
import { startModelServer } from '../../support/model-server.ts';

describe('another model for the turns to come', () => {
  it('0031 is asked from the next turn on, with the conversation so far', async () => {
    const other = await startModelServer([says('The other one.')]);
    const h = await openHarness({
      files: { 'a.txt': 'a' },
      script: [{ calls: [{ name: 'ls', id: 'functions.ls:0', input: { path: '.' } }] }, says('Seen.')],
      openModel: async () => modelOf(other.baseUrl, 'anthropic'),
    });
    await h.turn(() => h.chat('look'));
    const before = h.session.view();
    expect(await h.session.useModel('anthropic:test', person)).toEqual({
      kind: 'accepted',
      text: 'The next turn asks anthropic:test.',
    });
    expect([h.session.model.name, h.session.view()]).toEqual(['anthropic:test', before]);
    expect(await h.turn(() => h.chat('and now?'))).toMatchObject({ outcome: 'done' });
    expect([h.server.requests.length, other.requests.length]).toEqual([2, 1]);
    expect(other.requests[0]?.messages.map(({ role }) => role).slice(1)).toEqual(
      'user assistant tool assistant user'.split(' '),
    );
    await other.close();
  });

  it('is refused while a turn runs, and the turn goes on', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    let opened = 0;
    const h = await openHarness({
      script: inOrder(() => [held.then(() => reply(call('ls', { path: '.' }))), says('Done.')]),
      openModel: async () => {
        opened += 1;
        return { error: 'not reached' };
      },
    });
    await h.chat('look');
    const refused = await h.session.useModel('rehearsal', person);
    expect(refused).toMatchObject({
      kind: 'refused',
      code: 'BUSY',
      text: expect.stringContaining('A turn is running'),
    });
    letGo();
    expect(await h.ended(1)).toMatchObject({ outcome: 'done' });
    expect([opened, h.session.model.name]).toEqual([0, 'openai:test']);
  });

  it('changes nothing for a name that is none', async () => {
    const h = await openHarness({
      script: [says('Still me.')],
      openModel: async () => ({ error: 'No such thing.' }),
    });
    expect(await h.session.useModel('gpt', person)).toEqual({ kind: 'wrong', text: 'No such thing.' });
    expect(h.session.model.name).toBe('openai:test');
    await h.turn(() => h.chat('hello'));
    expect(h.server.requests).toHaveLength(1);
  });
});
