import process from 'node:process';
import { useApp } from 'ink';
import { useEffect, useRef } from 'react';
import { stopped } from './stopped.ts';

/**
 * Ctrl+Z and a stop signal from elsewhere: the terminal is given back, the program stops with its job, and when it
 * is continued the screen is drawn anew. A continuation after a stop that could not be seen coming (SIGSTOP) draws
 * anew as well. `here` says whether this screen has the terminal. Answers what Ctrl+Z does.
 */
export function useStops(
  here: 'here' | 'away',
  around: (stop: () => Promise<void>) => Promise<void>,
): () => void {
  const { suspendTerminal } = useApp();
  const state = useRef<'running' | 'stopping'>('running');
  const pause = useRef((): void => undefined);
  useEffect(() => {
    if (here === 'away') return;
    const handOver = (work: () => Promise<void>): void => {
      if (state.current === 'stopping') return;
      state.current = 'stopping';
      void suspendTerminal(() => around(work)).finally(() => {
        state.current = 'running';
      });
    };
    const stop = (): void => {
      handOver(async () => {
        // With a listener the signal would stop nothing.
        process.off('SIGTSTP', stop);
        await stopped();
        process.on('SIGTSTP', stop);
      });
    };
    const drawAnew = (): void => handOver(() => Promise.resolve());
    process.on('SIGTSTP', stop);
    process.on('SIGCONT', drawAnew);
    pause.current = stop;
    return () => {
      process.off('SIGTSTP', stop);
      process.off('SIGCONT', drawAnew);
    };
  }, [here, around, suspendTerminal]);
  return () => pause.current();
}
