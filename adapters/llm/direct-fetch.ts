/** The server wanted the request sent elsewhere. `to` is that address without credentials and query. */
export class RedirectError extends Error {
  readonly code = 'REDIRECT';
  readonly data: { to: string };

  constructor(to: string) {
    super(`redirected to ${to}`);
    this.name = 'RedirectError';
    this.data = { to };
  }
}

/**
 * `fetch` that follows no redirect: it would take the conversation, and with headers of a provider's own the
 * key, to a host that nobody chose (0030). Throws a `RedirectError` then.
 */
export async function directFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  if (response.status < 300 || response.status > 399) return response;
  await response.body?.cancel();
  throw new RedirectError(target(response.headers.get('location'), response.url));
}

function target(location: string | null, from: string): string {
  const url = location === null ? null : URL.parse(location, from);
  return url === null ? 'another address' : `${url.protocol}//${url.host}${url.pathname}`.slice(0, 200);
}
