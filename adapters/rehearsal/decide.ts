import type { ModelRequest } from '../ports.ts';
import { design, livePath, revise, type Place } from './design.ts';
import { bounded, isPlan, type Reply } from './reply.ts';
import { seed } from './seed.ts';
import { summarize, talk } from './talk.ts';
import { readTurn, type Turn } from './turn.ts';
import { work } from './work.ts';

const GO_ON = /^\s*(?:please\s+)?(?:continue|go on|go ahead|carry on|keep going|resume|proceed)\b/i;
const WANTS_CHANGE =
  /\b(?:add|also|change|cover|drop|include|instead|keep|remove|rename|replace|use|without)\b/i;

/** The next response, from nothing but the request: the same request always gives the same reply. */
export function decide(request: ModelRequest, place: Place): Reply {
  const turn = readTurn(request);
  return turn.tools.size === 0 ? summarize(turn) : bounded(turn, byStarter(turn, place));
}

function byStarter(turn: Turn, place: Place): Reply {
  const { starter } = turn;
  switch (starter.kind) {
    case 'implement':
      return seed(turn, starter.path, place);
    case 'revise':
      return revise(turn, starter.note);
    case 'resume':
      return work(turn, null, place);
    case 'person':
      return forPerson(turn, place);
  }
}

function forPerson(turn: Turn, place: Place): Reply {
  const { state, typed, done } = turn;
  if (turn.unattended) return talk(turn);
  // The reminder may be older than this turn's `init` or the checklist may have ended in this turn.
  if (state?.kind === 'preInit' || done.some((call) => isPlan(call, 'init'))) return design(turn, place);
  if (done.some((call) => isPlan(call, 'start'))) return work(turn, null, place);
  if (state?.kind === 'postInit') return inReview(turn, place);
  return state?.kind === 'active' && GO_ON.test(typed) ? work(turn, null, place) : talk(turn);
}

/** In review a person's words are a note when they ask for a change, else a question about where things stand. */
function inReview(turn: Turn, place: Place): Reply {
  const wish = WANTS_CHANGE.test(turn.typed) && !turn.typed.trimEnd().endsWith('?');
  const missing = turn.state?.kind === 'postInit' && turn.state.missing !== null;
  const path = livePath(turn);
  const edited = turn.done.some((call) => call.name === 'edit_file' && call.input['path'] === path);
  const rewritten = turn.done.some((call) => call.name === 'write_file' && call.input['path'] === path);
  if ((missing && !edited) || rewritten) return design(turn, place);
  return wish || edited ? revise(turn, turn.typed) : talk(turn);
}
