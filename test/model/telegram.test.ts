import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byKind, everything, kinds } from './found.ts';
import { type PathResult, runPath } from './run.ts';
import { shuffled } from './shuffle.ts';
import type { Path, Surface } from './surface.ts';
import { longestOn } from './surfaces.ts';
import { telegramIn, telegramSurface } from './telegram.ts';
import { troubleFrom } from './telegram-trouble.ts';
import { type Tour, tourFor } from './tour.ts';
import { redoLines } from './worded.ts';

/** Bots that run at once: a walk mostly waits. */
const atOnce = 4;

/** Of today, so that every day walks into other faults; a failure prints it. */
const seed = Math.floor(Date.now() / 86_400_000);

let tour: Tour;

beforeAll(() => {
  tour = tourFor(telegramSurface, { longest: longestOn.telegram });
});

async function walkAll(surface: Surface, paths: readonly Path[]): Promise<PathResult[]> {
  const left = [...paths];
  const results: PathResult[] = [];
  const bot = async (): Promise<void> => {
    for (let path = left.shift(); path !== undefined; path = left.shift())
      results.push(await runPath(surface, path));
  };
  await Promise.all(Array.from({ length: atOnce }, bot));
  return results;
}

function toldOf({ path, failure }: PathResult): string[] {
  if (failure === null) return [];
  const steps = redoLines(path.steps.slice(0, failure.step + 1));
  return [[`path ${path.id}, seed of the faults ${seed}:`, ...steps, ...failure.differences].join('\n')];
}

describe('the tour of the session machine, in a chat', () => {
  let results: PathResult[] = [];

  afterAll(() => {
    const reachable = byKind(tour.wanted);
    const counts = kinds.map((kind) => `${reachable[kind].length} of ${everything[kind].length} ${kind}`);
    const walked = results.filter(({ failure }) => failure === null);
    const steps = walked.reduce((sum, { path }) => sum + path.steps.length, 0);
    console.log(
      `${walked.length} of ${tour.paths.length} paths, ${steps} steps; can be reached in a chat and is on a path: ` +
        `${counts.join(', ')}; faults with seed ${seed}`,
    );
  });

  it('covers everything that people in a chat, the model and an editor can do', () => {
    expect(tour.missed).toEqual([]);
    expect(byKind(tour.wanted).states).toHaveLength(everything.states.length);
    expect(byKind(tour.wanted)['refusal codes'].length).toBeGreaterThan(40);
  });

  it(
    'messages, keyboards and files are after each step what the model says',
    { timeout: 240_000 },
    async () => {
      results = await walkAll(telegramSurface, tour.paths);
      expect(results.flatMap(toldOf).join('\n\n')).toBe('');
    },
  );

  it('also while Telegram fails now and then, and the bot starts anew', { timeout: 240_000 }, async () => {
    const all = tourFor(telegramIn('private'), { longest: 15 }).paths;
    // A crash while Telegram fails may leave a message that nobody knows of.
    const calm = all.filter(({ steps }) => steps.every(({ move }) => move.name !== 'disk: the process dies'));
    const paths = shuffled(seed)(calm).slice(0, 6);
    const walked = await walkAll(telegramIn('private', troubleFrom(seed)), paths);
    expect(walked.flatMap(toldOf).join('\n\n')).toBe('');
  });
});
