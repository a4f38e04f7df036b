import { act, firstLine, say, type Call, type Reply } from './reply.ts';
import { isWhole, readLines } from './tool-text.ts';
import type { Done, Turn } from './turn.ts';

/** The change that is wanted, from the text as read; a string ends the turn with these words. */
export type Compose = (text: string) => Call | string;

/**
 * Reads the session `.md`, makes one change, and answers null once it is made. After a refused write the text is read
 * again, since a person may have changed it (D23), and the change is tried once more.
 */
export function changeDocument(turn: Turn, path: string, compose: Compose): Reply | null {
  const touched = touches(turn.done, path);
  const last = touched.at(-1);
  if (last !== undefined && last.name !== 'read_file') {
    if (!last.failed) return null;
    const refusals = touched.filter((done) => done.name !== 'read_file').length;
    if (refusals > 1) return say(`I could not write the SESSION PLAN at ${path}: ${firstLine(last.text)}`);
    return act([readDocument(path)]);
  }
  const read = readDocumentText(turn, path);
  if ('reply' in read) return read.reply;
  const change = compose(read.text);
  return typeof change === 'string' ? say(change) : act([change]);
}

/** The text of the file as last read in this turn, or the reply that reads it or says why it can't be used. */
export function readDocumentText(turn: Turn, path: string): { text: string } | { reply: Reply } {
  const read = touches(turn.done, path).findLast((done) => done.name === 'read_file');
  if (read === undefined) return { reply: act([readDocument(path)]) };
  if (read.failed)
    return { reply: say(`I could not read the SESSION PLAN at ${path}: ${firstLine(read.text)}`) };
  const lines = readLines(read.text);
  // Writing back a text that was cut would lose the rest, and counting its steps would miscount.
  if (lines.length > 0 && !isWhole(read.text)) {
    return {
      reply: say(`The SESSION PLAN at ${path} is too long for my rules; a person or a real model can go on.`),
    };
  }
  return { text: `${lines.join('\n')}\n` };
}

function readDocument(path: string): Call {
  return { name: 'read_file', input: { path } };
}

function touches(done: readonly Done[], path: string): Done[] {
  return done.filter((call) => call.input['path'] === path);
}
