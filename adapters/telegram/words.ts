import { refusals } from '../../machines/index.ts';

/** Longest answer to a press that Telegram takes, in UTF-16 units. */
const toastUnits = 200;

/** A text as the answer to a press; `whole` says whether all of it fitted. */
export function toast(text: string): { text: string; whole: 'yes' | 'no' } {
  const line = text.trim();
  if (line.length <= toastUnits) return { text: line, whole: 'yes' };
  const cut = line.slice(0, toastUnits - 1);
  const end = /[\ud800-\udbff]$/u.test(cut) ? cut.slice(0, -1) : cut;
  return { text: `${end}…`, whole: 'no' };
}

export const notOwner = refusals.NOT_OWNER();
export const stale = refusals.STALE_BUTTON().replaceAll('/show-plan', '/show_plan');
export const wasAway = 'I was away when you sent that, so nothing was done. Send it again.';

export const textOnly =
  'I read text only, captions not among it, so nothing was done. Write it as a message.';

/** The one line for somebody that the bot does not know. */
export const stranger = (id: number): string =>
  `I don't know you. Your Telegram id is ${id}: the owner lets you in with TELEGRAM_ALLOWED_IDS=${id}.`;

export function helpText({ privacy }: { privacy: 'on' | 'off' }): string {
  return [
    'planchart: Plan mode for AI agents.',
    '',
    'Write what you want. In a group, mention me or reply to one of my messages.',
    '/plan <text> plans first and changes nothing until you approve',
    '/show_plan shows the plan with its buttons',
    '/execute approves the plan that was shown, /discard ends it',
    '/stop ends the running turn, /continue goes on after an interruption',
    '/status tells where things stand',
    '/approve tells whether tools ask first; /approve ask, /approve yolo',
    '/new starts a new session here, /sessions lists them',
    ...(privacy === 'on'
      ? ['', 'Group privacy is on: in groups I see commands and replies to me only.']
      : []),
  ].join('\n');
}
