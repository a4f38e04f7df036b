import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Said, TaskDraft } from '../../machines/index.ts';
import { isWithin, phaseOf } from '../../machines/index.ts';
import type { World } from '../support/explore.ts';
import { texts } from '../support/samples.ts';
import type { DeskAnswer, DeskCall } from './desk.ts';

/** One answer of the model; `before` is what has to be so when it comes. */
export interface Round extends DeskAnswer {
  before?: () => void;
}

/** Where a session really is: absolute paths of its `.md` and of the person's folder, and its id. */
export interface Place {
  document: string;
  folder: string;
  session: string;
}

/** As editors save: whoever reads finds the old text or the new one, never a part. */
export function saveAs(path: string, text: string): void {
  writeFileSync(`${path}~`, text);
  renameSync(`${path}~`, path);
}

type Of<T extends Said['type']> = Extract<Said, { type: T }>;
type ToolSaid = Extract<Said, { type: `tool.${string}` }>;
type ModelSaid = ToolSaid | Of<'turn.end'>;

export const isModels = (said: Said): said is ModelSaid =>
  said.type.startsWith('tool.') || said.type === 'turn.end';

/** Why a model cannot cause this in this place, in a few words; null: it can, `roundsOf` says how. */
export function modelLacks(at: World, said: ModelSaid): string | null {
  const { lease } = at.snapshot.context.record;
  if (lease === null) return 'no turn runs';
  if (said.turn !== lease.turn) return 'a turn that is over';
  if (said.type === 'turn.end')
    return lease.kind === 'compact' && said.outcome !== 'done' ? 'a summary that fails ends no turn' : null;
  if (lease.cancel !== null) return 'the model of a turn that is being stopped is not asked any more';
  if (lease.kind === 'compact') return 'a summary is asked for, without tools';
  if (said.child) return childLacks(at);
  return said.type === 'tool.document' && said.plan !== planOf(at) ? "another session's plan" : null;
}

const planOf = ({ snapshot }: World): string | null => snapshot.context.plan?.id ?? null;

const explorable: readonly string[] = ['noPlan', 'preInit', 'checklist'];

function childLacks({ snapshot }: World): string | null {
  return explorable.includes(phaseOf(snapshot)) ? null : 'no sub-agent is started in this state';
}

/**
 * What the model answers, request by request, so that this happens; files that a call reads are put there. Not for
 * what `modelLacks` names.
 */
export function roundsOf(at: World, said: ModelSaid, place: Place): Round[] {
  if (said.type === 'turn.end') return [said.outcome === 'done' ? { text: 'Done.' } : { error: 'No more.' }];
  if (said.child) return byChild(said, place);
  if (said.type === 'tool.document') return writing(at, said, place);
  return [{ calls: [planCall(said, place)] }];
}

/** A sub-agent is started, calls, and reports; the turn goes on. */
function byChild(said: ToolSaid, place: Place): Round[] {
  const args = { agent_type: 'architect', prompt: 'Look around.' };
  const call = said.type === 'tool.document' ? write(said.text, place) : planCall(said, place);
  return [
    { calls: [{ name: 'spawn_agent', args }] },
    { calls: [call] },
    { text: 'The sub-agent reports nothing.' },
  ];
}

const write = (content: string, { document }: Place): DeskCall => ({
  name: 'write_file',
  args: { path: document, content },
});

/** What is written is based on what was read right before, or on what an editor has changed since (D23). */
function writing({ snapshot }: World, said: Of<'tool.document'>, place: Place): Round[] {
  const { document } = snapshot.context;
  const read: DeskCall = { name: 'read_file', args: { path: place.document } };
  const call = write(said.text, place);
  if (phaseOf(snapshot) !== 'postInit' || document === null) return [{ calls: [call] }];
  if (said.base === document.hash) return [{ calls: [read] }, { calls: [call] }];
  const edited = document.text === texts.changed ? texts.valid : texts.changed;
  return [
    { before: () => saveAs(place.document, edited), calls: [read] },
    { before: () => saveAs(place.document, document.text), calls: [call] },
  ];
}

function planCall(said: Exclude<ToolSaid, { type: 'tool.document' }>, place: Place): DeskCall {
  return { name: 'plan', args: withoutUndefined(planArgs(said, place)) };
}

const withoutUndefined = (args: Record<string, unknown>): object =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

function planArgs(
  said: Exclude<ToolSaid, { type: 'tool.document' }>,
  place: Place,
): Record<string, unknown> & { operation: string } {
  switch (said.type) {
    case 'tool.init':
      return initArgs(said, place);
    case 'tool.addTasks':
      return { operation: 'add_tasks', tasks: said.tasks };
    case 'tool.start':
      return { operation: 'start', task_order: said.task };
    case 'tool.complete':
      return { operation: 'complete', task_order: said.task, action: said.action, output: said.output };
    case 'tool.unknown':
      return { operation: said.operation };
  }
}

function initArgs({ title, description, mode, tasks, file, from }: Of<'tool.init'>, place: Place) {
  const given: { title?: string; description?: string; mode?: string; tasks?: TaskDraft[] } = {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(mode === undefined ? {} : { mode }),
    ...(tasks === undefined ? {} : { tasks }),
  };
  return {
    operation: 'init',
    ...given,
    file_path: file === undefined ? undefined : importPath(file, place),
    from: from === undefined ? undefined : archivedName(from, place),
  };
}

/** One path for every import, so that a Yes for the session holds for the next one. */
function importPath(file: NonNullable<Of<'tool.init'>['file']>, { folder, document }: Place): string {
  const path = join(folder, 'plan.json');
  if (isWithin(path, dirname(document))) throw new Error(`${path} lies among the plan files`);
  if ('text' in file) writeFileSync(path, file.text);
  else rmSync(path, { force: true });
  return 'plan.json';
}

/** In the name of an archived text that the test has put there; earlier than any that the program archives. */
export const plantedStamp = '20000101-000000';

function archivedName(text: string, { document, session }: Place): string {
  const archive = join(dirname(document), 'archive');
  const name = `opencrabs_plan_${session}-${plantedStamp}.discarded.md`;
  mkdirSync(archive, { recursive: true });
  writeFileSync(join(archive, name), text);
  return name;
}
