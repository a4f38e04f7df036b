import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Code, codes, type JournalLine, standInEvent, standInFiles } from '../../machines/index.ts';
import { ReplayInput, type ReplayStep, writeJournal } from '../charts/page/replay-input.ts';

/** Longest part of a link that holds steps, in characters: browsers take two million. */
const longest = 1_500_000;

/** The steps as the page takes them, the newest that fit into a link; `left` of the oldest do not. */
export function pageLink(
  lines: readonly JournalLine[],
  page: string,
  mostCharacters = longest,
): { url: string; left: number } {
  const steps = lines.filter(isKnown).map(stepOf);
  let room = mostCharacters;
  // Base64 makes four characters of three bytes; words of our own are ASCII.
  const from = steps.findLastIndex(
    (step) => (room -= Math.ceil((JSON.stringify(step).length + 1) * 1.34)) < 0,
  );
  const fitting = ReplayInput.parse(steps.slice(from + 1));
  return { url: `${pathToFileURL(page).href}#session&journal=${writeJournal(fitting)}`, left: from + 1 };
}

/** A code of another version is nothing that the page could compare with. */
const isKnown = ({ code }: JournalLine): boolean =>
  code === undefined || (codes as readonly string[]).includes(code);

function stepOf(line: JournalLine): ReplayStep {
  const { at, ids, process, ...said } = standInEvent(line);
  const { record, sidecar, document, leaseAlive, gone } = standInFiles(line);
  const textOf = (file: typeof sidecar) => (file.kind === 'text' ? { text: file.text } : null);
  const [plan = '', turn = ''] = line.to.split('/');
  const moved = line.saved === false ? {} : { to: [`plan.${plan}`, `turn.${turn}`] };
  return {
    said,
    at,
    ids: [...ids],
    process,
    verdict: verdictOf(line),
    ...moved,
    before: {
      record,
      sidecar: textOf(sidecar),
      document: document.kind === 'text' ? { text: document.text, hash: document.hash } : null,
      leaseAlive,
      gone: [...gone],
    },
  };
}

function verdictOf({ verdict: kind, code }: JournalLine): ReplayStep['verdict'] {
  return kind === 'info' || kind === 'refused' ? { kind, code: code as Code } : { kind };
}

/** The page that the build has drawn. */
export const builtPage = fileURLToPath(new URL('./charts/index.html', import.meta.url));

/** A file that leads to the link: as an argument of a program it would be too long. */
export function writeOpener(url: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'planchart-replay-')), 'journal.html');
  const target = JSON.stringify(url).replaceAll('<', String.raw`\u003c`);
  writeFileSync(path, `<!doctype html><meta charset="utf-8"><script>location.replace(${target})</script>\n`);
  return path;
}
