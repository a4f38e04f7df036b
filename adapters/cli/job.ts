import { realFolder } from './folders.ts';
import type { Output } from './output.ts';
import { exitCodes } from './run.ts';
import type { SessionLog } from './session-log.ts';
import { type Process, quoted, type Settings } from './settings.ts';

/** One command line, checked, and where its words go. */
export interface Job {
  settings: Settings;
  invoked: Process;
  output: Output;
}

export function usage(output: Output, ...lines: readonly string[]): number {
  for (const line of lines) output.line(line);
  return exitCodes.usage;
}

export function homeFault({ home, homeFrom }: Settings, cause: string): string {
  return `${homeFrom} ${quoted(home)} can't be used: ${cause}.`;
}

/** The root holds the home, so it exists once the home does. */
export function realRoot({ root }: Settings): string {
  const found = realFolder(root);
  return 'cause' in found ? root : found.path;
}

/** What is said once at the start, before anything else. */
export function startLines({ config, hint }: Settings, { log }: SessionLog): string[] {
  return [
    ...config.warnings,
    ...(log.fault === null ? [] : [`There is no log, since it can't be written: ${log.fault}`]),
    ...(hint === null ? [] : [hint]),
  ];
}
