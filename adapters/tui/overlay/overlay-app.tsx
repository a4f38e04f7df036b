import { useApp, useCursor, useInput, usePaste, useWindowSize } from 'ink';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { SessionView } from '../../../machines/index.ts';
import { createCell, type Cell } from '../cell.ts';
import { pasted, presses, type Press } from '../input/keys.ts';
import { LinesView, type Paint } from '../lines-view.tsx';
import type { Store } from '../store.ts';
import { useCell } from '../use-cell.ts';
import { bodyRows, bodySource } from './body.ts';
import { overlayScreen } from './overlay-lines.ts';
import {
  load,
  openOverlay,
  overlayPress,
  standing,
  type Intent,
  type Overlay,
  type OverlaySize,
} from './overlay.ts';

/** What came of an intent: the overlay closes, or stays and says why. */
export type Outcome = { close: true } | { close: false; message: Overlay['message'] };

export interface OverlayAppProps {
  store: Store;
  paint: Paint;
  now: () => number;
  act: (intent: Intent, shown: string | null) => Promise<Outcome>;
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

/** Opening the overlay on a revision counts as shown in full (D45). */
function useShown(store: Store, overlay: Overlay, fits: 'fits' | 'tooSmall'): void {
  const hash = overlay.tab === 'text' && fits === 'fits' ? overlay.revision.hash : null;
  useEffect(() => {
    if (hash !== null) store.dispatch({ type: 'shown', hash });
  }, [store, hash]);
}

interface PressProps extends Omit<OverlayAppProps, 'paint'> {
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
    else cell.set({ ...cell.get(), message: outcome.message });
  };
}

function useOverlayPresses(props: PressProps, size: Omit<OverlaySize, 'now'>): void {
  const { store, now, cell } = props;
  const settle = useSettle(props);
  const press = (one: Press): void => {
    const { view } = store.get();
    const step = overlayPress(cell.get(), view, one, { ...size, now: now() });
    cell.set(step.overlay);
    if (step.intent === null) return;
    if (step.intent.type === 'load') cell.set(load(step.overlay, view, now()));
    else void settle(step.intent);
  };
  useInput((input, key) => presses(input, key).forEach(press));
  usePaste((text) => press(pasted(text)));
}

/** The plan on the full screen. It reads the same store as the inline screen and decides nothing. */
export function OverlayApp({ store, paint, now, act }: OverlayAppProps) {
  const state = useCell(store);
  const { view } = state;
  const { columns, rows: all } = useWindowSize();
  const { setCursorPosition } = useCursor();
  const [cell] = useState(() => createCell(openOverlay(view, now())));
  const overlay = useCell(cell);
  const fits = columns >= smallest.columns && all >= smallest.rows ? 'fits' : 'tooSmall';
  useLoadAtTurnEnd(view, cell, now);
  useShown(store, overlay, fits);

  const rows = Math.max(6, all - 1);
  const { text, path, tasks } = bodySource(overlay, view);
  const body = useMemo(() => bodyRows({ text, path, tasks }, columns), [text, path, tasks, columns]);
  const waiting = state.prompt === null ? 'none' : 'prompt';
  const screen = overlayScreen(overlay, view, body, { cells: columns, rows, waiting });

  const size = { page: screen.page, total: body.length, cells: columns - 3, fits } as const;
  useOverlayPresses({ store, now, act, cell }, size);
  setCursorPosition(screen.cursor ?? undefined);
  return <LinesView lines={screen.lines} paint={paint} />;
}
