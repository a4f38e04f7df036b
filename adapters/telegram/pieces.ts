import type { Message } from 'grammy/types';
import type { Timers } from './outbox-types.ts';
import { placeKey, placeOf } from './place.ts';
import type { Taken } from './poll.ts';

type Age = Taken['age'];

/** A client cuts a text where a message of 4,096 units is full, at a space or a line end before that. */
const full = 3_500;
/** How long the next piece is waited for, in ms. */
const waitMs = 1_000;

interface Held {
  message: Message;
  age: Age;
  cancel: () => void;
  done: () => void;
}

/**
 * A text that is longer than a message arrives as several at once. They are one: read apart, the first half would be
 * answered as if it were all (950).
 */
export class Pieces {
  private readonly held = new Map<string, Held>();
  private readonly timers: Timers;
  private readonly read: (message: Message, age: Age) => Promise<void>;

  constructor(timers: Timers, read: (message: Message, age: Age) => Promise<void>) {
    this.timers = timers;
    this.read = read;
  }

  /** Resolves when the message was read, alone or with those that belong to it. */
  async take(message: Message, age: Age): Promise<void> {
    const key = `${placeKey(placeOf(message))} ${message.from?.id ?? 0}`;
    const before = this.held.get(key);
    const whole = before === undefined ? message : joined(before.message, message);
    if (before !== undefined) {
      this.held.delete(key);
      before.cancel();
      const alone = whole === null ? this.read(before.message, before.age) : Promise.resolve();
      void alone.finally(before.done);
    }
    const text = whole ?? message;
    if ((message.text?.length ?? 0) < full) return this.read(text, age);
    return new Promise((resolve) => {
      const end = (): void => {
        this.held.delete(key);
        void this.read(text, age).finally(resolve);
      };
      this.held.set(key, { message: text, age, cancel: this.timers.after(waitMs, end), done: resolve });
    });
  }
}

/** null: the second one is something else. */
function joined(first: Message, second: Message): Message | null {
  const starts = second.entities?.some(({ type, offset }) => type === 'bot_command' && offset === 0) === true;
  if (second.text === undefined || starts) return null;
  // Links and mentions of the second piece are not looked at; commands stand at the start of the first.
  return { ...first, text: `${first.text ?? ''}\n${second.text}` };
}
