import process from 'node:process';

/** How long the kernel may take to carry out a stop, in milliseconds. */
const stopMs = 200;

/**
 * Stops this process's whole job, as Ctrl+Z does in a shell, and resolves when it is continued. A job without a
 * shell that could continue it is not stopped by the kernel; this resolves then too.
 */
export function stopped(): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => {
      clearTimeout(timer);
      process.off('SIGCONT', goOn);
      resolve();
    };
    const timer = setTimeout(goOn, stopMs);
    process.on('SIGCONT', goOn);
    process.kill(0, 'SIGTSTP');
  });
}
