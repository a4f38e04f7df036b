import { constants } from 'node:os';
import { createFileStore } from '../store/index.ts';
import { compose, openSession } from './compose.ts';
import { realFolder, writableFolder } from './folders.ts';
import { version } from './help.ts';
import { createOutput, type Output } from './output.ts';
import { exitCodes, personsAct, runPrompt } from './run.ts';
import { type Process, quoted, readSettings, type Settings } from './settings.ts';
import { readStatus, statusJson, statusText } from './status.ts';

/** One command line, checked, and where its words go. */
interface Job {
  settings: Settings;
  invoked: Process;
  output: Output;
}

/** Runs one command and answers its exit code. */
export async function start(invoked: Process): Promise<number> {
  const output = createOutput(process);
  const settings = readSettings(invoked);
  if ('error' in settings) return usage(output, settings.error);
  const job = { settings, invoked, output };
  switch (settings.command) {
    case 'status':
      return status(job);
    case 'run':
      return run(job);
    case 'tui':
      return tui(job);
  }
}

/** The root holds the home, so it exists once the home does. */
function realRoot({ root }: Settings): string {
  const found = realFolder(root);
  return 'cause' in found ? root : found.path;
}

function usage(output: Output, line: string): number {
  output.line(line);
  return exitCodes.usage;
}

function homeFault({ home, homeFrom }: Settings, cause: string): string {
  return `${homeFrom} ${quoted(home)} can't be used: ${cause}.`;
}

async function status({ settings, output }: Job): Promise<number> {
  const { home, session } = settings;
  const found = realFolder(home);
  if ('cause' in found && found.kind === 'unusable') return usage(output, homeFault(settings, found.cause));
  const root = realFolder(settings.root);
  const sessions =
    'cause' in found || 'cause' in root
      ? []
      : await readStatus(createFileStore({ home: found.path, root: root.path }), session);
  if (sessions.length === 0 && session !== null) {
    return usage(output, `There is no session ${session} in ${home}.`);
  }
  output.print(settings.json ? statusJson(home, sessions) : statusText(home, sessions));
  return exitCodes.done;
}

async function run({ settings, invoked, output }: Job): Promise<number> {
  const refused = personsAct(settings.prompt);
  if (refused !== null) {
    output.line(refused);
    return exitCodes.needsPerson;
  }
  const home = writableFolder(settings.home);
  if ('cause' in home) return usage(output, homeFault(settings, home.cause));
  const stop = stopSignal();
  if (settings.hint !== null) output.line(settings.hint);
  const world = await compose(settings, invoked, { home: home.path, root: realRoot(settings) });
  const session = await openSession(world, { ...settings, fresh: settings.session === null });
  if ('error' in session) return usage(output, session.error);
  output.line(`Session ${session.id} in ${session.cwd}`);
  const code = await runPrompt(session, settings.prompt, output, stop);
  await session.close();
  return code;
}

/** Aborts on the first signal that asks for the end; the second one ends the process as usual. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

/** A closed terminal or a kill ends the running turn and its command before the program goes (D16). */
function endWithProcess(session: { close(): Promise<void> }): void {
  for (const name of ['SIGTERM', 'SIGHUP'] as const) {
    // Not `once`: a listener that is gone when it runs lets the terminal library end the program at once.
    process.on(name, () => {
      void session.close().finally(() => process.exit(128 + constants.signals[name]));
    });
  }
}

async function tui({ settings, invoked, output }: Job): Promise<number> {
  if (!hasTerminal(invoked)) {
    const line =
      'planchart needs a terminal. Without one use npx planchart run "<prompt>", or npm run demo to watch the whole job.';
    return usage(output, line);
  }
  const home = writableFolder(settings.home);
  if ('cause' in home) return usage(output, homeFault(settings, home.cause));
  const world = await compose(settings, invoked, { home: home.path, root: realRoot(settings) });
  const session = await openSession(world, settings);
  if ('error' in session) return usage(output, session.error);
  endWithProcess(session);
  const { startTui } = await import('../tui/index.ts');
  const end = await startTui({
    handle: session,
    version,
    stdin: process.stdin,
    stdout: process.stdout,
    home: invoked.userHome,
    notices: settings.hint === null ? [] : [settings.hint],
  });
  await session.close();
  return end.reason === 'crashed' ? exitCodes.failed : exitCodes.done;
}

const hasTerminal = ({ env }: Process): boolean =>
  process.stdin.isTTY && process.stdout.isTTY && env['TERM'] !== 'dumb';
