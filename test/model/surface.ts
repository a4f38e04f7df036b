import type { Move, World } from '../support/explore.ts';

/** Where the paths of the session machine can be walked. */
export type SurfaceName = 'engine' | 'tui' | 'telegram';

/** One thing that happens, and what the model says comes of it. */
export interface Step {
  before: World;
  move: Move;
  after: World;
}

/** Walked from an empty session; the id is made of the path itself, so that it can be run again by its id. */
export interface Path {
  id: string;
  steps: readonly Step[];
}

/** A way to make the moves of the model happen for real. */
export interface Surface {
  name: SurfaceName;
  /** `null`: the surface can make this move happen in this place; else why it cannot, in a few words. */
  lacks(at: World, move: Move): string | null;
  /** An empty session of its own: fresh folders, a fresh process or bot. */
  open(): Promise<Walk>;
}

/** One session on a surface. */
export interface Walk {
  /** Makes the step happen as a person, a model or the disk does, and waits until it has. */
  perform(step: Step): Promise<void>;
  /** What differs between model and reality after a step, a line each: files, chrome, keyboards. */
  differences(step: Step): Promise<string[]>;
  close(): Promise<void>;
}
