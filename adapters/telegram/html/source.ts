import { visible } from '../../text.ts';
import { bold, code, type Rich, run, type Run, type Tag } from './rich.ts';

const fence = /^ {0,3}(`{3,}|~{3,})/u;

/** Marks `**bold**` and `` `code` `` in one line and keeps every character. */
function inline(text: string): Run[] {
  return text
    .split(/(\*\*[^*]+\*\*|`[^`]+`)/u)
    .filter((part) => part !== '')
    .flatMap((part): Rich => {
      if (part.startsWith('**') && part.length > 4) return run(part, bold);
      return part.startsWith('`') && part.length > 2 ? run(part, code) : run(part);
    });
}

/**
 * A session plan in its own words: every character of the file, lightly styled, so that what is approved is what stands in
 * the chat (D45, D46, decision 0062). Control bytes are made visible.
 */
export function sourceRich(text: string): Rich {
  let open: { mark: string; tag: Tag } | null = null;
  const lines = visible(text).replace(/\n+$/u, '').split('\n');
  return lines.flatMap((line, index): Rich => {
    const end = index + 1 < lines.length ? '\n' : '';
    const mark = fence.exec(line)?.[1];
    if (open !== null) {
      const { mark: opened, tag } = open;
      const closes = mark?.[0] === opened[0] && mark !== undefined && mark.length >= opened.length;
      if (!closes) return run(line + end, tag);
      open = null;
      return [...run(line, tag), ...run(end)];
    }
    if (mark !== undefined) {
      open = { mark, tag: { kind: 'pre', language: '' } };
      return run(line + end, open.tag);
    }
    return [...(/^#{1,6}\s/u.test(line) ? run(line, bold) : inline(line)), ...run(end)];
  });
}
