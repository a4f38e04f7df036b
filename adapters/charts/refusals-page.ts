import { codes as allCodes, refusals } from '../../machines/index.ts';
import { type Answered, answersOf, placeWords, regionOf } from './answers.ts';
import { code, generated, table } from './markdown.ts';
import type { MachineNode } from './nodes.ts';

type Facts = Parameters<(typeof refusals)['BUSY']>[0];

/** What a text names of the session, as its placeholder. */
const facts: Facts = {
  documentPath: '<the session plan>',
  sidecarPath: '<the plan file>',
  faults: ['<each fault>'],
  running: '<what runs>',
  task: '<the task>',
  value: '<what was given>',
  cause: '<the cause>',
  archived: '',
};

/** Codes that not only branches of the machine give, and who else does. */
const elsewhere: Readonly<Record<string, string>> = {
  NOT_SAVED: 'any event whose commit could not be written',
  NOT_APPLICABLE: 'any event that a state has no branch for',
  CANCELLED: 'the gate, from a cancel on',
  GATE_CLOSED: 'the gate: [gate.md](gate.md)',
  FROZEN: 'the gate, for a write to an approved session plan',
  NOT_FOR_CHILD: 'the gate, for the `plan` tool of a sub-agent',
};

/** The page on every refusal: its code, its text, and where it is the answer. */
export function refusalsPage(session: MachineNode): string {
  const answers = answersOf(session);
  const rows = allCodes.map((name) => {
    const [text, next] = sentences(refusals[name](facts));
    const given = answers.filter((one) => one.code === name);
    const places = [...where(session, given), ...(name in elsewhere ? [elsewhere[name] ?? ''] : [])];
    return [code(name), kindOf(given), text, next, places.join('<br>')];
  });
  return [
    generated('Refusals', 'machines/refusals.ts and the session machine'),
    'People and the model read the same text. *Refused*: nothing was done. *Info*: nothing had to be done. Words in ‹ › stand for',
    'what the text names. The states are those of [session](README.md#session).\n',
    table(['code', 'answer', 'text', 'what to do next', 'when'], rows),
  ].join('\n');
}

function kindOf(given: readonly Answered[]): string {
  const kinds = [...new Set(given.map(({ outcome }) => outcome))];
  return kinds.length === 0 ? 'refused' : kinds.toSorted().toReversed().join(', ');
}

/** Each event with the states in which it may get this answer. */
function where(root: MachineNode, given: readonly Answered[]): string[] {
  return [...Map.groupBy(given, ({ event }) => event)].map(([event, list]) => {
    return `${code(event)} in ${placeWords(
      regionOf(root, event),
      list.map(({ leaf }) => leaf),
    )}`;
  });
}

/** The text up to its first full stop, and the rest; a list within it stays with what it belongs to. */
function sentences(text: string): [string, string] {
  const flat = text.replaceAll(/\n- (.*)\n/gu, ' $1. ').replaceAll(/\n- (.*)$/gu, ' $1.');
  const shown = flat.replace(' 1 numbered', ' <so many> numbered').replaceAll('<', '‹').replaceAll('>', '›');
  const end = /[.?!] /u.exec(shown);
  return end === null ? [shown, '–'] : [shown.slice(0, end.index + 1), shown.slice(end.index + 2)];
}
