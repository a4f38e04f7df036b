import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { errorOf, eventsOf } from './model-server/reply.ts';
import type { ChatRequest, Reply } from './model-server/reply.ts';

/** One reply per request, in order, or a function of the request and its index from 0. */
export type Script = readonly Reply[] | ((request: ChatRequest, index: number) => Reply | Promise<Reply>);

export interface ModelServer {
  /** `http://127.0.0.1:<port>/v1` */
  readonly baseUrl: string;
  /** The parsed body of every request, in order, and what came with it. */
  readonly requests: readonly ChatRequest[];
  readonly headers: readonly IncomingHttpHeaders[];
  /** Responses that the client left before their end. */
  readonly abandoned: number;
  close(): Promise<void>;
}

interface State {
  script: Script;
  requests: ChatRequest[];
  headers: IncomingHttpHeaders[];
  abandoned: number;
  closing: AbortController;
}

// A client may drop what it has received but not yet read when the connection dies right behind it.
const beforeCutMs = 100;

/**
 * A server on loopback that speaks OpenAI chat completions with streaming. An array that is used up
 * answers 400, so that a test sees it at once. `close` ends every connection and timer.
 */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const closing = new AbortController();
  const state: State = { script, requests: [], headers: [], abandoned: 0, closing };
  const server = createServer((request, response) => {
    response.on('error', () => response.destroy());
    handle(state, request, response).catch((error: unknown) => fail(response, error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests: state.requests,
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
  if (incoming.method !== 'POST' || incoming.url !== '/v1/chat/completions') {
    send(response, 404, { error: { message: `No such path: ${incoming.url}` } });
    return;
  }
  const request = JSON.parse(await text(incoming)) as ChatRequest;
  const index = state.requests.push(request) - 1;
  state.headers.push(incoming.headers);
  const reply = typeof state.script === 'function' ? await state.script(request, index) : state.script[index];
  if (reply === undefined) {
    send(response, 400, { error: { message: `The script has no reply for request ${index + 1}` } });
    return;
  }
  await answer(state, reply, request, response);
}

async function answer(
  state: State,
  reply: Reply,
  request: ChatRequest,
  response: ServerResponse,
): Promise<void> {
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
    send(response, status, { error: errorOf(reply.error ?? `Status ${status}`) }, headers);
    return;
  }
  response.writeHead(status, { 'content-type': 'text/event-stream', ...headers });
  response.flushHeaders();
  await stream(reply, request, response, AbortSignal.any([gone.signal, state.closing.signal]));
}

async function stream(
  reply: Reply,
  request: ChatRequest,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { cutAfter, hang, delayMs } = reply;
  const events = reply.body === undefined ? eventsOf(reply, request) : [reply.body];
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
