import { join } from 'node:path';
import { judgeCommand } from '../../../adapters/workspace/allow-list.ts';
import { folder } from './folder.ts';

/** A project with a home of planchart beside it, both in the user's own folder. */
export function places(files: Readonly<Record<string, string>> = {}) {
  const root = folder({
    'p/a.txt': 'one\n',
    'p/src/a.ts': '',
    'p/src/b.ts': '',
    'home/key': 'hidden',
    ...files,
  });
  return { cwd: join(root, 'p'), home: join(root, 'home'), env: { HOME: root, PATH: '/usr/bin:/bin' } };
}

/** `allowed`, or why not. */
export async function verdict(command: string, where = places()): Promise<string> {
  const judged = await judgeCommand(command, where);
  return judged.allowed ? 'allowed' : judged.text;
}

/** Commands in a table of their own: between bars, over several lines. */
export const commands = (table: string): string[] => table.trim().split(/\s*¦\s*|\n\s*/);
