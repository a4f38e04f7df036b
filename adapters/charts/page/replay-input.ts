import { z } from 'zod';
import { codes, Said, SessionRecord } from '../../../machines/index.ts';

const Code = z.enum(codes as readonly [(typeof codes)[number], ...(typeof codes)[number][]]);

const Verdict = z.union([
  z.object({ kind: z.enum(['accepted', 'view', 'queued']) }),
  z.object({ kind: z.enum(['info', 'refused']), code: Code }),
]);

/** What loading found and a dispatch committed before it decided. */
const Found = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('file.orphan') }),
  z.strictObject({ type: z.literal('file.finished'), as: z.enum(['completed', 'discarded']) }),
  z.strictObject({ type: z.literal('file.edited') }),
  z.strictObject({ type: z.literal('file.lost') }),
]);

/** A plan file; `hash` where the text stands in for one that is not told. */
const File = z.object({ text: z.string(), hash: z.string().optional() });

/**
 * Files as they were read before a step, where they were not what the step before left; absent: unchanged, null: no
 * such file. A journal that does not begin with an empty session gives them all with its first step.
 */
const ReplayFiles = z.object({
  record: SessionRecord.optional(),
  sidecar: File.nullable().optional(),
  document: File.nullable().optional(),
  leaseAlive: z.boolean().optional(),
  gone: z.array(z.string()).optional(),
});
export type ReplayFiles = z.infer<typeof ReplayFiles>;

/**
 * One dispatched event of the session machine with its stamp, and what the machine said to it then. `to`: the innermost
 * states afterwards, such as `plan.noPlan`; absent: not compared.
 */
const ReplayStep = z.object({
  said: z.union([Said, Found]),
  at: z.string(),
  ids: z.array(z.string()),
  process: z.string(),
  verdict: Verdict,
  to: z.array(z.string()).optional(),
  before: ReplayFiles.optional(),
});
export type ReplayStep = z.infer<typeof ReplayStep>;

/** What `#session&journal=` holds, as base64url of this JSON in UTF-8. */
export const ReplayInput = z.array(ReplayStep);
export type ReplayInput = z.infer<typeof ReplayInput>;

/** Longest journal that is read out of a link, in characters. */
const longest = 2_000_000;

/** The steps of a journal, or why it is none. Never throws. */
export function readJournal(encoded: string): { steps: ReplayInput } | { cause: string } {
  if (encoded.length > longest) return { cause: 'it is too long' };
  const text = decoded(encoded);
  if (text === null) return { cause: 'it is not base64url' };
  const value = parsed(text);
  if (value === null) return { cause: 'it is not JSON' };
  const steps = ReplayInput.safeParse(value);
  if (steps.success) return { steps: steps.data };
  const [issue] = steps.error.issues;
  const [index, ...field] = issue?.path ?? [];
  const where = typeof index === 'number' ? `step ${index + 1} ${field.join('.')}` : 'the whole';
  return { cause: `${where}: ${issue?.message ?? 'not a step'}` };
}

/** The part of a link that holds these steps. */
export function writeJournal(steps: ReplayInput): string {
  const bytes = new TextEncoder().encode(JSON.stringify(steps));
  const binary = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function decoded(encoded: string): string | null {
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.codePointAt(0) ?? 0);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
