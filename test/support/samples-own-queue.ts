import type { QueueItem, Said } from '../../machines/index.ts';
import { owner, type SessionShape, stranger } from './samples.ts';
import * as check from './samples-checks.ts';
import { at } from './samples-recipes.ts';
import type { Play, Recipe, Recipes, Row } from './samples-rows.ts';
import { people } from './samples-said.ts';

const item = (said: Said, id: string): QueueItem => {
  if (said.type !== 'user.chat' && said.type !== 'user.plan' && said.type !== 'user.revise')
    throw new Error(id);
  return { id, at: '2026-03-01T11:59:30.000Z', process: 'process-1', said };
};

/** A session in which this was said while a turn ran, and one message more behind it. */
const waiting = (said: Said): SessionShape => ({
  record: { queue: [item(said, 'first'), item(people.chat('second'), 'second')] },
});

const take =
  (said: Said, test: check.Check): Recipe =>
  (row): Play =>
    at(row, { type: 'queue.take', item: 'first' }, waiting(said), check.all(test, onlySecondWaits));

const onlySecondWaits = check.holds('the second message still waits', ({ files }) => {
  return files.record.queue.map(({ id }) => id).join() === 'second';
});

const handedBack = check.all(
  check.emitsNo('turn.start'),
  check.holds('the message goes back to who sent it', ({ steps }) =>
    steps.some(({ effects }) =>
      effects.some((effect) => {
        if (effect.type !== 'queue.returned' || effect.why !== 'not applicable') return false;
        return effect.items.map(({ id }) => id).join() === 'first';
      }),
    ),
  ),
);

const notHandedBack = check.emitsNo('queue.returned');

const cancelled = check.all(
  check.queueKinds(),
  check.holds('both messages go back', ({ event }) =>
    (event?.effects ?? []).some((effect) => effect.type === 'queue.returned' && effect.items.length === 2),
  ),
);

const chatWithPlanWords: Recipe = (row) => {
  const hint = row.state === 'noPlan' ? 'plan' : null;
  return take(people.chat('make a plan for it'), check.all(check.startsTurn({ hint }), notHandedBack))(row);
};

const gone =
  (type: 'queue.take' | 'queue.drop'): Recipe =>
  (row: Row) => [
    at(row, { type, item: 'gone' }, waiting(people.chat('first'))),
    at(row, { type, item: 'first' }),
  ];

const dead = 'process-2';

/** The same, but a process that has ended said the first one. */
const left = (said: Said): SessionShape => ({
  record: { queue: [{ ...item(said, 'first'), process: dead }, item(people.chat('second'), 'second')] },
  gone: [dead],
});

/** The first one waits in another process that lives. */
const elsewhere: SessionShape = { ...left(people.chat('first')), gone: [] };

const send = (by = owner): Said => ({ type: 'queue.send', by, item: 'first' });

const sendLeft =
  (said: Said, test: check.Check): Recipe =>
  (row) =>
    at(row, send(), left(said), check.all(test, onlySecondWaits));

/** What comes back, as `first: process-1`. */
const comesBack = (why: string, ...items: string[]): check.Check =>
  check.holds(`${items.join(', ')} come back, ${why}`, ({ event }) =>
    (event?.effects ?? []).some(
      (effect) =>
        effect.type === 'queue.returned' &&
        effect.why === why &&
        effect.items.map(({ id, process }) => `${id}: ${process}`).join() === items.join(),
    ),
  );

const waitsHere = check.holds('both wait in this process, the first as who sent it', ({ files }) => {
  const [first, second] = files.record.queue;
  const by = first !== undefined && 'by' in first.said ? first.said.by.person : '';
  return [first, second].every((one) => one?.process === 'process-1') && by === owner.person;
});

const waitsElsewhere = check.holds('it waits in its own process', ({ files }) => {
  return files.record.queue[0]?.process === dead;
});

const leftRows: Recipes = {
  'a message that was not sent is sent: chat': sendLeft(
    people.chat('first', stranger),
    check.all(check.startsTurn({ text: 'first', by: owner }), notHandedBack),
  ),
  'a message that was not sent is sent: chat with plan words': sendLeft(
    people.chat('make a plan for it', stranger),
    check.startsTurn({ hint: 'plan', by: owner }),
  ),
  'a message that was not sent is sent, and cannot apply any more': sendLeft(
    people.plan(),
    check.all(check.emitsNo('turn.start'), comesBack('not applicable', 'first: process-1')),
  ),
  'a message that was not sent is sent while a turn runs': (row) =>
    (['running', 'stopping', 'discarding'] as const).map((turn) =>
      at(row, send(), { ...left(people.chat('first', stranger)), turn }, waitsHere),
    ),
  'a message is sent that is sent already, or waits for its own process': (row) => [
    at(row, send()),
    at(row, send(), waiting(people.chat('first'))),
    at(row, send(), elsewhere),
  ],
  'a message that was not sent is dropped': (row) =>
    at(
      row,
      { type: 'queue.drop', item: 'first' },
      left(people.chat('first')),
      check.all(onlySecondWaits, comesBack('dropped', 'first: process-1')),
    ),
  'a message of another process is dropped': (row) =>
    at(row, { type: 'queue.drop', item: 'first' }, elsewhere, waitsElsewhere),
  'a message of another process is taken': (row) =>
    at(row, { type: 'queue.take', item: 'first' }, elsewhere, waitsElsewhere),
  '/stop, and a message was not sent': (row) =>
    at(
      row,
      people.stop(),
      left(people.chat('first')),
      comesBack('cancelled', 'first: process-1', 'second: process-1'),
    ),
  '/stop, and a message waits in another process': (row) =>
    at(row, people.stop(), elsewhere, comesBack('cancelled', 'first: process-2', 'second: process-1')),
};

const queueRows: Recipes = {
  'the next message is taken: chat': take(
    people.chat('first'),
    check.all(check.startsTurn({ text: 'first', kind: 'chat' }), notHandedBack),
  ),
  'the next message is taken: chat with plan words': chatWithPlanWords,
  'the next message is taken: /plan': take(
    people.plan(),
    check.all(check.emits('plan.armed'), notHandedBack),
  ),
  'the next message is taken: /plan that cannot apply any more': take(people.plan(), handedBack),
  'the next message is taken: a note to the plan': take(
    people.revise(),
    check.all(check.startsTurn({ kind: 'revise', text: 'Split step 1.' }), notHandedBack),
  ),
  'the next message is taken: a note to a plan that left review': take(people.revise(), handedBack),
  'a message is taken that is gone': gone('queue.take'),
  'a message is taken while a turn runs': (row) =>
    (['running', 'stopping', 'discarding'] as const).map((turn) =>
      at(row, { type: 'queue.take', item: 'first' }, { ...waiting(people.chat('first')), turn }),
    ),
  'a message is dropped': (row) =>
    at(
      row,
      { type: 'queue.drop', item: 'first' },
      waiting(people.chat('first')),
      check.all(onlySecondWaits, check.emitsNo('turn.start'), comesBack('dropped', 'first: process-1')),
    ),
  'a message is dropped that is gone': gone('queue.drop'),
  '/discard while stopping, with messages waiting': (row) =>
    at(row, people.discard(), { ...waiting(people.chat('first')), turn: 'stopping' }, cancelled),
  '/discard with messages waiting': (row) =>
    at(row, people.discard(), waiting(people.chat('first')), cancelled),
  '/stop with messages waiting': (row) => at(row, people.stop(), waiting(people.chat('first')), cancelled),
};

/** Own rows about what waits for its turn. */
export const ownQueueRecipes: Recipes = { ...queueRows, ...leftRows };
