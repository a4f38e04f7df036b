import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { keyLine, splitFrontMatter } from './front-matter.ts';
import type { PromptTexts } from './ports.ts';

/** Values of a prompt's placeholders. A value goes in as it is: no placeholder inside it is filled. */
export type PromptVariables = Parameters<PromptTexts['render']>[1];

export interface Prompts extends PromptTexts {
  /** File names without `.md`, sorted. */
  readonly names: readonly string[];
  /**
   * The text with its placeholders filled. Spaces at the end of a filled line go, and a line of nothing but
   * placeholders that are all blank goes as a whole. Throws `PromptError` when a declared variable is missing
   * or an undeclared one is given.
   */
  render(name: string, variables: PromptVariables): string;
}

/** A prompt file or a call of `render` is wrong: a defect of the package, never of a person's input. */
export class PromptError extends Error {
  override readonly name = 'PromptError';
  readonly code: 'PROMPT_FILE' | 'PROMPT_VARIABLE' | 'PROMPT_UNKNOWN';
  readonly data: { file: string; line?: number; variable?: string };

  constructor(code: PromptError['code'], message: string, data: PromptError['data'], cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
  }
}

const FrontMatter = z.strictObject({
  name: z.string().min(1),
  purpose: z.string().trim().min(1),
  variables: z.array(z.string().regex(/^[a-z][A-Za-z0-9]*$/, 'letters and digits only')),
});

interface Prompt {
  file: string;
  variables: readonly string[];
  body: string;
}

const PLACEHOLDER = /\{\{([a-z][A-Za-z0-9]*)\}\}/g;

/** Reads every `.md` of the folder. Throws `PromptError` with file and line when one is not as it has to be. */
export function loadPrompts(dir: URL | string): Prompts {
  const folder = typeof dir === 'string' ? dir : fileURLToPath(dir);
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  const prompts = new Map(
    files
      .toSorted()
      .map((file) => [file.slice(0, -3), readPrompt(file, readFileSync(join(folder, file), 'utf8'))]),
  );
  return {
    names: [...prompts.keys()],
    render(name, variables) {
      const prompt = prompts.get(name);
      if (prompt === undefined) {
        throw new PromptError('PROMPT_UNKNOWN', `There is no prompt "${name}" in ${folder}.`, {
          file: `${name}.md`,
        });
      }
      return fill(prompt, variables);
    },
  };
}

function readPrompt(file: string, source: string): Prompt {
  const text = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const split = splitFrontMatter(text);
  if ('what' in split) throw fileError(file, split.line, split.what, split.cause);
  const { data, content } = split;
  const checked = FrontMatter.safeParse(data);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const key = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0];
    throw fileError(
      file,
      keyLine(text, String(key)),
      `front matter "${String(key ?? '')}": ${issue?.message ?? 'is wrong'}`,
    );
  }
  const { name, variables } = checked.data;
  if (`${name}.md` !== file) {
    throw fileError(file, keyLine(text, 'name'), `front matter "name" is "${name}", the file says otherwise`);
  }
  const bodyLine = text.slice(0, text.length - content.length).split('\n').length;
  checkPlaceholders(file, variables, content, bodyLine);
  return { file, variables, body: content.trim() };
}

function checkPlaceholders(
  file: string,
  variables: readonly string[],
  body: string,
  firstLine: number,
): void {
  const used = new Set<string>();
  for (const [index, line] of body.split('\n').entries()) {
    for (const [, variable = ''] of line.matchAll(PLACEHOLDER)) {
      if (!variables.includes(variable)) {
        throw variableError(
          file,
          variable,
          'stands in the text but is not in "variables"',
          firstLine + index,
        );
      }
      used.add(variable);
    }
    if (/\{\{|\}\}/.test(line.replace(PLACEHOLDER, ''))) {
      throw fileError(file, firstLine + index, 'a placeholder is not of the form {{name}}');
    }
  }
  const unused = variables.find((variable) => !used.has(variable));
  if (unused !== undefined) throw variableError(file, unused, 'is in "variables" but never used');
}

function fill({ file, variables, body }: Prompt, values: PromptVariables): string {
  const missing = variables.find((variable) => !Object.hasOwn(values, variable));
  if (missing !== undefined) throw variableError(file, missing, 'was not given');
  const extra = Object.keys(values).find((variable) => !variables.includes(variable));
  if (extra !== undefined) throw variableError(file, extra, 'was given but is not in "variables"');
  return body
    .split('\n')
    .flatMap((line) => fillLine(line, values))
    .join('\n');
}

function fillLine(line: string, values: PromptVariables): string[] {
  if (line.search(PLACEHOLDER) < 0) return [line];
  const filled = line.replace(PLACEHOLDER, (_, variable: string) => String(values[variable])).trimEnd();
  return filled === '' ? [] : [filled];
}

function fileError(file: string, line: number, what: string, cause?: unknown): PromptError {
  return new PromptError('PROMPT_FILE', `prompts/${file}:${line}: ${what}.`, { file, line }, cause);
}

function variableError(file: string, variable: string, what: string, line?: number): PromptError {
  const where = line === undefined ? file : `${file}:${line}`;
  const data = { file, variable, ...(line === undefined ? {} : { line }) };
  return new PromptError('PROMPT_VARIABLE', `prompts/${where}: variable "${variable}" ${what}.`, data);
}
