/** How full a request makes the model's window, in tokens. */
export interface ContextUse {
  used: number;
  window: number;
}

/** Window of a model that nobody described (D27). */
export const defaultWindow = 32_000;

/**
 * Windows of well-known models, by how their name starts, in tokens; the first that fits counts. A name may
 * come with its provider in front (`openai:`, `anthropic/`).
 */
const windows: readonly (readonly [start: string, tokens: number])[] = [
  // Rules read what they need and have no window of their own.
  ['rehearsal', 1_000_000],
  ['gpt-5', 400_000],
  ['gpt-4.1', 1_000_000],
  ['gpt-4o', 128_000],
  ['gpt-4-turbo', 128_000],
  ['chatgpt-4o', 128_000],
  ['o1', 200_000],
  ['o3', 200_000],
  ['o4', 200_000],
  ['claude-', 200_000],
  ['gemini-', 1_000_000],
  ['deepseek-', 128_000],
  ['mistral-large', 128_000],
];

/**
 * The model's window in tokens: as configured (`model.context`), else by its name, else 32,000 (D27). A local
 * server often runs a model with less than it can hold, so names of local models are not in the table.
 */
export function contextWindow(model: string, configured: number | null): number {
  if (configured !== null && configured > 0) return configured;
  const name = model.toLowerCase().replace(/^.*[:/]/u, '');
  return windows.find(([start]) => name.startsWith(start))?.[1] ?? defaultWindow;
}

/**
 * About how many tokens a text is, without the model's tokenizer: four ASCII characters, two of other
 * alphabets, or one of the scripts from U+2E80 on (and half of a surrogate pair) are one. Linear.
 */
export function estimateTokens(text: string): number {
  // Most of it is ASCII, which an expression skips much faster than a loop.
  let quarters = text.length;
  for (const [others] of text.matchAll(/[\u0080-\uffff]+/g)) {
    for (let at = 0; at < others.length; at += 1) quarters += others.charCodeAt(at) < 0x2e80 ? 1 : 3;
  }
  return Math.ceil(quarters / 4);
}

/** What a request was thought to be, and what the provider then counted; both in tokens. */
export interface Counted {
  estimate: number;
  counted: number;
}

/** An estimate corrected by how far the last one of this session was off; within reason, as some servers count oddly. */
export function corrected(estimate: number, last: Counted | null): number {
  if (last === null || last.estimate <= 0 || last.counted <= 0) return estimate;
  return Math.ceil(estimate * Math.min(4, Math.max(0.5, last.counted / last.estimate)));
}

/** Shares of the window (D27, decision 0040). */
export const shares = {
  /** A request above it is not sent before a compaction. */
  full: 0.8,
  /** What stays verbatim at the end of the conversation. */
  tail: 0.25,
  /** The same when a person asked for the compaction, who wants room now. */
  askedTail: 0.02,
  /** What an implement turn that has started its work may keep verbatim. */
  implement: 0.5,
  /** The longest summary that is taken. */
  summary: 0.1,
  /** A summary of less gains too little. */
  gain: 0.05,
  /** How much has to come after a compaction before there is another one. */
  growth: 0.1,
  /** What of the conversation goes into the request for a summary. */
  summarised: 0.6,
} as const;

export const isFull = ({ used, window }: ContextUse): boolean => used > window * shares.full;
export const isOver = ({ used, window }: ContextUse): boolean => used > window;

/** Why a turn fails whose conversation can't be made short enough (D27). */
export const contextFull =
  'CONTEXT_FULL: the conversation does not fit into the window of the model, even made shorter. ' +
  'Start a new session, or choose a model with a larger window; model.context in the config says how large it is.';

/** `ctx: 45K/200K 22%`, for every surface. */
export function contextFigure({ used, window }: ContextUse): string {
  const percent = window > 0 ? Math.floor((used / window) * 100) : 0;
  return `ctx: ${thousands(used)}/${thousands(window)} ${percent}%`;
}

function thousands(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}K`;
  return `${String(Math.round(tokens / 100_000) / 10)}M`;
}
