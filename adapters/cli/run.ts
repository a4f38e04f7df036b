import { type Actor, planCommand } from '../../machines/index.ts';
import type { Published } from '../ports.ts';
import type { RuntimeSession } from '../runtime/index.ts';

const headless: Actor = { entry: 'run', surface: 'run', person: 'terminal', owner: true };

export interface Output {
  text(text: string): void;
  line(line: string): void;
}

/** One turn without a terminal: the answer goes to stdout, everything else to stderr. Answers the exit code. */
export async function runPrompt(session: RuntimeSession, prompt: string, output: Output): Promise<number> {
  if (planCommand(prompt) !== null) {
    output.line('NEEDS_PERSON: plan commands are a person’s acts. Open the session with planchart.');
    return 4;
  }
  const ended = Promise.withResolvers<Extract<Published, { type: 'turn.ended' }>>();
  let refused: string | null = null;
  session.subscribe((published) => {
    write(published, output);
    if (published.type === 'tool.ended' && published.failed)
      refused ??= /^(NEEDS_PERSON|UNATTENDED_DESIGN)\b/u.exec(published.text)?.[1] ?? null;
    if (published.type === 'turn.ended') ended.resolve(published);
  });
  const answer = await session.send({ type: 'user.chat', by: headless, text: prompt, origin: 'typed' });
  if (answer.kind !== 'accepted') {
    output.line(`${'code' in answer ? `${answer.code}: ` : ''}${answer.text}`);
    return 'code' in answer && answer.code === 'NEEDS_PERSON' ? 4 : 3;
  }
  const { outcome, cause } = await ended.promise;
  output.text('\n');
  if (cause !== null) output.line(cause);
  if (outcome === 'cancelled') return 130;
  if (outcome === 'failed') return 1;
  return refused === null ? 0 : refused === 'NEEDS_PERSON' ? 4 : 3;
}

function write(published: Published, output: Output): void {
  switch (published.type) {
    case 'text':
      output.text(published.text);
      break;
    case 'message.ended':
      if (published.text !== '' && !published.text.endsWith('\n')) output.text('\n');
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
