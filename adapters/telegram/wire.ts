import type { InlineKeyboardMarkup } from 'grammy/types';
import type { Rich } from './html/rich.ts';
import type { Delivery, Keep, Outbox, Post } from './outbox-types.ts';
import type { Place } from './place.ts';

/** What did not go through. `until` is the end of a flood wait in epoch ms. `gone`: the message, or the place, is not there. */
export type Unsent = { kind: 'failed'; until: number | null } | { kind: 'gone' };
type Sent = { kind: 'sent'; messages: readonly number[] };
export type Result = Sent | Unsent;

export interface PostOptions {
  /** Silent unless a person has to look (D50). */
  notify: 'yes' | 'no';
  keyboard?: InlineKeyboardMarkup;
  /** Message that this one answers. */
  reply?: number;
  /** Opens the reply field of the client (D44). */
  ask?: 'reply';
  /** What the next tick draws anew need not be kept (D34); `always` unless given. */
  keep?: Keep;
}

/** The drivers' way to Telegram, by place. Contract: no method rejects. */
export interface Wire {
  /** The ids of the messages that it took, in order. */
  post(place: Place, body: Rich, options: PostOptions): Promise<Result>;
  file(
    place: Place,
    file: { name: string; text: string; caption: Rich },
    options: PostOptions,
  ): Promise<Result>;
  /** An edit without a keyboard takes it off, so it is always said (B125). */
  edit(
    place: Place,
    message: number,
    body: Rich,
    keyboard: InlineKeyboardMarkup,
    keep: Keep,
  ): Promise<Result>;
  markup(place: Place, message: number, keyboard: InlineKeyboardMarkup): Promise<Result>;
  remove(place: Place, message: number): Promise<Result>;
  typing(place: Place): void;
}

export interface WireDeps {
  outbox: (chat: number) => Outbox;
  /** A group became a supergroup (B127), a place can't be written to any more (B117), something was not taken. */
  moved: (from: number, to: number) => void;
  lost: (place: Place, text: string) => void;
  trouble: (text: string) => void;
  /** Something that had to arrive was given up (D34). */
  undelivered: (place: Place, text: string) => void;
}

export function createWire({ outbox, moved, lost, trouble, undelivered }: WireDeps): Wire {
  const failed = (place: Place, text: string, keep: Keep): void => {
    trouble(text);
    if (keep === 'always') undelivered(place, text);
  };
  const resultOf = (place: Place, delivery: Delivery, keep: Keep): Result => {
    switch (delivery.kind) {
      case 'landed':
        return { kind: 'sent', messages: delivery.messages };
      case 'gone':
        if (delivery.what === 'place') lost(place, delivery.text);
        return { kind: 'gone' };
      case 'moved':
        moved(place.chat, delivery.chat);
        return { kind: 'failed', until: null };
      case 'flood':
        return { kind: 'failed', until: delivery.until };
      case 'refused':
        failed(place, `Telegram refused: ${delivery.status} ${delivery.text}`, keep);
        return { kind: 'gone' };
      case 'failed':
        failed(place, delivery.text, keep);
        return { kind: 'failed', until: null };
      case 'tooLong':
      case 'ended':
        return { kind: 'failed', until: null };
    }
  };
  const told = async (place: Place, keep: Keep, delivery: Promise<Delivery>): Promise<Result> =>
    resultOf(place, await delivery, keep);
  async function post(place: Place, body: Rich, options: PostOptions): Promise<Result> {
    const keep = options.keep ?? 'always';
    const delivery = await outbox(place.chat).post({ body, ...postOf(place, options) });
    const result = await told(place, keep, Promise.resolve(delivery));
    if (delivery.kind !== 'moved' || keep === 'droppable') return result;
    // Nothing of it was sent, and it has to arrive: where the group is now (B127).
    const there = { ...place, chat: delivery.chat };
    return told(there, keep, outbox(delivery.chat).post({ body, ...postOf(there, options) }));
  }
  return {
    post,
    file: (place, file, options) =>
      told(place, 'always', outbox(place.chat).document({ ...file, ...postOf(place, options) })),
    edit: (place, message, body, keyboard, keep) =>
      told(place, keep, outbox(place.chat).edit({ message, body, keyboard, keep })),
    markup: (place, message, keyboard) =>
      told(place, 'droppable', outbox(place.chat).markup({ message, keyboard, keep: 'droppable' })),
    // A copy that can't be deleted says nothing that is missing elsewhere.
    remove: (place, message) => told(place, 'droppable', outbox(place.chat).delete(message)),
    typing: (place) => outbox(place.chat).typing(place.topic),
  };
}

function postOf(
  { topic }: Place,
  { notify, keyboard, reply, ask, keep = 'always' }: PostOptions,
): Omit<Post, 'body'> {
  const markup = ask === 'reply' ? ({ force_reply: true, selective: true } as const) : keyboard;
  return {
    topic,
    keep,
    sound: notify === 'yes' ? 'on' : 'off',
    ...(reply === undefined ? {} : { replyTo: reply }),
    ...(markup === undefined ? {} : { markup }),
  };
}
