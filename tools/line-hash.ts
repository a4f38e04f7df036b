/**
 * Short content hash of a line without its end: six hexadecimal digits of FNV-1a over its UTF-16 units. It
 * finds a line that is not the one that was read; it does not keep anybody out.
 */
export function lineHash(line: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < line.length; at++) hash = Math.imul(hash ^ line.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 24)) & 0xffffff).toString(16).padStart(6, '0');
}
