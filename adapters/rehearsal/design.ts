import { scanDocument } from '../../machines/index.ts';
import { changeDocument } from './document-round.ts';
import { draftPlan } from './draft.ts';
import { nextLook, OWN_FOLDER } from './explore.ts';
import { noteChange, planText, repairPlan, type Draft } from './plan-text.ts';
import { act, firstLine, isPlan, plan, say, type Call, type Reply } from './reply.ts';
import { draftSample } from './sample-change.ts';
import { documentPath, gatherFacts, type Facts } from './tool-text.ts';
import type { Turn } from './turn.ts';
import { planTitle, requestLine, requestWords } from './words.ts';

/** Where the model runs: `sample` is the demo's own project, never a user's tree (D5). */
export type Place = 'user' | 'sample';

/** Explore, `init`, write the session plan, end the turn. */
export function design(turn: Turn, place: Place): Reply {
  const path = livePath(turn);
  if (path === null) return beforeInit(turn, requestWords(turn.typed));
  const started = turn.done.some((done) => isPlan(done, 'init'));
  // A plan that an earlier turn left incomplete: look around once more; bash is closed by now.
  const looks = started ? [] : nextLook(turn, requestWords(turn.typed), 'closed');
  if (looks.length > 0) return act(looks);
  return changeDocument(turn, path, (text) => writeDraft(turn, path, text, place)) ?? ready(path);
}

/** Path of the session `.md`: from this turn's `init`, else from the reminder. */
export function livePath(turn: Turn): string | null {
  const init = turn.done.findLast((done) => isPlan(done, 'init') && !done.failed);
  const named = init === undefined ? null : documentPath(init.text);
  return named ?? (turn.state?.kind === 'postInit' ? turn.state.path : null);
}

function beforeInit(turn: Turn, words: readonly string[]): Reply {
  const init = turn.done.findLast((done) => isPlan(done, 'init'));
  if (init !== undefined) {
    return init.failed
      ? say(
          `No SESSION PLAN was started: ${firstLine(init.text)} Plan mode stays on; \`/discard\` leaves it.`,
        )
      : say(`The session did not tell me where the SESSION PLAN is: ${firstLine(init.text)}`);
  }
  if (words.length === 0) {
    return say(
      'Plan mode is on. Tell me in a sentence what is to be done, and I write a SESSION PLAN for it.',
    );
  }
  const looks = nextLook(turn, words, 'open');
  if (looks.length === 0) return act([plan('init', { mode: 'design', title: planTitle(turn.typed) })]);
  return act(looks, turn.done.length === 0 ? 'I look at the tree first, then I write the SESSION PLAN.' : '');
}

/** An untouched scaffold is written anew; a text with something in it is only completed. */
function writeDraft(turn: Turn, path: string, text: string, place: Place): Call | string {
  const title = scanDocument(text).title ?? planTitle(turn.typed);
  const started = turn.done.some((done) => isPlan(done, 'init'));
  // In a later turn the person's words may be about anything; the title says what the plan is about.
  const draft = draftFor(title, started ? turn.typed : title, gatherFacts(turn.done), place);
  const content = isScaffold(text) ? planText(draft) : repairPlan(text, draft);
  if (content !== null) return { name: 'write_file', input: { path, content } };
  return `The SESSION PLAN at ${path} has a fault that my rules can't mend; please look at it.`;
}

function draftFor(title: string, request: string, facts: Facts, place: Place): Draft {
  const sample = place === 'sample' ? draftSample(title, requestWords(request), facts) : null;
  return sample ?? draftPlan({ title, request, facts });
}

/** True when nothing but headings, empty labels and empty numbers stands there. */
function isScaffold(text: string): boolean {
  const bare = /^\s*(?:#.*|- \*\*[^*]+:\*\*|\d+\.|- Done when:)?\s*$/;
  return text.split('\n').every((line) => bare.test(line));
}

function ready(path: string): Reply {
  return say(
    `The SESSION PLAN is ready for review: ${path}\nApprove it with \`/execute\`, ask for changes, or \`/discard\` it.`,
  );
}

/** Takes a person's note in (D44): re-reads the file, makes one small change, keeps the rest. */
export function revise(turn: Turn, note: string): Reply {
  const path = livePath(turn);
  if (path === null)
    return say('I was asked for changes, but no reminder names a SESSION PLAN. Nothing was changed.');
  if (note.trim() === '') return say('The note is empty, so the SESSION PLAN stays as it is.');
  const change = changeDocument(turn, path, (text) => {
    const folder = new RegExp(`${OWN_FOLDER}/[a-z0-9-]+/`).exec(text)?.[0] ?? null;
    const edit = noteChange(text, note, folder);
    if (edit === null)
      return `My rules found no place for the note in ${path}; please add it by hand: ${requestLine(note)}`;
    return { name: 'edit_file', input: { path, ...edit } };
  });
  return change ?? ready(path);
}
