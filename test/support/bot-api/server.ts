import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ZodError } from 'zod';
import { createFaultPlan, type Fault, type FaultPlan } from './faults.ts';
import { methods } from './methods.ts';
import { createPeople, type People } from './people.ts';
import { badRequest, Refusal } from './refusal.ts';
import { createUpdates, type Updates } from './updates.ts';
import { answer, readBody, refuse, type Sent } from './wire.ts';
import { me, type Query, type World } from './world.ts';

/** One call. Its answer is null while there is none, or where the socket ended. */
export interface Call {
  method: string;
  payload: Readonly<Record<string, unknown>>;
  /** Milliseconds. */
  at: number;
  status: number | null;
  description: string | null;
}

export interface BotApi extends People {
  /** For grammY: `new Bot(server.token, { client: { apiRoot: server.apiRoot } })`. */
  readonly apiRoot: string;
  readonly token: string;
  /** Every call in order, getUpdates left out. */
  readonly calls: readonly Call[];
  readonly polls: readonly Call[];
  /** The presses and how they were answered. */
  readonly queries: readonly Query[];
  readonly typing: readonly { chat: number; topic: number | null; action: string }[];
  /** Updates that the bot has not confirmed. */
  readonly pending: number;
  /** Adds an update as it is: `{ message: … }`. */
  update(body: Record<string, unknown>): number;
  fault(method: string, fault: Fault, options?: { times?: number; chat?: number }): void;
  clearFaults(): void;
  /** Ends every connection and timer. */
  close(): Promise<void>;
}

interface Service {
  world: World;
  updates: Updates;
  plan: FaultPlan;
  calls: Call[];
  polls: Call[];
  closing: AbortController;
}

/**
 * A Bot API server on loopback that behaves like Telegram's as far as a bot can tell: long polls, strict HTML, limits
 * after parsing, topics, its own error texts. Faults are scripted; people say and press what the test tells them to.
 */
export async function startBotApi({ now = Date.now }: { now?: () => number } = {}): Promise<BotApi> {
  const world: World = {
    token: '777000001:test-token',
    me,
    rooms: new Map(),
    queries: [],
    commands: new Map(),
    typing: [],
    now,
  };
  const plan = createFaultPlan();
  const service: Service = {
    world,
    updates: createUpdates(),
    plan,
    calls: [],
    polls: [],
    closing: new AbortController(),
  };
  const server = createServer((request, response) => {
    response.on('error', () => response.destroy());
    handle(service, request, response).catch((error: unknown) => fail(response, error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...createPeople(world, service.updates),
    apiRoot: `http://127.0.0.1:${port}`,
    token: world.token,
    calls: service.calls,
    polls: service.polls,
    queries: world.queries,
    typing: world.typing,
    get pending() {
      return service.updates.pending;
    },
    update: (body) => service.updates.add(body),
    fault: (method, fault, { times = 1, chat } = {}) => plan.add(method, fault, times, chat ?? null),
    clearFaults: () => plan.clear(),
    close: () => {
      service.closing.abort();
      service.updates.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

async function handle(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const left = new AbortController();
  response.on('close', () => left.abort());
  const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)/u.exec(request.url ?? '') ?? [];
  const sent = await readBody(request);
  const call: Call = {
    method,
    payload: sent.payload,
    at: service.world.now(),
    status: null,
    description: null,
  };
  (method === 'getUpdates' ? service.polls : service.calls).push(call);
  try {
    if (token !== service.world.token) throw new Refusal(401, 'Unauthorized');
    const chat = Number(sent.payload['chat_id']);
    const fault = service.plan.take(method, Number.isNaN(chat) ? null : chat);
    const result = await carriedOut(service, { method, sent, fault }, left.signal);
    if (result === gone) {
      response.destroy();
      return;
    }
    call.status = 200;
    answer(response, result);
  } catch (error) {
    const refusal = refusalOf(error);
    call.status = refusal.status;
    call.description = refusal.message;
    refuse(response, refusal);
  }
}

/** Stands for an answer that never comes. */
const gone = Symbol('gone');

async function carriedOut(
  { world, updates, closing }: Service,
  { method, sent, fault }: { method: string; sent: Sent; fault: Fault | null },
  left: AbortSignal,
): Promise<unknown> {
  const run = methods[method];
  if (run === undefined) throw new Refusal(404, 'Not Found: method not found');
  switch (fault?.kind) {
    case 'flood': {
      const { retryAfter } = fault;
      throw new Refusal(429, `Too Many Requests: retry after ${retryAfter}`, { retry_after: retryAfter });
    }
    case 'error':
      throw new Refusal(fault.status, fault.description, fault.parameters);
    case 'drop':
      return gone;
    case 'hang':
      await paused(2 ** 30, AbortSignal.any([left, closing.signal]));
      return gone;
    case 'dropAnswer':
      await run(world, sent, updates, left);
      return gone;
    case 'slow':
      await paused(fault.ms, AbortSignal.any([left, closing.signal]));
      return run(world, sent, updates, left);
    case undefined:
      return run(world, sent, updates, left);
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ZodError || error instanceof SyntaxError) return badRequest(error.message);
  return new Refusal(500, `Internal Server Error: ${String(error)}`);
}

async function paused(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** The body could not be read: the client left, or sent nonsense. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else refuse(response, refusalOf(error));
}
