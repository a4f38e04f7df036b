import type { InlineKeyboardButton, InlineKeyboardMarkup } from 'grammy/types';
import { callbackOf, encodeCallback, type PlanButton, type PlanKeyboard } from '../../machines/index.ts';

const labels: Readonly<Record<PlanButton, string>> = {
  approve: '✅ Approve',
  retry: '🔁 Retry',
  approveText: '✅ Approve this text',
  revise: '✏️ Ask for changes',
  restore: '↩️ Restore',
  continue: '▶️ Continue',
  discard: '🗑 Discard',
  confirm: 'Discard plan',
  keep: 'Keep',
};

/** An absent keyboard leaves the old one on; only an empty one takes it off (B125). */
export const noKeyboard: InlineKeyboardMarkup = { inline_keyboard: [] };

/** A plan keyboard as Telegram takes it; two buttons a row, since three are cut on a phone. */
export function planMarkup(keyboard: PlanKeyboard | null): InlineKeyboardMarkup {
  if (keyboard === null) return noKeyboard;
  const buttons = keyboard.buttons.map((button): InlineKeyboardButton => ({
    text: labels[button],
    callback_data: encodeCallback(callbackOf[button], keyboard),
  }));
  return { inline_keyboard: [buttons.slice(0, 2), buttons.slice(2)].filter((row) => row.length > 0) };
}
