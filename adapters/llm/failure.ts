import {
  APICallError,
  EmptyResponseBodyError,
  InvalidResponseDataError,
  JSONParseError,
  NoOutputGeneratedError,
  StreamProviderError,
  TypeValidationError,
} from 'ai';
import { RedirectError } from './direct-fetch.ts';

/**
 * Why one request failed, read from whatever was thrown or streamed. `words` are the provider's own,
 * not yet cleaned. `answer` covers an HTTP error and an error sent inside a stream, where the status
 * is what the provider says it is, or null.
 */
export type Failure =
  | {
      kind: 'answer';
      status: number | null;
      code: string;
      words: string;
      headers: Readonly<Record<string, string>>;
    }
  | { kind: 'network'; what: 'dropped' | 'timeout' | 'unreachable'; code: string }
  | { kind: 'redirect'; to: string }
  | { kind: 'unreadable'; words: string }
  | { kind: 'other'; words: string };

const droppedCodes = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET']);

/** Statuses for the names that providers put into error events of a stream, which have no HTTP status. */
const statusOfName = new Map([
  ['rate_limit_exceeded', 429],
  ['rate_limit_error', 429],
  ['authentication_error', 401],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['server_error', 500],
  ['api_error', 500],
  ['internal_server_error', 500],
  ['overloaded_error', 529],
  ['service_unavailable', 503],
]);

/** Contract: never throws. */
export function readFailure(error: unknown): Failure {
  if (error instanceof RedirectError) return { kind: 'redirect', to: error.data.to };
  if (APICallError.isInstance(error) && (error.statusCode ?? 0) >= 400) return httpFailure(error);
  if (StreamProviderError.isInstance(error)) return providerError(error) ?? other(error);
  const code = networkCode(error);
  if (code !== null) return { kind: 'network', what: networkKind(code), code };
  if (TypeValidationError.isInstance(error)) {
    const said = providerError(error.value);
    return said ?? unfit;
  }
  if (NoOutputGeneratedError.isInstance(error))
    return { kind: 'unreadable', words: 'it ended before it began' };
  if (JSONParseError.isInstance(error)) return { kind: 'unreadable', words: 'it is not valid JSON' };
  if (InvalidResponseDataError.isInstance(error) || EmptyResponseBodyError.isInstance(error)) {
    return { kind: 'unreadable', words: error.message };
  }
  if (APICallError.isInstance(error)) return apiFailure(error);
  if (error instanceof Error) return unreadEvent.test(error.message) ? unfit : other(error);
  return providerError(error) ?? { kind: 'other', words: '' };
}

/** All that the Anthropic client tells when the first event of a stream is not of the protocol. */
const unreadEvent = /^Expected a normalized Anthropic stream error$/;
const unfit: Failure = { kind: 'unreadable', words: 'it does not fit the protocol' };

/** Without a status no answer came; with one below 400 the answer could not be processed. */
function apiFailure(error: APICallError): Failure {
  if (error.statusCode !== undefined) return { kind: 'unreadable', words: error.message };
  return {
    kind: 'network',
    what: 'unreachable',
    code: error.cause instanceof Error ? error.cause.message : 'unknown cause',
  };
}

function other(error: Error): Failure {
  return { kind: 'other', words: error.message };
}

function httpFailure(error: APICallError): Failure {
  const body = parsed(error.responseBody ?? '');
  const said = providerError(body);
  // A proxy answers with a whole HTML page; its status line says more in one line.
  const plain = typeof body === 'string' && !body.trimStart().startsWith('<') ? body : error.message;
  return {
    kind: 'answer',
    status: error.statusCode ?? null,
    code: said?.code ?? '',
    words: said?.words ?? plain,
    headers: error.responseHeaders ?? {},
  };
}

/** Reads the shapes in use: `{error: {message, code, type}}`, `{error: "…"}`, `{message}`, `{detail}`, `[{…}]`. */
function providerError(value: unknown): Extract<Failure, { kind: 'answer' }> | null {
  const outer = record(Array.isArray(value) ? value[0] : value);
  if (outer === null) return null;
  const inner = record(outer['error']) ?? outer;
  const words = [outer['error'], inner['message'], inner['detail']].find((it) => typeof it === 'string');
  if (words === undefined) return null;
  const names = ['code', 'type', 'status']
    .map((field) => inner[field])
    .filter((it) => typeof it === 'string' || typeof it === 'number');
  const code = names.join(' ').toLowerCase();
  return { kind: 'answer', status: statusIn(code, inner['statusCode']), code, words, headers: {} };
}

function statusIn(code: string, stated: unknown): number | null {
  if (typeof stated === 'number') return stated;
  for (const name of code.split(' ')) {
    if (/^[45]\d\d$/.test(name)) return Number(name);
    const status = statusOfName.get(name);
    if (status !== undefined) return status;
  }
  return null;
}

/** The innermost code that Node or its HTTP client gave, e.g. ECONNREFUSED; null when it is not about the network. */
function networkCode(error: unknown): string | null {
  let found: string | null = null;
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    const code = 'code' in at && typeof at.code === 'string' ? at.code : null;
    if (code !== null && /^[A-Z][A-Z\d_]+$/.test(code)) found = code;
  }
  return found;
}

function networkKind(code: string): 'dropped' | 'timeout' | 'unreachable' {
  if (droppedCodes.has(code)) return 'dropped';
  return code.includes('TIMEOUT') || code === 'ETIMEDOUT' ? 'timeout' : 'unreachable';
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return body;
    throw error;
  }
}

function record(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}
