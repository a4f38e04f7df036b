import { existsSync, realpathSync } from 'node:fs';
import { createFileStore } from '../store/index.ts';
import { compose, openSession } from './compose.ts';
import { version } from './help.ts';
import { type Process, readSettings, type Settings } from './settings.ts';

/** Runs one command and answers its exit code. The only place below `cli.ts` that writes to the process streams. */
export async function start(invoked: Process): Promise<number> {
  const settings = readSettings(invoked);
  if ('error' in settings) return fail(settings.error);
  try {
    if (settings.command === 'status') return await status(settings);
    if (settings.command === 'tui' && !hasTerminal(invoked)) {
      return fail(
        'planchart needs a terminal. Without one use npx planchart run "<prompt>", or npm run demo to watch the whole job.',
      );
    }
    if (settings.hint !== null) process.stderr.write(`${settings.hint}\n`);
    return settings.command === 'run' ? await run(settings, invoked) : await tui(settings, invoked);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

function fail(line: string): number {
  process.stderr.write(`${line}\n`);
  return 2;
}

const hasTerminal = ({ env }: Process): boolean =>
  process.stdin.isTTY && process.stdout.isTTY && env['TERM'] !== 'dumb';

async function status({ home }: Settings): Promise<number> {
  if (!existsSync(home)) {
    process.stdout.write(`No sessions in ${home}.\n`);
    return 0;
  }
  const { statusText } = await import('./status.ts');
  const resolved = realpathSync(home);
  process.stdout.write(await statusText(createFileStore({ home: resolved }), resolved));
  return 0;
}

async function run(settings: Settings, invoked: Process): Promise<number> {
  const world = await compose(settings, invoked);
  const session = await openSession(world, { ...settings, fresh: settings.session === null });
  if ('error' in session) return fail(session.error);
  const { runPrompt } = await import('./run.ts');
  const stop = (): void => void session.close();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const code = await runPrompt(session, settings.prompt, {
    text: (text) => process.stdout.write(text),
    line: (line) => process.stderr.write(`${line}\n`),
  });
  await session.close();
  return code;
}

async function tui(settings: Settings, invoked: Process): Promise<number> {
  const world = await compose(settings, invoked);
  const session = await openSession(world, settings);
  if ('error' in session) return fail(session.error);
  const { startTui } = await import('../tui/index.ts');
  await startTui({
    handle: session,
    version,
    stdin: process.stdin,
    stdout: process.stdout,
    notices: [],
  });
  await session.close();
  return 0;
}
