/**
 * What `/chat/completions` follows. A bare host stands for its `/v1`; any other path is taken as it is, and so is
 * a whole address that ends in `/chat/completions`. What is no URL comes back unchanged.
 */
export function openAiBase(given: string): string {
  return based(given, '/chat/completions', (path) => (path === '' ? '/v1' : path));
}

/**
 * What `/messages` follows. Both habits work: with `/v1` at the end and without it, which it then gets. A whole
 * address that ends in `/messages` is taken as it is.
 */
export function anthropicBase(given: string): string {
  return based(given, '/messages', (path) => (path.endsWith('/v1') ? path : `${path}/v1`));
}

function based(given: string, last: string, complete: (path: string) => string): string {
  const url = URL.parse(given.trim());
  if (url === null) return given;
  const path = url.pathname.replace(/\/+$/u, '');
  url.pathname = path.endsWith(last) ? path.slice(0, -last.length) : complete(path);
  return url.href.replace(/\/+$/u, '');
}
