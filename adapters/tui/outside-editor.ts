import { spawn, type SpawnOptions } from 'node:child_process';
import process from 'node:process';

/** A command line as `$EDITOR` has it, e.g. `code --wait`, in its words; quotes keep a word together. */
export function commandWords(command: string): string[] {
  return Array.from(command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/gu), ([, twice, once, bare]) => {
    return twice ?? once ?? bare ?? '';
  });
}

function ending(name: string, code: number | null, signal: string | null): string | null {
  if (code === 0) return null;
  return `${name} ended with ${code ?? signal ?? 'an error'}; this is what the file has now.`;
}

/** The program that ends takes the editor along: nobody would read what it says any more. */
function whileItRuns(kill: () => void): () => void {
  const ignore = (): void => undefined;
  // Ctrl+C may be a key of the editor's, or meant for it alone.
  process.on('SIGINT', ignore);
  process.on('exit', kill);
  return () => {
    process.off('SIGINT', ignore);
    process.off('exit', kill);
  };
}

/**
 * Runs the person's editor on a file in this terminal, which has to be as a shell leaves it, until it ends or
 * `signal` aborts it. Answers what went wrong, in words, or null.
 * Contract: never throws.
 */
export function runEditor(
  command: string,
  file: string,
  stdio: SpawnOptions['stdio'],
  signal: AbortSignal,
): Promise<string | null> {
  const [name = '', ...words] = commandWords(command);
  return new Promise((resolve) => {
    const editor = spawn(name, [...words, file], { stdio, signal });
    const done = whileItRuns(() => editor.kill());
    const settle = (said: string | null): void => {
      done();
      resolve(said);
    };
    editor.on('error', (error) => {
      const why = 'code' in error && error.code === 'ENOENT' ? 'there is no such program' : error.message;
      settle(`${name} did not start: ${why}. VISUAL or EDITOR names the editor.`);
    });
    editor.on('exit', (code, by) => settle(ending(name, code, by)));
  });
}
