import { derive } from '../session/derive.ts';
import { step } from '../session/step.ts';
import { verdict } from '../verdict.ts';
import type { JournalLine } from './line.ts';
import { type Spoken, stateName } from './note.ts';
import { standInEvent, standInFiles } from './stand-in.ts';

/** One line walked through the machine. */
export interface Replayed {
  line: JournalLine;
  /** What the machine says and where it goes; null: it can't take this line, `deviation` says why. */
  machine: { verdict: string; to: string } | null;
  /** How the machine differs from what was noted, in words; null: it does not. */
  deviation: string | null;
  /** State in which the line before this one ended, where this one begins in another: files changed, or lines are missing. */
  gap: string | null;
}

/**
 * Walks the lines of a journal through the machine as it is now. Each line is played in the state and with the facts
 * that it notes, so one deviation does not bring forth others. Pure; any lines give steps.
 */
export function replay(lines: readonly JournalLine[]): Replayed[] {
  return lines.map((line, index) => {
    const before = lines[index - 1];
    const gap = before === undefined || before.to === line.from ? null : before.to;
    return { line, gap, ...played(line) };
  });
}

/** `refused TEXT_CHANGED` */
export const verdictWords = ({ kind, code }: { kind: string; code?: string | undefined }): string =>
  code === undefined ? kind : `${kind} ${code}`;

function played(line: JournalLine): Pick<Replayed, 'machine' | 'deviation'> {
  const taken = taking(line);
  if ('wrong' in taken) return { machine: null, deviation: taken.wrong };
  const noted = verdictWords({ kind: line.verdict, code: line.code });
  const differs: string[] = [];
  if (taken.verdict !== noted) differs.push(`the machine says ${taken.verdict}, noted is ${noted}`);
  // What the disk refused has changed nothing, whatever the machine wanted.
  if (line.saved !== false && taken.to !== line.to)
    differs.push(`the machine goes to ${taken.to}, noted is ${line.to}`);
  return { machine: taken, deviation: differs.length === 0 ? null : differs.join('; ') };
}

function taking(line: JournalLine): { verdict: string; to: string } | { wrong: string } {
  const event = eventOf(line);
  if ('wrong' in event) return event;
  const { snapshot } = derive(standInFiles(line));
  const from = stateName(snapshot);
  if (from !== line.from) return { wrong: `files like these make ${from}, noted is ${line.from}` };
  const judged = verdict(snapshot, event);
  const moves = judged.kind === 'accepted' || judged.kind === 'queued';
  const to = moves ? stateName(step(snapshot, event).snapshot) : from;
  return { verdict: verdictWords(judged), to };
}

/** Another version may know events that this one does not, or the other way round. */
function eventOf(line: JournalLine): Spoken | { wrong: string } {
  try {
    return standInEvent(line);
  } catch (error) {
    if (error instanceof TypeError) return { wrong: error.message };
    throw error;
  }
}
