import { useStdout } from 'ink';
import { useCallback, useLayoutEffect } from 'react';

/** Reports of presses, the wheel among them, in the form whose numbers have no limit (SGR). */
const on = '\u001b[?1000h\u001b[?1006h';
const off = '\u001b[?1006l\u001b[?1000l';

/**
 * Asks the terminal for the mouse as long as the component is mounted. A layout effect: its end runs before Ink
 * leaves the alternate screen, at an unmount by a crash or a signal too (D40). Answers what does some work with the
 * mouse given back meanwhile.
 */
export function useMouse(): (work: () => Promise<void>) => Promise<void> {
  const { stdout } = useStdout();
  useLayoutEffect(() => {
    stdout.write(on);
    return () => {
      stdout.write(off);
    };
  }, [stdout]);
  return useCallback(
    async (work) => {
      stdout.write(off);
      await work();
      stdout.write(on);
    },
    [stdout],
  );
}
