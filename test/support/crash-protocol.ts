import type { Published } from '../../adapters/ports.ts';
import type { Answer, SessionView } from '../../machines/index.ts';

/** One response of the scripted model of a child process. */
export interface ChildReply {
  text?: string;
  calls?: readonly { name: string; input: unknown }[];
  /** Waits until the parent says `go`. */
  hold?: boolean;
}

export interface ChildAct {
  do: 'chat' | 'execute' | 'discard';
  text?: string;
  /** Goes on at once, or when the turn that this starts has ended. */
  turn: 'wait' | 'none';
}

/** What a child process is to do. */
export interface ChildOrder {
  home: string;
  session: string;
  /** Folder of the prompts. */
  prompts: string;
  script: readonly ChildReply[];
  acts: readonly ChildAct[];
  /** Afterwards: end, or take events and `go` from standard input. */
  then: 'end' | 'serve';
  /** Number of the file change, from 1, at which the process kills itself; `never` lists them all. */
  kill: number | 'never' | null;
  /** How it answers approval prompts. */
  answer: 'yes' | 'nothing';
}

/** One line of a child's standard output. */
export type ChildTold =
  | { type: 'ready'; process: string }
  | { type: 'view'; view: SessionView }
  | { type: 'told'; told: Published }
  | { type: 'answer'; answer: Answer }
  | { type: 'point'; at: string }
  | { type: 'done' };
