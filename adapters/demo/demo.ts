import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { composeWith, create, terminalPerson } from '../cli/compose.ts';
import { onWriteError } from '../cli/output.ts';
import { createRehearsalModel } from '../rehearsal/index.ts';
import { RuntimeSession } from '../runtime/index.ts';
import { harmless, visibleLine } from '../text.ts';
import { play } from './play.ts';

/**
 * `npm run demo`: the whole main job without a terminal, on a copy of the sample project. Real
 * runtime, real files, the rehearsal model. Exit code 0 only if the plan was archived and the work is there.
 */
async function demo(): Promise<number> {
  const sample = fileURLToPath(new URL('../adapters/demo/sample/', import.meta.url));
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'planchart-demo-')));
  const project = join(folder, 'todo-sample');
  const home = join(folder, 'home');
  cpSync(sample, project, { recursive: true });
  mkdirSync(home);
  say(`Sample project copied to ${project}`);

  const model = createRehearsalModel({ editsSample: true });
  const parts = { home, userHome: folder, env: process.env, secrets: [], model };
  const world = composeWith(parts);
  const session = await RuntimeSession.open(await create(world, project), world);
  const faults = await play(session, terminalPerson, say).catch((error: unknown) => [messageOf(error)]);
  await session.close();

  say('\nFiles in the project now:');
  for (const file of files(project)) say(`  ${file}`);
  say('Archive:');
  const { archive } = session.paths;
  const archived = existsSync(archive) ? readdirSync(archive) : [];
  for (const file of archived) say(`  ${file}`);
  if (!archived.some((name) => name.endsWith('.json'))) faults.push('the checklist is not in the archive');
  if (!archived.some((name) => name.endsWith('.md'))) faults.push('the session plan is not in the archive');
  faults.push(...workFaults(project));
  for (const fault of faults) say(`FAILED: ${fault}`);
  say(`\nEverything is in ${folder}; delete it when you have seen enough.`);
  const passed = faults.length === 0;
  say(passed ? 'The demo went through: planned, approved, built, worked, archived.' : 'The demo failed.');
  return passed ? 0 : 1;
}

/** The new option has to work, and the project's own tests have to pass with the new ones. */
function workFaults(project: string): string[] {
  try {
    const run = (...args: string[]): string =>
      execFileSync(process.execPath, args, {
        cwd: project,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    run('--test');
    run('src/cli.js', 'add', 'Water the plants');
    const counted = run('src/cli.js', 'list', '--count').trim();
    say(`\n$ node src/cli.js list --count\n${counted}`);
    return counted === '1 open, 0 done' ? [] : [`list --count printed ${JSON.stringify(counted)}`];
  } catch (error) {
    return [`the project's own commands fail: ${messageOf(error)}`];
  }
}

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

function say(text: string): void {
  process.stdout.write(`${harmless(text)}\n`);
}

function failed(error: unknown): number {
  process.stderr.write(`The demo failed: ${visibleLine(messageOf(error))}\n`);
  return 1;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

onWriteError([process.stdout, process.stderr], (error) => process.exit(failed(error)));
process.exitCode = await demo().catch(failed);
