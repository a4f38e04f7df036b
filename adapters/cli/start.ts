import { createFileStore } from '../store/index.ts';
import { bot } from './bot.ts';
import { compose } from './compose.ts';
import { readSettings } from './configure.ts';
import { realFolder, writableFolder } from './folders.ts';
import { homeFault, type Job, realRoot, usage } from './job.ts';
import { createOutput } from './output.ts';
import { exitCodes } from './run.ts';
import { run } from './run-command.ts';
import { openLog } from './session-log.ts';
import { noSuchSession, renameSession, sessionsJson, sessionsText } from './sessions-command.ts';
import type { Process } from './settings.ts';
import { readStatus, statusJson, statusText, undeliveredTo } from './status.ts';
import { trustCommand } from './trust.ts';
import { tui } from './tui-command.ts';

/** Runs one command and answers its exit code. */
export async function start(invoked: Process): Promise<number> {
  const output = createOutput(process);
  const settings = await readSettings(invoked);
  if ('errors' in settings) return usage(output, ...settings.errors);
  const job = { settings, invoked, output };
  switch (settings.command) {
    case 'sessions':
    case 'status':
      return list(job);
    case 'rename':
      return rename(job);
    case 'doctor':
      return doctor(job);
    case 'config':
      return config(job);
    case 'trust':
      return trust(job);
    case 'charts':
      return charts(job);
    case 'replay':
      return replay(job);
    case 'run':
      return run(job);
    case 'bot':
      return bot(job);
    case 'tui':
      return tui(job);
  }
}

/** Changes nothing on disk. */
async function list({ settings, output }: Job): Promise<number> {
  const { home, session, command, json } = settings;
  const found = realFolder(home);
  if ('cause' in found && found.kind === 'unusable') return usage(output, homeFault(settings, found.cause));
  const root = realFolder(settings.root);
  const sessions =
    'cause' in found || 'cause' in root
      ? []
      : await readStatus(
          createFileStore({ home: found.path, root: root.path }),
          session,
          await undeliveredTo(found.path),
        );
  if (sessions.length === 0 && session !== null) return usage(output, noSuchSession(session));
  const [text, forScripts] = command === 'status' ? [statusText, statusJson] : [sessionsText, sessionsJson];
  output.print((json ? forScripts : text)(home, sessions));
  return exitCodes.done;
}

async function rename({ settings, invoked, output }: Job): Promise<number> {
  const { session, name } = settings;
  const home = realFolder(settings.home);
  if ('cause' in home)
    return usage(
      output,
      home.kind === 'unusable' ? homeFault(settings, home.cause) : noSuchSession(session ?? ''),
    );
  const { log } = openLog(settings, home.path);
  const world = await compose(settings, invoked, { home: home.path, root: realRoot(settings), log });
  const renamed = await renameSession(world, session ?? '', name);
  if ('error' in renamed) return usage(output, renamed.error);
  output.print(`${renamed.text}\n`);
  return exitCodes.done;
}

/** Changes nothing and asks no server. Loaded here: no other command needs it. */
async function doctor({ settings, invoked, output }: Job): Promise<number> {
  const { doctorExit, doctorJson, doctorText, examine } = await import('./doctor.ts');
  const checks = await examine(settings, invoked, process);
  output.print(settings.json ? doctorJson(checks) : doctorText(checks));
  return doctorExit(checks);
}

/** Changes nothing. Loaded here, as above. */
async function config({ settings, output }: Job): Promise<number> {
  const { configJson, configText } = await import('./config-command.ts');
  for (const warning of settings.config.warnings) output.line(warning);
  output.print(settings.json ? configJson(settings) : configText(settings));
  return exitCodes.done;
}

/** Loaded here, as above. */
async function charts(job: Job): Promise<number> {
  const { chartsCommand } = await import('./charts-command.ts');
  return chartsCommand(job);
}

/** Changes nothing. Loaded here, as above. */
async function replay(job: Job): Promise<number> {
  const { replayCommand } = await import('./replay-command.ts');
  return replayCommand(job);
}

async function trust({ settings, output }: Job): Promise<number> {
  const home = writableFolder(settings.home);
  if ('cause' in home) return usage(output, homeFault(settings, home.cause));
  return trustCommand(settings, home.path, output);
}
