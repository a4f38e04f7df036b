import type { Skill, SkillList } from '../ports.ts';
import { visibleLine } from './text.ts';

const rows: readonly (readonly [string, string])[] = [
  ['/plan [text]', 'design first: the agent writes a plan and waits for you'],
  ['/show-plan', 'read the plan or the checklist (Ctrl+P)'],
  ['/execute', 'approve the plan you have read and start it'],
  ['/discard', 'drop the plan; a copy is kept'],
  ['/continue', 'go on after an interruption'],
  ['/stop', 'stop the running turn (Esc Esc, or Ctrl+C)'],
  ['/compact', 'sum up the conversation so far, so that the model has room again'],
  ['/goal [text|clear]', 'show, set or clear your goal'],
  ['/approve [ask|yolo]', 'show or set whether tools ask first'],
  ['/model [model]', 'show the model, or take another from the next turn on'],
  ['/rename [name]', 'show the name of this session, or give it one'],
  ['/quit', 'leave; the session can be resumed (Ctrl+C twice)'],
];

const switching: readonly (readonly [string, string])[] = [
  ['/sessions', 'list the sessions and go to another one'],
  ['/new', 'start a new session'],
  ['/session <id>', 'go to another session'],
];

const keys = [
  'Enter sends. Alt+Enter, Ctrl+J or \\ then Enter begins a new line. Up and Down walk through what you wrote.',
  'Tab completes a command, or a file after @. Ctrl+Z stops the program; fg goes on.',
  'With nothing in the input: Up takes back what waits here; a message that was not sent goes out with Ctrl+S, or ' +
    'comes back with Ctrl+X.',
];

/** The commands there are, with what they take, and what they do. */
export function commandRows(sessions: 'fixed' | 'switchable'): readonly (readonly [string, string])[] {
  return sessions === 'switchable' ? [...rows, ...switching] : rows;
}

/** The text of `/help`, one command a line; the user's own come last, with what is wrong with a file of theirs. */
export function helpText(sessions: 'fixed' | 'switchable', own: SkillList): string {
  const built = [...commandRows(sessions).map(([name, what]) => `${name}  ${what}`), ...keys];
  return [
    ...built,
    ...section('command', own),
    ...section('skill', own),
    ...own.faults.map(visibleLine),
  ].join('\n');
}

const heads = {
  command: 'Your commands:',
  skill: 'Your skills, which the agent reads by itself where they fit:',
};

function section(kind: Skill['kind'], { all }: SkillList): string[] {
  const rowsOf = all
    .filter((one) => one.kind === kind)
    .map((one) => `${visibleLine(`/${one.name} ${one.arguments}`)}  ${visibleLine(one.description)}`);
  return rowsOf.length === 0 ? [] : [heads[kind], ...rowsOf];
}
