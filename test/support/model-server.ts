import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { anthropicError, anthropicEvents, asChatRequest, refusalOf } from './model-server/anthropic.ts';
import type { MessagesRequest } from './model-server/anthropic.ts';
import { errorOf, openAiEvents } from './model-server/reply.ts';
import type { ChatRequest, Reply } from './model-server/reply.ts';

/** One reply per request, in order, or a function of the request and its index from 0; `gone`: the client has left. */
export type Script =
  | readonly Reply[]
  | ((request: ChatRequest, index: number, gone?: AbortSignal) => Reply | Promise<Reply>);

export interface ModelServer {
  /** `http://127.0.0.1:<port>/v1` */
  readonly baseUrl: string;
  /** Every request, in order, in OpenAI's words; its parsed body as it came; and what came with it. */
  readonly requests: readonly ChatRequest[];
  readonly bodies: readonly unknown[];
  readonly headers: readonly IncomingHttpHeaders[];
  /** Responses that the client left before their end. */
  readonly abandoned: number;
  close(): Promise<void>;
}

interface State {
  script: Script;
  requests: ChatRequest[];
  bodies: unknown[];
  headers: IncomingHttpHeaders[];
  abandoned: number;
  closing: AbortController;
}

// A client may drop what it has received but not yet read when the connection dies right behind it.
const beforeCutMs = 100;

/** What the two protocols have of their own. */
interface Wire {
  /** The request in common words; `refusal` is what the real service has against it. */
  read(body: unknown, headers: IncomingHttpHeaders): { request: ChatRequest; refusal: string | null };
  events(reply: Reply, request: ChatRequest): string[];
  error(error: NonNullable<Reply['error']>, status: number): object;
}

const wires: Readonly<Record<string, Wire>> = {
  '/v1/chat/completions': {
    read: (body) => ({ request: body as ChatRequest, refusal: null }),
    events: openAiEvents,
    error: (error) => ({ error: errorOf(error) }),
  },
  '/v1/messages': {
    read: (body, headers) => ({
      request: asChatRequest(body as MessagesRequest),
      refusal: refusalOf(body as MessagesRequest, headers['anthropic-version']),
    }),
    events: anthropicEvents,
    error: anthropicError,
  },
};

/**
 * A server on loopback that speaks OpenAI chat completions and Anthropic messages with streaming, whichever a
 * request asks for. An array that is used up answers 400, so that a test sees it at once. `close` ends every
 * connection and timer.
 */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const closing = new AbortController();
  const state: State = { script, requests: [], bodies: [], headers: [], abandoned: 0, closing };
  const server = createServer((request, response) => {
    response.on('error', () => response.destroy());
    handle(state, request, response).catch((error: unknown) => fail(response, error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests: state.requests,
    bodies: state.bodies,
    headers: state.headers,
    get abandoned() {
      return state.abandoned;
    },
    close: () => {
      closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

async function handle(state: State, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const wire = wires[incoming.url ?? ''];
  if (incoming.method !== 'POST' || wire === undefined) {
    send(response, 404, { error: { message: `No such path: ${incoming.url}` } });
    return;
  }
  const body: unknown = JSON.parse(await text(incoming));
  const { request, refusal } = wire.read(body, incoming.headers);
  const index = state.requests.push(request) - 1;
  state.bodies.push(body);
  state.headers.push(incoming.headers);
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const { script } = state;
  const reply = typeof script === 'function' ? await script(request, index, gone.signal) : script[index];
  const wrong = refusal ?? (reply === undefined ? `The script has no reply for request ${index + 1}` : null);
  if (wrong !== null || reply === undefined) {
    send(response, 400, wire.error(wrong ?? '', 400));
    return;
  }
  await answer(state, { wire, reply, request }, response);
}

/** A request and what it gets. */
interface Exchange {
  wire: Wire;
  reply: Reply;
  request: ChatRequest;
}

async function answer(state: State, exchange: Exchange, response: ServerResponse): Promise<void> {
  const { wire, reply } = exchange;
  const { status = 200, headers = {}, cutAfter } = reply;
  const gone = new AbortController();
  response.on('close', () => {
    gone.abort();
    const ours = response.writableEnded || cutAfter !== undefined || state.closing.signal.aborted;
    if (!ours) state.abandoned += 1;
  });
  if (reply.hang === true) return;
  if (cutAfter === 0) {
    response.destroy();
    return;
  }
  if (status >= 400 && reply.body === undefined) {
    send(response, status, wire.error(reply.error ?? `Status ${status}`, status), headers);
    return;
  }
  response.writeHead(status, { 'content-type': 'text/event-stream', ...headers });
  response.flushHeaders();
  await stream(exchange, response, AbortSignal.any([gone.signal, state.closing.signal]));
}

async function stream(
  { wire, reply, request }: Exchange,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { cutAfter, hang, delayMs } = reply;
  const events = reply.body === undefined ? wire.events(reply, request) : [reply.body];
  const writes = reply.splitAt === undefined ? events : split(events.join(''), reply.splitAt);
  for (const piece of writes.slice(0, cutAfter ?? (hang === true ? 0 : hang))) {
    if (delayMs !== undefined) await paused(delayMs, signal);
    if (signal.aborted) return;
    await written(response, piece);
  }
  if (hang !== undefined) return;
  if (cutAfter === undefined) {
    response.end();
    return;
  }
  await paused(beforeCutMs, signal);
  response.destroy();
}

function split(whole: string, offsets: readonly number[]): Buffer[] {
  const bytes = Buffer.from(whole);
  const edges = [0, ...[...offsets].sort((a, b) => a - b), bytes.length];
  const parts = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
  return parts.filter((part) => part.length > 0);
}

/** Gives the event loop a turn after each write, so that the pieces leave one by one. */
function written(response: ServerResponse, piece: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    response.write(piece, () => setImmediate(resolve));
  });
}

async function paused(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** A script that throws is a mistake in the test; 400 is not retried, so it shows at once. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  send(response, 400, { error: { message: `The script failed: ${String(error)}` } });
}
