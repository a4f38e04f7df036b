import type { Path, Surface, Walk } from './surface.ts';

export interface Failure {
  /** Index of the step that went wrong, from 0. */
  step: number;
  /** What differs, a line each. */
  differences: readonly string[];
}

export interface PathResult {
  path: Path;
  surface: Surface['name'];
  ms: number;
  /** null: every step came out as the model says. */
  failure: Failure | null;
}

/** Walks one path on a surface of its own, up to the first step that differs. Never throws. */
export async function runPath(surface: Surface, path: Path): Promise<PathResult> {
  const start = performance.now();
  const failure = await tried(surface, path);
  return { path, surface: surface.name, ms: performance.now() - start, failure };
}

async function tried(surface: Surface, { steps }: Path): Promise<Failure | null> {
  let at = 0;
  let walk: Walk | null = null;
  let failure: Failure | null = null;
  try {
    walk = await surface.open();
    for (const [index, step] of steps.entries()) {
      at = index;
      await walk.perform(step);
      const differences = await walk.differences(step);
      if (differences.length > 0) {
        failure = { step: index, differences };
        break;
      }
    }
  } catch (error) {
    failure = { step: at, differences: [told(error)] };
  }
  try {
    await walk?.close();
  } catch (error) {
    failure ??= { step: at, differences: [`at its end: ${told(error)}`] };
  }
  return failure;
}

const told = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Walks paths, `atOnce` of them side by side; the results are in the order of the paths, `done` is told each when it is there. */
export async function runPaths(
  surface: Surface,
  paths: readonly Path[],
  { atOnce = 1, done = () => {} }: { atOnce?: number; done?: (result: PathResult) => void } = {},
): Promise<PathResult[]> {
  const results: PathResult[] = [];
  const left = [...paths.entries()];
  const hand = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const result = await runPath(surface, next[1]);
      results[next[0]] = result;
      done(result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, hand));
  return results;
}
