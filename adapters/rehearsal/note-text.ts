import { OWN_FOLDER } from './explore.ts';

/** What goes into one note. `lines` is null for a file that could not be read. */
interface Note {
  name: string;
  task: string;
  sources: readonly { path: string; lines: readonly string[] | null }[];
  /** Notes that this turn wrote before. */
  made: readonly string[];
}

/** Number of lines that `noteHead` has. */
export const HEAD_LINES = 3;

const ORIGIN = 'Written by the rehearsal model: fixed rules, not an LLM. It only repeats what the files say.';
const MOST_OUTLINE = 12;
const MOST_PLACES = 10;
const DECLARED =
  /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:public\s+)?(?:function\*?|class|const|interface|type|enum|def|fn|func|struct)\s+([\w$]+)/;

/** The text of a note: what the step asks and what the named files really hold. Same files, same text. */
export function noteText({ name, task, sources, made }: Note): string {
  const words = [...task.matchAll(/"([^"\n]{1,60})"/g)].map(([, word = '']) => word.toLowerCase());
  const paragraphs = [
    noteHead(task),
    ...sources.map(({ path, lines }) => describe(path, lines, words)),
    ...(isIndex(name) ? [index(made)] : []),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

/** The first lines of a note: same task, same lines. */
export function noteHead(task: string): string {
  const [title = ''] = task.split('\n');
  return `# ${title.slice(0, 120)}\n\n${ORIGIN}`;
}

function isIndex(name: string): boolean {
  return name.startsWith(`${OWN_FOLDER}/`) && /\/README(?:-\d)?\.md$/.test(name);
}

function index(made: readonly string[]): string {
  const files = made.map((path) => `- \`${path}\``);
  const shown = files.length === 0 ? ['- no other file was written in this turn'] : files;
  return ['## Files', '', ...shown, '', '## Left to do', '', '- The change itself.'].join('\n');
}

function describe(path: string, lines: readonly string[] | null, words: readonly string[]): string {
  if (lines === null) return `## \`${path}\`\n\n- It could not be read.`;
  const facts = [
    `- ${lines.length} line${lines.length === 1 ? '' : 's'} read`,
    ...outline(path, lines),
    ...places(lines, words),
  ];
  return `## \`${path}\`\n\n${facts.join('\n')}`;
}

function outline(path: string, lines: readonly string[]): string[] {
  const names = outlineNames(path, lines).map((name) => `\`${plain(name)}\``);
  if (names.length === 0) return [];
  const more = names.length > MOST_OUTLINE ? ` and ${names.length - MOST_OUTLINE} more` : '';
  const label = path.endsWith('package.json') ? 'Scripts' : 'Outline';
  return [`- ${label}: ${names.slice(0, MOST_OUTLINE).join(', ')}${more}`];
}

function outlineNames(path: string, lines: readonly string[]): string[] {
  if (path.endsWith('.md')) return lines.flatMap((line) => /^#{1,3} (.+)$/.exec(line)?.[1] ?? []);
  if (path.endsWith('package.json')) return scripts(lines);
  if (path.endsWith('.json')) return lines.flatMap((line) => /^ {2}"([^"]+)":/.exec(line)?.[1] ?? []);
  return [...new Set(lines.flatMap((line) => DECLARED.exec(line)?.[1] ?? []))];
}

/** `npm run <name>` for each script of a package file; the file may be cut, so it is not parsed as JSON. */
function scripts(lines: readonly string[]): string[] {
  const start = lines.findIndex((line) => /^\s*"scripts"\s*:/.test(line));
  const end = lines.findIndex((line, at) => at > start && /^\s*\}/.test(line));
  const inside = start < 0 ? [] : lines.slice(start + 1, end < 0 ? undefined : end);
  return inside.flatMap((line) => {
    const found = /^\s*"([^"]+)"\s*:\s*"(.*)",?\s*$/.exec(line);
    return found === null ? [] : [`npm run ${found[1]}: ${found[2]}`];
  });
}

function places(lines: readonly string[], words: readonly string[]): string[] {
  const found = lines.flatMap((line, at) => {
    const lower = line.toLowerCase();
    return words.some((word) => lower.includes(word)) ? [`- Line ${at + 1}: \`${plain(line.trim())}\``] : [];
  });
  return found.slice(0, MOST_PLACES);
}

/** Text that can stand between single backticks. */
function plain(text: string): string {
  const line = text.replace(/[`\p{Cc}]/gu, "'");
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
