import { readFileSync } from 'node:fs';
import { serveLive } from '../charts/live/server.ts';
import { createLook } from '../charts/live/look.ts';
import { systemClock } from '../clock.ts';
import type { SessionStore } from '../ports.ts';
import { createFileStore, readChatKeyboard, readJournal } from '../store/index.ts';
import { lastIn } from './compose.ts';
import { realFolder } from './folders.ts';
import { homeFault, type Job, realRoot, usage } from './job.ts';
import { openPage } from './open-page.ts';
import { exitCodes } from './run.ts';
import { noSuchSession } from './sessions-command.ts';

/** Lines of the journal that a look reads: enough for the page, and to tell since when a state lasts. */
const lookedLines = 400;

/** `planchart charts --live`: follows a session of any process until it is interrupted. Writes nothing. */
export async function liveCommand({ settings, invoked, output }: Job, page: string): Promise<number> {
  const home = realFolder(settings.home);
  if ('cause' in home) return usage(output, homeFault(settings, home.cause));
  const store = createFileStore({ home: home.path, root: realRoot(settings) });
  const session = await wanted(store, settings);
  if ('error' in session) return usage(output, session.error);
  const { id } = session;
  const ended = interrupted();
  const look = createLook();
  const server = await serveLive({
    page: readFileSync(page, 'utf8'),
    look: async () => {
      const stored = await store.read(id);
      const keyboard = readChatKeyboard(home.path, id);
      const journal = readJournal(store.paths(id).own, lookedLines);
      return look({ stored, journal, keyboard }, systemClock.now());
    },
  });
  const address = `${server.url}?live`;
  output.print(`${address}\n`);
  output.line(`Session ${id}, read-only. Ctrl+C ends it.`);
  const fault = settings.open ? await openPage(address, invoked.env) : null;
  if (fault !== null) output.line(fault);
  await ended;
  await server.close();
  return exitCodes.done;
}

async function wanted(
  store: SessionStore,
  { session, cwd }: Job['settings'],
): Promise<{ id: string } | { error: string }> {
  const known = await store.list();
  const id = session ?? lastIn(cwd, known);
  if (id === null) return { error: `There is no session in ${cwd} yet. planchart sessions lists all.` };
  return known.some((one) => one.id === id) ? { id } : { error: noSuchSession(id) };
}

/** Heard from the start: a signal that comes before the page is served ends the program as well. */
function interrupted(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve());
  return promise;
}
