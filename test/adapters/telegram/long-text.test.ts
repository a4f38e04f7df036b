import type { Message } from 'grammy/types';
import { expect, it } from 'vitest';
import { Pieces } from '../../../adapters/telegram/pieces.ts';
import { testTimers } from './outbox-world.ts';

const from = (id: number, text: string, more: Partial<Message> = {}): Message => ({
  message_id: 1,
  date: 1,
  chat: { id: 1001, type: 'private', first_name: 'O' },
  from: { id, is_bot: false, first_name: 'O' },
  text,
  ...more,
});

const long = (mark: string): string => mark.repeat(3_900);

/** Takes messages, and answers what was read, shortened: letters as they follow each other. */
async function read(...messages: Message[]): Promise<{ seen: string[]; later: string[] }> {
  const timers = testTimers();
  const texts: string[] = [];
  const pieces = new Pieces(timers, async ({ text = '' }) => {
    texts.push(text.replaceAll(/(.)\1{99,}/gu, '$1…'));
  });
  const taken = messages.map((message) => pieces.take(message, 'fresh'));
  await timers.advance(999);
  const seen = [...texts];
  await timers.advance(1);
  await Promise.all(taken);
  return { seen, later: texts.slice(seen.length) };
}

it('950 a text that its client cut into messages is read as one', async () => {
  expect(await read(from(1, long('a')), from(1, long('b')), from(1, 'the end'))).toEqual({
    seen: ['a…\nb…\nthe end'],
    later: [],
  });
});

it('950 a long text alone waits a second, and nothing else waits for it', async () => {
  const command = { entities: [{ type: 'bot_command' as const, offset: 0, length: 5 }] };
  expect(await read(from(1, long('a')), from(2, 'somebody else'))).toEqual({
    seen: ['somebody else'],
    later: ['a…'],
  });
  expect(await read(from(1, long('a')), from(1, '/stop', command))).toEqual({
    seen: ['a…', '/stop'],
    later: [],
  });
  expect(await read(from(1, 'short'), from(1, 'short'))).toEqual({ seen: ['short', 'short'], later: [] });
});
