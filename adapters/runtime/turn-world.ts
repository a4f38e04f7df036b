import type { Answer, EntryKind, Said, SessionSnapshot, StoredSession } from '../../machines/index.ts';
import type {
  Clock,
  ModelPort,
  PromptTexts,
  Published,
  SessionPaths,
  SessionStore,
  TranscriptEntry,
  Workspace,
} from '../ports.ts';
import type { Dispatcher } from './dispatch.ts';
import type { PromptDesk } from './prompt-desk.ts';

/** The parts that every session of this process shares. */
export interface RuntimeWorld {
  store: SessionStore;
  dispatcher: Dispatcher;
  workspace: Workspace;
  model: ModelPort;
  prompts: PromptTexts;
  clock: Clock;
  process: string;
}

/** What a running turn reaches: everything of its session, nothing of a surface. */
export interface TurnWorld {
  session: string;
  turn: string;
  entry: EntryKind;
  /** Surface that started the turn: its prompts appear there (D36). */
  surface: string;
  paths: SessionPaths;
  store: SessionStore;
  workspace: Workspace;
  model: ModelPort;
  prompts: PromptTexts;
  clock: Clock;
  desk: PromptDesk;
  /** What a person has allowed for this session; in memory only (D3). */
  allowed: Set<string>;
  /** Hash of the session `.md` that the model last read (D23). */
  seen: { hash: string | null };
  signal: AbortSignal;
  /** The files as they are now, and the snapshot they make. No lock. */
  fresh(): Promise<{ stored: StoredSession; snapshot: SessionSnapshot }>;
  send(said: Said): Promise<Answer>;
  publish(published: Published): void;
  record(...entries: TranscriptEntry[]): Promise<void>;
}
