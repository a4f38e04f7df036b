/** First line of every text that the harness adds (D28); a retry of the seed turn has a word behind it. */
const MARK = /^\[planchart harness\]/;

/** What one text of the harness says, as far as the rules act on it. */
export type Note =
  | { kind: 'preInit' }
  | { kind: 'postInit'; path: string; missing: string | null }
  | { kind: 'active'; title: string }
  | { kind: 'seedFailed' }
  | { kind: 'unreadable'; path: string; cause: string }
  | { kind: 'implement'; path: string }
  | { kind: 'revise'; note: string }
  | { kind: 'resume' }
  | { kind: 'unattended' }
  | { kind: 'other' };

/** Splits a message into what a person typed and the texts that the harness added below it. */
export function splitNotes(text: string): { typed: string; notes: Note[] } {
  const typed: string[] = [];
  const blocks: string[][] = [];
  for (const line of text.split(/\r?\n/)) {
    if (MARK.test(line)) blocks.push([]);
    else (blocks.at(-1) ?? typed).push(line);
  }
  return { typed: typed.join('\n').trim(), notes: blocks.map((block) => readNote(block.join('\n').trim())) };
}

/** Reads a block without its first line. Prompts that carry foreign text come first, so that it can't pose as a state. */
function readNote(block: string): Note {
  const [first = ''] = block.split('\n');
  if (first.startsWith('The person asks for changes to the SESSION PLAN')) {
    return { kind: 'revise', note: group(/^Their note:\n([^]*)$/m, block).trim() };
  }
  if (first.includes('approved the SESSION PLAN at')) {
    return { kind: 'implement', path: group(/`(.+)`/, first) };
  }
  if (first.startsWith('The person pressed Continue')) return { kind: 'resume' };
  if (first.startsWith('Hint: design needs a person')) return { kind: 'unattended' };
  return readState(first, block);
}

function readState(first: string, block: string): Note {
  const path = group(/^File: `(.+)`$/m, block);
  if (first.startsWith('State: Editing, no SESSION PLAN yet')) return { kind: 'preInit' };
  if (first.startsWith('State: Editing the SESSION PLAN')) {
    const missing = group(/^Missing: (.*)$/m, block).trim();
    return { kind: 'postInit', path, missing: /^(?:nothing|none)?\.?$/i.test(missing) ? null : missing };
  }
  if (first.startsWith('State: Active, CHECKLIST')) {
    return { kind: 'active', title: group(/CHECKLIST "(.*)", \d+ of/, first) };
  }
  if (first.startsWith('State: Active, but')) return { kind: 'seedFailed' };
  if (first.startsWith('State: unreadable')) {
    return { kind: 'unreadable', path, cause: group(/^Cause: (.*)$/m, block) };
  }
  return { kind: 'other' };
}

function group(pattern: RegExp, text: string): string {
  return pattern.exec(text)?.[1] ?? '';
}
