import type { Actor, Answer, Said } from '../../machines/index.ts';
import type { Prompt, Published, SessionHandle } from '../ports.ts';

const request =
  'make a plan to add a --count option to the list command, with a test and a line in the README';

/** Plays the person: asks, is refused once, reads, approves, says Yes to tools. Answers what went wrong. */
export async function play(
  session: SessionHandle,
  by: Actor,
  say: (line: string) => void,
): Promise<string[]> {
  const faults: string[] = [];
  const expect = (what: string, holds: boolean): void => {
    if (!holds) faults.push(what);
  };
  let phases = '';
  session.subscribe((published) => {
    const line = lineOf(published);
    if (line !== null) say(line);
    if (published.type === 'prompt.opened') answer(session, published.prompt);
    if (published.type === 'view')
      phases += ` ${published.view.phase}${published.view.building ? '(building)' : ''}`;
  });
  const send = async (said: Said): Promise<Answer> => {
    const told = await session.send(said);
    if (told.text !== '') say(`  ${'code' in told ? `${told.code}: ` : ''}${told.text}`);
    return told;
  };

  say(`\n> ${request}`);
  const planned = turnEnded(session);
  await send({ type: 'user.chat', by, text: request, origin: 'typed' });
  expect('the words did not switch Plan mode on', session.view().phase === 'preInit');
  await planned;
  const { document, decisions } = session.view();
  if (decisions.approve !== 'on') return [...faults, 'no session plan is ready for review'];

  say('\n> /execute');
  const early = await send({ type: 'user.execute', by, shown: null });
  expect('an unread text was approved', 'code' in early && early.code === 'TEXT_CHANGED');

  say(`\n> /show-plan\n${document?.text ?? ''}`);
  say('> /execute');
  const worked = turnEnded(session);
  const approved = await send({ type: 'user.execute', by, shown: document?.hash ?? null });
  if (approved.kind !== 'accepted') return [...faults, 'the plan that was shown could not be approved'];
  const again = await send({ type: 'user.execute', by, shown: document?.hash ?? null });
  expect('a second /execute was not refused while the turn runs', 'code' in again && again.code === 'BUSY');
  await worked;
  expect('Building checklist… was never shown', phases.includes('seeding(building)'));
  expect('the checklist was never worked', phases.includes('checklist'));
  expect(`the session ended in ${session.view().phase}`, session.view().phase === 'noPlan');
  return faults;
}

function answer(session: SessionHandle, prompt: Prompt): void {
  const given =
    prompt.kind === 'approval'
      ? ({ kind: 'approval', allow: 'session' } as const)
      : ({ kind: 'question', text: prompt.options[0] ?? 'yes' } as const);
  session.answer(prompt.id, given);
}

/** Longest wait for one turn, in milliseconds: a turn that never begins must not keep the demo waiting. */
const turnMs = 120_000;

function turnEnded(session: SessionHandle): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`no turn ended within ${turnMs / 1000} s`)),
      turnMs,
    ).unref();
    const stop = session.subscribe((published) => {
      if (published.type !== 'turn.ended') return;
      clearTimeout(late);
      stop();
      resolve();
    });
  });
}

function lineOf(published: Published): string | null {
  switch (published.type) {
    case 'turn.started':
      return `[turn: ${published.kind}]${published.label === null ? '' : ` ${published.label}`}`;
    case 'tool.started':
      return `  · ${published.name}: ${published.summary}`;
    case 'tool.ended':
      return published.failed ? `    ${published.text.split('\n', 1)[0]}` : null;
    case 'prompt.opened':
      return published.prompt.kind === 'approval'
        ? `  ? ${published.prompt.title}: yes, for this session`
        : `  ? ${published.prompt.question}`;
    case 'message.ended':
      return published.text === '' ? null : `  ${published.text}`;
    case 'notice':
      return `  ${published.text}`;
    case 'turn.ended':
      return `[turn ended: ${published.outcome}]${published.cause === null ? '' : ` ${published.cause}`}`;
    default:
      return null;
  }
}
