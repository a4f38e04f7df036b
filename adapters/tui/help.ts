const rows: readonly (readonly [string, string])[] = [
  ['/plan [text]', 'design first: the agent writes a plan and waits for you'],
  ['/show-plan', 'read the plan or the checklist (Ctrl+P)'],
  ['/execute', 'approve the plan you have read and start it'],
  ['/discard', 'drop the plan; a copy is kept'],
  ['/continue', 'go on after an interruption'],
  ['/stop', 'stop the running turn (Esc Esc, or Ctrl+C)'],
  ['/goal [text|clear]', 'show, set or clear your goal'],
  ['/approve [ask|yolo]', 'show or set whether tools ask first'],
  ['/quit', 'leave; the session can be resumed (Ctrl+C twice)'],
];

const switching: readonly (readonly [string, string])[] = [
  ['/new', 'start a new session'],
  ['/session <id>', 'go to another session'],
];

const keys =
  'Enter sends. Alt+Enter, Ctrl+J or \\ then Enter begins a new line. Up and Down walk through what you wrote.';

/** The text of `/help`, one command a line. */
export function helpText(sessions: 'fixed' | 'switchable'): string {
  const all = sessions === 'switchable' ? [...rows, ...switching] : rows;
  return [...all.map(([name, what]) => `${name}  ${what}`), keys].join('\n');
}
