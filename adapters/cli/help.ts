import manifest from '../../package.json' with { type: 'json' };

const { name } = manifest;
export const { version } = manifest;

export const versionText = `${name} ${version}`;

export const helpText = `planchart: Plan mode for AI agents, run by statecharts you can see

Usage
  planchart                     open the terminal UI on a folder
  planchart run "<prompt>"      one turn without a terminal; "-" reads the prompt from stdin
  planchart bot                 the Telegram bot, without a terminal
  planchart sessions [--json]   sessions of this home by name and last use
  planchart sessions rename <id> <name>
  planchart status [--json]     sessions of this home, with plan state and path; changes nothing
  planchart doctor [--json]     what works here and what to do about the rest; exits 1 when something fails
  planchart config [--json]     every setting, its value and where that comes from
  planchart charts [--out <dir>] the statecharts as Mermaid, SVG and a page to click; --check, --open
  planchart charts --live       that page, following a running session; read-only
  planchart replay <journal>    walk a session's journal through the machine: a file, or the session's id
  planchart trust [dir]         load the settings that a folder brings along; --remove takes that back
  planchart --help | --version

Options
  --cwd <dir>        folder to work in (default: the current one)
  --home <dir>       home of plans and settings (default: OPENCRABS_HOME or ~/.opencrabs)
  --profile <name>   profile of that home (default: OPENCRABS_PROFILE)
  --project <name>   keep the plan files of this session with a project of that home
  --session <id>     go on with this session
  --new              start a new session
  --model <model>    openai:<model>, anthropic:<model> or rehearsal (default: PLANCHART_MODEL, else rehearsal)
  --json             for run, sessions, status, doctor and config: JSON on stdout
  --out <dir>        for charts: the folder to write or to check (default: docs/charts)
  --check            for charts: write nothing, exit 1 when the folder is not up to date
  --live             for charts: follow the folder's last session, or that of --session
  --open             for charts and replay: open the page in the browser
  --entry <kind>     who starts a run: run (default), cron or a2a
  --bot              the terminal UI runs the Telegram bot beside it
  --yolo             tools run without asking in this session; plans still need a person

Environment
  PLANCHART_MODEL    as --model
  PLANCHART_LOG      off, info or debug: what goes into the log of that home
  OPENAI_BASE_URL, OPENAI_API_KEY
                     address and key of any server that speaks OpenAI chat completions
  ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY
                     the same for Anthropic messages
  TELEGRAM_BOT_TOKEN, TELEGRAM_OWNER_ID, TELEGRAM_ALLOWED_IDS, TELEGRAM_API_ROOT
                     the bot's token, who owns its sessions, who may write to it, another server

Exit codes: 0 done, 1 model or tool failure, 2 wrong usage, 3 refused, 4 needs a person, 130 cancelled
`;
