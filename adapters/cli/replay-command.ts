import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readJournalText } from '../../machines/index.ts';
import { journalText } from '../store/index.ts';
import { realFolder } from './folders.ts';
import { type Job, usage } from './job.ts';
import { openPage } from './open-page.ts';
import { builtPage, pageLink, writeOpener } from './replay-page.ts';
import { isFaithful, replayText, walk, type Walked } from './replay-text.ts';
import { exitCodes } from './run.ts';
import { quoted } from './settings.ts';

/** Far more than a session's journal holds; what is larger is none. */
const limitBytes = 16 * 1024 * 1024;

/** `planchart replay`: a journal through the machine. Exit code 1 when a step deviates. Changes nothing. */
export async function replayCommand({ settings, invoked, output }: Job): Promise<number> {
  const { path, session, home } = settings;
  const found = session === null ? fileText(resolve(invoked.cwd, path ?? '')) : ownText(home, session);
  if ('error' in found) return usage(output, found.error);
  const walked = walk(readJournalText(found.text));
  const name = quoted(session ?? path ?? '');
  if (walked.steps.length === 0 && walked.unreadable.length > 0)
    return usage(output, `${name} is no journal of this version: none of its lines is a step.`);
  if (walked.steps.length === 0) return usage(output, `${name} has no steps in its journal.`);
  output.print(replayText(walked));
  if (settings.open) await openInPage(walked, { invoked, output });
  return isFaithful(walked) ? exitCodes.done : exitCodes.failed;
}

/** What can't be opened is said; the exit code tells of the journal alone. */
async function openInPage(
  { steps }: Walked,
  { invoked, output }: Pick<Job, 'invoked' | 'output'>,
): Promise<void> {
  const playable = steps.filter(({ machine }) => machine !== null).map(({ line }) => line);
  const { url, left } = pageLink(playable, builtPage);
  if (left > 0) output.line(`The page shows the last ${playable.length - left} steps; more do not fit.`);
  const opener = writeOpener(url);
  const fault = await openPage(opener, invoked.env);
  if (fault !== null) output.line(`${fault} Open this in a browser: ${opener}`);
}

type Found = { text: string } | { error: string };

function fileText(path: string): Found {
  try {
    const { size } = statSync(path);
    if (size > limitBytes) return { error: `${quoted(path)} is no journal: it has ${size} bytes.` };
    return { text: readFileSync(path, 'utf8') };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { error: `The journal can't be read: ${cause}.` };
  }
}

/** Both files of a session of this home. */
function ownText(home: string, session: string): Found {
  const folder = realFolder(home);
  if ('cause' in folder) return { error: `There is no session ${session} in ${home}.` };
  return { text: journalText(join(folder.path, 'planchart', 'sessions', session)) };
}
