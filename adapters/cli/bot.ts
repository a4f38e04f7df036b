import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { BotState, Watched } from '../bot-port.ts';
import { RuntimeSession, type RuntimeWorld } from '../runtime/index.ts';
import { tryLock } from '../store/sqlite-lock.ts';
import type { BotEnd, BotOptions, Sessions } from '../telegram/index.ts';
import { createBotWatch } from './bot-state.ts';
import { compose, create } from './compose.ts';
import { writableFolder } from './folders.ts';
import { homeFault, type Job, realRoot, startLines, usage } from './job.ts';
import { exitCodes } from './run.ts';
import { endOnCrash, guarded, openLog, type SessionLog } from './session-log.ts';
import { sessionChoices } from './sessions-command.ts';
import { type Process, quoted, type Settings } from './settings.ts';
import { notLoaded } from './trust.ts';

type BotSettings = Pick<BotOptions, 'token' | 'apiRoot' | 'people'>;
type Fault = { error: string };

/** `planchart bot`: no terminal is needed, and what it says goes to stderr. */
export async function bot({ settings, invoked, output }: Job): Promise<number> {
  const wanted = botSettings(settings);
  if ('error' in wanted) return usage(output, wanted.error);
  const home = writableFolder(settings.home);
  if ('cause' in home) return usage(output, homeFault(settings, home.cause));
  const logs = openLog(settings, home.path);
  endOnCrash(logs, output);
  saveMemory();
  for (const line of [notLoaded(settings.folder), ...startLines(settings, logs)])
    if (line !== null) output.line(line);
  return guarded(logs, output, async () => {
    const places = { home: home.path, root: realRoot(settings) };
    const line = (text: string): void => output.line(text);
    const end = await runOn(wanted, { settings, invoked, places, logs, line, signal: endSignal() });
    if (end.kind === 'stopped') return exitCodes.done;
    output.line(end.text);
    return exitCodes.failed;
  });
}

/**
 * It lives for weeks and mostly waits: what 200 turns that begin at once leave behind is given back (decision 0089). The
 * flag is known from V8 13 on; an older one would complain on stderr.
 */
function saveMemory(): void {
  if (Number.parseInt(process.versions.v8, 10) >= 13) setFlagsFromString('--memory-saver-mode');
}

/** `state` is null when no bot runs; `notice` says why, or that one does. */
export interface BotBeside {
  notice: string | null;
  state: Watched<BotState> | null;
  stop: () => Promise<void>;
}

/** The bot beside the terminal UI, with parts of its own: to its sessions it is another process (D36). */
export function botBeside(
  { settings, invoked }: Pick<Job, 'settings' | 'invoked'>,
  places: { home: string; root: string },
  logs: SessionLog,
): BotBeside {
  const on = settings.bot || settings.config.get('telegram.enabled').value === true;
  if (!on) return { notice: null, state: null, stop: async () => undefined };
  const wanted = botSettings(settings);
  if ('error' in wanted) return { notice: wanted.error, state: null, stop: async () => undefined };
  const ending = new AbortController();
  const watch = createBotWatch();
  const line = (text: string): void => {
    logs.log.info('telegram', { text });
    watch.heard(text);
  };
  const running = runOn(wanted, { settings, invoked, places, logs, line, signal: ending.signal }).then(
    (end) => line(end.kind === 'stopped' ? 'The bot has ended.' : end.text),
    (error: unknown) => logs.log.info('telegram.crash', { error }),
  );
  void running.finally(() => watch.ended());
  return {
    notice: 'The Telegram bot runs beside this session; what it says is in the log.',
    state: watch,
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}

interface Running {
  settings: Settings;
  invoked: Process;
  places: { home: string; root: string };
  logs: SessionLog;
  line: (text: string) => void;
  signal: AbortSignal;
}

async function runOn(wanted: BotSettings, running: Running): Promise<BotEnd> {
  const { settings, invoked, places, logs, line, signal } = running;
  const lock = tokenLock(places.home, wanted.token);
  if (lock === null)
    return { kind: 'conflict', text: 'Another planchart of this home runs the bot with this token already.' };
  try {
    const world = await compose(settings, invoked, { ...places, log: logs.log });
    // What the library and its own libraries use that Node wants to drop is no news for people, nor for a screen.
    process.noDeprecation = true;
    // Loaded here: nothing else needs it.
    const { runBot } = await import('../telegram/index.ts');
    const end = await runBot({
      ...wanted,
      sessions: sessionsOf(world, settings.cwd),
      folder: join(places.home, 'planchart', 'telegram'),
      line,
      defect: (error) => {
        logs.log.info('telegram.defect', { error });
        line(`An update could not be handled: ${error instanceof Error ? error.message : String(error)}`);
      },
      signal,
    });
    await world.more?.close();
    return end;
  } finally {
    lock.close();
  }
}

function sessionsOf(world: RuntimeWorld, cwd: string): Sessions {
  return {
    open: (id) => RuntimeSession.open(id, world),
    create: () => create(world, cwd),
    list: () => sessionChoices(world.store),
  };
}

/** One poller per token (B128); the kernel frees the lock when the program ends. */
function tokenLock(home: string, token: string): { close(): void } | null {
  const folder = join(home, 'planchart', 'locks');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = createHash('sha256').update(token).digest('hex').slice(0, 16);
  return tryLock(join(folder, `telegram-${name}.db`), 0);
}

function botSettings({ config }: Settings): BotSettings | Fault {
  const token = config.get('telegram.token').value;
  if (token === null)
    return { error: 'There is no bot token: set TELEGRAM_BOT_TOKEN, or telegram.token in the config file.' };
  const apiRoot = config.get('telegram.api_root').value;
  if (apiRoot !== null && !URL.canParse(apiRoot))
    return { error: `The address of the Bot API server, ${quoted(apiRoot)}, is no URL.` };
  const people = {
    owner: config.get('telegram.owner_id').value,
    allowed: config.get('telegram.allowed_ids').value ?? [],
  };
  return { token, apiRoot, people };
}

/** The first signal ends the bot in order; the second one ends the process as usual. */
function endSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}
