import type { EventFacts, JournalLine } from './line.ts';

/** What happened, in a few words: the type of the event and what it was about. */
export function eventWords({ event }: JournalLine): string {
  const { type, mode, task, action, outcome, shell, waiting, yolo, text, button, file, tasks, as } = event;
  const words = [
    ...(file === undefined ? [mode] : [`${file} file`]),
    tasks === undefined ? undefined : `${tasks} tasks`,
    task === undefined ? undefined : `#${task}`,
    action === 'success' ? undefined : action,
    outcome,
    as,
    shell === undefined ? undefined : `command ${shell}`,
    waiting === undefined ? undefined : waiting ? 'waits' : 'goes on',
    yolo === undefined ? undefined : yolo ? 'yolo' : 'ask',
    text === 'plain' ? undefined : text,
    button === undefined ? undefined : 'by button',
  ];
  return [type, ...words.filter((word) => word !== undefined)].join(' ');
}

/** Who did it, without a name. */
export function whoWords({ event, before }: JournalLine): string {
  const { by, type, child } = event;
  if (by !== undefined) return whoOf(by);
  if (type.startsWith('file.')) return 'files';
  if (child === undefined) return 'program';
  return child ? 'sub-agent' : `${before.turn?.kind ?? 'ended'} turn`;
}

function whoOf({ owner, entry, surface }: NonNullable<EventFacts['by']>): string {
  const where = entry === 'interactive' ? surface : entry;
  return `${owner ? 'owner' : 'other'} ${where}`;
}
