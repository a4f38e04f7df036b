import type { Actor, Said } from '../../machines/index.ts';
import { answerText, policyText, sessionsText, statusText } from './answers.ts';
import type { BotCommand } from './commands.ts';
import type { Room, Rooms, Sessions } from './rooms.ts';
import { run } from './html/rich.ts';
import { helpText, notOwner } from './words.ts';
import type { Wire } from './wire.ts';

/** A command or a message of somebody that the bot knows. */
export interface Act {
  room: Room;
  by: Actor;
  message: number;
  command: BotCommand;
}

export interface ActsDeps {
  rooms: Rooms;
  sessions: Sessions;
  wire: Wire;
  /** Whether Telegram keeps group messages from the bot (B123). */
  privacy: 'on' | 'off';
}

/** What the owner alone may do besides what the session itself refuses (D29). */
const ownersOnly: ReadonlySet<BotCommand['kind']> = new Set(['new', 'sessions', 'approve', 'continue']);

/** Does what one message asks for and answers it in its chat. */
export async function act(wanted: Act, deps: ActsDeps): Promise<void> {
  const { room, by, command, message } = wanted;
  const { chat, hub } = room;
  const tell = (text: string): void => chat.say(text, { reply: message, notify: 'yes' });
  if (!by.owner && ownersOnly.has(command.kind)) return tell(notOwner);
  const said = saidOf(command, by, chat.shown);
  if (said !== null) return send(wanted, said);
  switch (command.kind) {
    case 'show_plan':
      return show(wanted);
    case 'status':
      return tell(statusText(hub.handle.view(), hub.handle.model.name));
    case 'help':
    case 'start':
      return tell(helpText(deps));
    case 'usage':
      return tell(command.text);
    case 'unknown':
      return tell(`There is no command /${command.name}. /help lists what there is.`);
    case 'approve':
      return policy(wanted, command.policy, deps);
    case 'new':
      return change(wanted, null, deps);
    case 'sessions':
      return sessions(wanted, command.pick, deps);
    default:
      return;
  }
}

/** The event that a command is; null for those that are answered here. */
function saidOf(command: BotCommand, by: Actor, shown: string | null): Said | null {
  switch (command.kind) {
    case 'chat':
      return { type: 'user.chat', by, text: command.text, origin: 'typed' };
    case 'plan':
      return command.text === null
        ? { type: 'user.plan', by }
        : { type: 'user.plan', by, text: command.text };
    case 'execute':
      return { type: 'user.execute', by, shown };
    case 'discard':
    case 'stop':
    case 'continue':
      return { type: `user.${command.kind}`, by };
    case 'approve':
      return command.policy === 'ask' ? { type: 'user.policy', by, yolo: false } : null;
    default:
      return null;
  }
}

/** Sends an event and answers the message. Text that was not taken comes back as not run (D26). */
export async function send({ room, message }: Pick<Act, 'room' | 'message'>, said: Said): Promise<void> {
  const { chat, hub } = room;
  const answer = await chat.decide(() => hub.send(chat, said));
  const turn = hub.handle.view().turn === 'idle' ? 'none' : 'starts';
  const text = answerText(answer, turn);
  const kept = answer.kind === 'accepted' || answer.kind === 'queued';
  const back = !kept && 'text' in said && said.text !== undefined ? '\n↩️ Not run.' : '';
  // The refusal of a stop or discard during a turn is news; their success is seen, and still said.
  chat.say(`${text}${back}`, { reply: message, notify: answer.kind === 'queued' ? 'no' : 'yes' });
  // This refusal says that the text has to be read first, so it is shown (D45).
  if ('code' in answer && answer.code === 'TEXT_CHANGED') await chat.showPlan();
}

async function show({ room, by, message }: Act): Promise<void> {
  const { chat, hub } = room;
  const answer = await hub.send(chat, { type: 'user.show', by });
  if (answer.kind === 'view' && (await chat.showPlan())) return;
  const text = answer.text === '' ? hub.handle.view().hint || 'There is no plan.' : answer.text;
  chat.say(text, { reply: message, notify: 'yes' });
}

/** Yolo on Telegram needs a second press (D2). */
async function policy(
  { room, message }: Act,
  wanted: 'ask' | 'yolo' | null,
  { wire }: ActsDeps,
): Promise<void> {
  const { chat, hub } = room;
  if (wanted === null)
    return chat.say(policyText(hub.handle.view().policy), { reply: message, notify: 'yes' });
  const text =
    'Let tools run without asking in this session, commands and edits included? Plans still need you.';
  const keyboard = {
    inline_keyboard: [
      [
        { text: 'Yes, yolo', callback_data: `yolo:on:${hub.handle.id}` },
        { text: 'Keep asking', callback_data: `yolo:off:${hub.handle.id}` },
      ],
    ],
  };
  await wire.post(chat.place, run(text), { notify: 'yes', reply: message, keyboard });
}

async function sessions({ room, by, message }: Act, pick: string | null, deps: ActsDeps): Promise<void> {
  const { chat, hub } = room;
  const made = deps.rooms.madeHere();
  const all = await deps.sessions.list();
  // One that began in the terminal may hold what a group must not read (D36).
  const listed = chat.bound.kind === 'private' ? all : all.filter(({ id }) => made.has(id));
  if (pick === null) {
    chat.listed = listed.map(({ id }) => id);
    return chat.say(sessionsText(listed, hub.handle.id), { reply: message, notify: 'yes' });
  }
  const wanted =
    (chat.listed.length > 0 ? chat.listed : listed.map(({ id }) => id))[Number(pick) - 1] ?? pick;
  const chosen = listed.find(({ id }) => id === wanted);
  if (chosen === undefined || 'error' in chosen)
    return chat.say(`There is no such session here. /sessions lists them.`, {
      reply: message,
      notify: 'yes',
    });
  if (chosen.id === hub.handle.id) return chat.say('This chat has that session already.', { reply: message });
  await change({ room, by, message }, chosen.id, deps);
}

/** Another session for this chat, refused while a turn runs. */
async function change(
  { room, by, message }: Pick<Act, 'room' | 'by' | 'message'>,
  session: string | null,
  { rooms }: ActsDeps,
): Promise<void> {
  const { chat, hub } = room;
  const answer = await hub.send(chat, { type: 'user.switch', by });
  if ('code' in answer) return chat.say(answer.text, { reply: message, notify: 'yes' });
  const next = await rooms.rebind(room, session);
  const { name, cwd } = next.hub.handle.view();
  const what = session === null ? 'A new session' : `Session ${name ?? session}`;
  next.chat.say(`${what} in ${cwd}.`, { reply: message, notify: 'yes' });
  next.chat.start();
}
