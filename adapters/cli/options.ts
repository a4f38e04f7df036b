import type { parseArgs } from 'node:util';

export type CommandName =
  | 'tui'
  | 'run'
  | 'bot'
  | 'sessions'
  | 'rename'
  | 'status'
  | 'doctor'
  | 'config'
  | 'trust'
  | 'charts'
  | 'replay';

/** Every option of the command line, by name. */
export const options = {
  cwd: { type: 'string' },
  home: { type: 'string' },
  session: { type: 'string' },
  profile: { type: 'string' },
  project: { type: 'string' },
  json: { type: 'boolean' },
  new: { type: 'boolean' },
  model: { type: 'string' },
  entry: { type: 'string' },
  yolo: { type: 'boolean' },
  bot: { type: 'boolean' },
  remove: { type: 'boolean' },
  out: { type: 'string' },
  check: { type: 'boolean' },
  open: { type: 'boolean' },
  live: { type: 'boolean' },
} as const;

export type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

const unusedBy = {
  tui: ['json', 'entry', 'remove'],
  run: ['remove', 'bot'],
  bot: ['bot', 'json', 'entry', 'remove', 'session', 'new', 'yolo', 'project'],
  sessions: ['bot', 'cwd', 'session', 'new', 'model', 'yolo', 'project', 'entry', 'remove'],
  rename: ['bot', 'cwd', 'session', 'new', 'model', 'yolo', 'project', 'entry', 'json', 'remove'],
  status: ['bot', 'cwd', 'new', 'model', 'yolo', 'project', 'entry', 'remove'],
  doctor: ['bot', 'session', 'new', 'yolo', 'project', 'entry', 'remove'],
  config: ['bot', 'session', 'new', 'yolo', 'project', 'entry', 'remove'],
  replay: ['bot', 'cwd', 'session', 'new', 'model', 'yolo', 'project', 'entry', 'json', 'remove'],
  charts: ['bot', 'new', 'model', 'yolo', 'project', 'entry', 'json', 'remove'],
  trust: ['bot', 'session', 'new', 'yolo', 'project', 'model', 'entry', 'json'],
} as const satisfies Record<CommandName, readonly (keyof Values)[]>;

/** Options of `charts` alone. */
const ofCharts = ['out', 'check', 'live'] as const satisfies readonly (keyof Values)[];

/** Options of few commands, and which these are. */
const only: Readonly<Record<string, string>> = {
  json: 'run, sessions, status, doctor and config',
  entry: 'run',
  remove: 'trust',
  bot: 'the terminal UI',
  out: 'charts',
  check: 'charts',
  open: 'charts and replay',
  live: 'charts',
};

/** An option that would do nothing is a mistake, not a wish to ignore. */
export function misplaced(command: CommandName, values: Values): string | null {
  const without = [
    ...unusedBy[command],
    ...(command === 'charts' ? [] : ofCharts),
    ...(command === 'charts' || command === 'replay' ? [] : (['open'] as const)),
  ];
  const unused = without.find((flag) => values[flag] !== undefined);
  if (unused === undefined) return command === 'charts' ? amongCharts(values) : null;
  const shown = command === 'rename' ? 'sessions rename' : command;
  return unused in only
    ? `--${unused} goes with ${only[unused]} only. See planchart --help.`
    : `--${unused} does not go with ${shown}. See planchart --help.`;
}

/** The charts that are written are of no session. */
function amongCharts({ live, session, out, check }: Values): string | null {
  if (live !== true) return session === undefined ? null : '--session goes with charts --live only.';
  if (out === undefined && check === undefined) return null;
  return `--live does not go with --${out === undefined ? 'check' : 'out'}.`;
}
