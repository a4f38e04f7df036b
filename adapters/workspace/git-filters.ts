import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Why git can't be trusted to only read in a folder, or null: the repository's own settings name a filter, a
 * program that `git status` and `git diff` run on files. A filter of the user's own settings is the user's
 * business; one of the repository's may have been laid out beforehand. Contract: never throws.
 */
export async function filterObjection(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  const ask = async (scope: string): Promise<string> => {
    const line = ['-C', folder, 'config', scope, '--includes', '--name-only', '--get-regexp', '^filter\\.'];
    return promisify(execFile)('git', line, { env: { ...env }, timeout: 5000 }).then(
      ({ stdout }) => stdout,
      // No such setting, no repository or no git: git itself then says so in the command's output.
      () => '',
    );
  };
  const found = (await Promise.all(['--local', '--worktree'].map(ask))).join('').trim().split('\n');
  const [name = ''] = found;
  if (name === '') return null;
  return `the repository in ${folder} has a setting that runs a program on its files (${name})`;
}
