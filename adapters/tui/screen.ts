import type { Paint } from './lines-view.tsx';
import type { Drawn } from './prompt/prompt-lines.ts';
import { shrinkRepair } from './reflow.ts';
import type { TerminalOutput } from './screen-stream.ts';
import type { Store } from './store.ts';

/** How both screens draw: changed cells only, and Ctrl+C is a key like any other (D40). */
export const inkOptions = { exitOnCtrlC: false, incrementalRendering: true, interactive: true } as const;

/** `hasColors` knows NO_COLOR and what the terminal can do. */
export function paintOf(stdout: TerminalOutput): Paint {
  return stdout.hasColors?.() === true ? 'colour' : 'plain';
}

/**
 * Ink turns raw mode on only after its first frame and off between two screens. A key in such a gap would
 * be echoed, and Ctrl+C or Ctrl+D would end the program or its input, so the gaps are closed here.
 */
export function raw(stdin: NodeJS.ReadStream, mode: 'on' | 'off'): void {
  if (stdin.isTTY) stdin.setRawMode(mode === 'on');
}

/** Rings the bell when the state says so. Answers a function that stops it. */
export function ring(store: Store, stdout: NodeJS.WriteStream): () => void {
  let rung = store.get().bells;
  return store.subscribe(() => {
    const { bells } = store.get();
    if (bells > rung) stdout.write('\u0007');
    rung = bells;
  });
}

/**
 * Listens before Ink does, so that Ink erases the right rows when the terminal gets narrower. The overlay
 * has the whole screen and needs no repair.
 */
export function repairShrinks(store: Store, stdout: NodeJS.WriteStream, frame: () => Drawn): () => void {
  let columns = stdout.columns;
  const resized = (): void => {
    const narrower = stdout.columns < columns;
    columns = stdout.columns;
    if (narrower && store.get().overlay === 'closed') stdout.write(shrinkRepair(frame(), columns));
  };
  stdout.on('resize', resized);
  return () => {
    stdout.off('resize', resized);
  };
}
