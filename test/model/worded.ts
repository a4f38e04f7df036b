import {
  type Actor,
  answerOf,
  phaseOf,
  type Phase,
  type Said,
  select,
  turnOf,
  type TurnState,
} from '../../machines/index.ts';
import type { Move, World } from '../support/explore.ts';
import type { Step } from './surface.ts';

/**
 * Each step as a person can redo it, and what has to come of it:
 * `2. The model calls plan init {"title":"…"} → accepted. Then: Editing (postInit), a turn runs.` D83.
 */
export const redoLines = (steps: readonly Step[]): string[] =>
  steps.map((step, index) => `${index + 1}. ${doneIn(step)} → ${expectedOf(step)}`);

/** What is done, with the name of the sample behind it. */
export function doneIn({ before, move }: Pick<Step, 'before' | 'move'>): string {
  if (!('said' in move)) return outside(move);
  const { said } = move;
  const detail = move.name.slice(said.type.length + 1);
  return `${'by' in said ? byPerson(said) : byProgram(before, said)} [${detail}]`;
}

function outside({ name, type }: Move): string {
  const what = name.slice(name.indexOf(': ') + 2);
  return type === 'command'
    ? `While the turn's command runs with no sandbox around it: ${what}`
    : `Outside planchart: ${what}`;
}

function byPerson(said: Extract<Said, { by: Actor }>): string {
  const way = 'button' in said && said.button !== undefined ? ' by a plan button' : '';
  return `${whoIs(said.by)} ${acts(said)}${way}`;
}

function whoIs({ entry, surface, person, owner }: Actor): string {
  if (entry !== 'interactive') return `"planchart ${entry}", with nobody there,`;
  return owner ? 'The owner' : `Another person (${person}, ${surface})`;
}

function acts(said: Extract<Said, { by: Actor }>): string {
  switch (said.type) {
    case 'user.plan':
      return `sends "/plan${said.text === undefined ? '' : ` ${said.text}`}"`;
    case 'user.show':
      return 'sends "/show-plan"';
    case 'user.execute':
      return said.shown === null ? 'approves (no text was shown to them)' : 'approves';
    case 'user.approveText':
      return 'approves the changed text';
    case 'user.restore':
      return 'restores the approved text';
    case 'user.revise':
      return `asks for a change: "${said.note}"`;
    case 'user.discard':
      return 'discards the plan';
    case 'user.continue':
      return 'lets the checklist go on';
    case 'user.chat':
      return said.origin === 'typed' ? `says "${said.text}"` : `runs an own command that says "${said.text}"`;
    case 'user.compact':
      return 'sends "/compact"';
    case 'user.stop':
      return 'stops the turn';
    case 'user.switch':
      return 'wants another session';
    case 'user.policy':
      return `sets the policy to ${said.yolo ? 'yolo' : 'ask'}`;
    case 'user.place':
      return `sets${said.cwd === undefined ? '' : ` the folder ${said.cwd}`} the project ${said.project ?? 'none'}`;
    case 'user.goal':
      return said.text === null ? 'clears the goal' : `sets the goal "${said.text}"`;
    case 'user.rename':
      return `names the session "${said.name}"`;
    case 'queue.send':
      return 'sends the message that was left';
  }
}

const calls: Readonly<Record<string, string>> = {
  'tool.init': 'plan init',
  'tool.addTasks': 'plan add_tasks',
  'tool.start': 'plan start',
  'tool.complete': 'plan complete',
  'tool.unknown': 'plan with an operation that there is not:',
  'tool.document': 'write on the session .md:',
};

function byProgram({ snapshot }: World, said: Exclude<Said, { by: Actor }>): string {
  switch (said.type) {
    case 'turn.end':
      return `${ofTurn(snapshot, said.turn)} ends: ${said.outcome}`;
    case 'turn.note':
      return said.shell === undefined
        ? `${ofTurn(snapshot, said.turn)} ${said.waiting === null ? 'waits no more' : 'waits for a person'}`
        : `A command of ${ofTurn(snapshot, said.turn).toLowerCase()} with no sandbox ${said.shell === 'begins' ? 'begins' : 'has ended'}`;
    case 'queue.take':
      return 'The message that waits first is taken up';
    case 'queue.drop':
      return 'The message that waits is dropped';
    default: {
      const { type, turn, child, ...fields } = said;
      const caller = child ? 'A sub-agent' : 'The model';
      const late = turn === snapshot.context.record.lease?.turn ? '' : ', in a turn that is over,';
      return `${caller}${late} calls ${calls[type] ?? type} ${shortened(JSON.stringify(fields))}`;
    }
  }
}

const ofTurn = (snapshot: World['snapshot'], turn: string): string =>
  turn === snapshot.context.record.lease?.turn ? 'The turn' : 'Another turn, which is over,';

/** One line of at most 160 characters. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ');
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

const phases: Readonly<Record<Phase, string>> = {
  noPlan: 'no plan',
  preInit: 'Editing, no plan yet',
  postInit: 'Editing',
  seeding: 'approved, the checklist is built',
  seedFailedEmpty: 'approved, no checklist came',
  seedFailedPartial: 'approved, the checklist was not started',
  checklist: 'Active',
  unreadable: 'the plan file is unreadable',
};

const turns: Readonly<Record<TurnState, string>> = {
  idle: 'no turn runs',
  running: 'a turn runs',
  stopping: 'the turn is being stopped',
  discarding: 'the turn is being stopped, then the plan discarded',
};

function expectedOf({ after }: Step): string {
  const last = after.taken.at(-1);
  const answer = last === undefined ? 'nothing comes of it' : answered(last);
  return `${answer}. Then: ${placeOf(after)}.`;
}

function answered({ answer, before, event }: World['taken'][number]): string {
  if (answer.kind !== 'refused' && answer.kind !== 'info') return answer.kind;
  const { text } = answerOf(answer, before, event);
  return `${answer.kind} ${answer.code}, "${shortened(text).replace(/\.$/u, '')}"`;
}

/** Where a session stands: `Editing (postInit), a turn runs, 1 message waits`. */
export function placeOf({ snapshot }: World): string {
  const phase = phaseOf(snapshot);
  const view = select(snapshot);
  const tasks = view.tasks.map(({ number, status }) => `${number} ${status}`).join(', ');
  return [
    `${phases[phase]} (${phase})`,
    turns[turnOf(snapshot)],
    ...(tasks === '' ? [] : [`tasks ${tasks}`]),
    ...(view.queue.length === 0 ? [] : [`${view.queue.length} waiting`]),
    ...(view.policy === 'yolo' ? ['yolo'] : []),
  ].join(', ');
}
