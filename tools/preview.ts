import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { sentence } from './text.ts';
import type { Preview } from './types.ts';

/** A diff that takes longer is no help to read either. */
const limitMs = 1000;

/** What a write would change, as a unified diff. `before` is null for a new file. */
export function unifiedDiff(path: string, before: string | null, after: string): string {
  if (before === after) return 'No change: the file has this text already.';
  const options = { context: 3, timeout: limitMs, headerOptions: FILE_HEADERS_ONLY };
  const from = before === null ? '/dev/null' : path;
  const patch = createTwoFilesPatch(from, path, before ?? '', after, undefined, undefined, options);
  return patch ?? `The change is too large for a diff. The whole file would be:\n${after}`;
}

/** What a person sees before an edit of an existing file: its diff, or why it would fail. */
export function editPreview(
  path: string,
  change: { before: string; text: string } | { cause: string },
): Preview {
  const title = `Edit ${path}`;
  if ('cause' in change) return { title, body: `This edit would fail: ${sentence(change.cause)}` };
  return { title, body: unifiedDiff(path, change.before, change.text) };
}
