import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileFound, Phase } from '../../machines/index.ts';
import { rawTask, sessionId, sessionIn, type SessionShape } from '../support/samples.ts';

/** Of ten sessions: five without a plan, three checklists of ten tasks, one plan in Editing, one pre-init. */
const mix: readonly Phase[] = [
  'noPlan',
  'checklist',
  'noPlan',
  'postInit',
  'noPlan',
  'checklist',
  'noPlan',
  'preInit',
  'checklist',
  'noPlan',
];

export interface HomeOptions {
  sessions: number;
  /** Phases of the sessions, in turn. */
  phases?: readonly Phase[];
  /** In each checklist. */
  tasks?: number;
}

/**
 * A home as a person's would be after years: of every ten sessions one has an archived plan, too. Files are
 * written plainly, since only reading them is measured. Answers the ids.
 */
export function fillHome(home: string, { sessions, phases = mix, tasks = 10 }: HomeOptions): string[] {
  mkdirSync(join(home, 'session/archive'), { recursive: true });
  return Array.from({ length: sessions }, (_, index) => {
    const id = randomUUID();
    writeSession(home, id, phases[index % phases.length] ?? 'noPlan', tasks);
    const archived = join(home, 'session/archive', `opencrabs_plan_${id}-20260301-110000.json`);
    if (index % 10 === 0) writeFound(archived, sessionIn('checklist').sidecar, id);
    return id;
  });
}

function writeSession(home: string, id: string, phase: Phase, count: number): void {
  const tasks = Array.from({ length: count }, (_, index) =>
    rawTask(index + 1, index < 4 ? 'Completed' : 'Pending'),
  );
  const shape: SessionShape = phase === 'checklist' ? { tasks, track: 'checklist' } : {};
  const { record, sidecar, document } = sessionIn(phase, shape);
  const text = `${JSON.stringify({ ...record, id }, null, 2)}\n`;
  write(join(home, 'planchart/sessions', id, 'session.json'), text);
  writeFound(join(home, 'session', `.opencrabs_plan_${id}.json`), sidecar, id);
  writeFound(join(home, 'session', `.opencrabs_plan_${id}.md`), document, id);
}

function writeFound(path: string, found: FileFound, id: string): void {
  if (found.kind === 'text') write(path, found.text.replaceAll(sessionId, id));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
