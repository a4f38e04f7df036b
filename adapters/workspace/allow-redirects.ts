import type { HereDoc, Redirect, Redirection } from 'unbash';
import { pathObjection } from './allow-paths.ts';
import { knownText, quoted, type Refused, type WordWorld } from './allow-words.ts';

/** Longer input is put into a temporary file by bash. */
const inputLimit = 4096;

/** Redirects written anew, or why one of them is not read-only (B29): into files goes nothing but `/dev/null`. */
export async function redirections(all: readonly Redirection[], world: WordWorld): Promise<string | Refused> {
  let line = '';
  for (const redirect of all) {
    const { descriptor } = redirect;
    if (descriptor?.type === 'FileDescriptorVariable' || (descriptor?.value ?? 0) > 2) {
      return { refused: 'only the streams 0, 1 and 2 can be redirected here' };
    }
    const written = await redirection(redirect, world);
    if (typeof written !== 'string') return written;
    line += ` ${descriptor?.value ?? ''}${written}`;
  }
  return line;
}

async function redirection(redirect: Redirection, world: WordWorld): Promise<string | Refused> {
  if (redirect.type === 'HereDoc') return input(documentText(redirect));
  const text = await knownText(redirect.target, world);
  if (typeof text !== 'string') return text;
  return redirect.type === 'HereString' ? input(text) : file(redirect, text, world);
}

function input(text: string | Refused): string | Refused {
  if (typeof text !== 'string') return text;
  if (Buffer.byteLength(text) > inputLimit) return { refused: 'the text for the input is too long' };
  return `<<<${quoted(text)}`;
}

/** Without its last line end, which a here-string has anyway. */
function documentText({ operator, delimiter, body, closing }: HereDoc): string | Refused {
  if (delimiter === undefined || closing === undefined)
    return { refused: 'the end of the `<<` text is missing' };
  const plain = delimiter.quoted || (body.parts ?? []).every(({ type }) => type === 'Literal');
  if (!plain || (!delimiter.quoted && body.text.includes('\\'))) {
    return { refused: 'the `<<` text has variables or commands in it; quote its end word' };
  }
  const text = operator === '<<-' ? body.text.replace(/^\t+/gm, '') : body.text;
  return text.replace(/\n$/, '');
}

async function file({ operator }: Redirect, target: string, world: WordWorld): Promise<string | Refused> {
  const isCopy = (operator === '>&' || operator === '<&') && /^([012]|-)$/.test(target);
  if (isCopy) return `${operator}${target}`;
  if (operator === '<') {
    const objection = await pathObjection(target, 'name', world.base, world.places);
    return objection === null ? `<${quoted(target)}` : { refused: objection };
  }
  const isSink = target === '/dev/null' && operator !== '<>' && operator !== '<&';
  if (isSink) return `${operator}${target}`;
  return { refused: `\`${operator} ${target}\` writes; only /dev/null may be written to` };
}
