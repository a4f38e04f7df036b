import type { TemplateFault } from './document.ts';
import type { EntryKind } from './events.ts';

export type Phase =
  | 'noPlan'
  | 'preInit'
  | 'postInit'
  | 'seeding'
  | 'seedFailedEmpty'
  | 'seedFailedPartial'
  | 'checklist'
  | 'unreadable';

export type TurnState = 'idle' | 'running' | 'stopping' | 'discarding';

export interface TaskView {
  number: number;
  title: string;
  status: 'pending' | 'running' | 'completed' | 'skipped' | 'failed' | 'blocked';
  /** Numbers of the tasks that must be resolved first and are not. */
  waitsFor: readonly number[];
}

/** Everything a surface draws, selected from one snapshot. No surface looks at a status itself. */
export interface SessionView {
  session: string;
  /** What lists call the session: its name, else the title of its plan. */
  name: string | null;
  cwd: string;
  phase: Phase;
  turn: TurnState;
  /** "", "Editing · no plan yet", "Editing", "Active", "Unreadable". */
  badge: string;
  /** Id of the live plan, which buttons name (D30); null without a readable one. */
  plan: string | null;
  title: string | null;
  tasks: readonly TaskView[];
  progress: { done: number; total: number };
  goal: { user: string | null; task: string | null };
  /** Building checklist… is shown (seeding, tasks still empty). */
  building: boolean;
  seedError: 'empty' | 'partial' | null;
  /** The session plan as on disk, in postInit and later on the design track. */
  document: {
    path: string;
    text: string | null;
    hash: string | null;
    faults: readonly TemplateFault[];
    steps: number;
    /** Differs from the approved text (D48). */
    drifted: boolean;
  } | null;
  unreadable: { path: string; cause: string } | null;
  /** Which decisions the plan offers now, and why Approve is off when it is. */
  decisions: {
    approve: 'on' | 'off' | 'hidden';
    why: string | null;
    revise: boolean;
    discard: boolean;
    retry: boolean;
    restore: boolean;
    resume: boolean;
  };
  policy: 'ask' | 'yolo';
  running: {
    turn: string;
    kind: string;
    entry: EntryKind;
    surface: string;
    since: string;
    waiting: { what: string; surface: string; since: string } | null;
  } | null;
  /**
   * What waits for the turn to end (D26), in the words that were typed. `elsewhere`: another process said it and
   * will take it. `not sent`: that process has ended, and the item goes only when a person sends or drops it.
   */
  queue: readonly {
    id: string;
    surface: string;
    text: string;
    kind: string;
    owner: 'here' | 'elsewhere';
    state: 'waiting' | 'not sent';
  }[];
  /** A finished checklist, kept on screen until its turn settles (D17). */
  closed: { title: string; tasks: readonly { title: string; status: string }[] } | null;
  interrupted: boolean;
  /** One line for people: what state this is and what to do next. */
  hint: string;
}
