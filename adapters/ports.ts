import type {
  Actor,
  Answer,
  Code,
  Commit,
  JournalLine,
  Said,
  SessionRecord,
  SessionView,
  StoredSession,
} from '../machines/index.ts';
import type { FilePort, HttpPort, ShellOutcome, Target } from '../tools/types.ts';
import type { Expansion, SkillList } from './extension-port.ts';
import type { ModelCall } from './model-port.ts';

export type * from './extension-port.ts';
export type * from './model-port.ts';

/* ---- Store ------------------------------------------------------------------------------------ */

/** Where one session's files are, all absolute and resolved. */
export interface SessionPaths {
  dir: string;
  sidecar: string;
  document: string;
  archive: string;
  /** `<home>/planchart/sessions/<id>` */
  own: string;
}

/** One line of the transcript (JSONL). `v` is 1. */
export type TranscriptEntry =
  | {
      v: 1;
      at: string;
      type: 'user';
      turn: string;
      /** What everybody sees. */
      text: string;
      from: 'person' | 'harness';
      kind: string;
      /** What the model gets instead, where a person named a command of their own. */
      expanded?: Expansion;
    }
  | { v: 1; at: string; type: 'assistant'; turn: string; text: string; calls: readonly ModelCall[] }
  | { v: 1; at: string; type: 'tool.started'; turn: string; call: string; name: string }
  | {
      v: 1;
      at: string;
      type: 'tool';
      turn: string;
      call: string;
      name: string;
      text: string;
      failed: boolean;
    }
  | { v: 1; at: string; type: 'notice'; turn: string | null; text: string }
  /**
   * The conversation was made shorter here for the model (D27); the transcript keeps every line. `tail` lines right
   * before this one stay word for word. Of the lines before those, a summary takes the place, or the outputs of tools
   * are cut to `limit` characters.
   */
  | {
      v: 1;
      at: string;
      type: 'compacted';
      turn: string;
      tail: number;
      how: { summary: string } | { limit: number };
    }
  | { v: 1; at: string; type: 'turn.ended'; turn: string; outcome: string; cause?: string };

/** Held while a turn runs; the kernel frees it when the process dies (D16). */
export interface TurnHold {
  release(): void;
}

/** One session among many; `error` says in words why it can't be read. */
export type Surveyed =
  | { id: string; stored: StoredSession; paths: SessionPaths }
  | { id: string; error: string };

export interface SessionSummary {
  id: string;
  /**
   * null: the record can't be used, or there is none yet, only plan files of another program (D4); `create`
   * then takes the session over, files untouched, and throws SESSION_EXISTS where it is the former.
   */
  record: SessionRecord | null;
}

/** A text of the session `.md` that was kept (D49). `at` is RFC 3339, UTC: when it was last the newest. */
export interface Revision {
  hash: string;
  at: string;
}

/** What a store throws; the message is a whole sentence with path, cause and remedy. */
export interface StoreFailure extends Error {
  code: string;
  data: { path: string; cause: string };
}

export interface StoreTransaction {
  /**
   * Reads every file of the session; adds whether the lease's owner is alive. A legacy plan is copied to its
   * place first, JSON and `.md` together (D13); throws a `StoreFailure` when that fails.
   */
  read(): Promise<StoredSession>;
  /**
   * Carries out one commit in the order of D7. Throws a `StoreFailure` when a write fails; the old state is
   * then still what a restart finds, unless its code is WRITE_PARTLY: then only reading tells.
   */
  commit(change: Commit): Promise<void>;
  /** Appends to the session's journal, without waiting for the disk; absent: none is kept. May throw. */
  journal?(lines: readonly JournalLine[]): void;
}

export interface SessionStore {
  /** By the record's project (D4), as last read or written here, else by a look at the disk. */
  paths(session: string): SessionPaths;
  /** Runs `work` under the session's lock, which holds between processes too. Never while a model or tool runs. */
  exclusive<T>(session: string, work: (tx: StoreTransaction) => Promise<T>): Promise<T>;
  /**
   * For a view: no lock, changes nothing. Shows a legacy plan where there is no other one (D13), and plan files
   * without a session of ours.
   */
  read(session: string): Promise<StoredSession>;
  /** Also ids that have only plan files; the last used first, those without a record last. */
  list(): Promise<SessionSummary[]>;
  /** What `read` and `paths` answer for each session of `list`, in any order; folders are looked at once for all. */
  survey(): AsyncIterable<Surveyed>;
  /**
   * Plan files that are there already stay as they are. Where they lie in a project's folder, a record without
   * a project gets that one.
   */
  create(record: SessionRecord): Promise<void>;
  /** Revisions of the live plan's `.md`, oldest first (D49). */
  revisions(session: string): Promise<Revision[]>;
  /** null: there is no such revision, or its file was changed. */
  revision(session: string, hash: string): Promise<string | null>;
  /** Hashes of what this person saw in full on this surface, the last one at the end; `saw` adds one, durably (D49). */
  seen(session: string, by: Pick<Actor, 'surface' | 'person'>): Promise<readonly string[]>;
  saw(session: string, hash: string, by: Pick<Actor, 'surface' | 'person'>): Promise<void>;
  /** `agent`: into the own transcript of a sub-agent, named by its turn's id, "-" and a number. */
  append(session: string, entries: readonly TranscriptEntry[], agent?: string): Promise<void>;
  /** Cuts off a torn last line; answers what was cut. */
  transcript(session: string): Promise<{ entries: TranscriptEntry[]; torn: string | null }>;
  holdTurn(session: string, turn: string): TurnHold;
  /** Calls back, debounced, after any change to the session's files; ends with the signal. */
  watch(session: string, changed: () => void, signal: AbortSignal): void;
  hash(text: string): string;
}

/* ---- Workspace -------------------------------------------------------------------------------- */

/** How much of the machine a command may write (D22). */
export type ShellMode = 'readOnly' | 'project';

export interface SessionShell {
  /** Words for the approval prompt, e.g. "read-only sandbox, no network". */
  level(mode: ShellMode): Promise<string>;
  /** Whether nothing is around a command, so that it could change the plan files (D22). */
  unguarded(mode: ShellMode): Promise<boolean>;
  /** Contract: never throws. */
  run(command: string, mode: ShellMode, timeoutMs: number, signal: AbortSignal): Promise<ShellOutcome>;
}

export interface ProcessGroup {
  pid: number;
  /** Start time as the kernel counts it: tells a process from a later one with the same number. */
  started: string;
}

/** The person's folders and processes, as the tools reach them. */
export interface Workspace {
  /** Home of plans and settings, resolved. */
  readonly home: string;
  /** Seconds for a command that names no time (`shell.timeout`); absent: the tool's own standard. */
  readonly commandSeconds?: number;
  readonly files: FilePort;
  readonly http: HttpPort;
  /** Resolves a path once, the same way for the gate and for the tool (D21). */
  resolve(given: string, access: 'read' | 'write', cwd: string): Promise<Target | { cause: string }>;
  shell(options: {
    cwd: string;
    /** Marks what the turn's commands start, so that none of it outlives them. */
    turn: string;
    visible: () => readonly string[];
    onGroup: (group: ProcessGroup | null) => void;
  }): SessionShell;
  /**
   * Looks at what trusted folders bring along. The answer looks again: what has changed since is trusted no more, and is
   * said in whole sentences; null: nothing has (decision 0028). Absent: no folder is trusted. Contract: never throws.
   */
  watchSettings?(): Promise<() => Promise<string | null>>;
  /** Ends a recorded group, if it still is that group (D16), and whatever else is left of the turn's commands. */
  endGroup(group: ProcessGroup | null, turn: string): Promise<void>;
}

/* ---- Prompts and clock -------------------------------------------------------------------------- */

export interface PromptTexts {
  render(name: string, variables: Readonly<Record<string, string | number>>): string;
}

export interface Clock {
  /** RFC 3339, UTC, milliseconds. */
  now(): string;
  /** A fresh UUID. */
  id(): string;
}

/* ---- Surfaces --------------------------------------------------------------------------------- */

/** A question that a running turn asks a person; one is open at a time. */
export type Prompt =
  | {
      id: string;
      kind: 'approval';
      tool: string;
      /** What would happen: the diff, or the whole command. */
      title: string;
      body: string;
      folder: string;
      /** Sandbox level in force for this call, in words; null for tools that are not commands. */
      sandbox: string | null;
    }
  | { id: string; kind: 'question'; question: string; options: readonly string[] };

export type PromptAnswer =
  | { kind: 'approval'; allow: 'once' | 'session' | 'no' }
  | { kind: 'question'; text: string };

/** What a surface is told, in order. `view` is always the newest snapshot's. */
export type Published =
  | { type: 'view'; view: SessionView }
  | { type: 'turn.started'; turn: string; kind: string; label: string | null }
  /** `command` is the file whose text the model gets instead. */
  | { type: 'user'; turn: string; text: string; from: 'person' | 'harness'; command?: string }
  | { type: 'text'; turn: string; text: string }
  | { type: 'reasoning'; turn: string; text: string }
  | { type: 'message.ended'; turn: string; text: string }
  | { type: 'tool.started'; turn: string; call: string; name: string; summary: string }
  /** What a sub-agent does now, under the call that started it (D42). */
  | { type: 'tool.progress'; turn: string; call: string; text: string }
  /** `code` is there for a call that was refused. */
  | {
      type: 'tool.ended';
      turn: string;
      call: string;
      name: string;
      text: string;
      failed: boolean;
      code?: Code;
    }
  | { type: 'prompt.opened'; turn: string; prompt: Prompt }
  | { type: 'prompt.closed'; id: string; reason: 'answered' | 'cancelled' }
  /** Tokens of the last request and the model's window; `contextFigure` words it (D27). */
  | { type: 'context'; used: number; window: number }
  | { type: 'notice'; level: 'info' | 'error'; text: string }
  | { type: 'returned'; text: string }
  | { type: 'turn.ended'; turn: string; outcome: string; cause: string | null };

/** What a surface holds of one session: it sends events and renders what it is told, no more. */
export interface SessionHandle {
  readonly id: string;
  readonly paths: SessionPaths;
  readonly model: { name: string; label: string | null };
  readonly cwd: string;
  send(said: Said): Promise<Answer>;
  /**
   * Takes another model, named as for `--model`, for the turns to come of this session in this process (0031).
   * Refused like a change of sessions while a turn runs. `wrong` is one line about the name; nothing changed then.
   */
  useModel(name: string, by: Actor): Promise<Answer | { kind: 'wrong'; text: string }>;
  /** The newest snapshot's view. */
  view(): SessionView;
  subscribe(listener: (published: Published) => void): () => void;
  /** Answers the open prompt; false when it is no longer open. */
  answer(prompt: string, answer: PromptAnswer): boolean;
  transcript(): Promise<readonly TranscriptEntry[]>;
  /** Kept texts of the live plan, oldest first, and one of them by its hash; null when it is not kept (D49). */
  revisions(): Promise<readonly Revision[]>;
  revision(hash: string): Promise<string | null>;
  /** As in the store: what this person saw in full on this surface, also before a restart (D49). */
  seen(by: Actor): Promise<readonly string[]>;
  saw(hash: string, by: Actor): Promise<void>;
  /** Files below the session's folder, relative, ignored ones left out; bounded in number and time. Never rejects. */
  files(): Promise<readonly string[]>;
  /** Skills and user commands, as their files are now. */
  skills(): Promise<SkillList>;
}
