import { refusals, type SessionView } from '../../machines/index.ts';
import { headLines, telegramWords } from '../../adapters/telegram/html/plan-lines.ts';
import { plainText } from '../../adapters/telegram/html/rich.ts';
import { planMarkup } from '../../adapters/telegram/keyboard-markup.ts';
import { hasPlan } from '../../adapters/telegram/plan-watch.ts';
import type { Shown } from '../support/bot-api/people.ts';
import type { World } from '../support/explore.ts';
import type { Step } from './surface.ts';
import type { Asked, ChatBot } from './telegram-bot.ts';
import type { Told } from './telegram-hands.ts';
import { keyboardAt } from './telegram-lacks.ts';

const planButton = /Approve|Ask for changes|Discard|Retry|Restore|Continue|Keep$/u;
const rowOf = ({ buttons }: Shown): string => buttons.flat().join('|');

/** Whether a message has buttons of a plan; "Keep asking" is about tools. */
export const hasPlanRow = (message: Shown): boolean => planButton.test(rowOf(message));

const live = /^(?:⚙️|⏳ Waits)/u;
const header = /^(?:⚙️|⏳ Waits|✅ Finished|❌ Failed \(|⏱ Timed|⏹ Cancelled \(|⚠️ Interrupted|⤵️)/u;
/** The line below the title of a plan that is live. */
const planLine = /^(?:✍️ |⏳ Building|\d+\/\d+)/mu;

/** Whether a message says something that has to stay true: a turn that runs, or a plan. */
export const showsState = ({ text }: Shown): boolean =>
  live.test(text) || planLine.test(text) || /^📋 /mu.test(text);

/** What of the chat is not as the model says, a line each. `real`: its paths in the places of the test. */
export function chatFaults(
  messages: readonly Shown[],
  { before, after }: Step,
  view: SessionView,
  real: (text: string) => string,
): string[] {
  return [
    ...keyboardFaults(messages, after),
    ...planFaults(messages, view, real),
    ...headerFaults(messages, before, after),
  ];
}

/** D30, D31: the buttons that the state asks for, on one message and no other. */
function keyboardFaults(messages: readonly Shown[], after: World): string[] {
  const row = planMarkup(keyboardAt(after)).inline_keyboard.flat();
  const wanted = row.length === 0 ? [] : [row.map(({ text }) => text).join('|')];
  const shown = messages.filter(hasPlanRow).map(rowOf);
  return JSON.stringify(shown) === JSON.stringify(wanted)
    ? []
    : [`buttons: the model says ${JSON.stringify(wanted)}, it is ${JSON.stringify(shown)}`];
}

function planFaults(messages: readonly Shown[], view: SessionView, real: (text: string) => string): string[] {
  if (!hasPlan(view)) {
    const left = messages.filter(({ text }) => planLine.test(text));
    return left.map(({ id }) => `message ${id} still shows a plan`);
  }
  const lines = real(plainText(headLines(view))).split('\n');
  const found = messages.filter(({ text }) => lines.every((line) => text.includes(line)));
  const faults =
    found.length === 1 ? [] : [`plan: ${JSON.stringify(lines)} is in ${found.length} messages, not in one`];
  const old = messages.filter((message) => planLine.test(message.text) && !found.includes(message));
  faults.push(...old.map(({ id }) => `message ${id} shows an old state of the plan`));
  const other = messages.filter((message) => hasPlanRow(message) && !found.includes(message));
  return [...faults, ...other.map(({ id }) => `message ${id} has the buttons, and the plan is elsewhere`)];
}

/** A turn that runs has one live message; one that has ended says how (D32). */
function headerFaults(messages: readonly Shown[], before: World, after: World): string[] {
  const wanted = after.snapshot.context.record.lease === null ? 0 : 1;
  const running = messages.filter(({ text }) => live.test(text));
  if (running.length !== wanted) return [`${running.length} live headers, not ${wanted}`];
  const outcome = outcomeOf(before, after);
  const newest = messages.findLast(({ text }) => header.test(text))?.text ?? 'none';
  return outcome === null || newest.startsWith(outcome)
    ? []
    : [`header: not ${outcome}, but ${newest.slice(0, 60)}`];
}

function outcomeOf(before: World, after: World): string | null {
  const { lease } = before.snapshot.context.record;
  if (lease === null || after.snapshot.context.record.lease !== null) return null;
  const event = after.taken.find((one) => one.event.type === 'turn.end')?.event;
  if (event?.type !== 'turn.end') return null;
  if (event.outcome === 'lost') return '⚠️ Interrupted';
  if (lease.cancel !== null) return '⏹ Cancelled';
  return event.outcome === 'done' ? '✅ Finished' : '❌ Failed';
}

/** Approve and Approve this text are one action (D30): an unknown text is refused as either, whichever is drawn then. */
const isSameAct = (is: string, wanted: string): boolean =>
  is === wanted || (wanted === 'user.approveText' && is === 'user.execute');

/** What a person did in a step, what was asked of the session meanwhile, and the newest message before it. */
export interface Answered {
  told: Told;
  asked: readonly Asked[];
  since: number;
  words: 'heard' | 'may be lost';
}

/** D31: a plan that was asked for, or is another one than was shown, is posted at the bottom with its buttons. */
const showsAnew = (bot: ChatBot, after: World, since: number): boolean =>
  bot.shown().some((message) => message.id > since && (keyboardAt(after) === null || hasPlanRow(message)));

/** The answer to what a person did: its code, and its words in the chat or on the button. */
export function answerFaults(
  bot: ChatBot,
  { after, move }: Step,
  { told, asked, since, words: heard }: Answered,
): string[] {
  const model = after.taken.at(-1)?.answer;
  if (model === undefined || !('said' in move)) return [];
  const code = 'code' in model ? model.code : null;
  const real = asked.findLast(({ said }) => isSameAct(said.type, move.said.type))?.answer ?? null;
  const is = real === null ? null : 'code' in real ? real.code : null;
  if (real === null && code !== 'NOT_OWNER' && code !== 'STALE_BUTTON')
    return [`the session was not asked for ${move.said.type}`];
  if (real !== null && (is !== code || real.kind !== model.kind))
    return [`answer: the model says ${model.kind} ${code}, it is ${real.kind} ${is}`];
  const ownText = code === 'NOT_OWNER' ? refusals.NOT_OWNER() : refusals.STALE_BUTTON();
  if (heard === 'may be lost') return [];
  if ((model.kind === 'view' || code === 'TEXT_CHANGED') && !showsAnew(bot, after, since))
    return ['the plan is not shown anew'];
  const text = telegramWords(real?.text ?? ownText).trim();
  const starts = after.snapshot.context.record.lease !== null && code === null;
  const words =
    model.kind === 'queued' ? '⏳ Waiting: this runs' : model.kind === 'view' || starts ? '' : text;
  return isTold(bot, told, words)
    ? []
    : [`answer: ${JSON.stringify(words)} is not there: ${heardBy(bot, told)}`];
}

const heardBy = (bot: ChatBot, told: Told): string =>
  told.kind === 'press'
    ? JSON.stringify(bot.api.queries.find(({ id }) => id === told.query))
    : 'no such reply';

/** A long answer to a press is cut, and whole in the chat. */
function isTold(bot: ChatBot, told: Told, words: string): boolean {
  const replies = bot.shown().filter(({ replyTo }) => told.kind === 'reply' && replyTo === told.to);
  if (told.kind === 'reply') return words === '' || replies.some(({ text }) => text.startsWith(words));
  const query = bot.api.queries.find(({ id }) => id === told.query);
  if (query?.state !== 'answered') return false;
  const toast = query.text ?? '';
  const cut = words.slice(0, 190);
  const inChat = (): boolean => bot.shown().some(({ text }) => text.startsWith(words));
  if (words.length > 200 || toast === 'Working on it…') return inChat();
  return toast.startsWith(cut) || toast.startsWith('Already approved, now: ');
}
