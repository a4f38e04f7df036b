import { homedir } from 'node:os';
import { render, type Instance } from 'ink';
import type { BotState, Watched } from '../bot-port.ts';
import type { SessionHandle, TranscriptEntry } from '../ports.ts';
import { App } from './app.tsx';
import type { StatusFacts } from './chrome/status.ts';
import { shortFolder } from './chrome/words.ts';
import { createController, type Leaving } from './controller.ts';
import { onCrash } from './crash.ts';
import { Guard } from './guard.tsx';
import { keepSeen } from './keep-seen.ts';
import type { PressDeps } from './main-press.ts';
import type { Drawn } from './prompt/prompt-lines.ts';
import { inkOptions, paintOf, raw, repairShrinks, ring } from './screen.ts';
import type { Choice } from './picker/picker.ts';
import { showOverlay, type Running } from './show-overlay.tsx';
import { initialState } from './state.ts';
import { createStore, type Store } from './store.ts';
import { visible, visibleLine } from './text.ts';
import { notice, type Item } from './transcript/items.ts';
import { replay, wroteEarlier } from './transcript/replay.ts';

interface TuiOptions {
  handle: SessionHandle;
  version: string;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  /** Home folder, to write paths as `~/…`; the user's by default. */
  home?: string;
  /** Command line of the person's editor (`$VISUAL`, `$EDITOR`); absent: none is named. */
  editor?: string;
  /** Further words of the command that resumes the session, already quoted for a shell. */
  again?: readonly string[];
  /** Lines to print before the first turn, e.g. warnings of the config. */
  notices: readonly string[];
  /** The bot of this process; absent: there is none. */
  telegram?: Watched<BotState>;
  /** The sessions to go to, the last used first. Absent: this program stays with one. */
  sessions?: () => Promise<readonly Choice[]>;
  /** Builds the one line that a crash prints; by default it names the error and the session (D54). */
  crashLine?: (error: unknown) => string;
}

/** How the terminal UI ended. After a crash the terminal is restored and one line is printed. */
type TuiEnd = Leaving | { reason: 'crashed'; error: unknown };

function modelWords(handle: SessionHandle): string {
  const { name, label } = handle.model;
  return label ?? name;
}

/** The label's first words, for the one row at the bottom; the whole label opens every turn (D5). */
function shortModel(handle: SessionHandle): string {
  const { name, label } = handle.model;
  return label === null ? name : (label.split(':', 1)[0] ?? name);
}

function firstItems(options: TuiOptions, folder: string, entries: readonly TranscriptEntry[]): Item[] {
  const { handle, version, notices } = options;
  return [
    { type: 'banner', version, model: modelWords(handle), folder },
    ...notices.map((text) => notice('info', text)),
    ...replay(entries),
  ];
}

function lastWords(end: TuiEnd, options: TuiOptions): string {
  const words = ['planchart', '--session', options.handle.id, ...(options.again ?? [])];
  const resume = `Resume with: ${visible(words.join(' '))}\n`;
  if (end.reason !== 'crashed') return end.reason === 'left' ? resume : '';
  const error = end.error instanceof Error ? end.error.message : String(end.error);
  const line = options.crashLine?.(end.error) ?? `planchart stopped: ${error} (session ${options.handle.id})`;
  return `${visibleLine(line)}\n`;
}

/** The inline screen. `overlay` is the second one while it is open. */
interface Mounted {
  inline: Instance;
  overlay: () => Instance | null;
  unmount: () => void;
}

function mount(running: Running, options: TuiOptions, facts: StatusFacts): Mounted {
  const { stdin, stdout, store, controller, paint, failed } = running;
  let overlay: Instance | null = null;
  let drawn: Drawn = { lines: [], cursor: null };
  const opened = (instance: Instance | null): void => {
    overlay = instance;
  };
  const onDrawn = (next: Drawn): void => {
    drawn = next;
  };
  raw(stdin, 'on');
  const stops = [repairShrinks(store, stdout, () => drawn), ring(store, stdout), onCrash(failed)];
  const deps: PressDeps = {
    store,
    controller,
    handle: options.handle,
    home: facts.home,
    sessions: options.sessions === undefined ? 'fixed' : 'switchable',
    now: Date.now,
  };
  const show = (): Promise<void> => showOverlay(running, opened);
  const inline = render(
    <Guard failed={failed}>
      <App deps={deps} facts={facts} paint={paint} showOverlay={show} onDrawn={onDrawn} />
    </Guard>,
    { ...inkOptions, stdin, stdout },
  );
  const unmount = (): void => {
    inline.unmount();
    raw(stdin, 'off');
    for (const stop of stops) stop();
  };
  return { inline, overlay: () => overlay, unmount };
}

/** Shows both screens until the end; whatever the end, the terminal is as it was before. */
async function untilEnd(options: TuiOptions, store: Store, facts: StatusFacts): Promise<TuiEnd> {
  const { handle, stdin, stdout } = options;
  const ended = Promise.withResolvers<TuiEnd>();
  const failed = (error: unknown): void => ended.resolve({ reason: 'crashed', error });
  const { sessions = null } = options;
  const controller = createController({ handle, store, sessions, leave: ended.resolve, now: Date.now });
  const stop = new AbortController();
  const running: Running = {
    stdin,
    stdout,
    store,
    controller,
    handle,
    editor: options.editor ?? null,
    paint: paintOf(stdout),
    ended: stop.signal,
    failed,
  };
  const mounted = mount(running, options, facts);
  const end = await ended.promise;
  stop.abort();
  mounted.overlay()?.unmount();
  if (end.reason !== 'crashed') {
    store.dispatch({ type: 'leave' });
    await mounted.inline.waitUntilRenderFlush();
  }
  mounted.unmount();
  return end;
}

function follow(telegram: TuiOptions['telegram'], store: Store): () => void {
  if (telegram === undefined) return () => undefined;
  const tell = (): void => store.dispatch({ type: 'telegram', to: telegram.get() });
  tell();
  return telegram.subscribe(tell);
}

/**
 * Runs the terminal UI until the person leaves, or until it crashes; it never rejects for either. The
 * caller has checked that both streams are terminals (D39). It sends events and renders what it is told.
 */
export async function startTui(options: TuiOptions): Promise<TuiEnd> {
  const { handle, stdout, home = homedir() } = options;
  const facts: StatusFacts = {
    // `/model` changes it while the program runs.
    get model() {
      return shortModel(handle);
    },
    folder: shortFolder(handle.cwd, home),
    home,
  };
  const entries = await handle.transcript();
  const items = firstItems(options, facts.folder, entries);
  // Nothing may be published between the first view and the subscription, so no await stands between them.
  const store = createStore(initialState(handle.view(), items, wroteEarlier(entries)));
  const unsubscribe = handle.subscribe((published) =>
    store.dispatch({ type: 'published', published, now: Date.now() }),
  );
  const kept = keepSeen(store, handle);
  const stopTelegram = follow(options.telegram, store);
  const end = await untilEnd(options, store, facts);
  unsubscribe();
  stopTelegram();
  await kept();
  stdout.write(lastWords(end, options));
  return end;
}
