/** The wire protocols, named as `--model` names them. */
export type Protocol = 'openai' | 'anthropic';

/** What `--model`, `/model` and `PLANCHART_MODEL` may say, parsed. No model name is ever guessed (D54). */
export type ModelChoice = { kind: Protocol; model: string } | { kind: 'rehearsal' };

const protocols: readonly Protocol[] = ['openai', 'anthropic'];
const howTo = 'Write openai:<model>, anthropic:<model> or rehearsal.';

/**
 * Parses `<protocol>:<model>` or `rehearsal`; the model name may itself hold colons (`openai:llama3:8b`).
 * Answers one line saying what is wrong otherwise. Imports nothing, since it runs at start-up.
 */
export function parseModelChoice(text: string): ModelChoice | { error: string } {
  const given = text.trim();
  if (given === 'rehearsal') return { kind: 'rehearsal' };
  if (given === '') return { error: `No model is named. ${howTo}` };
  const kind = protocols.find((protocol) => given.startsWith(`${protocol}:`));
  if (kind === undefined) return { error: `"${shown(given)}" is not a model choice. ${howTo}` };
  const model = given.slice(kind.length + 1).trim();
  if (model === '') return { error: `No model name follows "${kind}:". ${howTo}` };
  if (/[\s\p{Cc}]/u.test(model)) {
    return { error: `The model name "${shown(model)}" holds a space or a control character. ${howTo}` };
  }
  return { kind, model };
}

/** The text comes from a person's config and goes to a terminal, so it must stay one harmless line. */
function shown(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
