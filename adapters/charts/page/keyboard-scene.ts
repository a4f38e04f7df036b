import {
  callbackOf,
  encodeCallback,
  type KeyboardEffect,
  type KeyboardEvent,
  type KeyboardSnapshot,
  keyboardStep,
  parseCallback,
  type PlanButton,
  type PlanKeyboard,
  refusals,
} from '../../../machines/index.ts';
import {
  accepted,
  type Choice,
  type Fact,
  ignored,
  leavesOf,
  type Scene,
  type SceneAnswer,
  type Taken,
} from './scene.ts';
import { otherHash } from './session-samples.ts';
import { sha256 } from './sha256.ts';

type Edit = Extract<KeyboardEffect, { type: 'edit.markup' }>;

/** A chat as its messages show it, and the keyboard machine of it. Milliseconds. */
interface Chat {
  machine: KeyboardSnapshot;
  /** What was sent and has no answer, oldest first. */
  flight: readonly Edit[];
  messages: ReadonlyMap<number, PlanKeyboard | null>;
  now: number;
}

const subject = { plan: '00000000-0000-4000-8000-000000000001', hash: sha256('the text') } as const;
const editing = { ...subject, phase: 'editing' } as const;
const active = { ...subject, phase: 'active' } as const;

/** What a session can ask for, by the id of the choice. */
const wishes: Readonly<Record<string, readonly [label: string, keyboard: PlanKeyboard | null]>> = {
  review: ['A plan to review', { ...editing, buttons: ['approve', 'revise', 'discard'] }],
  revised: [
    'That plan, with a new text',
    { ...editing, hash: otherHash, buttons: ['approve', 'revise', 'discard'] },
  ],
  working: ['A turn runs: only Discard', { ...active, hash: null, buttons: ['discard'] }],
  retry: ['The seed failed', { ...active, buttons: ['retry', 'discard'] }],
  drifted: [
    'The approved text changed',
    { ...active, hash: otherHash, buttons: ['approveText', 'restore', 'discard'] },
  ],
  interrupted: ['Work was interrupted', { ...active, hash: null, buttons: ['continue', 'discard'] }],
  none: ['No plan: no keyboard', null],
};

const words: Readonly<Record<PlanButton, string>> = {
  approve: 'Approve',
  retry: 'Retry',
  approveText: 'Approve this text',
  revise: 'Ask for changes',
  restore: 'Restore',
  continue: 'Continue',
  discard: 'Discard',
  confirm: 'Discard plan',
  keep: 'Keep',
};

/** The keyboard machine, in a chat without messages. */
export const keyboardScene = (): Scene =>
  sceneOf({ machine: keyboardStep(null, null)[0], flight: [], messages: new Map(), now: 0 });

function sceneOf(chat: Chat): Scene {
  return {
    states: leavesOf(chat.machine.value),
    hint: hints[chat.machine.value],
    facts: factsOf(chat),
    choices: () => [
      ...sessionChoices(chat),
      ...chatChoices(chat),
      ...answers(chat),
      ...presses(chat),
      ...waits(chat),
    ],
  };
}

const hints: Readonly<Record<KeyboardSnapshot['value'], string>> = {
  none: 'No message shows plan buttons. One gets them when a plan asks for them and there is a message.',
  attaching: 'Buttons are on their way to a message: Telegram has to answer.',
  owned: 'The newest message shows the buttons. Press one, or let a newer message come.',
  confirming: 'Discard was pressed: the question stands for a minute.',
  stripping: 'Buttons are being taken off a message: Telegram has to answer.',
};

const keyboardText = (keyboard: PlanKeyboard | null): string =>
  keyboard === null ? 'no buttons' : keyboard.buttons.map((button) => words[button]).join(' | ');

function factsOf({ machine, flight, messages }: Chat): Fact[] {
  const { wish, home, strays } = machine.context;
  const shown = [...messages].map(
    ([id, one]) => `${id}${id === home ? ', the newest' : ''}: ${keyboardText(one)}`,
  );
  const sent = flight.map(({ message, keyboard }) => `${message} gets ${keyboardText(keyboard)}`);
  return [
    { label: 'Wanted', text: keyboardText(wish) },
    { label: 'Messages', text: shown.join('\n') || 'none' },
    { label: 'In flight', text: sent.join('\n') || 'nothing' },
    { label: 'Strays', text: strays.map(({ message }) => String(message)).join(', ') || 'none' },
  ];
}

/** A choice that tells the machine something; what Telegram did meanwhile is in `chat`. */
function tells(
  at: Chat,
  named: Pick<Choice, 'id' | 'label' | 'group'>,
  event: KeyboardEvent,
  chat = at,
): Choice {
  const take = (): Taken => {
    const [machine, effects] = keyboardStep(at.machine, event);
    const edits = effects.filter((effect): effect is Edit => effect.type === 'edit.markup');
    const next = {
      ...chat,
      machine,
      flight: [...chat.flight, ...edits],
      now: 'now' in event ? event.now : chat.now,
    };
    const still = effects.length === 0 && chat === at && sameMachine(at.machine, machine);
    const answer = still ? ignored : answerOf(effects);
    return { answer, did: effects.map(inWords), next: sceneOf(next) };
  };
  return { ...named, event: event.type, answer: () => take().answer, take };
}

const sameMachine = (a: KeyboardSnapshot, b: KeyboardSnapshot): boolean =>
  JSON.stringify([a.value, a.context]) === JSON.stringify([b.value, b.context]);

function answerOf(effects: readonly KeyboardEffect[]): SceneAnswer {
  const refusal = effects.find((effect) => effect.type === 'press.refuse');
  if (refusal !== undefined) return { kind: 'refused', code: refusal.code, text: refusals[refusal.code]() };
  return accepted();
}

function inWords(effect: KeyboardEffect): string {
  switch (effect.type) {
    case 'edit.markup':
      return `edit message ${effect.message}: ${keyboardText(effect.keyboard)}`;
    case 'press.act':
      return `the session is asked: ${effect.act}`;
    case 'press.refuse':
      return `the press is answered: ${effect.code}`;
    case 'press.confirm':
      return 'the press is answered: are you sure?';
    case 'press.kept':
      return 'the press is answered: kept';
  }
}

const sessionChoices = (chat: Chat): Choice[] =>
  Object.entries(wishes).map(([id, [label, keyboard]]) =>
    tells(chat, { id: `want.${id}`, label, group: 'The session asks for' }, { type: 'want', keyboard }),
  );

function chatChoices(chat: Chat): Choice[] {
  const group = 'The chat';
  const message = Math.max(0, ...chat.messages.keys()) + 1;
  const messages = new Map(chat.messages).set(message, null);
  const shown = chat.machine.context.shows?.message;
  const newer = tells(
    chat,
    { id: 'chat.newer', label: 'A newer message is there', group },
    { type: 'home', message },
    { ...chat, messages },
  );
  if (shown === undefined) return [newer];
  const left = new Map([...chat.messages].filter(([id]) => id !== shown));
  const gone = { id: 'chat.gone', label: 'The message with the buttons is gone', group };
  const flight = chat.flight.filter((edit) => edit.message !== shown);
  return [newer, tells(chat, gone, { type: 'gone', message: shown }, { ...chat, messages: left, flight })];
}

/** Telegram answers the oldest edit; without one the events are there to see that nothing reacts. */
function answers(chat: Chat): Choice[] {
  const group = 'Telegram answers';
  const [edit, ...flight] = chat.flight;
  const message = edit?.message ?? chat.machine.context.shows?.message ?? 0;
  const failed = edit === undefined ? chat : { ...chat, flight };
  const done = edit === undefined ? chat : { ...failed, messages: withEdit(chat.messages, edit) };
  const { now } = chat;
  const strips = edit !== undefined && edit.keyboard === null;
  return [
    tells(
      chat,
      { id: 'answer.done', label: 'The edit is done', group },
      { type: strips ? 'stripped' : 'attached', message },
      done,
    ),
    tells(
      chat,
      { id: 'answer.failed', label: 'The edit failed', group },
      { type: 'failed', message, until: null, now },
      failed,
    ),
    tells(
      chat,
      { id: 'answer.flood', label: 'Too many requests: wait 30 s', group },
      { type: 'failed', message, until: now + 30_000, now },
      failed,
    ),
    tells(
      chat,
      { id: 'answer.late', label: 'A late answer about an old message', group },
      { type: 'attached', message: 999 },
    ),
  ];
}

const withEdit = (messages: Chat['messages'], { message, keyboard }: Edit): Chat['messages'] =>
  messages.has(message) ? new Map(messages).set(message, keyboard) : messages;

function presses(chat: Chat): Choice[] {
  const { shows, wish } = chat.machine.context;
  const group = 'Somebody presses';
  const press = (
    id: string,
    label: string,
    at: { button: PlanButton; message: number; by?: 'other' },
  ): Choice[] => {
    const drawn = chat.messages.get(at.message) ?? shows?.keyboard ?? wish ?? wishes['review']?.[1] ?? null;
    const callback = drawn === null ? null : parseCallback(encodeCallback(callbackOf[at.button], drawn));
    if (callback === null) return [];
    const { message, by = 'owner' } = at;
    const event = { type: 'press', press: 'press', message, by, callback, now: chat.now } as const;
    return [tells(chat, { id: `press.${id}`, label, group }, event)];
  };
  const message = shows?.message ?? 0;
  const visible = chat.messages.get(message)?.buttons ?? [];
  return [
    ...visible.flatMap((button) => press(button, words[button], { button, message })),
    ...press('other', 'Discard, by another person', { button: 'discard', message, by: 'other' }),
    ...press('old', 'Approve, on an old message', { button: 'approve', message: 998 }),
  ];
}

function waits(chat: Chat): Choice[] {
  const tick = (id: string, label: string, after: number): Choice =>
    tells(
      chat,
      { id: `time.${id}`, label, group: 'Time' },
      { type: 'tick', now: chat.now + after },
      { ...chat, now: chat.now + after },
    );
  return [tick('second', 'A second passes', 1_000), tick('minute', 'A minute passes', 61_000)];
}
