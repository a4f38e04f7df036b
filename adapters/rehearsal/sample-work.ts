import { isCall, reason, type Call } from './reply.ts';
import type { SampleStep } from './sample-change.ts';
import { listsName, readLines } from './tool-text.ts';
import type { Done } from './turn.ts';
import type { TaskAtHand } from './progress.ts';
import type { TaskStep } from './work.ts';

/** Makes one step of the sample's change: read before each edit, create only what is absent, run the command last. */
export function changeSample({ since }: TaskAtHand, step: SampleStep): TaskStep {
  const failed = since.find((done) => done.failed && done.name !== 'ls');
  if (failed !== undefined) return { action: 'fail', output: `${failed.name}: ${reason(failed)}` };
  const next = nextEdit(since, step) ?? nextFile(since, step);
  if (next !== null) return next;
  if (step.command === null) return { action: 'success', output: changed(since) };
  const call: Call = { name: 'bash', input: { command: step.command } };
  const run = since.find((done) => isCall(done, call));
  if (run === undefined) return { calls: [call] };
  return { action: 'success', output: `${changed(since)}; ${step.command} passes` };
}

function nextEdit(since: readonly Done[], { edits }: SampleStep): TaskStep | null {
  for (const { path, old_text, new_text } of edits) {
    const edit: Call = { name: 'edit_file', input: { path, old_text, new_text } };
    if (since.some((done) => isCall(done, edit))) continue;
    const last = since.findLast((done) => done.input['path'] === path);
    if (last?.name !== 'read_file') return { calls: [{ name: 'read_file', input: { path } }] };
    const text = `${readLines(last.text).join('\n')}\n`;
    if (text.includes(new_text)) continue;
    if (text.includes(old_text)) return { calls: [edit] };
    return { action: 'fail', output: `${path} is not as the step expects it; nothing was changed.` };
  }
  return null;
}

function nextFile(since: readonly Done[], { creates }: SampleStep): TaskStep | null {
  for (const { path, content } of creates) {
    const write: Call = { name: 'write_file', input: { path, content } };
    if (since.some((done) => isCall(done, write))) continue;
    const folder = path.slice(0, path.lastIndexOf('/'));
    const listing = since.find((done) => done.name === 'ls' && done.input['path'] === folder);
    if (listing === undefined) return { calls: [{ name: 'ls', input: { path: folder } }] };
    const there = !listing.failed && listsName(listing.text, path.slice(folder.length + 1));
    if (there) return { action: 'fail', output: `${path} exists already and stays as it is.` };
    return { calls: [write] };
  }
  return null;
}

function changed(since: readonly Done[]): string {
  const paths = since
    .filter(({ name }) => name.endsWith('_file') && name !== 'read_file')
    .map(({ input }) => input['path']);
  return paths.length === 0 ? 'it was there already' : `changed ${[...new Set(paths)].join(', ')}`;
}
