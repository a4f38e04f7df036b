import picomatch from 'picomatch';
import type { LinePattern } from './types.ts';

/**
 * A glob as a line pattern for lists of relative paths. Without a slash it is about the name alone, at
 * any depth, as in `.gitignore`. `cause` says what is wrong with it.
 */
export function globPattern(glob: string, limit: number): LinePattern | { cause: string } {
  const plain = glob.trim().replace(/^\.\//, '');
  if (plain === '') return { cause: 'the pattern is empty' };
  if (plain.startsWith('/') || plain.startsWith('~') || plain.split('/').includes('..')) {
    return {
      cause: `the pattern ${plain} leaves the folder; give the folder as path and a pattern relative to it`,
    };
  }
  try {
    const { source } = picomatch.makeRe(plain.includes('/') ? plain : `**/${plain}`, { dot: true });
    return { source, flags: '', limit };
  } catch (error) {
    return {
      cause: `the pattern ${plain} can't be used: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
