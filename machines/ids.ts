/**
 * A UUID for something that an old file left without one. Derived from the session's, since a view
 * and the next commit have to agree on it without writing.
 */
export function numberedId(session: string, number: number): string {
  return `${session.slice(0, 24)}${number.toString(16).padStart(12, '0')}`;
}
