import { select } from '../../machines/index.ts';
import type { QueueItem, Said } from '../../machines/index.ts';
import { hashOf, headless, planId, type SessionShape, stranger, texts } from './samples.ts';
import * as check from './samples-checks.ts';
import { at, sayAll } from './samples-recipes.ts';
import type { Play, Recipe, Recipes, Row } from './samples-rows.ts';
import { people, presses } from './samples-said.ts';

const entries = (['run', 'cron', 'a2a'] as const).map(headless);

const acts = entries.flatMap((by): Said[] => [
  people.execute(undefined, by),
  people.approveText(undefined, by),
  people.restore(by),
  people.revise(by),
  people.discard(by),
  people.resume(by),
]);

const otherPhase: Recipe = (row) => {
  const phase = row.state === 'preInit' || row.state === 'postInit' ? 'active' : 'editing';
  return presses({ plan: planId, phase, owns: true }).map((said) => at(row, said));
};

const press =
  (type: Said['type'], phase: 'editing' | 'active', test: check.Check): Recipe =>
  (row) =>
    presses({ plan: planId, phase, owns: true })
      .filter((said) => said.type === type)
      .map((said) => at(row, said, {}, test));

const commands = ['/plan', '/execute', ' /Discard now', '/show-plan', '/show_plan', '/stop', '/approve yolo'];

const armsNothing = check.all(check.startsTurn({ hint: null }), check.emitsNo('plan.armed'));

const unrestorable: Recipe = (row) => {
  const lost: SessionShape = { document: 'changed', root: { description: '', approval: null } };
  const kept = check.documentIs('changed');
  if (row.state !== 'checklist') return at(row, people.restore(), lost, kept);
  return [
    at(row, people.restore(), lost, kept),
    at(row, people.restore(), { track: 'checklist' }),
    at(row, people.restore(), { track: 'import' }),
  ];
};

const stopByStarter: Recipe = (row) =>
  at(row, people.stop(stranger), { by: stranger }, check.emits('turn.abort', { then: 'stop' }));

const strangersStop: Recipe = (row) =>
  (['running', 'stopping', 'discarding'] as const).map((turn) => at(row, people.stop(stranger), { turn }));

const settings = (by: typeof stranger): Recipe =>
  sayAll([people.policy('yolo', by), people.policy('ask', by), people.goal('Ship it', by)]);

const yoloIs = (yolo: boolean): check.Check =>
  check.holds(`yolo is ${yolo}`, ({ files, snapshot }) => {
    return files.record.yolo === yolo && select(snapshot).policy === (yolo ? 'yolo' : 'ask');
  });

/** Null stands for the sample's own folder, and for no project. */
const placeIs = (cwd: string | null, project: string | null): check.Check =>
  check.holds(`the place is ${cwd ?? 'as it was'}, ${project ?? 'no project'}`, ({ files }) => {
    return files.record.cwd === (cwd ?? '/home/ann/project') && files.record.project === project;
  });

const taskGoal = { user: null, task: 'Task 1' };

const peopleRows: Recipes = {
  'an act of a person under run, cron or a2a': sayAll(acts),
  '/plan under run, cron, a2a or yolo': (row) => [
    ...entries.flatMap((by) => [at(row, people.plan(by)), at(row, people.planText('the cache', by))]),
    at(row, people.plan(), { yolo: true }),
  ],
  'chat under run that is a plan command': sayAll(
    entries.flatMap((by) => commands.map((text) => people.chat(text, by))),
  ),
  'chat under run': (row) =>
    ['hello', 'make a plan for it', '/planning'].map((text) =>
      at(row, people.chat(text, headless('run')), {}, check.emitsNo('plan.armed')),
    ),
  'plan button of the other phase': otherPhase,
  'Approve by its button': press('user.execute', 'editing', check.startsTurn({ kind: 'seed' })),
  'Discard by its button': press('user.discard', 'active', check.nothingLive),
  'Retry by its button': press('user.execute', 'active', check.startsTurn({ kind: 'seed', again: true })),
  'approve this changed text, which is not complete': (row) => [
    at(row, people.approveText(hashOf(texts.invalid)), { document: 'invalid' }),
    at(row, people.approveText(), { document: 'invalid' }),
  ],
  'approve this changed text, but another one was shown, or there is none': (row) => [
    at(row, people.approveText(hashOf(texts.valid)), { document: 'changed' }),
    at(row, people.approveText(''), { document: 'missing' }),
  ],
  'restore the approved text, but none is stored': unrestorable,
  'plan words that a command or skill wrote': (row) => [
    at(row, people.command('make a plan for it'), {}, armsNothing),
    at(row, people.command('make a plan for it'), { yolo: true }, armsNothing),
    at(row, people.command('make a plan for it', headless('run')), {}, armsNothing),
  ],
  'plan words inside a word, or a text that starts with /': (row) =>
    ['replanning it', '/x make a plan', 'make a planet'].map((text) =>
      at(row, people.chat(text), {}, armsNothing),
    ),
  'chat that looks like a plan command, by a person': sayAll(commands.map((text) => people.chat(text))),
  "/stop by the owner for somebody else's turn": (row) =>
    at(row, people.stop(), { by: stranger }, check.emits('turn.abort', { then: 'stop' })),
  '/stop by somebody who is not the owner': strangersStop,
  '/stop by who started the turn': stopByStarter,
  '/stop while discarding': sayAll([people.stop()], { turn: 'discarding' }),
  'yolo or goal by somebody who is not the owner': settings(stranger),
  'yolo or goal under run': settings(headless('run')),
  'yolo on, yolo off': (row) => [
    at(row, people.policy('yolo'), {}, yoloIs(true)),
    at(row, people.policy('ask'), { yolo: true }, yoloIs(false)),
  ],
  'another folder or project': (row) => [
    at(
      row,
      people.place({ cwd: '/elsewhere' }),
      {},
      placeIs(row.result === 'ok' ? '/elsewhere' : null, null),
    ),
    at(row, people.place({ project: 'shop' }), {}, placeIs(null, row.result === 'ok' ? 'shop' : null)),
  ],
  'another folder by somebody who is not the owner': (row) =>
    at(row, people.place({ cwd: '/elsewhere' }, stranger), {}, placeIs(null, null)),
  'another folder under run, cron or a2a': sayAll(
    entries.map((by) => people.place({ cwd: '/elsewhere' }, by)),
  ),
  'a note about the newest or an older text': (row) => [
    at(row, people.note(hashOf(texts.valid)), {}, check.emits('turn.start', { revision: 'newest' })),
    at(row, people.note('0'.repeat(64)), {}, check.emits('turn.start', { revision: 'older' })),
  ],
  'goal set, goal cleared': (row) => [
    at(row, people.goal('Ship it'), { record: { goal: taskGoal } }, check.goals('Ship it', 'Task 1')),
    at(
      row,
      people.goal(null),
      { record: { goal: { user: 'x', task: 'Task 1' } } },
      check.goals(null, 'Task 1'),
    ),
  ],
};

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
      check.all(onlySecondWaits, check.emitsNo('turn.start')),
    ),
  'a message is dropped that is gone': gone('queue.drop'),
  '/discard while stopping, with messages waiting': (row) =>
    at(row, people.discard(), { ...waiting(people.chat('first')), turn: 'stopping' }, cancelled),
  '/discard with messages waiting': (row) =>
    at(row, people.discard(), waiting(people.chat('first')), cancelled),
  '/stop with messages waiting': (row) => at(row, people.stop(), waiting(people.chat('first')), cancelled),
};

/** Own rows about what people say and what waits for its turn. */
export const ownPeopleRecipes: Recipes = { ...peopleRows, ...queueRows };
