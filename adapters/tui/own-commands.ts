import type { Actor, Said } from '../../machines/index.ts';
import type { SkillList } from '../ports.ts';
import type { Command } from './commands.ts';
import { notice, type Item } from './transcript/items.ts';

/**
 * A command or skill of the user's own is sent as it was typed, and whoever runs the turn puts its text in (0057).
 * For a name that there is not, a notice, with the files that were skipped: one of them may be meant.
 */
export function ownCommand(
  { name, text }: Extract<Command, { kind: 'own' }>,
  { all, faults }: SkillList,
  by: Actor,
): { said: Said } | { item: Item } {
  if (all.some((one) => `/${one.name}` === name))
    return { said: { type: 'user.chat', by, text, origin: 'command' } };
  const lines = [`Unknown command ${name}. /help lists what there is.`, ...faults];
  return { item: notice('error', lines.join('\n')) };
}
