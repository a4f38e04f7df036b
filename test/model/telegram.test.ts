import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byKind, everything, kinds } from './found.ts';
import { type PathResult, runPaths } from './run.ts';
import { shuffled } from './shuffle.ts';
import { longestOn } from './surfaces.ts';
import { telegramIn, telegramSurface } from './telegram.ts';
import { troubleFrom } from './telegram-trouble.ts';
import { type Tour, tourFor } from './tour.ts';
import { redoLines } from './worded.ts';

/** Bots that run at once: a walk mostly waits. */
const atOnce = 4;

/** Which faults are met, and where; the same each time, so that a red run can be walked again. */
const seed = 20_788;

let tour: Tour;

beforeAll(() => {
  tour = tourFor(telegramSurface, { longest: longestOn.telegram });
});

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
      results = await runPaths(telegramSurface, tour.paths, { atOnce });
      expect(results.flatMap(toldOf).join('\n\n')).toBe('');
    },
  );

  it('also while Telegram fails now and then, and the bot starts anew', { timeout: 240_000 }, async () => {
    const all = tourFor(telegramIn('private'), { longest: 15 }).paths;
    // A crash while Telegram fails may leave a message that nobody knows of.
    const calm = all.filter(({ steps }) => steps.every(({ move }) => move.name !== 'disk: the process dies'));
    const paths = shuffled(seed)(calm).slice(0, 6);
    const walked = await runPaths(telegramIn('private', troubleFrom(seed)), paths, { atOnce });
    expect(walked.flatMap(toldOf).join('\n\n')).toBe('');
  });
});
