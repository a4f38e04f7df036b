import { draftTasks } from '../drafts.ts';
import type { SessionEvent } from '../events.ts';
import { readImport } from '../import.ts';
import type { Code } from '../refusals.ts';
import { leaseOf, type SessionContext } from './context.ts';

export type InitEvent = Extract<SessionEvent, { type: 'tool.init' }>;

/** What an `init` asks for; a file always means import (seeds, "init rules"). */
export function initTrack(event: InitEvent): 'design' | 'checklist' | 'import' | null {
  if (event.file !== undefined) return 'import';
  if (event.mode === 'design' || event.mode === 'checklist') return event.mode;
  if (event.mode !== undefined) return null;
  return (event.tasks?.length ?? 0) > 0 ? 'checklist' : 'design';
}

/** Arguments first, UNATTENDED_DESIGN after them (matrix). */
export function initFault(context: SessionContext, event: SessionEvent): Code | null {
  if (event.type !== 'tool.init') return null;
  const track = initTrack(event);
  if (track === 'import') return importFault(event);
  if ((event.title ?? '').trim() === '') return 'TITLE_MISSING';
  if (track === null) return 'UNKNOWN_MODE';
  const tasks = event.tasks ?? [];
  if (track === 'checklist') {
    if (tasks.length === 0) return 'CHECKLIST_WITHOUT_TASKS';
    return 'faults' in draftTasks(tasks, [], event.ids.slice(2)) ? 'TASKS_INVALID' : null;
  }
  if (tasks.length > 0) return 'DESIGN_WITH_TASKS';
  return designNeedsPerson(context) ? 'UNATTENDED_DESIGN' : null;
}

function importFault(event: InitEvent): Code | null {
  if (event.tasks !== undefined && event.tasks.length > 0) return 'FILE_AND_TASKS';
  const file = event.file;
  if (file === undefined || !('text' in file)) return 'IMPORT_UNREADABLE';
  const plan = readImport(file.text);
  if ('faults' in plan) return 'IMPORT_INVALID';
  if (plan.tasks.length === 0) return 'IMPORT_EMPTY';
  return 'faults' in draftTasks(plan.tasks, [], importIds(event, plan.tasks.length))
    ? 'IMPORT_INVALID'
    : null;
}

/**
 * Ids for imported tasks. Their number is known only here, so they are numbered under the id that
 * the dispatcher gave to the plan.
 */
export function importIds(event: InitEvent, count: number): string[] {
  const base = event.ids[0] ?? '';
  return Array.from({ length: count }, (_, index) => {
    const tail = (index + 1).toString(16).padStart(8, '0');
    return `${base.slice(0, 28)}${tail}`;
  });
}

/** D2, D3: yolo is the session's, the entry kind the running turn's; a single Yes is neither. */
function designNeedsPerson(context: SessionContext): boolean {
  return context.record.yolo || leaseOf(context)?.by.entry !== 'interactive';
}
