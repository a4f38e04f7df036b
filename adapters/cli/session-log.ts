import { join } from 'node:path';
import { createLog, type Log } from '../logs/index.ts';
import { systemClock } from '../clock.ts';
import { StoreError } from '../store/index.ts';
import { version } from './help.ts';
import type { Output } from './output.ts';
import { exitCodes } from './run.ts';
import type { Settings } from './settings.ts';

/** The log of this process, and which session a crash is told of. */
export interface SessionLog {
  readonly log: Log;
  opened(session: string): void;
  /** Logs the error with its stack; answers the one line for people (D54). */
  crashLine(error: unknown): string;
}

/** Opens the log and writes its first line; the last one is written when the process ends. */
export function openLog(settings: Settings, home: string): SessionLog {
  const { command, cwd, config } = settings;
  const log = createLog({
    folder: join(home, 'planchart', 'logs'),
    level: config.get('log.level').value ?? 'info',
    secrets: config.hidden,
    pid: process.pid,
    now: () => systemClock.now(),
  });
  let session: string | null = null;
  const model = config.get('model.name').value;
  log.info('start', { version, node: process.versions.node, command, cwd, home, model });
  process.once('exit', (code) => log.info('stop', { session, code }));
  return {
    log,
    opened(id) {
      session = id;
      log.info('session.opened', { session });
    },
    crashLine(error) {
      log.info('crash', { session, error });
      const written = log.fault === null && config.get('log.level').value !== 'off';
      const where = [
        ...(session === null ? [] : [`session ${session}`]),
        ...(written ? [`log ${log.path}`] : []),
      ];
      return `planchart stopped: ${textOf(error)}${where.length === 0 ? '' : ` (${where.join(', ')})`}`;
    },
  };
}

/**
 * Runs a command to its exit code. A crash is one line and exit code 1; what a full disk or a damaged file does to
 * the store is no crash, and its sentence says all.
 */
export async function guarded(
  logs: SessionLog,
  output: Output,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) {
      logs.log.info('failed', { error });
      throw error;
    }
    output.endText();
    output.line(logs.crashLine(error));
    return exitCodes.failed;
  }
}

/** Ends the program in the same way for an error outside of every await. The terminal UI has its own watch. */
export function endOnCrash(logs: SessionLog, output: Output): void {
  const crashed = (error: unknown): void => {
    output.endText();
    output.line(logs.crashLine(error));
    process.exit(exitCodes.failed);
  };
  process.once('uncaughtException', crashed);
  process.once('unhandledRejection', crashed);
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
