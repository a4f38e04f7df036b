import type {
  AgentKind,
  Answer,
  EntryKind,
  Said,
  SessionSnapshot,
  StoredSession,
} from '../../machines/index.ts';
import type { AgentOrder, AgentReport } from '../../tools/types.ts';
import type {
  Clock,
  ModelPort,
  PromptTexts,
  Published,
  SessionPaths,
  SessionStore,
  Skills,
  ToolSource,
  TranscriptEntry,
  Workspace,
} from '../ports.ts';
import type { ContextMemory } from './compaction.ts';
import type { Dispatcher } from './dispatch.ts';
import type { PromptDesk } from './prompt-desk.ts';

/** The parts that every session of this process shares. */
export interface RuntimeWorld {
  store: SessionStore;
  dispatcher: Dispatcher;
  workspace: Workspace;
  /** What a session begins with. */
  model: ModelPort;
  /** Opens the model of that name, as for `--model`; `error` is one line about the name. */
  openModel(name: string): Promise<ModelPort | { error: string }>;
  prompts: PromptTexts;
  /** What the project tells every agent (D53), quoted; empty: nothing. Absent: no project is looked at. */
  projectNotes?: (cwd: string) => Promise<string>;
  /** Skills and user commands (D21); absent: there are none. */
  skills?: Skills;
  /** Tools of MCP servers; absent: there are none. */
  more?: ToolSource;
  /** Hears all that any session publishes, for the log. Contract: never throws. */
  observe?: (session: string, published: Published) => void;
  clock: Clock;
  process: string;
}

/** What a running turn reaches: everything of its session, nothing of a surface. */
export interface TurnWorld {
  session: string;
  turn: string;
  /** Whose calls these are; the name tells people which sub-agent asks (D42). */
  agent: { kind: AgentKind; name: string | null };
  entry: EntryKind;
  /** Surface that started the turn: its prompts appear there (D36). */
  surface: string;
  paths: SessionPaths;
  store: SessionStore;
  workspace: Workspace;
  model: ModelPort;
  prompts: PromptTexts;
  /** As they are when the turn first asks for them. */
  projectNotes(cwd: string): Promise<string>;
  /** The list is as it was when the turn first asked for it. */
  skills: Skills;
  more: ToolSource;
  clock: Clock;
  desk: PromptDesk;
  /** What a person has allowed for this session; in memory only (D3). */
  allowed: Set<string>;
  /** Hash of the session `.md` that the model last read (D23). */
  seen: { hash: string | null };
  /** What the model's window was found to be (D27). */
  context: ContextMemory;
  signal: AbortSignal;
  /** The files as they are now, and the snapshot they make. No lock. */
  fresh(): Promise<{ stored: StoredSession; snapshot: SessionSnapshot }>;
  send(said: Said): Promise<Answer>;
  publish(published: Published): void;
  record(...entries: TranscriptEntry[]): Promise<void>;
  /** Runs a sub-agent to its end; `call` is the call that asked for it. Contract: never throws. */
  spawn(order: AgentOrder, call: string): Promise<AgentReport>;
}
