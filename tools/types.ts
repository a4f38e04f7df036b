import type { z } from 'zod';
import type { AgentKind, Answer, Code, Said, ToolClass } from '../machines/index.ts';

/** A path resolved once (D21): the gate judges it and the tool then uses the very same one. */
export interface Target {
  /** As the model wrote it. */
  given: string;
  /** Absolute, `~` expanded, symlinks in every parent followed, `..` gone. */
  path: string;
  access: 'read' | 'write';
  /** The final component is itself a symbolic link. */
  link: boolean;
}

/** What a tool answers the model. `failed` marks the text as an error. */
export interface ToolResult {
  text: string;
  failed?: boolean;
  /** Of a refusal, so that nobody reads it out of the text. */
  code?: Code;
  /** The turn is over after this call, whatever else the response holds (a seed that can't go on, D41). */
  endsTurn?: boolean;
}

/** What a person sees before saying Yes. */
export interface Preview {
  title: string;
  body: string;
}

export interface FilePort {
  /** The first `limitBytes` of a regular file at a resolved path, and its size; or why not. Contract: never throws. */
  read(path: string, limitBytes: number): Promise<{ bytes: Uint8Array; size: number } | { cause: string }>;
  /** Stat kind of a path; 'absent' when there is nothing. Contract: never throws. */
  kind(path: string): Promise<'file' | 'folder' | 'other' | 'absent'>;
  list(
    path: string,
  ): Promise<
    { name: string; kind: 'file' | 'folder' | 'link' | 'other'; size: number }[] | { cause: string }
  >;
  /**
   * Every file below a folder, relative, sorted, `.gitignore` respected, `.git` left out; at most `limit`.
   * `skipped` names the folders that could not be read.
   */
  walk(
    path: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<{ files: string[]; cut: boolean; skipped?: readonly string[] } | { cause: string }>;
  /**
   * Numbers (from 1) of the lines that a pattern matches, text by text, until `limit` lines are found.
   * Runs beside the program with a time limit, so that a pattern that runs away ends. Contract: never throws.
   */
  match(
    texts: readonly string[],
    pattern: LinePattern,
    signal: AbortSignal,
  ): Promise<{ lines: readonly (readonly number[])[] } | { cause: string }>;
  /**
   * Writes atomically without following a link at the end; makes missing parents. The session `.md`
   * goes through the machine instead, which may refuse (STALE_TEXT, FROZEN). `notes` are whole sentences about
   * what was written: what a session plan still lacks, or that it is complete (D23).
   */
  write(
    target: Target,
    text: string,
  ): Promise<{ ok: true; notes: readonly string[] } | { cause: string; code?: Code }>;
}

/** A JavaScript regular expression for single lines. */
export interface LinePattern {
  source: string;
  flags: '' | 'i';
  limit: number;
}

export interface ShellPort {
  /** For a command that names no time, as configured; absent: the tool's own standard. */
  readonly seconds?: number;
  /** Words for the approval prompt and the result, e.g. "read-only sandbox, no network". */
  level(): Promise<string>;
  /** Runs bash in the session's folder at the level the gate allows now. Contract: never throws. */
  run(command: string, timeoutMs: number, signal: AbortSignal): Promise<ShellOutcome>;
}

export type ShellOutcome =
  | { kind: 'ended'; exit: number | null; output: string; cut: boolean; timedOut: boolean }
  | { kind: 'refused'; text: string };

/** One request. Only text bodies; header names in any case. */
export interface HttpRequest {
  /** http or https, without user name and password. */
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

export type HttpAnswer =
  | {
      kind: 'answered';
      status: number;
      /** Where the answer came from, after redirects within the host. */
      url: string;
      /** Names in lower case, without cookies. */
      headers: Readonly<Record<string, string>>;
      /** Decoded; null when the answer is not text. */
      text: string | null;
      /** The body was longer than what is kept. */
      cut: boolean;
    }
  /** `sent` is false when nothing can have reached the host. */
  | { kind: 'failed'; cause: string; sent: boolean };

export interface HttpPort {
  /**
   * Makes one request, with a time-out and a limit on the answer. Follows a redirect only for GET and HEAD and
   * only to the same origin; any other is the answer. Keeps no cookies, logs nothing. Contract: never throws.
   */
  request(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
}

/** What a tool tells the session machine. */
export type ToolEvent = Extract<Said, { type: `tool.${string}` }>;

/** A task for a sub-agent (D42). */
export interface AgentOrder {
  kind: Exclude<AgentKind, 'main'>;
  prompt: string;
}

/** How a sub-agent ended; `text` is the last that it said, `calls` counts its tool calls, refused ones too. */
export interface AgentReport {
  name: string;
  outcome: 'done' | 'failed' | 'cancelled';
  cause: string | null;
  text: string;
  calls: number;
}

/** What a call may touch. Nothing here knows a surface, a store or a model. */
export interface ToolContext {
  cwd: string;
  turn: string;
  /** A sub-agent makes the call; the machine then refuses it the plan tool (NOT_FOR_CHILD). */
  child?: boolean;
  target: Target | null;
  files: FilePort;
  shell: ShellPort;
  http: HttpPort;
  /** Resolves a further path as the gate does (the import file of `plan init`), or says why it can't be used. */
  resolve(given: string, access: 'read' | 'write'): Promise<Target | { cause: string }>;
  /** Sends a tool event to the session machine. */
  send(said: ToolEvent): Promise<Answer>;
  /** Asks the person; null when the turn was cancelled first. */
  ask(question: string, options: readonly string[]): Promise<string | null>;
  /** Text of an archived session plan of this session by its file name, or why not. */
  archived(name: string): Promise<{ text: string } | { cause: string }>;
  /** Runs a sub-agent to its end, under this turn's gate and signal (D21, D16). Contract: never throws. */
  spawn(order: AgentOrder): Promise<AgentReport>;
  signal: AbortSignal;
}

export interface Tool<I = unknown> {
  name: string;
  /** The gate's class (D21); tools not in the registry are `unknown`. */
  class: ToolClass;
  /** Further classes that a call can have, by its input (`classOf`) or by the path that it names. */
  classes?: readonly ToolClass[];
  /** The class of one call where it depends on the input (D21: an HTTP method); `class` is then the stricter one. */
  classOf?(input: I): ToolClass;
  description: string;
  input: z.ZodType<I>;
  /** JSON schema of the input where another program owns it and checks the calls; else it is made from `input`. */
  parameters?: Record<string, unknown>;
  /** The path that the gate has to judge, if the call has one. */
  target?(input: I): { path: string; access: 'read' | 'write' } | null;
  /** Whether the person is asked when the policy is `ask`; reads inside the folder never are. */
  asks(input: I): boolean;
  /** What "allow for this session" covers: calls with the same key (D3). The tool's name when left out. */
  key?(input: I): string;
  /** One line for the tool log. */
  summary(input: I): string;
  /**
   * The event that the call will send, where that is all it does. The runtime asks the machine about it before
   * it asks a person: what is refused anyway is no question (D21).
   */
  event?(input: I, context: ToolContext): Promise<ToolEvent | { cause: string }>;
  preview(input: I, context: ToolContext): Promise<Preview>;
  run(input: I, context: ToolContext): Promise<ToolResult>;
}
