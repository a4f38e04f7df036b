import type { MessageEntity } from 'grammy/types';

/** Commands that take no text, named as Telegram spells them (D51). */
const bare = [
  'show_plan',
  'execute',
  'discard',
  'stop',
  'continue',
  'status',
  'new',
  'help',
  'start',
] as const;
type Bare = (typeof bare)[number];

/** What a message asks for. `foreign` is another bot's, `usage` is answered on the spot and sends nothing. */
export type BotCommand =
  | { kind: 'chat'; text: string }
  | { kind: 'plan'; text: string | null }
  | { kind: Bare }
  | { kind: 'sessions'; pick: string | null }
  | { kind: 'approve'; policy: 'ask' | 'yolo' | null }
  | { kind: 'usage'; text: string }
  | { kind: 'unknown'; name: string }
  | { kind: 'foreign' };

/** The menu; the plan commands come first (D51). */
export const menu: readonly { command: string; description: string }[] = [
  { command: 'plan', description: 'Switch Plan mode on; text behind it is what to plan' },
  { command: 'show_plan', description: 'Show the plan in full, with its buttons' },
  { command: 'execute', description: 'Approve the plan that was shown and start the work' },
  { command: 'discard', description: 'Leave Plan mode or end the plan; a copy is kept' },
  { command: 'stop', description: 'End the running turn' },
  { command: 'continue', description: 'Go on after an interruption' },
  { command: 'status', description: 'Where things stand' },
  { command: 'approve', description: 'Whether tools ask first: /approve ask or /approve yolo' },
  { command: 'new', description: 'Start a new session in this chat' },
  { command: 'sessions', description: 'List sessions, or go to one of them' },
  { command: 'help', description: 'What there is' },
];

/** `/show-plan` ends at the dash for Telegram, which marks `/show` (D51). */
const shape = /^\/([a-z0-9_]+(?:-plan)?)(?:@(\w+))?(?:\s+([\s\S]*))?$/iu;

/**
 * Reads one message. It is a command only where Telegram marked one at its very start, and for this bot only with its
 * own name behind the `@`, in any letter case (B122).
 */
export function parseCommand(text: string, entities: readonly MessageEntity[], username: string): BotCommand {
  if (!entities.some(({ type, offset }) => type === 'bot_command' && offset === 0))
    return { kind: 'chat', text };
  const [, word = '', bot, rest = ''] = shape.exec(text) ?? [];
  if (word === '') return { kind: 'chat', text };
  if (bot !== undefined && bot.toLowerCase() !== username.toLowerCase()) return { kind: 'foreign' };
  return commandOf(word.toLowerCase().replace('-', '_'), rest.trim());
}

function commandOf(name: string, rest: string): BotCommand {
  if (name === 'plan') return { kind: 'plan', text: rest === '' ? null : rest };
  if (name === 'sessions') return { kind: 'sessions', pick: rest === '' ? null : rest };
  if (name === 'approve') return approve(rest);
  const kind = bare.find((one) => one === name);
  if (kind === undefined) return { kind: 'unknown', name };
  // A typed act must mean itself: "/discard the last step" is no wish to discard everything.
  if (rest !== '' && kind !== 'start')
    return { kind: 'usage', text: `/${name} takes no text. Nothing was done.` };
  return { kind };
}

function approve(rest: string): BotCommand {
  if (rest === '') return { kind: 'approve', policy: null };
  if (rest === 'ask' || rest === 'yolo') return { kind: 'approve', policy: rest };
  const text = 'Use /approve, /approve ask or /approve yolo. Plans are approved with /execute.';
  return { kind: 'usage', text };
}
