import { StoreError, causeOf, remedyFor } from './store-error.ts';

/** One act of a commit; `undo` takes a finished one back. */
export interface Step {
  run(): Promise<void>;
  undo?(): Promise<void>;
}

/** Acts in order. Once `point` is done the commit stands, and a later failure can only be reported. */
export interface Plan {
  steps: readonly Step[];
  point: Step | null;
}

/**
 * Runs a plan. Before the commit point a failure undoes what was done, latest first, and is thrown as it is;
 * after it, it becomes `StoreError` WRITE_PARTLY. `drop` frees what was staged, first of all: putting things
 * back on a full disk needs the space.
 */
export async function runPlan({ steps, point }: Plan, drop: () => Promise<void>): Promise<void> {
  const done: Step[] = [];
  for (const step of steps) {
    try {
      await step.run();
    } catch (error) {
      await drop();
      if (point !== null && done.includes(point)) throw saved(error);
      await undoAll(done, error);
      throw error;
    }
    done.push(step);
  }
}

async function undoAll(done: readonly Step[], first: unknown): Promise<void> {
  try {
    for (const step of done.toReversed()) await step.undo?.();
  } catch (error) {
    throw notUndone(first, error);
  }
}

/** The commit stands, something after it does not. Errors that are no failures of the store pass as they are. */
function saved(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  const { path, cause } = error.data;
  const text = `The change is saved, but not all of it: ${path}: ${cause}. ${remedyFor(error.cause)}, then reload the session; that mends it.`;
  return new StoreError('WRITE_PARTLY', text, { path, cause }, error);
}

function notUndone(first: unknown, second: unknown): unknown {
  if (!(first instanceof StoreError) || !(second instanceof StoreError)) return first;
  const { path } = second.data;
  const cause = `${causeOf(first)}; putting ${path} back failed too: ${causeOf(second)}`;
  const text = `Cannot write ${first.data.path}: ${cause}. ${remedyFor(first.cause)}, then reload the session; that mends it.`;
  return new StoreError('WRITE_PARTLY', text, { path: first.data.path, cause }, first);
}
