import { OWN_FOLDER, readCall } from './explore.ts';
import { HEAD_LINES, noteHead, noteText } from './note-text.ts';
import type { TaskAtHand } from './progress.ts';
import { firstLine, isCall, type Call } from './reply.ts';
import { gatherFacts, listsName, readLines } from './tool-text.ts';
import type { Done, Turn } from './turn.ts';
import type { TaskStep } from './work.ts';

const NEW_FILE = new RegExp(`^${OWN_FOLDER}/[a-z0-9-]+/[A-Za-z0-9_-]+\\.md$`);
const MOST_NAMES = 9;

/**
 * Does a task on a user's tree: writes the new files that it names inside our own folder, and nothing else (D5). A
 * name that is taken gets a number behind it; a task that asks for more than new files fails and says so.
 */
export function writeNotes(turn: Turn, task: TaskAtHand): TaskStep {
  const named = [...new Set([...task.text.matchAll(/`([^`\n]+)`/g)].map(([, path = '']) => path))];
  const wanted = named.filter((path) => NEW_FILE.test(path));
  if (wanted.length === 0) {
    const output = `My rules only write new notes under ${OWN_FOLDER}/; this step asks for something else.`;
    return { action: 'fail', output };
  }
  const refused = task.since.find((done) => done.failed && done.name === 'write_file');
  if (refused !== undefined) return { action: 'fail', output: `not written: ${firstLine(refused.text)}` };
  const sources = named.filter((path) => isSource(path));
  const reads = sources.map(readCall).filter((call) => !turn.done.some((done) => isCall(done, call)));
  if (reads.length > 0) return { calls: reads };
  const written: string[] = [];
  for (const path of wanted) {
    const next = writeOne(turn, task, path, sources);
    if (typeof next !== 'string') return next;
    written.push(next);
  }
  return { action: 'success', output: `wrote ${written.join(', ')}` };
}

/** A path inside the folder, not a word of code, not hidden, not one of our own notes. */
function isSource(path: string): boolean {
  if (path.startsWith('~') || path.startsWith(`${OWN_FOLDER}/`)) return false;
  return /^[^\s/*?<>|"'][^\s*?<>|"']*\.[A-Za-z0-9]{1,8}$/.test(path) && !/(?:^|\/)\./.test(path);
}

/** The path that was written, or what is still to be done for it. */
function writeOne(turn: Turn, task: TaskAtHand, path: string, sources: readonly string[]): string | TaskStep {
  const stem = path.slice(0, -'.md'.length);
  const names = Array.from({ length: MOST_NAMES }, (_, index) =>
    index === 0 ? path : `${stem}-${index + 1}.md`,
  );
  const written = task.since.find((done) => done.name === 'write_file' && names.includes(nameOf(done)));
  if (written !== undefined) return nameOf(written);
  for (const name of names) {
    const taken = isTaken(turn, task, name);
    if (typeof taken !== 'string') return { calls: [taken] };
    if (taken === 'free') return { calls: [noteCall(turn, task, sources, name)] };
    const before = name === path ? madeBefore(turn, task, name) : 'no';
    if (before === 'yes') return name;
    if (before !== 'no') return { calls: [before] };
  }
  return { action: 'fail', output: `${path} and its further names all exist already; none was changed.` };
}

/** Looks down from the session's folder, so that nothing is asked for that a listing shows to be absent. */
function isTaken(turn: Turn, task: TaskAtHand, name: string): 'taken' | 'free' | Call {
  const parts = name.split('/');
  const folder = parts.slice(0, -1).join('/');
  const made = turn.done.some(
    (done) => done.name === 'write_file' && !done.failed && nameOf(done).startsWith(`${folder}/`),
  );
  for (let depth = made ? parts.length - 1 : 0; depth < parts.length; depth += 1) {
    const path = parts.slice(0, depth).join('/');
    const call: Call = { name: 'ls', input: path === '' ? {} : { path } };
    const listing = task.since.find((done) => isCall(done, call));
    if (listing === undefined) return call;
    if (listing.failed) return probe(task, name);
    const isCut = /^\[\d+ more/m.test(listing.text);
    if (!listsName(listing.text, parts[depth] ?? '') && !isCut) return 'free';
    if (depth === parts.length - 1 && isCut) return probe(task, name);
  }
  return 'taken';
}

/** Where a folder can't be listed, the file itself is asked for. */
function probe(task: TaskAtHand, name: string): 'taken' | 'free' | Call {
  const call = headCall(name);
  const read = task.since.find((done) => isCall(done, call));
  if (read === undefined) return call;
  return read.failed ? 'free' : 'taken';
}

/** Whether a turn that was interrupted wrote this note already: then a second one would say the same. */
function madeBefore(turn: Turn, task: TaskAtHand, name: string): 'yes' | 'no' | Call {
  if (turn.starter.kind === 'implement') return 'no';
  const call = headCall(name);
  const read = task.since.find((done) => isCall(done, call));
  if (read === undefined) return call;
  return !read.failed && readLines(read.text).join('\n') === noteHead(task.text) ? 'yes' : 'no';
}

function headCall(path: string): Call {
  return { name: 'read_file', input: { path, limit: HEAD_LINES } };
}

function noteCall(turn: Turn, task: TaskAtHand, sources: readonly string[], name: string): Call {
  const { texts } = gatherFacts(turn.done);
  const made = turn.done.filter((done) => done.name === 'write_file' && !done.failed).map(nameOf);
  const read = sources.map((path) => ({ path, lines: texts.get(path) ?? null }));
  return {
    name: 'write_file',
    input: { path: name, content: noteText({ name, task: task.text, sources: read, made }) },
  };
}

function nameOf({ input }: Done): string {
  return typeof input['path'] === 'string' ? input['path'] : '';
}
