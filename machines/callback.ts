/**
 * What a plan button asks for (D30): `ok` Approve, Retry or Approve this text, `no` Discard, `no!` Discard after the
 * question, `keep` back from that question, `rev` Ask for changes, `res` Restore, `go` Continue.
 */
const actions = ['ok', 'no', 'no!', 'keep', 'rev', 'res', 'go'] as const;
export type CallbackAction = (typeof actions)[number];

/** What a keyboard was drawn for. `hash` is the sha-256 of the `.md` in hex, null where no button depends on the text. */
export interface ButtonSubject {
  plan: string;
  phase: 'editing' | 'active';
  hash: string | null;
}

/** The data of a press as it comes back. `plan` and `hash` are marks: compare them with `planMark` and `hashMark`. */
export interface Callback {
  action: CallbackAction;
  plan: string;
  phase: 'editing' | 'active';
  hash: string | null;
}

/** `plan:<action>:<plan>.<e|a>.<hash>` in ASCII, at most 61 bytes of the 64 that Telegram takes (D30, B121). */
export function encodeCallback(action: CallbackAction, { plan, phase, hash }: ButtonSubject): string {
  return `plan:${action}:${planMark(plan)}.${phase === 'editing' ? 'e' : 'a'}.${hashMark(hash) ?? '-'}`;
}

/** The data of a plan button; null for any other text, those of older or newer formats included. Never throws. */
export function parseCallback(data: string): Callback | null {
  const parts = /^plan:([a-z]+!?):([0-9a-f]{16}|[0-9a-f]{32})\.([ea])\.([0-9a-f]{16}|-)$/u.exec(data);
  const action = actions.find((one) => one === parts?.[1]);
  const [, , plan, phase, hash] = parts ?? [];
  if (action === undefined || plan === undefined) return null;
  return {
    action,
    plan,
    phase: phase === 'e' ? 'editing' : 'active',
    hash: hash === undefined || hash === '-' ? null : hash,
  };
}

/** A plan's id in 32 or 16 hexadecimal digits; ids of other programs need not be UUIDs. */
export const planMark = (plan: string): string => hexOf(plan, 32);

/** A text's hash in 16 hexadecimal digits; null for none. */
export const hashMark = (hash: string | null): string | null =>
  hash === null || hash === '' ? null : hexOf(hash, 16);

function hexOf(text: string, digits: number): string {
  const plain = text.replaceAll('-', '');
  return /^[0-9a-f]{32,}$/u.test(plain) ? plain.slice(0, digits) : fnv(text);
}

/** FNV-1a, 64 bits: enough to tell two plans of one chat apart, it guards no secret. */
function fnv(text: string): string {
  let hash = 0xcbf2_9ce4_8422_2325n;
  for (const character of text) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100_0000_01b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
