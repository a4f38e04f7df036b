import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './disk.ts';

export const program = join(root, 'dist/planchart.js');

/** How one process went: time from its start to its end, and everything on its standard output. */
export interface ProcessRun {
  ms: number;
  output: string;
}

/** From the start of a process to its end, both seen from outside. Throws unless it ends with 0. */
export function runNode(args: readonly string[]): Promise<ProcessRun> {
  const from = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const ms = performance.now() - from;
      if (code === 0) resolve({ ms, output });
      else reject(new Error(`node ${args.join(' ')} ended with ${code}.`));
    });
  });
}
