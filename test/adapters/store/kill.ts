import type { FileOps, OpenFile } from '../../../adapters/store/file-ops.ts';
import { createFileOps } from '../../../adapters/store/file-ops.ts';

export interface Point {
  call: string;
  path: string;
  when: 'before' | 'after';
}

/**
 * Never goes on after the given moment: what a killed process leaves, without any clean-up of ours. Answers
 * the moment, or null when the work ended before it came.
 */
export async function killedAt(
  work: (ops: FileOps) => Promise<unknown>,
  here: (at: Point, number: number) => boolean,
): Promise<Point | null> {
  let number = 0;
  const opened: OpenFile[] = [];
  const { promise: killed, resolve } = Promise.withResolvers<Point>();
  const gate = async (at: Point) => {
    number += 1;
    if (!here(at, number)) return;
    resolve(at);
    await new Promise(() => undefined);
  };
  const gated = Object.entries(createFileOps()).map(([call, run]) => {
    const through = async (...args: unknown[]) => {
      const path = String(args.at(call === 'rename' || call === 'link' ? 1 : 0));
      await gate({ call, path, when: 'before' });
      const result: unknown = await Reflect.apply(run as (...args: unknown[]) => unknown, null, args);
      if (call === 'create') opened.push(result as OpenFile);
      await gate({ call, path, when: 'after' });
      return result;
    };
    return [call, through];
  });
  const ended = work(Object.fromEntries(gated) as FileOps).then(() => null);
  const at = await Promise.race([killed, ended]);
  for (const { handle } of opened) if (handle.fd !== -1) await handle.close();
  return at;
}
