import { unsentOf, waitingHere } from './chrome/waiting.ts';
import { completeWord } from './complete.ts';
import { actor, type Controller } from './controller.ts';
import { inputCells, promptRoom, type FrameSize } from './frame.ts';
import { editOf } from './input/edits.ts';
import type { KeyName, Press } from './input/keys.ts';
import type { SessionView } from '../../machines/index.ts';
import type { SessionHandle } from '../ports.ts';
import { pickerPage } from './picker/picker-lines.ts';
import { pickerPress, type Picker } from './picker/picker.ts';
import { promptPage } from './prompt/prompt-lines.ts';
import { promptPress, type OpenPrompt } from './prompt/prompt.ts';
import { openCompletion } from './state.ts';
import type { Store } from './store.ts';
import { notice } from './transcript/items.ts';

export interface PressDeps {
  store: Store;
  controller: Controller;
  handle: SessionHandle;
  home: string;
  /** Whether the program can switch sessions. */
  sessions: 'fixed' | 'switchable';
  now: () => number;
}

type WaitingSaid = Parameters<Controller['waiting']>[0];

function waitingSaid(
  queue: SessionView['queue'],
  name: KeyName,
  at: 'draft' | 'history',
): WaitingSaid | null {
  const unsent = unsentOf(queue);
  const own = waitingHere(queue);
  if (name === 'ctrl-s' && unsent !== null) return { type: 'queue.send', by: actor, item: unsent.id };
  if (name === 'ctrl-x' && unsent !== null) return { type: 'queue.drop', item: unsent.id };
  return name === 'up' && at === 'draft' && own !== null ? { type: 'queue.drop', item: own.id } : null;
}

/** How long the first of two Esc counts, in milliseconds (D40). */
const escapeTwiceMs = 3000;

function busy(store: Store): boolean {
  return store.get().view.turn !== 'idle';
}

/** Esc twice, or Ctrl+C once, stops a running turn; Ctrl+C while idle asks, then leaves (D40). */
function stopOrLeave(press: Press, { store, controller, now }: PressDeps): 'taken' | 'free' {
  if (press.type !== 'key') return 'free';
  if (press.name === 'ctrl-c') {
    if (busy(store)) void controller.stop();
    else controller.leave('key');
    return 'taken';
  }
  if (press.name !== 'escape') return 'free';
  if (!busy(store)) {
    store.dispatch({ type: 'arm', armed: null });
    return 'taken';
  }
  const { armed } = store.get();
  if (armed?.what === 'stop' && now() < armed.until) {
    store.dispatch({ type: 'arm', armed: null });
    void controller.stop();
  } else {
    const until = now() + escapeTwiceMs;
    store.dispatch({ type: 'arm', armed: { what: 'stop', until, text: 'Press Esc again to stop the turn' } });
  }
  return 'taken';
}

function toPrompt(open: OpenPrompt, press: Press, deps: PressDeps, size: FrameSize): void {
  const { store, controller, handle, home, now } = deps;
  const { page, total } = promptPage(open, promptRoom(size, home));
  const step = promptPress(open, press, { now: now(), cells: inputCells(size), page, total });
  store.dispatch({ type: 'prompt', open: step.open });
  if (step.command !== null) void controller.submit(step.command);
  if (step.answer === null) return;
  if (!handle.answer(open.prompt.id, step.answer)) {
    store.dispatch({ type: 'items', items: [notice('info', 'That question is no longer open.')] });
  }
}

function enter({ store, controller }: PressDeps): void {
  const { text, cursor } = store.get().editor;
  if (text.trim() === '') return;
  if (text.slice(0, cursor).endsWith('\\')) {
    store.dispatch({ type: 'edit', edit: { type: 'backspace' } });
    store.dispatch({ type: 'edit', edit: { type: 'insert', text: '\n' } });
    return;
  }
  store.dispatch({ type: 'edit', edit: { type: 'submit' } });
  void controller.submit(text);
}

/** What a key does to the messages that wait; at an empty input only, where it has nothing else to do (D26). */
function toWaiting(press: Press, { store, controller }: PressDeps): 'taken' | 'free' {
  const { editor, view } = store.get();
  if (press.type !== 'key' || editor.text !== '') return 'free';
  const said = waitingSaid(view.queue, press.name, editor.entry === 0 ? 'draft' : 'history');
  if (said === null) return 'free';
  void controller.waiting(said);
  return 'taken';
}

function toEditor(press: Press, deps: PressDeps, size: FrameSize): void {
  const { store, controller } = deps;
  if (toWaiting(press, deps) === 'taken') return;
  if (press.type === 'key' && press.name === 'enter') return enter(deps);
  if (press.type === 'key' && press.name === 'ctrl-d' && store.get().editor.text === '') {
    return controller.leave('key');
  }
  const change = editOf(press, inputCells(size));
  if (change !== null) store.dispatch({ type: 'edit', edit: change });
}

/** Every key but the one that stops or leaves goes to the open list of sessions. */
function toPicker(picker: Picker, press: Press, deps: PressDeps, size: FrameSize): 'taken' | 'free' {
  if (press.type === 'key' && press.name === 'ctrl-c') return 'free';
  const step = pickerPress(picker, press, pickerPage(picker, promptRoom(size, deps.home)));
  deps.store.dispatch({ type: 'picker', to: step.picker });
  if (step.chosen !== null) void deps.controller.switching.choose(step.chosen);
  return 'taken';
}

/** Tab opens or turns the list of choices; while it is open Esc closes it, and Enter takes what is marked. */
function toCompletion(press: Press, deps: PressDeps): 'taken' | 'free' {
  if (press.type !== 'key') return 'free';
  if (press.name === 'tab' || press.name === 'shiftTab') {
    void completeWord(press.name === 'tab' ? 1 : -1, deps);
    return 'taken';
  }
  const open = openCompletion(deps.store.get());
  if (open === null) return 'free';
  deps.store.dispatch({ type: 'completion', to: null });
  return press.name === 'escape' || (press.name === 'enter' && open.at >= 0) ? 'taken' : 'free';
}

/** One press on the inline screen: the open question has the keys, else the input. */
export function mainPress(press: Press, deps: PressDeps, size: FrameSize): void {
  const { picker, prompt } = deps.store.get();
  if (picker !== null && toPicker(picker, press, deps, size) === 'taken') return;
  if (prompt === null && picker === null && toCompletion(press, deps) === 'taken') return;
  if (stopOrLeave(press, deps) === 'taken') return;
  if (press.type === 'key' && press.name === 'ctrl-p') {
    void deps.controller.show();
    return;
  }
  if (prompt === null) toEditor(press, deps, size);
  else toPrompt(prompt, press, deps, size);
}
