import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byKind, everything, kinds } from './found.ts';
import { type PathResult, runPath, runPaths } from './run.ts';
import { type Tour, tourFor } from './tour.ts';
import { longestOn } from './surfaces.ts';
import { tuiSurface } from './tui.ts';
import { cardText } from './tui-words.ts';
import { walk } from './walk.ts';
import { redoLines } from './worded.ts';

/** Terminals that are open at once: a walk mostly waits for its program. */
const atOnce = 3;

const seed = 0;
let tour: Tour;

beforeAll(() => {
  tour = tourFor(tuiSurface, { seed, longest: longestOn.tui });
});

function toldOf({ path, failure }: PathResult): string[] {
  if (failure === null) return [];
  const steps = redoLines(path.steps.slice(0, failure.step + 1));
  return [[`path ${path.id}, seed ${seed}:`, ...steps, ...failure.differences].join('\n')];
}

describe('the tour of the session machine, by keys in a pseudo-terminal', () => {
  let results: PathResult[] = [];

  afterAll(() => {
    const reachable = byKind(tour.wanted);
    const counts = kinds.map((kind) => `${reachable[kind].length} of ${everything[kind].length} ${kind}`);
    const walked = results.filter(({ failure }) => failure === null);
    const steps = walked.reduce((sum, { path }) => sum + path.steps.length, 0);
    console.log(
      `seed ${seed}: ${walked.length} of ${tour.paths.length} paths, ${steps} steps; can be reached here and is ` +
        `on a path: ${counts.join(', ')}`,
    );
  });

  it('covers everything that a person at the terminal, the model and an editor can do', () => {
    expect(tour.missed).toEqual([]);
    expect(tour.paths.length).toBeGreaterThan(10);
  });

  it('screen and files are after each step what the model says', async () => {
    results = await runPaths(tuiSurface, tour.paths, { atOnce });
    expect(results.flatMap(toldOf).join('\n\n')).toBe('');
  }, 240_000);

  it('a plan from its first word to its last task, with a card for each text that waits', async () => {
    const path = walk([
      'user.plan /plan text by the owner',
      'tool.init design',
      'turn.end done',
      'user.chat plain text',
      'tool.document write a valid text',
      'turn.end done',
      'user.show /show-plan',
      'user.execute /execute by the owner',
      'tool.addTasks two tasks',
      'tool.start next',
      'tool.complete the running one',
      'turn.end done',
      'user.continue continue by the owner',
      'tool.start next',
      'tool.complete the running one',
      'turn.end done',
    ]);
    const cards = path.steps.flatMap(({ before, after }) => cardText(before, after) ?? []);
    expect(cards).toEqual(['Not ready to approve yet', 'Ready for your review']);
    expect(toldOf(await runPath(tuiSurface, path))).toEqual([]);
  }, 60_000);
});
