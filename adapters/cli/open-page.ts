import { spawn } from 'node:child_process';
import type { Process } from './settings.ts';

/** A browser may keep its opener waiting; this long without a fault is no fault. */
const openedAfter = 3_000;

function opener(): [command: string, ...args: string[]] {
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
}

/** Opens a file or an address in the browser. Null once it was handed over, else why it was not, as a sentence. */
export function openPage(page: string, env: Process['env']): Promise<string | null> {
  const [command, ...args] = opener();
  const { promise, resolve: tell } = Promise.withResolvers<string | null>();
  const child = spawn(command, [...args, page], { env: { ...env }, stdio: 'ignore', detached: true });
  const timer = setTimeout(() => tell(null), openedAfter);
  child.once('error', () => tell(`Nothing here opens a page: ${command} is not there.`));
  child.once('exit', (code) =>
    tell(code === 0 ? null : `${command} could not open the page (exit code ${code ?? 'unknown'}).`),
  );
  child.unref();
  return promise.finally(() => clearTimeout(timer));
}
