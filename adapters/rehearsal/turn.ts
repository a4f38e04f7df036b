import type { ModelCall, ModelMessage, ModelRequest } from '../ports.ts';
import { splitNotes, type Note } from './notes.ts';

/** A call of this turn with what came back. */
export interface Done {
  name: string;
  input: Readonly<Record<string, unknown>>;
  text: string;
  failed: boolean;
}

/** The running turn, read from nothing but the request: there is no memory between two steps. */
export interface Turn {
  /** Who began it. `implement` carries the path of the approved session `.md`. */
  starter: Extract<Note, { kind: 'implement' | 'revise' | 'resume' }> | { kind: 'person' };
  /** The person's words, without what the harness added. */
  typed: string;
  /** The newest reminder; null when none says that a plan is live. */
  state: Extract<Note, { kind: 'preInit' | 'postInit' | 'active' | 'seedFailed' | 'unreadable' }> | null;
  /** A hint says that nobody is there to approve (D25). */
  unattended: boolean;
  done: readonly Done[];
  tools: ReadonlySet<string>;
}

export function readTurn(request: ModelRequest): Turn {
  const start = turnStart(request.messages);
  const messages = request.messages.slice(start);
  const opening = messages[0]?.role === 'user' ? splitNotes(messages[0].text) : { typed: '', notes: [] };
  const notes = [...notesOf(request.system), ...messages.flatMap(messageNotes)];
  return {
    starter: opening.notes.find(isStarter) ?? { kind: 'person' },
    typed: opening.typed,
    state: notes.findLast(isState) ?? null,
    unattended: notes.some((note) => note.kind === 'unattended'),
    done: answered(messages),
    tools: new Set(request.tools.map((tool) => tool.name)),
  };
}

/** Index of the message that began the turn: a reminder alone begins none. */
function turnStart(messages: readonly ModelMessage[]): number {
  const index = messages.findLastIndex((message) => {
    if (message.role !== 'user') return false;
    const { typed, notes } = splitNotes(message.text);
    return typed !== '' || notes.some(isStarter);
  });
  return Math.max(index, 0);
}

function isStarter(note: Note): note is Extract<Turn['starter'], Note> {
  return note.kind === 'implement' || note.kind === 'revise' || note.kind === 'resume';
}

function isState(note: Note): note is NonNullable<Turn['state']> {
  return ['preInit', 'postInit', 'active', 'seedFailed', 'unreadable'].includes(note.kind);
}

function notesOf(text: string): Note[] {
  return splitNotes(text).notes;
}

function messageNotes(message: ModelMessage): Note[] {
  return message.role === 'user' ? notesOf(message.text) : [];
}

/** Calls of the turn that have a result, in order. */
function answered(messages: readonly ModelMessage[]): Done[] {
  const calls = new Map<string, ModelCall>();
  const done: Done[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.calls) calls.set(call.id, call);
    if (message.role !== 'tool') continue;
    const call = calls.get(message.call);
    const input = isRecord(call?.input) ? call.input : {};
    done.push({ name: message.name, input, text: message.text, failed: message.failed });
  }
  return done;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
