import type { InlineKeyboardMarkup } from 'grammy/types';
import { z } from 'zod';
import { badRequest } from './refusal.ts';

const Button = z.looseObject({
  text: z.string(),
  callback_data: z.string().optional(),
  url: z.string().optional(),
});
/** What a message may carry below its text; the further kinds are kept as they came. */
export const Markup = z.union([
  z.object({ inline_keyboard: z.array(z.array(Button)) }),
  z.looseObject({ force_reply: z.literal(true) }),
  z.looseObject({ remove_keyboard: z.literal(true) }),
]);
export type Markup = z.infer<typeof Markup>;

/** The inline keyboard to store; null for an empty one or none. Throws the `Refusal` of a button that can't be. */
export function keyboardOf(markup: Markup | undefined): InlineKeyboardMarkup | null {
  if (markup === undefined || !('inline_keyboard' in markup)) return null;
  const rows = (markup as z.infer<(typeof Markup.options)[0]>).inline_keyboard.filter(
    (row) => row.length > 0,
  );
  for (const { text, callback_data: data, url } of rows.flat()) {
    if (text.trim() === '')
      throw badRequest('can\'t parse inline keyboard button: Field "text" must be non-empty');
    if (data === undefined && url === undefined) {
      throw badRequest(
        "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
      );
    }
    const size = Buffer.byteLength(data ?? '-');
    if (size < 1 || size > 64) throw badRequest('BUTTON_DATA_INVALID');
  }
  return rows.length === 0 ? null : ({ inline_keyboard: rows } as InlineKeyboardMarkup);
}
