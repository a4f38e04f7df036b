import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { ModelCall, ModelTool } from '../../../adapters/ports.ts';

/** What a call came to, as the model gets it. */
export interface Outcome {
  text: string;
  failed: boolean;
}

/** The tools of a session as the model sees them; the rules only look at the names. */
export const toolList: readonly ModelTool[] = [
  'read_file',
  'ls',
  'glob',
  'grep',
  'write_file',
  'edit_file',
  'bash',
  'follow_up_question',
  'plan',
].map((name) => ({ name, description: '', parameters: { type: 'object' } }));

const done = (text: string): Outcome => ({ text, failed: false });
const refused = (text: string): Outcome => ({ text, failed: true });

/** Runs a file or shell tool in a real folder, answering in the format of the real tools. */
export function runTool(cwd: string, call: ModelCall): Outcome {
  const input = call.input as Record<string, string | number | boolean | undefined>;
  const path = resolve(cwd, String(input['path'] ?? '.'));
  switch (call.name) {
    case 'ls':
      return list(path);
    case 'glob':
      return done(files(cwd).join('\n') || `No file below ${cwd} matches ${input['pattern']}.`);
    case 'grep':
      return search(cwd, new RegExp(String(input['pattern']), input['ignore_case'] === true ? 'i' : ''));
    case 'read_file':
      return existsSync(path)
        ? done(numbered(path, Number(input['limit'] ?? 2000)))
        : refused(`Could not read ${path}.`);
    case 'write_file':
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, String(input['content']));
      return done(`Wrote ${path}.`);
    case 'edit_file':
      return edit(path, String(input['old_text']), String(input['new_text']));
    case 'bash':
      return bash(cwd, String(input['command']));
    default:
      return refused(`There is no tool ${call.name}.`);
  }
}

/** The text after one exact replacement; null when the old text is not there exactly once. */
export function replaced(text: string, before: string, after: string): string | null {
  return text.split(before).length === 2 ? text.split(before).join(after) : null;
}

/** Relative paths of every file below a folder, sorted. */
export function files(cwd: string): string[] {
  const entries = readdirSync(cwd, { recursive: true, withFileTypes: true });
  const found = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(cwd, join(entry.parentPath, entry.name)));
  return found.toSorted();
}

function list(path: string): Outcome {
  if (!existsSync(path))
    return refused(`Could not list ${path}: there is nothing. Give the path of a folder.`);
  const entries = readdirSync(path, { withFileTypes: true });
  if (entries.length === 0) return done(`${path} is empty.`);
  const lines = entries.map((entry) => {
    return entry.isDirectory()
      ? `${entry.name}/`
      : `${entry.name}  ${statSync(join(path, entry.name)).size} bytes`;
  });
  return done([`${path}:`, ...lines].join('\n'));
}

function search(cwd: string, pattern: RegExp): Outcome {
  const hits = files(cwd).flatMap((file) => {
    const lines = readFileSync(join(cwd, file), 'utf8').split('\n');
    return lines.flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line}`] : []));
  });
  return done(hits.join('\n') || 'No line matches in these files.');
}

function numbered(path: string, limit: number): string {
  const lines = readFileSync(path, 'utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (lines.length === 0) return `${path} is empty.`;
  const shown = lines.slice(0, limit).map((line, index) => `${index + 1}\t${line}`);
  if (lines.length > limit)
    shown.push(`[Lines 1 to ${limit} of ${lines.length}. Read on with offset ${limit + 1}.]`);
  return shown.join('\n');
}

function edit(path: string, before: string, after: string): Outcome {
  const next = existsSync(path) ? replaced(readFileSync(path, 'utf8'), before, after) : null;
  if (next === null) return refused(`${path}: the old text is not there exactly once.`);
  writeFileSync(path, next);
  return done(`Edited ${path}.`);
}

function bash(cwd: string, command: string): Outcome {
  // The test runner's own marks would make a nested `node --test` report to it.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  try {
    return done(execFileSync('bash', ['-c', command], { cwd, encoding: 'utf8', env, stdio: 'pipe' }));
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return refused(`Exit code 1.\n${stdout}${stderr}`);
  }
}
