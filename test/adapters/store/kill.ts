import { closeSync } from 'node:fs';
import type { FileOps, OpenFile } from '../../../adapters/store/file-ops.ts';
import { createFileOps } from '../../../adapters/store/file-ops.ts';

export interface Point {
  call: string;
  path: string;
  when: 'before' | 'after';
}

/**
 * Never goes on after the given moment: what a killed process leaves, without any clean-up of ours. Calls that
 * run side by side stop with it. Answers the moment, or null when the work ended before it came.
 */
export async function killedAt(
  work: (ops: FileOps) => Promise<unknown>,
  here: (at: Point, number: number) => boolean,
): Promise<Point | null> {
  let number = 0;
  let dead = false;
  const opened = new Set<OpenFile>();
  const { promise: killed, resolve } = Promise.withResolvers<Point>();
  const gate = async (at: Point) => {
    number += 1;
    if (!dead && !here(at, number)) return;
    dead = true;
    resolve(at);
    await new Promise(() => undefined);
  };
  const gated = Object.entries(createFileOps()).map(([call, run]) => {
    const through = async (...args: unknown[]) => {
      const path = String(args.at(call === 'rename' || call === 'link' ? 1 : 0));
      await gate({ call, path, when: 'before' });
      const result: unknown = await Reflect.apply(run as (...args: unknown[]) => unknown, null, args);
      if (call === 'create') opened.add(result as OpenFile);
      if (call === 'close') opened.delete(args[0] as OpenFile);
      await gate({ call, path, when: 'after' });
      return result;
    };
    return [call, through];
  });
  const ended = work(Object.fromEntries(gated) as FileOps).then(() => null);
  const at = await Promise.race([killed, ended]);
  for (const { handle } of opened) closeSync(handle);
  return at;
}
