import { Worker } from 'node:worker_threads';
import type { LinePattern } from '../../tools/types.ts';

type Matched = { lines: readonly (readonly number[])[] } | { cause: string };

/** Source text, not a file: the build makes one bundle, and a worker needs an entry of its own. */
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const pattern = new RegExp(workerData.source, workerData.flags);
let left = workerData.limit;
const found = workerData.texts.map((text) => {
  const hits = [];
  const lines = left > 0 ? text.split('\\n') : [];
  if (lines.at(-1) === '') lines.pop();
  for (let i = 0; i < lines.length && left > 0; i++) {
    const line = lines[i].endsWith('\\r') ? lines[i].slice(0, -1) : lines[i];
    if (pattern.test(line)) { hits.push(i + 1); left--; }
  }
  return hits;
});
parentPort.postMessage(found);
`;

/**
 * Line numbers (from 1) that a pattern matches, per text. A regular expression can take for ever and
 * nothing inside its own thread can stop it, so it runs in a worker that is ended after `limitMs`.
 * Contract: never throws.
 */
export async function matchLines(
  texts: readonly string[],
  pattern: LinePattern,
  limitMs: number,
  signal: AbortSignal,
): Promise<Matched> {
  if (signal.aborted) return { cause: 'the search was cancelled' };
  const worker = new Worker(program, {
    eval: true,
    workerData: { texts, ...pattern },
    env: {},
    execArgv: [],
  });
  const cancelled = Promise.withResolvers<Matched>();
  const cancel = (): void => cancelled.resolve({ cause: 'the search was cancelled' });
  const timer = setTimeout(
    () => cancelled.resolve({ cause: `the pattern took longer than ${limitMs / 1000} s; use a simpler one` }),
    limitMs,
  );
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await Promise.race([answerOf(worker), cancelled.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    await worker.terminate();
  }
}

function answerOf(worker: Worker): Promise<Matched> {
  return new Promise((resolve) => {
    worker.once('message', (lines: number[][]) => resolve({ lines }));
    worker.once('error', (error) => resolve({ cause: `the search failed: ${String(error)}` }));
    worker.once('exit', (code) => resolve({ cause: `the search ended early (exit ${code})` }));
  });
}
