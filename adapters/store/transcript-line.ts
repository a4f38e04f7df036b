import { z } from 'zod';
import type { TranscriptEntry } from '../ports.ts';

const common = { v: z.literal(1), at: z.string() };
const inTurn = { ...common, turn: z.string() };
// JSON has no undefined: the input of a call whose arguments did not parse is missing in the file.
const call = z.object({ id: z.string(), name: z.string(), input: z.unknown().optional() });
const toolCall = { ...inTurn, call: z.string(), name: z.string() };

const typed = z.object({ type: z.string() });

/** By type, so that a new kind of line does not compile without its check. */
const lines: Record<TranscriptEntry['type'], z.ZodObject> = {
  user: z.object({
    ...inTurn,
    text: z.string(),
    from: z.enum(['person', 'harness']),
    kind: z.string(),
    expanded: z.object({ path: z.string(), text: z.string() }).optional(),
  }),
  assistant: z.object({ ...inTurn, text: z.string(), calls: z.array(call) }),
  'tool.started': z.object(toolCall),
  tool: z.object({ ...toolCall, text: z.string(), failed: z.boolean() }),
  notice: z.object({ ...common, turn: z.string().nullable(), text: z.string() }),
  compacted: z.object({
    ...inTurn,
    tail: z.number(),
    how: z.union([z.object({ summary: z.string() }), z.object({ limit: z.number() })]),
  }),
  'turn.ended': z.object({ ...inTurn, outcome: z.string(), cause: z.string().optional() }),
};

/** One line of a transcript, or null when it is none that this version knows. */
export function parseLine(line: string): TranscriptEntry | null {
  try {
    const value: unknown = JSON.parse(line);
    const type = typed.safeParse(value).data?.type ?? '';
    const schema = Object.hasOwn(lines, type) ? lines[type as TranscriptEntry['type']] : null;
    return schema?.safeParse(value).success === true ? (value as TranscriptEntry) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Entries of whole lines. Lines that do not parse become one notice in their place, never an error. */
export function parseLines(text: string): TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  let bad = 0;
  const report = () => {
    if (bad > 0) entries.push(unreadable(bad, entries.at(-1)?.at ?? ''));
    bad = 0;
  };
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const entry = parseLine(line);
    if (entry === null) {
      bad += 1;
      continue;
    }
    report();
    entries.push(entry);
  }
  report();
  return entries;
}

function unreadable(count: number, at: string): TranscriptEntry {
  const lines = count === 1 ? '1 line' : `${count} lines`;
  return { v: 1, at, type: 'notice', turn: null, text: `${lines} of the transcript could not be read here.` };
}
