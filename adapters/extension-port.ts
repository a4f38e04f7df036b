import type { Tool } from '../tools/types.ts';

/** What stands for a typed `/name …`: the text of the file, with what was typed behind the name put in. */
export interface Expansion {
  path: string;
  text: string;
}

/** A skill or user command: a Markdown file that a person wrote for the agent. */
export interface Skill {
  kind: 'skill' | 'command';
  /** Without the slash; lower-case letters, digits, "-" and "_". */
  name: string;
  description: string;
  /** What a command takes, in words; empty: nothing said. */
  arguments: string;
  path: string;
}

/** What a session's folder and home have, sorted by name. `faults`: `path:line: what` of each file that was skipped. */
export interface SkillList {
  all: readonly Skill[];
  faults: readonly string[];
}

export interface Skills {
  /** Folders of the home that hold skills and nothing else; an agent may read there (D21). */
  readonly folders: readonly string[];
  /** As the files are now; those of the folder only if it is trusted (D53). Contract: never throws. */
  list(cwd: string): Promise<SkillList>;
  /** What a typed `/name …` stands for; null when it names none of them. Contract: never throws. */
  expand(typed: string, cwd: string): Promise<Expansion | null>;
}

/** Tools that are not built in: those of MCP servers. */
export interface ToolSource {
  /**
   * Starts what was not started yet and waits for it, at most until the signal. Answers what went wrong since the
   * last time, one line for people each. Contract: never throws.
   */
  ready(signal: AbortSignal): Promise<readonly string[]>;
  /** What can be called now; nothing before `ready`. */
  tools(): readonly Tool[];
  /** Ends every server and whatever it started. Contract: never throws. */
  close(): Promise<void>;
}
