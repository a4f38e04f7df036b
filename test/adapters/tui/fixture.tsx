import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { startTui } from '../../../adapters/tui/index.ts';
import type { Choice } from '../../../adapters/tui/picker/picker.ts';
import type { Answer, SessionView } from '../../../machines/index.ts';
import { fakeHandle, type FakeOptions } from '../../support/fake-handle.ts';
import type { Prompt, Published } from '../../../adapters/ports.ts';

/** What a test tells this program over its socket, one JSON object a line. */
export type Order =
  | { do: 'publish'; events: readonly Published[] }
  | { do: 'see'; view: SessionView }
  | { do: 'open'; prompt: Prompt }
  | { do: 'reply'; to: string; answer: Answer }
  | { do: 'crash'; how: 'throw' | 'reject'; text: string };

/** Start options, as JSON in the second argument. */
export interface FixtureSetup extends FakeOptions {
  notices?: readonly string[];
  /** Command line of the editor; absent: none is named. */
  editor?: string;
  /** What `/sessions` lists; absent: the program can't switch. */
  sessions?: readonly Choice[];
}

const [, , socketPath = '', setupText = '{}'] = process.argv;
const setup = JSON.parse(setupText) as FixtureSetup;
const handle = fakeHandle(setup);
const socket = createConnection(socketPath);
const replies = new Map<string, Answer>();

function tell(fact: unknown): void {
  socket.write(`${JSON.stringify(fact)}\n`);
}

function crash(how: 'throw' | 'reject', text: string): void {
  if (how === 'reject') void Promise.reject(new Error(text));
  else
    setImmediate(() => {
      throw new Error(text);
    });
}

function obey(order: Order): void {
  switch (order.do) {
    case 'publish':
      return handle.publish(...order.events);
    case 'see':
      return handle.see(order.view);
    case 'open':
      return handle.open(order.prompt);
    case 'reply':
      return void replies.set(order.to, order.answer);
    case 'crash':
      return crash(order.how, order.text);
  }
}

handle.reply((said) => {
  tell({ sent: said });
  return replies.get(said.type) ?? { kind: 'accepted', text: '' };
});
createInterface({ input: socket }).on('line', (line) => {
  obey(JSON.parse(line) as Order);
  tell('obeyed');
});

const answer = handle.answer.bind(handle);
const end = await startTui({
  handle: {
    ...handle,
    answer(prompt, given) {
      const open = answer(prompt, given);
      tell({ answer: given, open });
      return open;
    },
  },
  version: '0.0.0',
  stdin: process.stdin,
  stdout: process.stdout,
  home: '/home/ada',
  notices: setup.notices ?? [],
  ...(setup.editor === undefined ? {} : { editor: setup.editor }),
  ...(setup.sessions === undefined ? {} : { sessions: () => Promise.resolve(setup.sessions ?? []) }),
});
if (end.reason === 'switch') tell({ switched: end.session });
tell({ ended: end.reason });
socket.end();
process.exitCode = end.reason === 'crashed' ? 1 : 0;
