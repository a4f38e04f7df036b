import { isCall, type Call } from './reply.ts';
import { gatherFacts, listsName, type Facts } from './tool-text.ts';
import type { Turn } from './turn.ts';

/** The one folder of a user's tree that the rehearsal model writes to (D5). */
export const OWN_FOLDER = 'planchart-rehearsal';

const READ_LIMIT = 400;
const NOT_TEXT =
  /\.(?:png|jpe?g|gif|svg|ico|webp|pdf|zip|gz|tgz|woff2?|ttf|mp[34]|wasm|map|lock|snap|bin|exe)$|\.min\.|-lock\./i;
const SOURCE = /\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|c|h|cc|cpp|cs|swift|sh|vue|svelte)$/i;

/**
 * The calls that are still to be made before writing: first the tree and a search, then the files that tell most.
 * Empty when enough is known. A call that failed is not sent again.
 */
export function nextLook(turn: Turn, words: readonly string[], bash: 'open' | 'closed'): Call[] {
  const first = unanswered(turn, lookAround(words));
  if (first.length > 0) return first;
  const calls: Call[] = pickFiles(gatherFacts(turn.done), words).map(readCall);
  const listing = turn.done.find((done) => done.name === 'ls' && !done.failed);
  if (bash === 'open' && listsName(listing?.text ?? '', '.git')) {
    calls.push({ name: 'bash', input: { command: 'git log --oneline -5' } });
  }
  return unanswered(turn, calls);
}

function lookAround(words: readonly string[]): Call[] {
  const calls: Call[] = [
    { name: 'ls', input: {} },
    { name: 'glob', input: { pattern: '**/*' } },
  ];
  if (words.length === 0) return calls;
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\-]/g, String.raw`\$&`)).join('|');
  return [...calls, { name: 'grep', input: { pattern, ignore_case: true } }];
}

export function readCall(path: string): Call {
  return { name: 'read_file', input: { path, limit: READ_LIMIT } };
}

/** Calls that the session offers and that have no answer in this turn yet. */
function unanswered(turn: Turn, calls: readonly Call[]): Call[] {
  return calls.filter((call) => turn.tools.has(call.name) && !turn.done.some((done) => isCall(done, call)));
}

/** What describes the project, then up to three files that the request is most likely about. */
export function pickFiles(facts: Facts, words: readonly string[]): string[] {
  const readme = facts.files.find((file) => /^readme(?:\.\w+)?$/i.test(file));
  const basics = facts.files.filter((file) => file === 'package.json' || file === readme);
  const ranked = facts.files
    .filter((file) => !basics.includes(file) && isReadable(file))
    .map((file) => ({ file, score: score(file, facts, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.file < b.file ? -1 : 1));
  return [...basics, ...ranked.slice(0, 3).map(({ file }) => file)];
}

/** Hidden files may hold secrets; binary files and our own notes tell nothing. */
function isReadable(file: string): boolean {
  return !/(?:^|\/)\./.test(file) && !NOT_TEXT.test(file) && !file.startsWith(`${OWN_FOLDER}/`);
}

function score(file: string, { hits }: Facts, words: readonly string[]): number {
  const name = file.toLowerCase();
  const named = words.filter((word) => name.includes(word)).length;
  const found = Math.min(hits.get(file)?.length ?? 0, 4);
  return named * 3 + found * 2 + (SOURCE.test(file) ? 1 : 0);
}
