import type { Fault } from '../support/bot-api/faults.ts';
import { shuffled } from './shuffle.ts';
import type { Trouble } from './telegram.ts';

const faults: readonly Fault[] = [
  { kind: 'flood', retryAfter: 1 },
  { kind: 'error', status: 500, description: 'Internal Server Error' },
  { kind: 'error', status: 502, description: 'Bad Gateway' },
  { kind: 'dropAnswer' },
  { kind: 'slow', ms: 60 },
];

const methods = [
  'editMessageText',
  'sendMessage',
  'editMessageReplyMarkup',
  'answerCallbackQuery',
  'deleteMessage',
];

/** Before each step two methods meet a fault, and now and then the bot starts anew. */
export const troubleFrom = (from: number): Trouble => {
  return (step) => {
    const mixed = shuffled(from + step + 1);
    const chosen = mixed(methods).slice(0, 2);
    const met = mixed(faults);
    return {
      faults: chosen.map((method, index) => [method, met[index] ?? { kind: 'dropAnswer' }] as const),
      restart: (from + step) % 9 === 0 ? 'yes' : 'no',
    };
  };
};
