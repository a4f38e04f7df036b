import { type Actor, type Answer, type Code, planCommand, refusals } from '../../machines/index.ts';
import type { Prompt, PromptAnswer, Published } from '../ports.ts';
import type { RuntimeSession } from '../runtime/index.ts';
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

const headless: Actor = { entry: 'run', surface: 'run', person: 'terminal', owner: true };

/** Nobody is there: a question is answered so that the agent goes on, an approval is refused (D3). */
const nobody = `NEEDS_PERSON: ${refusals.NEEDS_PERSON()}`;

/** The line that answers a plan command, which only a person may give (D3); null for a prompt. */
export function personsAct(prompt: string): string | null {
  return planCommand(prompt) === null ? null : nobody;
}

/**
 * One turn without a terminal: the answer goes to stdout, everything else to stderr. A busy session's turn
 * is waited for (D26). `stop` cancels: the own turn ends, a waiting prompt is taken back.
 */
export async function runPrompt(
  session: RuntimeSession,
  prompt: string,
  output: Output,
  stop: AbortSignal,
): Promise<ExitCode> {
  const seen = new Refusals();
  const ended = Promise.race([follow(session, output, seen), aborted(stop)]);
  if (stop.aborted) return exitCodes.cancelled;
  const answer = await session.send({ type: 'user.chat', by: headless, text: prompt, origin: 'typed' });
  if ('code' in answer) return refused(answer, output);
  // Under this dispatch's lock the newest item of the queue is the one just sent.
  const queued = answer.kind === 'queued' ? (session.view().queue.at(-1)?.id ?? null) : null;
  if (queued !== null) output.line(answer.text);
  const first = await ended;
  // Somebody stopped or discarded before the waiting prompt had its turn; the notice has said so.
  if (first === 'returned') return exitCodes.refused;
  if (first !== 'stopped') return report(first, seen, output);
  // Another process's turn is left alone.
  if (queued !== null) await session.send({ type: 'queue.drop', item: queued });
  await session.close();
  output.endText();
  output.line('Cancelled.');
  return exitCodes.cancelled;
}

/** Writes what the session publishes; resolves with the end of the own turn. */
function follow(session: RuntimeSession, output: Output, seen: Refusals): Promise<TurnEnded | 'returned'> {
  return new Promise((resolve) => {
    session.subscribe((published) => {
      write(published, output);
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

function refused({ code, text }: Extract<Answer, { code: Code }>, output: Output): ExitCode {
  output.line(`${code}: ${text}`);
  if (code === 'NOT_SAVED') return exitCodes.failed;
  return code === 'NEEDS_PERSON' ? exitCodes.needsPerson : exitCodes.refused;
}

function report({ outcome, cause }: TurnEnded, seen: Refusals, output: Output): ExitCode {
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
    if (published.type !== 'tool.ended' || !published.failed) return;
    if (published.text.startsWith('NEEDS_PERSON')) this.needsPerson += 1;
    if (published.text.startsWith('UNATTENDED_DESIGN')) this.designs += 1;
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
