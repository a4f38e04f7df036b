/** What `--model` and `PLANCHART_MODEL` may say, parsed. No model name is ever guessed (D54). */
export type ModelChoice = { kind: 'openai'; model: string } | { kind: 'rehearsal' };

const prefix = 'openai:';
const howTo = 'Write openai:<model> or rehearsal.';

/**
 * Parses `openai:<model>` or `rehearsal`; the model name may itself hold colons (`openai:llama3:8b`).
 * Answers one line saying what is wrong otherwise. Imports nothing, since it runs at start-up.
 */
export function parseModelChoice(text: string): ModelChoice | { error: string } {
  const given = text.trim();
  if (given === 'rehearsal') return { kind: 'rehearsal' };
  if (given === '') return { error: `No model is named. ${howTo}` };
  if (!given.startsWith(prefix)) return { error: `"${shown(given)}" is not a model choice. ${howTo}` };
  const model = given.slice(prefix.length).trim();
  if (model === '') return { error: `No model name follows "${prefix}". ${howTo}` };
  if (/[\s\p{Cc}]/u.test(model)) {
    return { error: `The model name "${shown(model)}" holds a space or a control character. ${howTo}` };
  }
  return { kind: 'openai', model };
}

/** The text comes from a person's config and goes to a terminal, so it must stay one harmless line. */
function shown(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
