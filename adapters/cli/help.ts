import manifest from '../../package.json' with { type: 'json' };

const { name } = manifest;
export const { version } = manifest;

export const versionText = `${name} ${version}`;

export const helpText = `planchart: Plan mode for AI agents, run by statecharts you can see

Usage
  planchart                     open the terminal UI on a folder
  planchart run "<prompt>"      one turn without a terminal
  planchart status [--json]     sessions of this home, with plan state and path; changes nothing
  planchart --help | --version

Options
  --cwd <dir>        folder to work in (default: the current one)
  --home <dir>       home of plans and settings (default: OPENCRABS_HOME or ~/.opencrabs)
  --profile <name>   profile of that home (default: OPENCRABS_PROFILE)
  --project <name>   keep the plan files of this session with a project of that home
  --session <id>     go on with this session
  --new              start a new session
  --model <model>    openai:<model> or rehearsal (default: PLANCHART_MODEL, else rehearsal)
  --yolo             tools run without asking in this session; plans still need a person

Environment
  PLANCHART_MODEL    as --model
  OPENAI_BASE_URL    address of any server that speaks the OpenAI protocol
  OPENAI_API_KEY     its key

Exit codes: 0 done, 1 model or tool failure, 2 wrong usage, 3 refused, 4 needs a person, 130 cancelled
`;
