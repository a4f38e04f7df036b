import { Box, Static, useApp, useCursor, useInput, usePaste, useWindowSize } from 'ink';
import { useEffect, useMemo, useReducer, useState } from 'react';
import type { StatusFacts } from './chrome/status.ts';
import { frame, type FrameSize } from './frame.ts';
import { pasted, presses, type Press } from './input/keys.ts';
import { LinesView, type Paint } from './lines-view.tsx';
import { mainPress, type PressDeps } from './main-press.ts';
import type { Drawn } from './prompt/prompt-lines.ts';
import type { TuiState } from './state.ts';
import { gapBetween, itemLines } from './transcript/item-lines.ts';
import type { Item } from './transcript/items.ts';
import { useCell } from './use-cell.ts';
import { useStops } from './use-stops.ts';

export interface AppProps {
  deps: PressDeps;
  facts: StatusFacts;
  paint: Paint;
  /** Shows the overlay on the alternate screen while the inline one is suspended; settles when it closes. */
  showOverlay: () => Promise<void>;
  /** Told what is on the screen after every drawing. */
  onDrawn: (drawn: Drawn) => void;
}

/** Redraws once a second while a clock runs, and when an armed key expires; never otherwise (B93). */
function useClock(state: TuiState, now: () => number): number {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  const clock = state.view.running !== null && state.view.running.waiting === null;
  useEffect(() => {
    if (!clock) return;
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [clock]);
  return now();
}

function useArmedExpiry({ store, now }: PressDeps, state: TuiState): void {
  const armed = state.armed;
  useEffect(() => {
    if (armed === null) return;
    const expire = (): void => store.dispatch({ type: 'arm', armed: null });
    const timer = setTimeout(expire, Math.max(0, armed.until - now()));
    return () => clearTimeout(timer);
  }, [armed, store, now]);
}

const asIs = (work: () => Promise<void>): Promise<void> => work();

function usePresses(deps: PressDeps, size: FrameSize, overlay: TuiState['overlay']): void {
  const pause = useStops(overlay === 'closed' ? 'here' : 'away', asIs);
  const press = (one: Press): void => {
    if (one.type === 'key' && one.name === 'ctrl-z') pause();
    else mainPress(one, deps, size);
  };
  useInput((input, key) => presses(input, key).forEach(press));
  usePaste((text) => press(pasted(text)));
}

function useOverlay(state: TuiState, deps: PressDeps, showOverlay: () => Promise<void>): void {
  const { suspendTerminal } = useApp();
  const { store } = deps;
  useEffect(() => {
    if (state.overlay !== 'open') return;
    const close = (): void => store.dispatch({ type: 'overlay', to: 'closed' });
    void suspendTerminal(showOverlay).finally(close);
  }, [state.overlay, suspendTerminal, showOverlay, store]);
}

/** How many parts of an older session are drawn at once: all at once would take 60 MB more, and keep them. */
const batch = 3;

/** How many finished parts are printed by now. Once it has caught up, each one is printed with the next drawing. */
function usePrinting(count: number): number {
  const [printing, print] = useState(batch);
  useEffect(() => {
    if (printing === Infinity) return;
    const next = setImmediate(() => print(printing >= count ? Infinity : printing + batch));
    return () => clearImmediate(next);
  }, [printing, count]);
  return printing;
}

/** The finished parts. It stays mounted for good: mounting it again would print everything once more. */
function Printed({ items, columns, paint }: { items: readonly Item[]; columns: number; paint: Paint }) {
  return (
    <Static items={[...items]}>
      {(item, index) => {
        const lines = itemLines(item, columns);
        const gap = gapBetween(items[index - 1], item) === 'gap' && lines.length > 0;
        return (
          <Box key={index} flexDirection="column">
            <LinesView lines={gap ? [[], ...lines] : lines} paint={paint} />
          </Box>
        );
      }}
    </Static>
  );
}

/** The inline screen: the transcript, printed once, and the live part below it. */
export function App({ deps, facts, paint, showOverlay, onDrawn }: AppProps) {
  const state = useCell(deps.store);
  const size = useWindowSize();
  const { setCursorPosition } = useCursor();
  usePresses(deps, size, state.overlay);
  useOverlay(state, deps, showOverlay);
  useArmedExpiry(deps, state);
  const now = useClock(state, deps.now);
  const all = state.transcript.items;
  const printing = usePrinting(all.length);
  const printable = state.leaving ? all.length : Math.min(state.printable ?? all.length, printing);
  const items = useMemo(() => all.slice(0, printable), [all, printable]);
  const drawn = frame(state, facts, size, now);
  setCursorPosition(drawn.cursor ?? undefined);
  useEffect(() => {
    onDrawn(drawn);
  });
  return (
    <>
      <Printed items={items} columns={size.columns} paint={paint} />
      {drawn.lines.length === 0 ? null : <LinesView lines={drawn.lines} paint={paint} />}
    </>
  );
}
