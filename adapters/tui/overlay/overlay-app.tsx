import { useApp, useCursor, useInput, usePaste, useWindowSize } from 'ink';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { SessionView } from '../../../machines/index.ts';
import { createCell, type Cell } from '../cell.ts';
import { pasted, presses, type Press } from '../input/keys.ts';
import type { Wheel } from '../input/wheel.ts';
import { LinesView, type Paint } from '../lines-view.tsx';
import type { Store } from '../store.ts';
import { useCell } from '../use-cell.ts';
import { useMouse } from '../use-mouse.ts';
import { useStops } from '../use-stops.ts';
import { bodyRows, bodySource } from './body.ts';
import type { Base } from './changes.ts';
import { overlayScreen } from './overlay-lines.ts';
import {
  load,
  newsFor,
  openOverlay,
  overlayPress,
  standing,
  type Intent,
  type Overlay,
  type OverlaySize,
  type Start,
} from './overlay.ts';

/** What came of an intent: the overlay closes, or stays and says why. */
export type Outcome = { close: true } | { close: false; message: Overlay['message']; base?: Base };

export interface OverlayAppProps {
  store: Store;
  paint: Paint;
  now: () => number;
  act: (intent: Intent, shown: string | null) => Promise<Outcome>;
  /** Tells of the mouse wheel; answers a function that stops it. */
  wheel: Wheel['listen'];
  /** Where to begin after the editor. */
  start: Start | undefined;
}

const smallest = { columns: 40, rows: 12 };

/** A revision that a turn wrote while the overlay was open is loaded when the turn ends (D44). */
function useLoadAtTurnEnd(view: SessionView, cell: Cell<Overlay>, now: () => number): void {
  const before = useRef(view.turn);
  useEffect(() => {
    const ended = before.current !== 'idle' && view.turn === 'idle';
    before.current = view.turn;
    const overlay = cell.get();
    if (ended && overlay.mode === 'reading' && standing(overlay, view) === 'stale') {
      cell.set(load(overlay, view, now()));
    }
  });
}

const notShown = { hash: null, text: null };

/** Opening the overlay on a revision counts as shown in full (D45). */
function useShown(store: Store, overlay: Overlay, fits: 'fits' | 'tooSmall'): void {
  const { hash, text } = overlay.tab === 'text' && fits === 'fits' ? overlay.revision : notShown;
  useEffect(() => {
    if (hash !== null && text !== null) store.dispatch({ type: 'shown', hash, text });
  }, [store, hash, text]);
}

/** Turns to the comparison when there is one. */
function compared(base: Base | undefined): Partial<Overlay> {
  return base === undefined ? {} : { base, tab: 'changes', top: 0 };
}

interface PressProps extends Pick<OverlayAppProps, 'store' | 'now' | 'act' | 'wheel'> {
  cell: Cell<Overlay>;
}

/** Sends what a key asked for, one answer at a time: a second press while the first is on its way does nothing. */
function useSettle({ act, cell }: PressProps): (intent: Intent) => Promise<void> {
  const { exit } = useApp();
  const sending = useRef<'idle' | 'sending'>('idle');
  return async (intent) => {
    if (sending.current === 'sending') return;
    sending.current = 'sending';
    const outcome = await act(intent, cell.get().revision.hash);
    sending.current = 'idle';
    if (outcome.close) exit();
    else cell.set({ ...cell.get(), message: outcome.message, ...compared(outcome.base) });
  };
}

function useOverlayPresses(props: PressProps, size: Omit<OverlaySize, 'now'>): void {
  const { store, now, cell, wheel } = props;
  const settle = useSettle(props);
  const pause = useStops('here', useMouse());
  const press = (one: Press): void => {
    if (one.type === 'key' && one.name === 'ctrl-z') return pause();
    const { view } = store.get();
    const step = overlayPress(cell.get(), view, one, { ...size, now: now() });
    cell.set(step.overlay);
    if (step.intent === null) return;
    if (step.intent.type === 'load') cell.set(load(step.overlay, view, now()));
    else void settle(step.intent);
  };
  useInput((input, key) => presses(input, key).forEach(press));
  usePaste((text) => press(pasted(text)));
  useEffect(() => wheel((name) => press({ type: 'key', name })));
}

/** The plan on the full screen. It reads the same store as the inline screen and decides nothing. */
export function OverlayApp({ store, paint, now, act, wheel, start }: OverlayAppProps) {
  const state = useCell(store);
  const { view } = state;
  const { columns, rows: all } = useWindowSize();
  const { setCursorPosition } = useCursor();
  const [cell] = useState(() => createCell(openOverlay(view, now(), start ?? newsFor(state))));
  const overlay = useCell(cell);
  const fits = columns >= smallest.columns && all >= smallest.rows ? 'fits' : 'tooSmall';
  useLoadAtTurnEnd(view, cell, now);
  useShown(store, overlay, fits);

  const rows = Math.max(6, all - 1);
  const { text, path, tasks, base } = bodySource(overlay, view);
  const body = useMemo(
    () => bodyRows({ text, path, tasks, base }, columns),
    [text, path, tasks, base, columns],
  );
  const waiting = state.prompt === null ? 'none' : 'prompt';
  const screen = overlayScreen(overlay, view, body, { cells: columns, rows, waiting });

  const size = { page: screen.page, total: body.length, cells: columns - 3, fits } as const;
  useOverlayPresses({ store, now, act, wheel, cell }, size);
  setCursorPosition(screen.cursor ?? undefined);
  return <LinesView lines={screen.lines} paint={paint} />;
}
