import type { HttpAnswer, HttpPort, HttpRequest } from '../../tools/types.ts';
import { causeOf, errnoOf } from './cause.ts';

export interface HttpOptions {
  /** For the whole request, redirects and body included. */
  timeoutMs?: number;
  /** What is kept of an answer's body, decoded or not. */
  limitBytes?: number;
}

const redirectLimit = 5;

/** Failures before anything was sent. */
const unsent = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/**
 * Requests by the platform's own client. Local and private addresses are as open as others: a person is asked
 * about every host (D21). Contract: `request` never throws.
 */
export function createHttp({ timeoutMs = 30_000, limitBytes = 64 * 1024 }: HttpOptions = {}): HttpPort {
  return {
    async request(request, signal) {
      const limit = AbortSignal.timeout(timeoutMs);
      try {
        return await answer(request, limitBytes, AbortSignal.any([signal, limit]));
      } catch (error) {
        if (signal.aborted) return { kind: 'failed', cause: 'the turn was cancelled', sent: true };
        if (limit.aborted)
          return { kind: 'failed', cause: `nothing complete within ${timeoutMs / 1000} s`, sent: true };
        return failure(request, error);
      }
    },
  };
}

function failure({ url }: HttpRequest, error: unknown): HttpAnswer {
  const root = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  // A host with several addresses fails with one error for each.
  const first: unknown = root instanceof AggregateError ? root.errors[0] : root;
  const code = errnoOf(first);
  const sent = code !== null && !unsent.includes(code);
  return { kind: 'failed', cause: causeOf(new URL(url).host, first), sent };
}

async function answer(request: HttpRequest, limitBytes: number, signal: AbortSignal): Promise<HttpAnswer> {
  let url = request.url;
  for (let followed = 0; ; followed++) {
    const response = await fetch(url, {
      method: request.method,
      headers: { 'user-agent': 'planchart', ...request.headers },
      body: request.body,
      redirect: 'manual',
      signal,
    });
    const next = followed < redirectLimit ? nextWithin(request, url, response) : null;
    if (next === null) return await readAnswer(response, url, limitBytes);
    await response.body?.cancel();
    url = next;
  }
}

/** Where a read goes on within the same origin, or null. */
function nextWithin({ method }: HttpRequest, url: string, { status, headers }: Response): string | null {
  const location = headers.get('location');
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead || ![301, 302, 303, 307, 308].includes(status) || location === null) return null;
  if (!URL.canParse(location, url)) return null;
  const next = new URL(location, url);
  return next.origin === new URL(url).origin ? next.href : null;
}

async function readAnswer(response: Response, url: string, limitBytes: number): Promise<HttpAnswer> {
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => !name.startsWith('set-cookie')),
  );
  const { body, cut } = await readStart(response, limitBytes);
  const text = decoded(body, response.headers.get('content-type'));
  return { kind: 'answered', status: response.status, url, headers, text, cut };
}

async function readStart({ body }: Response, limit: number): Promise<{ body: Uint8Array; cut: boolean }> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    parts.push(part.subarray(0, limit - length));
    length += part.length;
    // Leaving the loop ends the transfer.
    if (length > limit) break;
  }
  return { body: Buffer.concat(parts), cut: length > limit };
}

const textType =
  /^(text\/|application\/(.*\+)?(json|xml|yaml|x-yaml|toml|javascript|ecmascript|x-ndjson|x-www-form-urlencoded|graphql))/i;

/** Null when the answer is not text: by its type, or by what it holds when the type says nothing. */
function decoded(body: Uint8Array, type: string | null): string | null {
  const isNamed = type !== null && textType.test(type);
  if (!isNamed && type !== null && !type.startsWith('application/octet-stream'))
    return body.length === 0 ? '' : null;
  if (body.includes(0) && !/utf-16/i.test(type ?? '')) return null;
  return decodeAs(/charset="?([\w.:-]+)/i.exec(type ?? '')?.[1] ?? 'utf-8', body);
}

function decodeAs(charset: string, body: Uint8Array): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    // A name that nobody knows: most texts are UTF-8 all the same.
    return new TextDecoder().decode(body);
  }
}
