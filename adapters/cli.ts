import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { helpText, versionText } from './cli/help.ts';
import { withKeys } from './cli/keys.ts';
import { onWriteError } from './cli/output.ts';
import { visibleLine } from './text.ts';

/** Entry of the binary. `--help` and `--version` are answered before anything else is loaded. */
async function main(argv: readonly string[]): Promise<number> {
  const flags = new Set(argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length));
  if (flags.has('--version')) return say(`${versionText}\n`);
  if (flags.has('--help') || flags.has('-h')) return say(helpText);
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 13)) {
    process.stderr.write(
      `planchart needs Node 22.13 or newer, and this is ${process.versions.node}. Install a newer Node.\n`,
    );
    return 2;
  }
  nodeModule.enableCompileCache();
  const { start } = await import('./cli/start.ts');
  return start({ argv, env: withKeys(process.env), cwd: process.cwd(), userHome: homedir() });
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

/** One line for whatever nothing else caught, never a stack. */
function failed(error: unknown): number {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`planchart: ${visibleLine(text)}\n`);
  return 1;
}

onWriteError([process.stdout, process.stderr], (error) => {
  failed(error);
  process.exit(1);
});
process.exitCode = await main(process.argv.slice(2)).catch(failed);
