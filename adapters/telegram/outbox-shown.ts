import type { InlineKeyboardMarkup } from 'grammy/types';
import { richHtml } from './html/render.ts';
import type { Rich } from './html/rich.ts';
import type { EditJob } from './outbox-jobs.ts';

/** What the messages of a chat show as far as this process knows, so that nothing is edited into what it is (B108). */
export interface ShownMessages {
  isSame(edit: EditJob): boolean;
  /** `body` null: as before. */
  set(message: number, body: Rich | null, keyboard: InlineKeyboardMarkup | null): void;
  /** Nobody knows what became of an edit. */
  forget(message: number): void;
}

const remembered = 200;

export function createShownMessages(): ShownMessages {
  const known = new Map<number, { html: string | null; keyboard: string }>();
  const written = (keyboard: InlineKeyboardMarkup | null): string =>
    JSON.stringify(keyboard?.inline_keyboard ?? []);
  return {
    isSame: ({ message, body, keyboard }) => {
      const found = known.get(message);
      if (found === undefined || found.keyboard !== written(keyboard)) return false;
      return body === null || found.html === richHtml(body);
    },
    set: (message, body, keyboard) => {
      const html = body === null ? (known.get(message)?.html ?? null) : richHtml(body);
      known.delete(message);
      known.set(message, { html, keyboard: written(keyboard) });
      const [oldest] = known.keys();
      if (known.size > remembered && oldest !== undefined) known.delete(oldest);
    },
    forget: (message) => known.delete(message),
  };
}
