import { closeSync, fstatSync, readFileSync } from 'node:fs';

type Env = Readonly<Record<string, string | undefined>>;

/** The launcher says here that keys wait on this descriptor, as lines `NAME=value` (D22). */
const variable = 'PLANCHART_KEYS';
const descriptor = 3;

/**
 * The environment with the keys that the launcher took out of it, so that `/proc/<pid>/environ` does not hold them.
 * Started in another way, it is the environment as it is. Throws what reading the pipe throws.
 */
export function withKeys({ [variable]: where, ...env }: Env): Env {
  if (where !== String(descriptor) || !isPassed()) return env;
  const lines = readFileSync(descriptor, 'utf8').split('\n');
  closeSync(descriptor);
  const keys = lines.flatMap((line) => {
    const at = line.indexOf('=');
    return at > 0 ? [[line.slice(0, at), line.slice(at + 1)] as const] : [];
  });
  return { ...env, ...Object.fromEntries(keys) };
}

/** Some shells make a file of such a text, most a pipe. */
function isPassed(): boolean {
  const stat = fstatSync(descriptor);
  return stat.isFIFO() || stat.isFile();
}
