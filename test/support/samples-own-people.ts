import { type Said, select } from '../../machines/index.ts';
import { hashOf, headless, planId, type SessionShape, stranger, texts } from './samples.ts';
import * as check from './samples-checks.ts';
import { at, sayAll } from './samples-recipes.ts';
import type { Recipe, Recipes } from './samples-rows.ts';
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

/** A press on a keyboard that was drawn for the text with this hash. */
const drawnFor = (said: Said, hash: string | null): Said =>
  ({ ...said, button: { plan: planId, phase: 'active', owns: true, hash } }) as Said;

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
  sayAll([
    people.policy('yolo', by),
    people.policy('ask', by),
    people.goal('Ship it', by),
    people.rename('The cache', by),
  ]);

const nameIs = (name: string | undefined): check.Check =>
  check.holds(`the name is ${name ?? 'none'}`, ({ files }) => files.record.name === name);

const nameRows: Recipes = {
  'a name': (row) => [
    at(row, people.rename(' The\ncache '), { record: { name: 'Old' } }, nameIs('The cache')),
    at(row, people.rename('x'.repeat(300)), {}, nameIs('x'.repeat(200))),
  ],
  'a name that is blank': (row) => [
    at(row, people.rename(' \n'), { record: { name: 'Old' } }, nameIs('Old')),
    at(row, people.rename('')),
  ],
  'the first message': (row) => [
    at(row, people.chat('Make\nit  dark'), {}, nameIs('Make it dark')),
    at(row, people.chat('Make it dark'), { record: { name: 'Old' } }, nameIs('Old')),
    at(row, people.compact(), {}, nameIs(undefined)),
  ],
};

const compactRows: Recipes = {
  '/compact': (row) =>
    at(
      row,
      people.compact(),
      {},
      row.result === 'ok' ? check.startsTurn({ kind: 'compact' }) : check.emitsNo('turn.start'),
    ),
  '/compact by somebody who is not the owner': sayAll([people.compact(stranger)]),
  '/compact under run': sayAll([people.compact(headless('run'))]),
  '/compact after an interruption': (row) =>
    at(
      row,
      people.compact(),
      { record: { interrupted: true } },
      check.holds('it still is interrupted', ({ files }) => files.record.interrupted),
    ),
};

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
  'Retry by a button that was drawn for another text': (row) =>
    [hashOf(texts.changed), null].map((hash) =>
      at(row, drawnFor(people.execute(), hash), {}, check.emitsNo('turn.start')),
    ),
  'Restore by a button that was drawn for another text': (row) =>
    at(
      row,
      drawnFor(people.restore(), hashOf(texts.invalid)),
      { document: 'changed' },
      check.documentIs('changed'),
    ),
  'Restore by a button that was drawn for the missing text': (row) =>
    at(row, drawnFor(people.restore(), null), { document: 'missing' }, check.documentIs('valid')),
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
  'yolo, goal or name by somebody who is not the owner': settings(stranger),
  'yolo, goal or name under run': settings(headless('run')),
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

/** Own rows about what people say. */
export const ownPeopleRecipes: Recipes = { ...peopleRows, ...nameRows, ...compactRows };
