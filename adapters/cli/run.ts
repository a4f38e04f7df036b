import {
  type Actor,
  type Answer,
  type Code,
  type EntryKind,
  planCommand,
  refusals,
} from '../../machines/index.ts';
import type { Prompt, PromptAnswer, Published } from '../ports.ts';
import type { RuntimeSession } from '../runtime/index.ts';
import { eventOf, jsonLine, type RunEvent } from './json-events.ts';
import type { Output } from './output.ts';

/** Exit codes of `planchart run`, as `--help` lists them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  needsPerson: 4,
  cancelled: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

type TurnEnded = Extract<Published, { type: 'turn.ended' }>;

/** Who starts a run (D2): a person's script, a scheduler, or another agent over a bridge. */
export type HeadlessEntry = Exclude<EntryKind, 'interactive'>;

/** Where a run says what happens. With `--json` stdout holds events only; lines on stderr are the same. */
export interface Report {
  output: Output;
  tell: (event: RunEvent) => void;
}

export function createReport(output: Output, form: 'text' | 'json'): Report {
  if (form === 'text') return { output, tell: () => undefined };
  const silent = { text: () => undefined, endText: () => undefined };
  return { output: { ...output, ...silent }, tell: (event) => output.print(jsonLine(event)) };
}

/** Nobody is there: a question is answered so that the agent goes on, an approval is refused (D3). */
const nobody = `NEEDS_PERSON: ${refusals.NEEDS_PERSON()}`;

/** Refuses a plan command, which only a person may give (D3); null for a prompt. */
export function personsAct(prompt: string, report: Report): ExitCode | null {
  if (planCommand(prompt) === null) return null;
  return refused({ kind: 'refused', code: 'NEEDS_PERSON', text: refusals.NEEDS_PERSON() }, report);
}

/**
 * One turn without a terminal: the answer goes to stdout, everything else to stderr. A busy session's turn
 * is waited for (D26). `stop` cancels: the own turn ends, a waiting prompt is taken back.
 */
export async function runPrompt(
  session: RuntimeSession,
  { prompt, entry }: { prompt: string; entry: HeadlessEntry },
  report: Report,
  stop: AbortSignal,
): Promise<ExitCode> {
  const { output, tell } = report;
  const seen = new Refusals();
  const ended = Promise.race([follow(session, report, seen), aborted(stop)]);
  if (stop.aborted) return exitCodes.cancelled;
  const by: Actor = { entry, surface: entry, person: 'terminal', owner: true };
  const answer = await session.send({ type: 'user.chat', by, text: prompt, origin: 'typed' });
  if ('code' in answer) return refused(answer, report);
  // Under this dispatch's lock the newest item of the queue is the one just sent.
  const queued = answer.kind === 'queued' ? (session.view().queue.at(-1)?.id ?? null) : null;
  if (queued !== null) {
    output.line(answer.text);
    tell({ type: 'queued', text: answer.text });
  }
  const first = await ended;
  // Somebody stopped or discarded before the waiting prompt had its turn; the notice has said so.
  if (first === 'returned') return exitCodes.refused;
  if (first !== 'stopped') return exitOf(first, seen, output);
  // Another process's turn is left alone.
  if (queued !== null) await session.send({ type: 'queue.drop', item: queued });
  await session.close();
  output.endText();
  output.line('Cancelled.');
  return exitCodes.cancelled;
}

/** Writes what the session publishes; resolves with the end of the own turn. */
function follow(
  session: RuntimeSession,
  { output, tell }: Report,
  seen: Refusals,
): Promise<TurnEnded | 'returned'> {
  return new Promise((resolve) => {
    session.subscribe((published) => {
      write(published, output);
      const event = eventOf(published);
      if (event !== null) tell(event);
      seen.note(published);
      if (published.type === 'prompt.opened') session.answer(published.prompt.id, noAnswer(published.prompt));
      if (published.type === 'turn.ended') resolve(published);
      if (published.type === 'returned') resolve('returned');
    });
  });
}

function aborted(stop: AbortSignal): Promise<'stopped'> {
  return new Promise((resolve) => {
    stop.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
}

function refused({ code, text }: Extract<Answer, { code: Code }>, { output, tell }: Report): ExitCode {
  output.line(`${code}: ${text}`);
  tell({ type: 'refused', code, text });
  if (code === 'NOT_SAVED') return exitCodes.failed;
  return code === 'NEEDS_PERSON' ? exitCodes.needsPerson : exitCodes.refused;
}

function exitOf({ outcome, cause }: TurnEnded, seen: Refusals, output: Output): ExitCode {
  output.endText();
  if (cause !== null) output.line(cause);
  if (outcome === 'cancelled') return exitCodes.cancelled;
  return outcome === 'failed' ? exitCodes.failed : seen.code();
}

/** What was refused for want of a person while the turn ran. */
class Refusals {
  private needsPerson = 0;
  private designs = 0;

  note(published: Published): void {
    if (published.type === 'prompt.opened') this.needsPerson += 1;
    if (published.type !== 'tool.ended') return;
    if (published.code === 'NEEDS_PERSON') this.needsPerson += 1;
    if (published.code === 'UNATTENDED_DESIGN') this.designs += 1;
  }

  code(): ExitCode {
    if (this.needsPerson > 0) return exitCodes.needsPerson;
    return this.designs > 0 ? exitCodes.refused : exitCodes.done;
  }
}

function noAnswer(prompt: Prompt): PromptAnswer {
  return prompt.kind === 'approval' ? { kind: 'approval', allow: 'no' } : { kind: 'question', text: nobody };
}

function write(published: Published, output: Output): void {
  switch (published.type) {
    case 'text':
      output.text(published.text);
      break;
    case 'message.ended':
      output.endText();
      break;
    case 'turn.started':
      if (published.label !== null) output.line(published.label);
      break;
    case 'tool.started':
      output.line(`· ${published.name}: ${published.summary}`);
      break;
    case 'tool.progress':
      output.line(`  ${published.text}`);
      break;
    case 'tool.ended':
      if (published.failed) output.line(`  ${published.text.split('\n', 1)[0]}`);
      break;
    case 'notice':
      output.line(published.text);
      break;
    default:
      break;
  }
}
