import { setTimeout as delay } from 'node:timers/promises';
import type { Prompt, Published } from '../../adapters/ports.ts';
import type { SessionView } from '../../machines/index.ts';
import type { InProcess } from '../adapters/tui/screen.ts';
import type { TuiProgram } from '../adapters/tui/tui-program.ts';

/** A terminal UI that a scene is played on: in this process, or a program on a pseudo-terminal. */
export interface Stage {
  see(view: SessionView): Promise<void>;
  publish(...events: readonly Published[]): Promise<void>;
  ask(prompt: Prompt): Promise<void>;
  type(text: string): void;
  /** Waits until the screen fits; answers its rows. */
  shows(wanted: RegExp): Promise<string[]>;
  /** Types until the screen fits: a key in the first moments of a dialog is no answer (B98). */
  press(text: string, wanted: RegExp): Promise<string[]>;
}

export function stageIn(screen: InProcess): Stage {
  const { handle } = screen;
  handle.reply((said) => ({ kind: said.type === 'user.show' ? 'view' : 'accepted', text: '' }));
  const shows = (wanted: RegExp): Promise<string[]> => shown(() => screen.rows(), wanted, 5000);
  return {
    see: async (view) => handle.see(view),
    publish: async (...events) => handle.publish(...events),
    ask: async (prompt) => handle.open(prompt),
    type: (text) => screen.type(text),
    shows,
    async press(text, wanted) {
      for (let tries = 0; ; tries += 1) {
        screen.type(text);
        try {
          return await shown(() => screen.rows(), wanted, 700);
        } catch (error) {
          if (tries === 20) throw error;
        }
      }
    },
  };
}

/** How long a screen stays the same that is at rest. */
export const restMs = 25;

async function shown(rows: () => string[], wanted: RegExp, ms: number): Promise<string[]> {
  const deadline = Date.now() + ms;
  let before = '';
  for (;;) {
    const now = rows().join('\n');
    // Finished parts are printed a few at a time: the screen has to be at rest.
    if (wanted.test(now) && now === before) return rows();
    if (Date.now() > deadline) throw new Error(`Waited for ${String(wanted)}:\n${now}`);
    before = now;
    await delay(restMs);
  }
}

export async function stageOn(program: TuiProgram): Promise<Stage> {
  await program.order({ do: 'reply', to: 'user.show', answer: { kind: 'view', text: '' } });
  return {
    see: (view) => program.order({ do: 'see', view }),
    publish: (...events) => program.order({ do: 'publish', events }),
    ask: (prompt) => program.order({ do: 'open', prompt }),
    type: (text) => program.type(text),
    shows: (wanted) => program.waitFor(wanted),
    press: (text, wanted) => program.press(text, wanted),
  };
}
