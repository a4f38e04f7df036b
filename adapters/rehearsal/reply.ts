import type { Done, Turn } from './turn.ts';

/** A tool call that the rules want to make. */
export interface Call {
  name: string;
  input: Readonly<Record<string, unknown>>;
}

/** One response. Without calls it ends the turn. */
export interface Reply {
  text: string;
  calls: readonly Call[];
}

/** Ends the turn with these words. */
export function say(text: string): Reply {
  return { text, calls: [] };
}

export function act(calls: readonly Call[], text = ''): Reply {
  return { text, calls };
}

export function plan(operation: string, input: Call['input'] = {}): Call {
  return { name: 'plan', input: { operation, ...input } };
}

export function isCall(done: Done, call: Call): boolean {
  return done.name === call.name && JSON.stringify(done.input) === JSON.stringify(call.input);
}

export function isPlan(done: Done, operation: string): boolean {
  return done.name === 'plan' && done.input['operation'] === operation;
}

/** The first line of a result, for a sentence that quotes it. */
export function firstLine(text: string): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? 'no reason given';
  return line.trim().length > 200 ? `${line.trim().slice(0, 200)}…` : line.trim();
}

/** Calls that leave something behind. */
export function isChange({ name }: { name: string }): boolean {
  return name === 'write_file' || name === 'edit_file' || name === 'bash';
}

/** Why a call failed, in a line: what a command says last, what any other tool says first. */
export function reason({ name, text }: Done): string {
  return firstLine(name === 'bash' ? (text.trimEnd().split('\n').at(-1) ?? '') : text);
}

const MOST_CALLS = 300;

/**
 * The last word before a reply leaves: a tool that is not on offer ends the turn, so does a call that failed twice or
 * a change that was made before, and no turn goes on for ever.
 */
export function bounded(turn: Turn, reply: Reply): Reply {
  if (reply.calls.length === 0) return reply;
  const unknown = reply.calls.find((call) => !turn.tools.has(call.name));
  if (unknown !== undefined) return say(`I can't go on: this session offers me no tool "${unknown.name}".`);
  const refused = (call: Call) => turn.done.filter((done) => done.failed && isCall(done, call));
  const stuck = reply.calls.map(refused).find((failures) => failures.length > 1);
  if (stuck !== undefined)
    return say(`I stop here: ${stuck[0]?.name} was refused twice (${firstLine(stuck[0]?.text ?? '')}).`);
  const again = reply.calls.find(
    (call) => isChange(call) && turn.done.some((done) => !done.failed && isCall(done, call)),
  );
  if (again !== undefined) return say(`I stop here: ${again.name} would only do once more what it has done.`);
  if (turn.done.length >= MOST_CALLS) return say(`I stop here: ${MOST_CALLS} calls are enough for one turn.`);
  return reply;
}
