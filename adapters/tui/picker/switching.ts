import type { Actor } from '../../../machines/index.ts';
import type { Controller, ControllerDeps } from '../controller.ts';
import { visibleLine } from '../text.ts';
import { answerItem, notice, type Item } from '../transcript/items.ts';
import { choiceOf, openPicker, type Choice } from './picker.ts';

/** The ways to another session; each asks the engine first, which refuses while a turn runs. */
export interface Switching {
  /** To a new one. */
  fresh(): Promise<void>;
  /** To the one that a typed id means. */
  named(given: string): Promise<void>;
  /** Opens the list. */
  pick(): Promise<void>;
  /** To one that was chosen in the list; a refusal is shown there. */
  choose(session: string): Promise<void>;
}

export function createSwitching(
  { handle, store, sessions, leave }: ControllerDeps,
  { send, tell }: Pick<Controller, 'send' | 'tell'>,
  by: Actor,
): Switching {
  const print = (item: Item | null): void => {
    if (item !== null) store.dispatch({ type: 'items', items: [item] });
  };
  /** Null after a failure, which is printed. */
  const listed = async (): Promise<readonly Choice[] | null> => {
    try {
      return (await sessions?.()) ?? [];
    } catch (error) {
      print(notice('error', error instanceof Error ? error.message : String(error)));
      return null;
    }
  };
  const go = async (session: string | null): Promise<void> => {
    const answer = await tell({ type: 'user.switch', by });
    if (answer !== null && !('code' in answer)) leave({ reason: 'switch', session });
  };
  return {
    fresh: () => go(null),
    async named(given) {
      // Looked up first: leaving for a session that is not there would lead straight back.
      const choices = await listed();
      const found = choices === null ? null : destination(choices, given, handle.id);
      if (found === null) return;
      if ('item' in found) print(found.item);
      else await go(found.session);
    },
    async pick() {
      const choices = await listed();
      if (choices !== null) store.dispatch({ type: 'picker', to: openPicker(choices, handle.id) });
    },
    async choose(session) {
      const answer = await send({ type: 'user.switch', by });
      if (answer === null) return;
      if (!('code' in answer)) return leave({ reason: 'switch', session });
      const { picker } = store.get();
      const note = `${answer.code} ${answer.text}`;
      if (picker === null) print(answerItem(answer));
      else store.dispatch({ type: 'picker', to: { ...picker, note } });
    },
  };
}

function destination(
  choices: readonly Choice[],
  given: string,
  here: string,
): { session: string } | { item: Item } {
  const choice = choiceOf(choices, given);
  if (choice === null) {
    const text = `There is no session ${visibleLine(given)}, or there are several. /sessions lists them.`;
    return { item: notice('error', text) };
  }
  if ('error' in choice) return { item: notice('error', choice.error) };
  return choice.id === here ? { item: notice('info', 'This is that session.') } : { session: choice.id };
}
