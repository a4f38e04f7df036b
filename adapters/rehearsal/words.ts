const STOP_WORDS = new Set(
  (
    'about add all also and another any app are can changes code could create design does feature file files for from ' +
    'fix has have how implement into its just let like make more need new not now one our out please plan project ' +
    'should some that the their them then there these this thing too use using want was way what when where which ' +
    'will with work would write you your option command give lets planning draft'
  ).split(' '),
);
const ASKING =
  /^(?:please[,\s]+|hey[,\s]+|(?:can|could|would) you\s+|i (?:want|need)(?: you)?(?: to)?\s+|let'?s\s+)*(?:(?:make|create|write|draft|do|give)\s+(?:me\s+)?)?(?:an?\s+|the\s+)?plan(?:ning)?(?:\s+(?:to implement|for|to|out|how to|that|of|which))?[\s:,]+/i;

/** The words of a request that are worth a search, in order, at most five. */
export function requestWords(request: string): string[] {
  const words = request.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? [];
  const telling = words
    .map((word) => word.replace(/[-_]+$/, ''))
    .filter((word) => word.length > 2 && !STOP_WORDS.has(word));
  return [...new Set(telling)].slice(0, 5);
}

/** One line that can stand in a session plan: nothing in it opens a comment, ends a line or splits a step. */
export function oneLine(text: string, limit: number): string {
  const line = text
    .replace(/\s+/g, ' ')
    .replaceAll('<!--', '<! --')
    .replaceAll('`', '')
    .replaceAll(' — ', ' - ')
    .trim();
  const points = Array.from(line);
  return points.length <= limit
    ? line
    : `${points
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`;
}

/** What is to be done, without the words that ask for a plan. */
export function requestLine(request: string): string {
  const line = oneLine(request, 300).replace(/^\/plan\s+/, '');
  return oneLine(line.replace(ASKING, '') || line, 160).replace(/[\s.!?;:,]+$/, '');
}

/** A title of at most eight words. */
export function planTitle(request: string): string {
  const words = requestLine(request).split(' ');
  const title = oneLine(words.slice(0, 8).join(' '), 80).replace(/[\s.!?;:,]+$/, '');
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** A short folder name in plain letters and digits, from the telling words of a title. */
export function slug(title: string): string {
  const words = requestWords(title).slice(0, 3).join('-') || title;
  const plain = words.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const name = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-+/, '');
  return name.slice(0, 28).replace(/-+$/, '') || 'request';
}
