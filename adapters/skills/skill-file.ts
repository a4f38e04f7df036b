import { z } from 'zod';
import { isBuiltInCommand } from '../../machines/index.ts';
import type { Skill } from '../ports.ts';
import { keyLine, splitFrontMatter } from '../front-matter.ts';
import { readPlaced } from '../read-placed.ts';
import { visibleLine, withoutControls } from '../text.ts';

/** In bytes; a larger file is skipped. */
const mostBytes = 64 * 1024;

/** A name that can be typed behind a slash. */
const skillName = /^[a-z0-9][a-z0-9_-]{0,63}$/u;

/** A file that may be a skill or command; its name is that of the file, for `SKILL.md` that of its folder. */
export interface Candidate {
  kind: Skill['kind'];
  name: string;
  path: string;
  /** Judges where the open file really is. */
  mayLie: (place: string) => boolean;
}

/** A skill with its text. */
export interface LoadedSkill extends Skill {
  body: string;
}

const line = z.string().transform(visibleLine);
/** Keys of other programs are left alone. */
const FrontMatter = z.looseObject({
  name: line.optional(),
  description: line.pipe(z.string().min(1).max(1024)),
  arguments: line.pipe(z.string().max(200)).optional(),
});

const wants: Readonly<Record<string, string>> = {
  description: 'a text of 1 to 1024 characters',
  name: 'a text',
  arguments: 'a text of at most 200 characters',
};

/** `fault` is `path:line: what`, on one line. Contract: never throws. */
export async function loadSkill(candidate: Candidate): Promise<LoadedSkill | { fault: string }> {
  const { path, name, kind } = candidate;
  const fault = (at: number, what: string) => ({ fault: `${visibleLine(path)}:${at}: ${visibleLine(what)}` });
  if (!skillName.test(name))
    return fault(1, `"${name}" is no name: use lower-case letters, digits, "-" and "_".`);
  if (isBuiltInCommand(name)) return fault(1, `/${name} is a command of planchart and can't be taken.`);
  const read = await readText(candidate);
  if ('not' in read) return fault(1, `it is not loaded: ${read.not}.`);
  const split = splitFrontMatter(read.text);
  if ('what' in split) return fault(split.line, `${split.what}.`);
  const checked = FrontMatter.safeParse(split.data);
  if (!checked.success) {
    const key = String(checked.error.issues[0]?.path[0] ?? 'description');
    return fault(keyLine(read.text, key), `front matter "${key}" has to be ${wants[key] ?? 'a text'}.`);
  }
  const { data } = checked;
  if (data.name !== undefined && data.name !== name)
    return fault(
      keyLine(read.text, 'name'),
      `front matter "name" is "${data.name}", but the file says "${name}".`,
    );
  const body = split.content.trim();
  if (body === '') return fault(1, 'it has no text below its front matter.');
  return { kind, name, path, body, description: data.description, arguments: data.arguments ?? '' };
}

async function readText({ path, mayLie }: Candidate): Promise<{ text: string } | { not: string }> {
  const read = await readPlaced(path, mostBytes, mayLie);
  if ('why' in read) {
    if (read.why === 'elsewhere') return { not: 'it leads out of its folder' };
    return { not: read.why === 'no file' ? 'it is no file' : `it can't be read (${read.why.code})` };
  }
  if (read.size > mostBytes) return { not: `it is longer than ${mostBytes / 1024} KiB` };
  try {
    return { text: withoutControls(new TextDecoder('utf-8', { fatal: true }).decode(read.bytes)) };
  } catch {
    // Decoding has one way to fail.
    return { not: 'it is not UTF-8 text' };
  }
}
