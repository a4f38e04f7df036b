import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { LiveState } from '../page/live-state.ts';

export interface LiveOptions {
  /** The whole HTML page. */
  page: string;
  /** Reads the session anew; may throw, then the page keeps what it has. */
  look: () => Promise<LiveState>;
  /** Between two looks, while somebody watches (ms). */
  everyMs?: number;
}

export interface LiveServer {
  /** Address of the page, with its token. */
  url: string;
  close(): Promise<void>;
}

const host = '127.0.0.1';
/** Pages that watch at once; a browser opens few, and each costs a connection. */
const mostWatchers = 16;
/** A comment every so many looks keeps a silent stream from looking dead. */
const pulse = 60;
const beat = ': here\n\n';

const headers = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "frame-ancestors 'none'",
} as const;

/**
 * Serves the page and the state of one session on loopback (decision 0082): a random port, a random token in the path,
 * GET only, and no other site may read it. Everything else is 404.
 */
export async function serveLive({ page, look, everyMs = 250 }: LiveOptions): Promise<LiveServer> {
  const token = randomBytes(24).toString('base64url');
  const watchers = createWatchers(look, everyMs);
  const server = createServer((request, response) => {
    const asked = askedOf(request, token, portOf(server));
    if (asked === null) answer(response, 404, 'text/plain', 'Not found\n');
    else if (asked === '') answer(response, 200, 'text/html', page);
    else if (asked === 'events') watchers.add(response);
    else void answerState(response, look);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  return {
    url: `http://${host}:${portOf(server)}/${token}/`,
    close: () =>
      new Promise((resolve) => {
        watchers.end();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** What is asked for below the token; null: nothing that there is. A name that leads here from elsewhere is no host of ours. */
function askedOf(
  { method, url = '', headers: { host: named } }: IncomingMessage,
  token: string,
  port: number,
): '' | 'events' | 'state' | null {
  if (method !== 'GET' || (named !== `${host}:${port}` && named !== `localhost:${port}`)) return null;
  const [path = ''] = url.split('?', 1);
  const [, given = '', asked, ...more] = path.split('/');
  if (!isSame(given, token) || more.length > 0) return null;
  return asked === '' || asked === 'events' || asked === 'state' ? asked : null;
}

/** Takes as long for a wrong token that begins well as for any other. */
function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function answer(response: ServerResponse, code: number, type: string, body: string): void {
  response.writeHead(code, { ...headers, 'content-type': `${type}; charset=utf-8` }).end(body);
}

async function answerState(response: ServerResponse, look: () => Promise<LiveState>): Promise<void> {
  const state = await look().catch(() => null);
  if (state === null) answer(response, 503, 'text/plain', 'The session cannot be read now\n');
  else answer(response, 200, 'application/json', JSON.stringify(state));
}

/** Who follows the session; it is looked at only while there is somebody. */
function createWatchers(look: () => Promise<LiveState>, everyMs: number) {
  const open = new Set<ServerResponse>();
  let last = '';
  let follows = false;
  const tell = (text: string): void => {
    for (const response of open) response.write(text);
  };
  const follow = async (): Promise<void> => {
    if (follows) return;
    follows = true;
    for (let round = 1; open.size > 0; round += 1) {
      // What can't be read now, such as a file that is being replaced by hand, is tried again.
      const state = await look().catch(() => null);
      const text = state === null ? last : JSON.stringify(state);
      if (text !== last) tell(`data: ${text}\n\n`);
      else if (round % pulse === 0) tell(beat);
      last = text;
      await pause(everyMs, undefined, { ref: false });
    }
    follows = false;
    last = '';
  };
  return {
    add(response: ServerResponse): void {
      if (open.size >= mostWatchers) {
        answer(response, 503, 'text/plain', 'Too many pages watch\n');
        return;
      }
      response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' });
      response.write(last === '' ? beat : `data: ${last}\n\n`);
      open.add(response);
      response.on('close', () => open.delete(response));
      void follow();
    },
    end(): void {
      for (const response of open) response.end();
      open.clear();
    },
  };
}
