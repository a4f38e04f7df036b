import type { Said } from '../../machines/index.ts';
import { rawTask, sessionIn, type SessionShape } from './samples.ts';
import type { Check } from './samples-checks.ts';
import type { Play, Recipe, Row } from './samples-rows.ts';

/** The row's state, with something special about the session, and what is said there. */
export function at(row: Row, said: Said | null, shape: SessionShape = {}, check?: Check): Play {
  const session = sessionIn(row.state, { turn: row.turn === 'idle' ? 'idle' : 'running', ...shape });
  return { session, said, ...(check === undefined ? {} : { check }) };
}

/** The same words in every state; what was accepted or queued is checked for what the note promises. */
export const say =
  (said: Said, check?: Check): Recipe =>
  (row) =>
    at(row, said, {}, taken(row) ? check : undefined);

export const taken = (row: Row): boolean => row.result === 'ok' || row.result === 'queue';

/** Each of several things said, on a session of this shape. */
export const sayAll =
  (said: readonly Said[], shape: SessionShape = {}): Recipe =>
  (row) =>
    said.map((one) => at(row, one, shape));

/** Seeding after the one batch of tasks. */
export const seeded: SessionShape = { tasks: [rawTask(1, 'Pending'), rawTask(2, 'Pending')] };
