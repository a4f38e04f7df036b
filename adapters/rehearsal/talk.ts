import { say, type Reply } from './reply.ts';
import type { Turn } from './turn.ts';

const WHO = "I'm the rehearsal model: fixed rules, not an LLM.";
const REAL_MODEL = 'For a real model start with `--model openai:<model>`.';

/** What the model answers when there is nothing for its rules to do. */
export function talk({ state, unattended }: Turn): Reply {
  if (unattended) {
    return say(
      `${WHO} A design needs a person who approves it, and nobody is here to do that; a checklist or an import works without. ${REAL_MODEL}`,
    );
  }
  switch (state?.kind) {
    case undefined:
      return say(
        `${WHO} I can't answer questions or write code. \`/plan <what is to be done>\` shows the whole way: I explore this folder, write a SESSION PLAN, and after you approve it I work its CHECKLIST, making new notes under \`planchart-rehearsal/\` and changing nothing else. ${REAL_MODEL}`,
      );
    case 'preInit':
      return say(
        'Plan mode is on. Tell me in a sentence what is to be done, and I write a SESSION PLAN for it.',
      );
    case 'postInit':
      return say(
        `The SESSION PLAN is at ${state.path} and waits for you: approve it with \`/execute\`, ask for changes, or \`/discard\` it. ${WHO}`,
      );
    case 'active':
      return say(`The CHECKLIST "${state.title}" has open tasks. Say "continue" and I go on with it. ${WHO}`);
    case 'seedFailed':
      return say(
        'The CHECKLIST could not be built. If it has no tasks yet, `/execute` builds it again; if it has some, `/discard` keeps a dated copy of the SESSION PLAN and a new one can start from it.',
      );
    case 'unreadable':
      return say(
        `The plan file ${state.path} can't be read (${state.cause}). \`/discard\` moves it to the archive; I change nothing.`,
      );
    default:
      return say(WHO);
  }
}

/** A request without tools asks for a summary of the conversation. */
export function summarize(turn: Turn): Reply {
  const calls = turn.done.length === 1 ? '1 tool call' : `${turn.done.length} tool calls`;
  const asked =
    turn.typed === '' ? 'The harness began the turn.' : `The person said: ${turn.typed.slice(0, 500)}`;
  return say(
    `Summary by the rehearsal model (fixed rules, not an LLM). ${asked} ${calls} so far in this turn.`,
  );
}
