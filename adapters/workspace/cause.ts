import { getSystemErrorMap } from 'node:util';

/** Code of an outside failure such as `EACCES`, or null. */
export function errnoOf(error: unknown): string | null {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : null;
}

/** `<path>: permission denied (EACCES)`: what failed on what, to be put into a sentence. */
export function causeOf(path: string, error: unknown): string {
  const code = errnoOf(error);
  const errno = error instanceof Error ? (error as NodeJS.ErrnoException).errno : undefined;
  const words = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  if (code !== null && words !== undefined) return `${path}: ${words} (${code})`;
  return `${path}: ${error instanceof Error ? error.message : String(error)}`;
}
