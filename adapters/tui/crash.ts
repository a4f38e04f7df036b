import process from 'node:process';

/** Calls back once for an error that nothing caught; answers a function that stops listening. */
export function onCrash(crashed: (error: unknown) => void): () => void {
  const once = (error: unknown): void => {
    stop();
    crashed(error);
  };
  const stop = (): void => {
    process.off('uncaughtException', once);
    process.off('unhandledRejection', once);
  };
  process.on('uncaughtException', once);
  process.on('unhandledRejection', once);
  return stop;
}
