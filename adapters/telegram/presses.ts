import type { CallbackQuery } from 'grammy/types';
import { type Actor, parseCallback, planMark, saidByPress, type SessionView } from '../../machines/index.ts';
import { actorOf, type People, rankOf } from './access.ts';
import { answerText } from './answers.ts';
import { noKeyboard } from './keyboard-markup.ts';
import { placeOf } from './place.ts';
import { approvedPhases } from './plan-watch.ts';
import type { Room, Rooms } from './rooms.ts';
import type { Wire } from './wire.ts';
import { notOwner, stale, toast, wasAway } from './words.ts';

export interface PressesDeps {
  rooms: Rooms;
  wire: Wire;
  people: People;
  /** Answers a press; one that is too old for Telegram is no failure (B113). Contract: never rejects. */
  answer: (query: string, text: string, how: 'toast' | 'alert') => Promise<void>;
}

/** What a press is told. `how`: an alert has to be closed by the person, so it is for what did not happen. */
interface Reply {
  text: string;
  how: 'toast' | 'alert';
}

/** A person gives up on a button that says nothing for longer (D29), in ms. */
const patience = 700;

const toasted = (text: string): Reply => ({ text, how: 'toast' });
const alerted = (text: string): Reply => ({ text, how: 'alert' });

/** Handles one press: judged, done, and answered once, whatever comes of it (B120). `old`: from before the start (D37). */
export async function press(query: CallbackQuery, age: 'old' | 'fresh', deps: PressesDeps): Promise<void> {
  const { message } = query;
  if (message === undefined) return deps.answer(query.id, stale, 'alert');
  const room = deps.rooms.at(placeOf({ ...message, chat: message.chat }));
  const work = replyTo(query, { room, age, deps });
  const answered = { already: 'no' as 'yes' | 'no' };
  const timer = setTimeout(() => {
    answered.already = 'yes';
    void deps.answer(query.id, 'Working on it…', 'toast');
  }, patience);
  const { text, how } = await work.finally(() => clearTimeout(timer));
  const short = toast(text);
  // What was answered already, or does not fit into an answer, is said in the chat.
  if (answered.already === 'yes' || short.whole === 'no') room?.chat.say(text, { notify: 'yes' });
  if (answered.already === 'no') await deps.answer(query.id, short.text, how);
}

interface Context {
  room: Room | null;
  age: 'old' | 'fresh';
  deps: PressesDeps;
}

async function replyTo(query: CallbackQuery, { room, age, deps }: Context): Promise<Reply> {
  const { from, data = '' } = query;
  const rank = rankOf(deps.people, { from });
  const by = actorOf(from, rank);
  if (rank === 'unknown') return alerted(notOwner);
  if (age === 'old') return alerted(by.owner ? wasAway : notOwner);
  if (room === null) return lost(query, by, deps);
  const callback = parseCallback(data);
  if (callback !== null) return plan(query, { room, by, callback });
  if (data.startsWith('yolo:')) return yolo(query, { room, by, deps });
  const name = from.first_name;
  const told = room.chat.prompts.press(data, { rank: by.owner ? 'owner' : 'other', name });
  return told === null ? alerted(stale) : toasted(told);
}

/** A message of a chat that is bound to nothing: its buttons go, if the owner presses one. */
async function lost({ message }: CallbackQuery, by: Actor, { wire }: PressesDeps): Promise<Reply> {
  if (!by.owner) return alerted(notOwner);
  if (message !== undefined) void wire.markup(placeOf(message), message.message_id, noKeyboard);
  return alerted(stale);
}

interface PlanPress {
  room: Room;
  by: Actor;
  callback: NonNullable<ReturnType<typeof parseCallback>>;
}

/** Where things stand, for somebody who pressed what an old screen shows (B124). */
function nowIn({ badge, progress }: SessionView): string {
  const done = progress.total === 0 ? '' : ` ${progress.done}/${progress.total}`;
  return `${badge === '' ? 'no plan' : badge}${done}`;
}

/** Approve of a plan that is approved: it got what it asks for, so it is told that and nothing is done twice (B59). */
function isApproved({ phase, plan: now }: SessionView, { action, ...on }: PlanPress['callback']): boolean {
  const same = now !== null && planMark(now) === on.plan;
  return action === 'ok' && on.phase === 'editing' && same && approvedPhases.includes(phase);
}

async function plan(query: CallbackQuery, pressed: PlanPress): Promise<Reply> {
  const reply = await planReply(query, pressed);
  const view = pressed.room.hub.handle.view();
  if (reply.did === 'yes' || !isApproved(view, pressed.callback)) return reply;
  return toasted(`Already approved, now: ${nowIn(view)}.`);
}

type PlanReply = Reply & { did: 'yes' | 'no' };
const did = (text: string): PlanReply => ({ ...toasted(text), did: 'yes' });
const didNot = (text: string): PlanReply => ({ ...alerted(text), did: 'no' });

async function planReply(query: CallbackQuery, { room, by, callback }: PlanPress): Promise<PlanReply> {
  const { chat, hub } = room;
  const at = { message: query.message?.message_id ?? 0, by: by.owner ? 'owner' : 'other', callback } as const;
  for (const effect of chat.keyboard.press(query.id, at)) {
    if (effect.type === 'press.refuse')
      return effect.code === 'NOT_OWNER'
        ? { ...alerted(notOwner), did: 'yes' }
        : didNot(`${stale} Now: ${nowIn(hub.handle.view())}.`);
    if (effect.type === 'press.confirm') return did('Press “Discard plan” to discard it, or Keep.');
    if (effect.type === 'press.kept') return did('Kept.');
    if (effect.type === 'press.act') return carryOut(effect, room, by);
  }
  return didNot(stale);
}

type ActEffect = Parameters<typeof saidByPress>[0];

async function carryOut(effect: ActEffect, { chat, hub }: Room, by: Actor): Promise<PlanReply> {
  const said = saidByPress(effect, by);
  if (said === null) {
    const { plan: id, hash } = effect.button;
    void chat.notes.ask({ plan: id, hash }, by.person);
    return did('Reply to the message below.');
  }
  const answer = await chat.decide(() => hub.send(chat, said));
  if ('code' in answer) {
    if (answer.code === 'TEXT_CHANGED') void chat.showPlan();
    return didNot(answer.text.replaceAll('/show-plan', '/show_plan'));
  }
  return did(answer.text === '' ? 'Done.' : answerText(answer, 'none'));
}

async function yolo(
  query: CallbackQuery,
  { room, by, deps }: { room: Room; by: Actor; deps: PressesDeps },
): Promise<Reply> {
  const [, choice, session] = (query.data ?? '').split(':');
  if (!by.owner) return alerted(notOwner);
  const { message } = query;
  if (message !== undefined) void deps.wire.markup(room.chat.place, message.message_id, noKeyboard);
  if (session !== room.hub.handle.id) return alerted(stale);
  if (choice !== 'on') return toasted('Tools go on asking.');
  const answer = await room.chat.decide(() =>
    room.hub.send(room.chat, { type: 'user.policy', by, yolo: true }),
  );
  return 'code' in answer ? alerted(answer.text) : toasted(answer.text);
}
