import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Group } from '../../../adapters/workspace/group.ts';
import type { SandboxMode } from '../../../adapters/workspace/sandbox.ts';
import { createShell, type ShellOptions } from '../../../adapters/workspace/shell.ts';
import type { ShellOutcome } from '../../../tools/types.ts';
import { folder, never } from './folder.ts';

/** Key values that stand in a fake environment and must not come out of any command. */
export const keys = { model: 'sk-fake-0123456789', bot: '99:fake-bot-token' };

/** A project and a home beside it, and a shell on both. */
export function shellWorld(options: Partial<ShellOptions> = {}) {
  const root = folder({
    'project/a.txt': 'first\nsecond\n',
    'home/planchart.toml': 'key = "hidden"',
    'home/sessions/mine.md': 'my plan',
    'home/sessions/other.md': 'their plan',
  });
  const cwd = join(root, 'project');
  const home = join(root, 'home');
  mkdirSync(join(root, 'outside'));
  const groups: (Group | null)[] = [];
  const shell = createShell({
    cwd,
    home,
    turn: `turn-${process.pid}-${root.slice(-6)}`,
    visible: () => [join(home, 'sessions/mine.md'), join(home, 'sessions/none.md')],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      OPENAI_API_KEY: keys.model,
      OTHER: keys.bot,
      PLAIN: 'yes',
    },
    secrets: [keys.bot],
    onGroup: (group) => groups.push(group),
    ...options,
  });
  const run = (command: string, mode: SandboxMode = 'project', timeoutMs = 20_000): Promise<ShellOutcome> =>
    shell.run(command, mode, timeoutMs, never);
  return { root, cwd, home, groups, shell, run };
}

/** Bubblewrap that is not there. */
export const without = { bubblewrap: 'bwrap-that-is-not-installed' };

/** The output of a command that ended, or the text of a refusal: a test reads it either way. */
export const said = (outcome: ShellOutcome): string =>
  outcome.kind === 'refused' ? `REFUSED ${outcome.text}` : outcome.output;
