import { constants } from 'node:os';
import type { RuntimeSession, RuntimeWorld } from '../runtime/index.ts';
import { StoreError } from '../store/index.ts';
import { type BotBeside, botBeside } from './bot.ts';
import { compose, openSession } from './compose.ts';
import { configured } from './configure.ts';
import { leave } from './extensions.ts';
import { writableFolder } from './folders.ts';
import { version } from './help.ts';
import { homeFault, type Job, realRoot, startLines, usage } from './job.ts';
import { exitCodes } from './run.ts';
import { guarded, openLog, type SessionLog } from './session-log.ts';
import { sessionChoices } from './sessions-command.ts';
import type { CommandLine, Process, Settings } from './settings.ts';
import { askTrust, remember } from './trust.ts';

/** What stays the same from one session to the next. */
interface Program extends Omit<Job, 'settings'> {
  home: string;
  root: string;
  logs: SessionLog;
}

/** One session on screen, until the person leaves it. */
interface Sitting {
  settings: Settings;
  world: RuntimeWorld;
  session: RuntimeSession;
  notices: readonly string[];
}

/** `planchart`: the terminal UI, on one session after the other. */
export async function tui(job: Job): Promise<number> {
  const { settings, invoked, output } = job;
  const unfit = terminalFault(invoked);
  if (unfit !== null) return usage(output, unfit);
  const home = writableFolder(settings.home);
  if ('cause' in home) return usage(output, homeFault(settings, home.cause));
  const asked = await asking(job, home.path);
  if (typeof asked === 'number') return asked;
  const logs = openLog(asked, home.path);
  const program = { invoked, output, home: home.path, root: realRoot(settings), logs };
  return guarded(logs, output, () => sessions(asked, program));
}

/** Asks about a folder that brings settings along and was not answered yet (D53). A number is the exit code. */
async function asking({ settings, invoked, output }: Job, home: string): Promise<Settings | number> {
  const { path, brings, trust } = settings.folder;
  if (brings === null || trust !== 'unasked') return settings;
  const answer = await askTrust({ brings }, process);
  if (answer === null) return exitCodes.cancelled;
  await remember(home, path, answer);
  const again = await configured(settings, invoked);
  return 'errors' in again ? usage(output, ...again.errors) : again;
}

async function sessions(settings: Settings, program: Program): Promise<number> {
  const first = await open(settings, program);
  if ('error' in first) return usage(program.output, first.error);
  const bot = botBeside({ settings, invoked: program.invoked }, program, program.logs);
  let sitting = bot.notice === null ? first : { ...first, notices: [...first.notices, bot.notice] };
  endWithProcess(() => Promise.all([bot.stop(), leave(sitting.session, sitting.world)]));
  for (;;) {
    const end = await show(sitting, program, bot.state);
    await leave(sitting.session, sitting.world);
    if (end.reason !== 'switch') {
      await bot.stop();
      return end.reason === 'crashed' ? exitCodes.failed : exitCodes.done;
    }
    const next = await change(sitting, end.session, program);
    if ('error' in next) return usage(program.output, next.error);
    sitting = next;
  }
}

async function open(settings: Settings, program: Program): Promise<Sitting | { error: string }> {
  const { invoked, home, root, logs } = program;
  const world = await compose(settings, invoked, { home, root, log: logs.log });
  const session = await openSession(world, settings);
  if ('error' in session) return session;
  logs.opened(session.id);
  const { faults } = await session.skills();
  return { settings, world, session, notices: [...startLines(settings, logs), ...faults] };
}

async function show(
  { settings, world, session, notices }: Sitting,
  { invoked, logs }: Program,
  telegram: BotBeside['state'],
) {
  const { startTui } = await import('../tui/index.ts');
  const editor = (invoked.env['VISUAL'] || invoked.env['EDITOR'] || '').trim();
  return startTui({
    handle: session,
    version,
    stdin: process.stdin,
    stdout: process.stdout,
    home: invoked.userHome,
    again: settings.again,
    ...(editor === '' ? {} : { editor }),
    notices,
    ...(telegram === null ? {} : { telegram }),
    sessions: () => sessionChoices(world.store),
    crashLine: (error) => logs.crashLine(error),
  });
}

/** The session that was asked for; null: a new one. One that can't be opened leads back, with the reason. */
async function change(
  left: Sitting,
  wanted: string | null,
  program: Program,
): Promise<Sitting | { error: string }> {
  const next = await openAs(lineFor(left, wanted), program);
  if (!('error' in next)) return next;
  const back = await openAs(lineFor(left, left.session.id), program);
  return 'error' in back ? back : { ...back, notices: [next.error] };
}

/** A session keeps its own folder, and what was typed for the first one, such as --yolo, was typed for that (D2). */
function lineFor({ settings, session }: Sitting, wanted: string | null): CommandLine {
  const { cwd } = session;
  const own = { cwd, cwdGiven: false, yolo: false, project: null };
  return { ...settings, ...own, session: wanted, fresh: wanted === null };
}

/** With the settings of its own folder, which another one's trust does not cover (D53). */
async function openAs(line: CommandLine, program: Program): Promise<Sitting | { error: string }> {
  try {
    const settings = await configured(line, program.invoked);
    if ('errors' in settings) return { error: settings.errors.join(' ') };
    const asked = await asking({ ...program, settings }, program.home);
    if (typeof asked === 'number')
      return { error: `Whether to load ${settings.folder.brings ?? 'its settings'} was not answered.` };
    return await open(asked, program);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { error: error.message };
  }
}

/** A closed terminal or a kill ends the running turn and its command before the program goes (D16). */
function endWithProcess(end: () => Promise<unknown>): void {
  for (const name of ['SIGTERM', 'SIGHUP'] as const) {
    // Not `once`: a listener that is gone when it runs lets the terminal library end the program at once.
    process.on(name, () => {
      void end().finally(() => process.exit(128 + constants.signals[name]));
    });
  }
}

function terminalFault({ env }: Process): string | null {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    return 'planchart needs a terminal. Without one use npx planchart run "<prompt>", or npm run demo to watch the whole job.';
  if (env['TERM'] !== 'dumb') return null;
  return 'planchart needs a terminal that can draw, and TERM is "dumb". Set TERM to what this terminal is, such as xterm-256color, or use npx planchart run "<prompt>".';
}
