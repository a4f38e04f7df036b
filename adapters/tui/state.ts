import type { ContextUse, SessionView } from '../../machines/index.ts';
import type { BotState } from '../bot-port.ts';
import type { Published } from '../ports.ts';
import type { Completion } from './input/completion.ts';
import { edit, emptyEditor, type Edit, type Editor } from './input/editor.ts';
import type { Picker } from './picker/picker.ts';
import { openPrompt, type OpenPrompt } from './prompt/prompt.ts';
import type { CardItem, Item } from './transcript/items.ts';
import { append, emptyTranscript, follow, type Transcript } from './transcript/transcript.ts';

/** A key that acts only when it comes twice, the second time before `until` (milliseconds). */
export interface Armed {
  what: 'stop' | 'leave';
  until: number;
  /** What a second press does, for people. */
  text: string;
}

/** Everything this surface shows. No rule of the product lives here: `view` is the engine's. */
export interface TuiState {
  view: SessionView;
  transcript: Transcript;
  /** How many finished parts may be printed; null: all. Held back while the overlay owns the screen. */
  printable: number | null;
  prompt: OpenPrompt | null;
  /** The list of sessions while it is open; a question closes it. */
  picker: Picker | null;
  editor: Editor;
  /** The list of choices that Tab has opened; over as soon as the text is another one. */
  completion: Completion | null;
  overlay: 'closed' | 'open';
  /** Hash of the revision last shown in full here (D45). */
  shown: string | null;
  /** The last two texts that were shown in full here, the newest last (D49). */
  seen: readonly { hash: string; text: string }[];
  /** Hash of the last one of them, also of one that was shown before a restart. */
  saw: string | null;
  /** Tokens in use by the conversation, as last told (D27); null: not told yet. */
  context: ContextUse | null;
  /** The turn whose parts this process publishes; null between turns and for turns that run elsewhere. */
  turn: string | null;
  /** A turn has ended and the view after it was not looked at yet. */
  reviewDue: boolean;
  /** Hash of the revision whose card was printed, so that it is said once (D50). */
  announced: string | null;
  /** Rings of the terminal bell so far. */
  bells: number;
  armed: Armed | null;
  /** How the bot of this process stands to Telegram; null: there is none. */
  telegram: BotState | null;
  leaving: boolean;
}

export type Action =
  | { type: 'published'; published: Published; now: number }
  | { type: 'items'; items: readonly Item[] }
  | { type: 'edit'; edit: Edit }
  | { type: 'completion'; to: Completion | null }
  | { type: 'restore'; text: string }
  | { type: 'prompt'; open: OpenPrompt }
  | { type: 'picker'; to: Picker | null }
  | { type: 'overlay'; to: 'closed' | 'open' }
  | { type: 'shown'; hash: string; text: string }
  | { type: 'arm'; armed: Armed | null }
  | { type: 'saw'; hash: string | null }
  | { type: 'telegram'; to: BotState }
  | { type: 'leave' };

/** `history` is what the person wrote earlier in this session, oldest first. */
export function initialState(
  view: SessionView,
  items: readonly Item[],
  history: readonly string[] = [],
): TuiState {
  return {
    view,
    transcript: { ...emptyTranscript, items },
    printable: null,
    prompt: null,
    picker: null,
    editor: { ...emptyEditor, history },
    completion: null,
    overlay: 'closed',
    shown: null,
    seen: [],
    saw: null,
    context: null,
    turn: null,
    reviewDue: false,
    // A plan that waits since an earlier run is in the strip; it is not news.
    announced: view.document?.hash ?? null,
    bells: 0,
    armed: null,
    telegram: null,
    leaving: false,
  };
}

function card(view: SessionView): CardItem {
  return {
    type: 'card',
    title: view.title ?? 'Session plan',
    steps: view.document?.steps ?? 0,
    faults: view.document?.faults ?? [],
    hint: view.decisions.approve === 'off' ? (view.decisions.why ?? '') : '',
  };
}

/** At turn end, once per revision: the card, and the bell when the plan can be approved (D45, D50). */
function announce(state: TuiState): TuiState {
  const { view } = state;
  if (!state.reviewDue || view.turn !== 'idle' || state.turn !== null) return state;
  const calm = { ...state, reviewDue: false };
  const hash = view.document?.hash ?? null;
  const reviewable = view.decisions.revise && view.decisions.approve !== 'hidden';
  if (!reviewable || hash === null || hash === state.announced) return calm;
  return {
    ...calm,
    announced: hash,
    bells: view.decisions.approve === 'on' ? state.bells + 1 : state.bells,
    transcript: append(state.transcript, card(view)),
  };
}

/** Puts text back into the input, once: what already stands there is not doubled. */
function restore(editor: Editor, text: string): Editor {
  const current = editor.text;
  const stands = [text, `/plan ${text}`].some((line) => `\n${current}\n`.includes(`\n${line}\n`));
  if (text === '' || stands) return editor;
  return edit(editor, { type: 'set', text: current === '' ? text : `${text}\n${current}` });
}

/** Also the end of a turn that another process runs, of which only views are told. */
function endsTurn(state: TuiState, view: SessionView): boolean {
  return state.view.turn !== 'idle' && view.turn === 'idle';
}

function published(state: TuiState, event: Published, now: number): TuiState {
  const next = { ...state, transcript: follow(state.transcript, event) };
  switch (event.type) {
    case 'view':
      return announce({
        ...next,
        view: event.view,
        // The text of another plan is nothing to compare with.
        ...(event.view.plan === state.view.plan ? {} : { seen: [], saw: null }),
        reviewDue: next.reviewDue || endsTurn(state, event.view),
      });
    case 'prompt.opened':
      return { ...next, prompt: openPrompt(event.prompt, now), picker: null };
    case 'prompt.closed':
      return state.prompt?.prompt.id === event.id ? { ...next, prompt: null } : next;
    case 'returned':
      return { ...next, editor: restore(state.editor, event.text) };
    case 'turn.ended':
      return announce({ ...next, turn: null, reviewDue: true, prompt: null });
    case 'turn.started':
      return { ...next, turn: event.turn };
    case 'context':
      return { ...next, context: { used: event.used, window: event.window } };
    case 'user':
    case 'text':
    case 'reasoning':
    case 'message.ended':
    case 'tool.started':
    case 'tool.progress':
    case 'tool.ended':
    case 'notice':
      return next;
  }
}

/** The open list of choices, if it still belongs to what stands in the input. */
export function openCompletion({ completion, editor, prompt, picker }: TuiState): Completion | null {
  if (completion === null || prompt !== null || picker !== null) return null;
  return completion.input === editor.text ? completion : null;
}

function sawAlso(seen: TuiState['seen'], { hash, text }: { hash: string; text: string }): TuiState['seen'] {
  return [...seen.filter((one) => one.hash !== hash), { hash, text }].slice(-2);
}

/** The next state of the surface. */
export function reduce(state: TuiState, action: Action): TuiState {
  switch (action.type) {
    case 'published':
      return published(state, action.published, action.now);
    case 'items':
      return { ...state, transcript: append(state.transcript, ...action.items) };
    case 'edit':
      return { ...state, editor: edit(state.editor, action.edit) };
    case 'completion':
      return { ...state, completion: action.to };
    case 'restore':
      return { ...state, editor: restore(state.editor, action.text) };
    case 'prompt':
      return { ...state, prompt: action.open };
    case 'picker':
      return { ...state, picker: action.to };
    case 'overlay': {
      const printable = action.to === 'open' ? state.transcript.items.length : null;
      return { ...state, overlay: action.to, printable };
    }
    case 'shown':
      return { ...state, shown: action.hash, saw: action.hash, seen: sawAlso(state.seen, action) };
    case 'arm':
      return { ...state, armed: action.armed };
    case 'saw':
      return { ...state, saw: action.hash };
    case 'telegram':
      return { ...state, telegram: action.to };
    case 'leave':
      return { ...state, leaving: true, printable: null };
  }
}
