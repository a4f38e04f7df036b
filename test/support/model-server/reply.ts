/** A request in the words of OpenAI chat completions, whatever protocol it came in; further fields are kept. */
export interface ChatRequest {
  model: string;
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  messages: ChatMessage[];
  tools?: { type: 'function'; function: { name: string; description?: string; parameters?: unknown } }[];
  [field: string]: unknown;
}

interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | null;
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
  reasoning_content?: string;
}

/** What the server answers to one request; an empty reply is an empty answer that ends with `stop`. */
export interface Reply {
  text?: string;
  reasoning?: string;
  /** What a later request has to bring back: goes with the reasoning, or where there is none with the first call. */
  signature?: string;
  /** `input` becomes the JSON of the arguments; `raw` is sent as it is, valid or not. */
  calls?: readonly ({ name: string; id?: string } & ({ input: unknown } | { raw: string }))[];
  /** Characters per event, for text, reasoning and arguments; 16 unless given. */
  chunk?: number;
  /** Pause before every event, in ms. */
  delayMs?: number;
  /** In OpenAI's words; `tool_calls` or `stop` unless given; null leaves the finish event out. */
  finish?: string | null;
  usage?: { prompt_tokens: number; completion_tokens: number };
  /** With 400 and above, `error` is the body; a Retry-After and the like go into `headers`. */
  status?: number;
  headers?: Record<string, string>;
  /** With a status below 400 it is sent as an event after the text. */
  error?: string | { message: string; code?: string | number; type?: string };
  /** Body to send in place of everything built here. */
  body?: string;
  /** Destroys the connection after so many events; 0 is before the first byte. */
  cutAfter?: number;
  /** Falls silent after so many events; true is before the first byte. */
  hang?: true | number;
  /** Byte offsets at which the stream is cut into separate writes, whatever events or characters it splits. */
  splitAt?: readonly number[];
}

/** The server-sent events of a reply in OpenAI's protocol, in order, each one ready to write. */
export function openAiEvents(reply: Reply, request: ChatRequest): string[] {
  const size = reply.chunk ?? 16;
  const calls = reply.calls ?? [];
  const deltas: object[] = [
    ...pieces(reply.reasoning ?? '', size).map((piece) => ({ reasoning_content: piece })),
    ...pieces(reply.text ?? '', size).map((piece) => ({ content: piece })),
    ...calls.flatMap((call, index) =>
      callDeltas(call, index, size, index === 0 ? reply.signature : undefined),
    ),
  ];
  const events: object[] = deltas.map((delta) =>
    chunkOf(request, [{ index: 0, delta, finish_reason: null }]),
  );
  if (reply.error !== undefined) return [...events, { error: errorOf(reply.error) }].map(eventText);
  const finish = reply.finish === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : reply.finish;
  if (finish !== null) events.push(chunkOf(request, [{ index: 0, delta: {}, finish_reason: finish }]));
  if (request.stream_options?.include_usage === true && reply.usage !== undefined) {
    events.push({ ...chunkOf(request, []), usage: reply.usage });
  }
  return [...events.map(eventText), 'data: [DONE]\n\n'];
}

export function errorOf(error: NonNullable<Reply['error']>): object {
  return typeof error === 'string' ? { message: error } : error;
}

type Call = NonNullable<Reply['calls']>[number];

export const argumentsOf = (call: Call): string => ('raw' in call ? call.raw : JSON.stringify(call.input));

function callDeltas(call: Call, index: number, size: number, signature?: string): object[] {
  const { name, id = `call_${index + 1}` } = call;
  const text = argumentsOf(call);
  const extra =
    signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };
  const start = { index, id, type: 'function', function: { name, arguments: '' }, ...extra };
  const rest = pieces(text, size).map((piece) => ({ index, function: { arguments: piece } }));
  return [start, ...rest].map((it) => ({ tool_calls: [it] }));
}

function chunkOf(request: ChatRequest, choices: readonly object[]): object {
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: request.model, choices };
}

function eventText(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Cut into so many characters each; nothing for an empty text. */
export function pieces(text: string, size: number): string[] {
  const points = Array.from(text);
  const starts = Array.from({ length: Math.ceil(points.length / size) }, (_, index) => index * size);
  return starts.map((start) => points.slice(start, start + size).join(''));
}
