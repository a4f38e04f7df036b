import { homedir } from 'node:os';
import { render, type Instance } from 'ink';
import type { SessionHandle } from '../ports.ts';
import { App } from './app.tsx';
import { shortFolder } from './chrome/words.ts';
import { createController, type Controller, type Leaving } from './controller.ts';
import { onCrash } from './crash.ts';
import { Guard } from './guard.tsx';
import type { Paint } from './lines-view.tsx';
import { act } from './overlay/act.ts';
import { OverlayApp } from './overlay/overlay-app.tsx';
import { ScreenStream, type TerminalOutput } from './screen-stream.ts';
import type { Drawn } from './prompt/prompt-lines.ts';
import { shrinkRepair } from './reflow.ts';
import { initialState } from './state.ts';
import { createStore, type Store } from './store.ts';
import { visibleLine } from './text.ts';
import { notice, type Item } from './transcript/items.ts';
import { replay } from './transcript/replay.ts';

export interface TuiOptions {
  handle: SessionHandle;
  version: string;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  /** Home folder, to write paths as `~/…`; the user's by default. */
  home?: string;
  /** Lines to print before the first turn, e.g. warnings of the config. */
  notices: readonly string[];
  /** Called with the terminal restored when the person asked for another session; null asks for a new one. */
  onSwitch?: (session: string | null) => void;
  /** Builds the one line that a crash prints; by default it names the error and the session (D54). */
  crashLine?: (error: unknown) => string;
}

/** How the terminal UI ended. After a crash the terminal is restored and one line is printed. */
export type TuiEnd = Leaving | { reason: 'crashed'; error: unknown };

function modelWords(handle: SessionHandle): string {
  const { name, label } = handle.model;
  return label ?? name;
}

async function firstItems(options: TuiOptions, folder: string): Promise<Item[]> {
  const { handle, version, notices } = options;
  return [
    { type: 'banner', version, model: modelWords(handle), folder },
    ...notices.map((text) => notice('info', text)),
    ...replay(await handle.transcript()),
  ];
}

function inkOptions({ stdin, stdout }: TuiOptions) {
  return { stdin, stdout, exitOnCtrlC: false, incrementalRendering: true, interactive: true } as const;
}

function paintOf(stdout: TerminalOutput): Paint {
  // `hasColors` knows NO_COLOR and the terminal's own abilities.
  return stdout.hasColors?.() === true ? 'colour' : 'plain';
}

interface Running {
  options: TuiOptions;
  store: Store;
  controller: Controller;
  paint: Paint;
  failed: (error: unknown) => void;
}

/**
 * Ink turns raw mode on only after its first frame and off between two screens. A key in such a gap would
 * be echoed, and Ctrl+C or Ctrl+D would end the program or its input, so the gaps are closed here.
 */
function raw(stdin: NodeJS.ReadStream, mode: 'on' | 'off'): void {
  if (stdin.isTTY) stdin.setRawMode(mode === 'on');
}

/** Shows the plan on the alternate screen; the inline screen is suspended meanwhile. */
async function showOverlay(running: Running, opened: (overlay: Instance | null) => void): Promise<void> {
  const { options, store, controller, paint, failed } = running;
  const screen = new ScreenStream(options.stdout);
  raw(options.stdin, 'on');
  const overlay = render(
    <Guard failed={failed}>
      <OverlayApp
        store={store}
        paint={paint}
        now={Date.now}
        act={(intent, shown) => act(intent, shown, { store, controller })}
      />
    </Guard>,
    {
      ...inkOptions(options),
      stdout: screen as unknown as NodeJS.WriteStream,
      alternateScreen: true,
      patchConsole: false,
    },
  );
  opened(overlay);
  try {
    await overlay.waitUntilExit();
  } finally {
    opened(null);
    overlay.cleanup();
    screen.release();
    raw(options.stdin, 'on');
  }
}

function ring(store: Store, stdout: NodeJS.WriteStream): () => void {
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
function repairShrinks(store: Store, stdout: NodeJS.WriteStream, frame: () => Drawn): () => void {
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

function lastWords(end: TuiEnd, options: TuiOptions): string {
  const resume = `Resume with: planchart --session ${options.handle.id}\n`;
  if (end.reason !== 'crashed') return end.reason === 'left' ? resume : '';
  const error = end.error instanceof Error ? end.error.message : String(end.error);
  const line = options.crashLine?.(end.error) ?? `planchart stopped: ${error} (session ${options.handle.id})`;
  return `${visibleLine(line)}\n`;
}

/** Mounts both screens and waits for the end; whatever the end, the terminal is as it was before. */
async function mounted(options: TuiOptions, store: Store, folder: string): Promise<TuiEnd> {
  const { handle, stdout } = options;
  const ended = Promise.withResolvers<TuiEnd>();
  const failed = (error: unknown): void => ended.resolve({ reason: 'crashed', error });
  const sessions = options.onSwitch === undefined ? 'fixed' : 'switchable';
  const controller = createController({ handle, store, sessions, leave: ended.resolve, now: Date.now });
  const running: Running = { options, store, controller, paint: paintOf(stdout), failed };
  let overlay: Instance | null = null;
  const show = (): Promise<void> =>
    showOverlay(running, (instance) => {
      overlay = instance;
    });
  const facts = { model: modelWords(handle), folder, home: options.home ?? homedir() };
  const deps = { store, controller, handle, home: facts.home, now: Date.now };
  let drawn: Drawn = { lines: [], cursor: null };
  raw(options.stdin, 'on');
  const stopRepair = repairShrinks(store, stdout, () => drawn);
  const inline = render(
    <Guard failed={failed}>
      <App
        deps={deps}
        facts={facts}
        paint={running.paint}
        showOverlay={show}
        onDrawn={(next) => (drawn = next)}
      />
    </Guard>,
    inkOptions(options),
  );
  const stops = [onCrash(failed), ring(store, stdout), stopRepair];
  const end = await ended.promise;
  (overlay as Instance | null)?.unmount();
  if (end.reason !== 'crashed') {
    store.dispatch({ type: 'leave' });
    await inline.waitUntilRenderFlush();
  }
  inline.unmount();
  raw(options.stdin, 'off');
  for (const stop of stops) stop();
  return end;
}

/**
 * Runs the terminal UI until the person leaves, or until it crashes; it never rejects for either. The
 * caller has checked that both streams are terminals (D39). It sends events and renders what it is told.
 */
export async function startTui(options: TuiOptions): Promise<TuiEnd> {
  const { handle, stdout } = options;
  const folder = shortFolder(handle.cwd, options.home ?? homedir());
  const store = createStore(initialState(handle.view(), await firstItems(options, folder)));
  const unsubscribe = handle.subscribe((published) =>
    store.dispatch({ type: 'published', published, now: Date.now() }),
  );
  const end = await mounted(options, store, folder);
  unsubscribe();
  stdout.write(lastWords(end, options));
  if (end.reason === 'switch') options.onSwitch?.(end.session);
  return end;
}
