import { join } from 'node:path';
import { createLogFile, type LogFile } from './log-file.ts';
import { createRedact } from './redact.ts';

export type LogLevel = 'off' | 'info' | 'debug';

/** One field of a line; `undefined` is left out. Texts of a conversation go to `debug` only. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Contract: never throws; a log that can't be written is no reason to stop. */
export interface Log {
  readonly path: string;
  /** Why lines are missing, for people; null while all is well, also where the level is `off`. */
  readonly fault: string | null;
  info(event: string, fields?: LogFields): void;
  debug(event: string, fields?: LogFields): void;
}

export interface LogOptions {
  /** `<home>/planchart/logs`. */
  folder: string;
  level: LogLevel;
  /** Values that no line may hold. */
  secrets: readonly string[];
  /** Tells the lines of this process from others. */
  pid: number;
  now: () => string;
  file?: LogFile;
}

/** A string that is longer is cut: one line stays one write. */
const longest = 8000;

export function createLog(options: LogOptions): Log {
  const { level, secrets, now } = options;
  const file = options.file ?? createLogFile({ folder: options.folder });
  const redact = createRedact(secrets);
  let fault: string | null = null;
  const write = (at: LogLevel, event: string, fields: LogFields): void => {
    try {
      const head = { v: 1, at: now(), level: at, pid: options.pid, event };
      file.append(JSON.stringify({ ...head, ...(redact(fields) as object) }, shortened));
      fault = null;
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
    }
  };
  return {
    path: join(options.folder, 'planchart.log'),
    get fault() {
      return fault;
    },
    info(event, fields = {}) {
      if (level !== 'off') write('info', event, fields);
    },
    debug(event, fields = {}) {
      if (level === 'debug') write('debug', event, fields);
    },
  };
}

function shortened(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'string' || value.length <= longest) return value;
  return `${value.slice(0, longest)}… (${value.length} characters)`;
}
