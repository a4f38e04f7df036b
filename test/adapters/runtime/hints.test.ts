import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Said } from '../../../machines/index.ts';
import { families, triggers } from '../../../machines/intent/families.ts';
import { type Harness, openHarness, until } from '../../support/harness.ts';
import { says, textsOf } from '../../support/harness-script.ts';
import { person } from '../../support/harness-world.ts';

const open = (): Promise<Harness> => openHarness({ script: () => says('ok') });
/** What the model got as the newest message. */
const sent = (h: Harness): string => textsOf(h.server.requests.at(-1), 'user').at(-1) ?? '';
const shown = (h: Harness): string[] =>
  h.published.flatMap((told) => (told.type === 'user' ? [told.text] : []));
const stored = async (h: Harness): Promise<string[]> =>
  (await h.session.transcript()).flatMap((line) => (line.type === 'user' ? [line.text] : []));
const firstLines = (text: string): string[] =>
  [...text.matchAll(/^\[planchart harness\]\n(.*)/gmu)].map(([, line = '']) => line);

describe('D25 hints', () => {
  it('stand below the person’s text, in order, for the model only', async () => {
    const h = await open();
    const text = 'find the cache, then run command `ls`';
    await h.turn(() => h.chat(text));
    expect(sent(h).startsWith(`${text}\n\n[planchart harness]\nHint: `)).toBe(true);
    expect(firstLines(sent(h))).toEqual([
      expect.stringContaining('`grep` finds text'),
      expect.stringContaining('`bash` runs it'),
    ]);
    expect([shown(h), await stored(h)]).toEqual([[text], [text]]);
    await h.turn(() => h.chat('thanks'));
    expect(textsOf(h.server.requests.at(-1), 'user')).toEqual([text, 'thanks']);
  });

  it('of plan words come first, and leave what the gate then closes out', async () => {
    const h = await open();
    await h.turn(() => h.chat('make a plan, find the key, edit file a.ts and run command ls'));
    expect(firstLines(sent(h))).toEqual([
      expect.stringContaining('design track'),
      expect.stringContaining('`grep` finds text'),
      expect.stringContaining('`bash` runs it'),
    ]);
    expect(h.notices()).toContain('Plan mode is on, because you wrote "make a plan". /discard leaves.');
    expect(h.session.view().phase).toBe('preInit');
  });

  const chat = (text: string, origin: 'typed' | 'command'): Said => ({
    type: 'user.chat',
    by: person,
    text,
    origin,
  });

  it.each<[string, Said]>([
    ['a text of a command or skill', chat('make a plan and find it', 'command')],
    ['a text that starts with /', chat('/find make a plan', 'typed')],
    ['quoted lines', chat('> make a plan and find it\nwhat is meant?', 'typed')],
    ['the text of /plan', { type: 'user.plan', by: person, text: 'find it, run command ls' }],
  ])('are not given for %s', async (_, said) => {
    const h = await open();
    await h.turn(() => h.send(said));
    expect(sent(h)).not.toContain('Hint:');
    expect(sent(h)).toBe('text' in said ? said.text : '');
  });

  it('of a message that waited are those of the state that it finds', async () => {
    const h = await openHarness({ script: (_, index) => (index === 0 ? { hang: true } : says('ok')) });
    await h.chat('wait');
    expect(await h.chat('planning: new file a.txt, find it')).toMatchObject({ kind: 'queued' });
    expect(h.session.view().phase).toBe('noPlan');
    const waiting = h.session.view().queue[0]?.text ?? '';
    await h.send({ type: 'turn.end', turn: h.session.view().running?.turn ?? '', outcome: 'failed' });
    await until('the message has run', () => shown(h).length === 2 && h.session.view().turn === 'idle');
    expect(firstLines(sent(h))).toEqual([
      expect.stringContaining('design track'),
      expect.stringContaining('`grep` finds text'),
    ]);
    expect([waiting, shown(h).at(-1)]).toEqual(Array(2).fill('planning: new file a.txt, find it'));
  });

  it('change no text that is shown or stored, whatever it is', async () => {
    const h = await open();
    const words = fc.constantFrom(...families.flatMap((family) => triggers[family]));
    const texts = fc.tuple(
      fc.string({ unit: 'grapheme' }),
      words,
      fc.string({ unit: 'binary' }),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(texts, async ([before, trigger, after, isCommand]) => {
        const text = `${isCommand ? '/' : ''}${before} ${trigger} ${after}`.toWellFormed();
        await h.turn(() => h.chat(text));
        expect([shown(h).at(-1), (await stored(h)).at(-1)]).toEqual([text, text]);
        expect(sent(h) === text || sent(h).startsWith(`${text}\n\n[planchart harness]\n`)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});
