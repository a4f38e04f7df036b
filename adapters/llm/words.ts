const providerLimit = 300;
// A value this short is a placeholder for servers without keys, and would blot out ordinary words.
const shortestSecret = 4;

/**
 * Text from outside as one harmless line: control, bidirectional and broken characters removed, secrets
 * replaced by value (D54). Cleaning comes first, so that a key with a control byte inside is found too.
 */
export function oneLine(text: string, secrets: readonly string[]): string {
  return forms(secrets).reduce((line, secret) => line.replaceAll(secret, '[secret]'), clean(text));
}

/** `oneLine`, at most 300 characters; cut last, so that no half of a key is left. */
export function providerWords(text: string, secrets: readonly string[]): string {
  const points = Array.from(oneLine(text, secrets));
  if (points.length <= providerLimit) return points.join('');
  return `${points.slice(0, providerLimit - 1).join('')}…`;
}

function clean(text: string): string {
  return text
    .replace(/[\p{Zl}\p{Zp}\t\n\r]/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Every secret as it looks in a clean line: plain, URL-encoded, JSON-encoded; the longest first, as one may hold another. */
function forms(secrets: readonly string[]): string[] {
  const all = secrets.flatMap((secret) => {
    const whole = secret.toWellFormed();
    return [clean(whole), encodeURIComponent(whole), JSON.stringify(whole).slice(1, -1)];
  });
  const usable = all.filter((form) => form.length >= shortestSecret);
  return [...new Set(usable)].sort((a, b) => b.length - a.length);
}
