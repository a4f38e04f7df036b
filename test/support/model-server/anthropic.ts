import { argumentsOf, type ChatRequest, pieces, type Reply } from './reply.ts';

type Block =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown }
  | { type: 'tool_result'; tool_use_id: string; content: string; is_error?: boolean };

interface Message {
  role: 'user' | 'assistant';
  content: string | Block[];
}

/** The body of a messages request as the product sends it. */
export interface MessagesRequest {
  model: string;
  max_tokens?: number;
  stream?: boolean;
  system?: string | { text: string }[];
  messages: Message[];
  tools?: { name: string; description?: string; input_schema: Record<string, unknown> }[];
}

const blocksOf = ({ content }: Message): Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** The same request as one of OpenAI's, so that one script serves both protocols. */
export function asChatRequest(body: MessagesRequest): ChatRequest {
  const system =
    typeof body.system === 'string' ? body.system : body.system?.map(({ text }) => text).join('\n');
  const tools = body.tools?.map(({ name, description, input_schema }) => ({
    type: 'function' as const,
    function: { name, ...(description === undefined ? {} : { description }), parameters: input_schema },
  }));
  return {
    model: body.model,
    ...(body.stream === undefined ? {} : { stream: body.stream }),
    ...(tools === undefined ? {} : { tools }),
    messages: [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
      ...body.messages.flatMap((message) =>
        message.role === 'assistant' ? [assistantOf(blocksOf(message))] : blocksOf(message).map(saidOf),
      ),
    ],
  };
}

type ChatMessage = ChatRequest['messages'][number];

function saidOf(block: Block): ChatMessage {
  if (block.type === 'tool_result')
    return { role: 'tool', tool_call_id: block.tool_use_id, content: block.content };
  return { role: 'user', content: block.type === 'text' ? block.text : JSON.stringify(block) };
}

function assistantOf(blocks: readonly Block[]): ChatMessage {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const thoughts = blocks.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : []));
  const calls = blocks.flatMap((block) =>
    block.type === 'tool_use'
      ? [
          {
            id: block.id,
            type: 'function' as const,
            function: { name: block.name, arguments: JSON.stringify(block.input) },
          },
        ]
      : [],
  );
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join(''),
    ...(thoughts.length === 0 ? {} : { reasoning_content: thoughts.join('') }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** What the real service refuses about a request, in its words as far as they are known; null when it is fine. */
export function refusalOf(body: MessagesRequest, version: unknown): string | null {
  if (version !== '2023-06-01') return 'anthropic-version: header is required';
  if (!Number.isInteger(body.max_tokens) || (body.max_tokens ?? 0) < 1) return 'max_tokens: Field required';
  if (body.messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  const schemas = (body.tools ?? []).map(({ input_schema }) => input_schema);
  if (schemas.some((schema) => schema['type'] !== 'object'))
    return 'tools.0.custom.input_schema.type: Field required';
  if (schemas.some((schema) => 'anyOf' in schema || 'oneOf' in schema || 'allOf' in schema)) {
    return 'input_schema does not support oneOf, allOf, or anyOf at the top level';
  }
  return blockRefusal(body.messages) ?? resultRefusal(body.messages);
}

function blockRefusal(messages: readonly Message[]): string | null {
  for (const block of messages.flatMap(blocksOf)) {
    if (block.type === 'text' && block.text.trim() === '') {
      return 'messages: text content blocks must contain non-whitespace text';
    }
    if (block.type !== 'tool_use') continue;
    if (!/^[a-zA-Z0-9_-]+$/.test(block.id))
      return 'messages.1.content.1.tool_use.id: String should match pattern';
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(block.name)) return 'tool_use.name: String should match pattern';
    if (typeof block.input !== 'object' || block.input === null || Array.isArray(block.input)) {
      return 'messages.1.content.1.tool_use.input: Input should be a valid dictionary';
    }
  }
  return null;
}

/** Each call has its result in the message that follows, and no result is without its call. */
function resultRefusal(messages: readonly Message[]): string | null {
  let open: string[] = [];
  for (const message of messages) {
    const blocks = blocksOf(message);
    const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
    if (open.some((id) => !results.includes(id))) {
      return '`tool_use` ids were found without `tool_result` blocks immediately after';
    }
    if (results.some((id) => !open.includes(id)))
      return 'unexpected `tool_use_id` found in `tool_result` blocks';
    open = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
  }
  return open.length === 0
    ? null
    : '`tool_use` ids were found without `tool_result` blocks immediately after';
}

const stopReasons = new Map([
  ['stop', 'end_turn'],
  ['tool_calls', 'tool_use'],
  ['length', 'max_tokens'],
  ['content_filter', 'refusal'],
]);

/**
 * The server-sent events of a reply, ready to write. What begins and ends a block goes with the piece beside it, so
 * that a piece of text, reasoning or arguments is one write, as in OpenAI's protocol.
 */
export function anthropicEvents(reply: Reply, request: ChatRequest): string[] {
  const calls = reply.calls ?? [];
  const writes: string[] = [];
  let held = '';
  const open = (text: string): void => {
    held += text;
  };
  const write = (text: string): void => {
    writes.push(held + text);
    held = '';
  };
  if (reply.error === undefined || (reply.text ?? '') !== '') open(messageStart(reply, request));
  let index = 0;
  for (const { start, deltas, own } of blocksIn(reply)) {
    const at = index;
    index += 1;
    open(event({ type: 'content_block_start', index: at, content_block: start }));
    if (own) write('');
    for (const delta of deltas) write(event({ type: 'content_block_delta', index: at, delta }));
    open(event({ type: 'content_block_stop', index: at }));
  }
  if (reply.error !== undefined) {
    write(event(anthropicError(reply.error, 400)));
    return writes;
  }
  const finish = reply.finish === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : reply.finish;
  if (finish === null) {
    if (held !== '') write('');
    return writes;
  }
  const delta = { stop_reason: stopReasons.get(finish) ?? finish, stop_sequence: null };
  const usage = { output_tokens: reply.usage?.completion_tokens ?? 0 };
  write(event({ type: 'message_delta', delta, usage }) + event({ type: 'message_stop' }));
  return writes;
}

interface StreamedBlock {
  start: object;
  deltas: object[];
  /** Its start is a write of its own. */
  own: boolean;
}

function blocksIn(reply: Reply): StreamedBlock[] {
  const { reasoning = '', text = '', calls = [], chunk = 16, signature } = reply;
  const blocks: StreamedBlock[] = [];
  if (reasoning !== '') {
    const deltas: object[] = pieces(reasoning, chunk).map((thinking) => ({
      type: 'thinking_delta',
      thinking,
    }));
    if (signature !== undefined) deltas.push({ type: 'signature_delta', signature });
    blocks.push({ start: { type: 'thinking', thinking: '', signature: '' }, deltas, own: false });
  }
  if (text !== '') {
    const deltas = pieces(text, chunk).map((piece) => ({ type: 'text_delta', text: piece }));
    blocks.push({ start: { type: 'text', text: '' }, deltas, own: false });
  }
  calls.forEach((call, index) => {
    const { name, id = `call_${index + 1}` } = call;
    const deltas = pieces(argumentsOf(call), chunk).map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    }));
    blocks.push({ start: { type: 'tool_use', id, name, input: {} }, deltas, own: true });
  });
  return blocks;
}

function messageStart(reply: Reply, request: ChatRequest): string {
  const usage = { input_tokens: reply.usage?.prompt_tokens ?? 0, output_tokens: 1 };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: request.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  return event({ type: 'message_start', message }) + event({ type: 'ping' });
}

const errorTypes = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [529, 'overloaded_error'],
]);

/** An error as the service words it, as a body and as an event alike. */
export function anthropicError(error: NonNullable<Reply['error']>, status: number) {
  const { message, type, code }: Exclude<Reply['error'], string | undefined> =
    typeof error === 'string' ? { message: error } : error;
  const number = typeof code === 'number' ? code : status;
  const known = errorTypes.get(number) ?? (number >= 500 ? 'api_error' : 'invalid_request_error');
  return { type: 'error', error: { type: type ?? known, message }, request_id: 'req_1' };
}

function event(value: { type: string; [field: string]: unknown }): string {
  return `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
}
