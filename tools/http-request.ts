import { z } from 'zod';
import { counted, cutLine, failed, oneLine, sentence } from './text.ts';
import type { HttpAnswer, HttpRequest, Tool, ToolResult } from './types.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const limitBody = 1024 * 1024;

const input = z.object({
  url: z.string().describe('http:// or https://'),
  method: z.enum(methods).optional().describe('GET when left out'),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.string().optional().describe('Not with GET and HEAD'),
});
type Input = z.infer<typeof input>;

/** The connection's own, and cookies: there are none here. */
const ownHeaders =
  /^(cookie|cookie2|host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/i;
const secretHeader = /auth|key|token|secret|password|signature|credential/i;
/** What of the answer's headers says something to a model. */
const shownHeaders = ['content-type', 'location', 'retry-after', 'allow', 'etag', 'last-modified', 'link'];

const isReading = ({ method = 'GET' }: Input): boolean => method === 'GET' || method === 'HEAD';

export const httpRequest: Tool<Input> = {
  name: 'http_request',
  class: 'networkWrite',
  classes: ['read'],
  // D21: methods other than GET and HEAD are mutators.
  classOf: (asked) => (isReading(asked) ? 'read' : 'networkWrite'),
  description:
    'Make one HTTP request and get the answer as text. A redirect to another host is reported, not followed. ' +
    'No cookies are kept.',
  input,
  asks: () => true,
  // A Yes to reading from a host is none to changing something there.
  key: (asked) => `http_request ${isReading(asked) ? 'read' : asked.method} ${originOf(asked)}`,
  summary: ({ method = 'GET', url }) => oneLine(`${method} ${withoutQuery(url)}`),
  async preview(asked) {
    const request = requestOf(asked);
    if ('cause' in request)
      return { title: 'HTTP request', body: `This would fail: ${sentence(request.cause)}` };
    const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${shown(name, value)}`);
    const body = request.body === null ? [] : ['', request.body];
    return { title: `${request.method} ${request.url}`, body: [...headers, ...body].join('\n') };
  },
  async run(asked, context) {
    const request = requestOf(asked);
    if ('cause' in request) return failed(`Nothing was sent: ${sentence(request.cause)}`);
    return resultOf(request, await context.http.request(request, context.signal));
  },
};

function requestOf({ url, method = 'GET', headers = {}, body }: Input): HttpRequest | { cause: string } {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    return { cause: `${cutLine(withoutQuery(url), 200)} is no http or https address` };
  if (parsed.username !== '' || parsed.password !== '')
    return { cause: 'the address holds a user name or password; use an Authorization header' };
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return { cause: `${JSON.stringify(name)} is no header name` };
    if (ownHeaders.test(name)) return { cause: `the header ${name} can't be set` };
    // The value is left out: it may be a key.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      return { cause: `the header ${name} holds characters that can't be sent` };
  }
  if (body !== undefined && isReading({ url, method })) return { cause: `${method} has no body` };
  if (body !== undefined && body.length > limitBody) return { cause: 'the body is longer than 1 MiB' };
  parsed.hash = '';
  return { url: parsed.href, method, headers, body: body ?? null };
}

/** For logs: an address's query may hold a key. */
const withoutQuery = (url: string): string => url.replace(/\/\/[^/?#]*@/, '//').replace(/[?#].*$/s, '?…');

const originOf = ({ url }: Input): string => (URL.canParse(url) ? new URL(url).origin : url);

const shown = (name: string, value: string): string =>
  secretHeader.test(name) ? `(hidden, ${counted(value.length, 'character')})` : value;

function resultOf(request: HttpRequest, answer: HttpAnswer): ToolResult {
  if (answer.kind === 'failed') {
    const isSafe = !answer.sent || request.method === 'GET' || request.method === 'HEAD';
    const end = isSafe ? '' : ' The request may have been carried out.';
    return failed(`No answer from ${new URL(request.url).host}: ${sentence(answer.cause)}${end}`);
  }
  const { status, url, headers, text, cut } = answer;
  const fields = shownHeaders.flatMap((name) =>
    headers[name] === undefined ? [] : [`${name}: ${headers[name]}`],
  );
  const lines = [`HTTP ${status} from ${url}`, ...fields, ...leads(answer, request)];
  if (text === null) lines.push('', '[The answer is not text and is left out.]');
  else if (text !== '') lines.push('', text);
  if (cut) lines.push('[The answer was longer; the rest is left out.]');
  return status >= 400 ? failed(lines.join('\n')) : { text: lines.join('\n') };
}

function leads(
  { status, url, headers }: Extract<HttpAnswer, { kind: 'answered' }>,
  request: HttpRequest,
): string[] {
  const { location } = headers;
  if (status < 300 || status > 399 || location === undefined || !URL.canParse(location, url)) return [];
  const next = new URL(location, url);
  const why =
    next.origin === new URL(request.url).origin
      ? 'It was not followed'
      : 'That is another host and was not followed';
  return [`It leads to ${next.href}. ${why}; make a request of its own if it is needed.`];
}
