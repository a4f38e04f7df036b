import type { EntryKind } from '../../machines/index.ts';
import { hashOf, headless, owner, planId, type SessionShape, stranger, texts, turnId } from './samples.ts';
import * as check from './samples-checks.ts';
import { at, say, sayAll, seeded, taken } from './samples-recipes.ts';
import type { Recipe, Recipes, Row } from './samples-rows.ts';
import { people, presses } from './samples-said.ts';

const keyword = 'Please make a plan for the cache.';
const approvedFirst = '2026-03-01T11:00:00.000Z';
const now = '2026-03-01T12:00:00.000Z';
const unattended = check.all(check.startsTurn({ hint: 'unattended' }), check.emitsNo('plan.armed'));

const phaseOfButton = ({ state }: Row): 'editing' | 'active' =>
  state === 'preInit' || state === 'postInit' ? 'editing' : 'active';

/** `/discard`, and what a person's note says of it: nothing live is left, the goal goes, the turn settles. */
const discard =
  (shape: SessionShape = {}): Recipe =>
  (row) => {
    const goal = { user: 'Ship it', task: 'Task 1: Task 1. Done when: it works' };
    const checks = [
      check.archives(row.state === 'unreadable' ? 'unreadable' : 'discarded'),
      check.nothingLive,
      check.goals('Ship it', null),
      check.emits('plan.ended', { as: 'discarded' }),
      ...(row.turn === 'busy'
        ? [
            check.emits('turn.abort', { turn: turnId, then: 'discard' }),
            check.emits('turn.settle', { turn: turnId, outcome: 'discarded' }),
          ]
        : []),
    ];
    return at(
      row,
      people.discard(),
      { record: { goal }, ...shape },
      taken(row) ? check.all(...checks) : undefined,
    );
  };

const stop =
  (shape: SessionShape = {}): Recipe =>
  (row) => {
    const stopped = check.all(
      check.emits('turn.abort', { turn: turnId, then: 'stop' }),
      check.emits('turn.settle', { outcome: 'cancelled' }),
      check.archives(null),
    );
    return at(row, people.stop(), shape, taken(row) ? stopped : undefined);
  };

const execute: Recipe = (row) => {
  const again = row.state === 'seedFailedEmpty';
  const seeds = check.all(
    check.startsTurn({ kind: 'seed', again }),
    check.approvedAt(again ? approvedFirst : now),
    check.approvedText('valid'),
    again ? check.emitsNo('plan.approved') : check.emits('plan.approved', { by: owner }),
  );
  return at(row, people.execute(), {}, taken(row) ? seeds : undefined);
};

const approveText: Recipe = (row) => {
  const approves = check.all(
    check.approvedText('changed'),
    check.mirrors('changed'),
    check.approvedAt(approvedFirst),
    check.emits('plan.approved', { by: owner }),
    check.startsTurn({ kind: 'seed', again: true }),
  );
  const hasDocument = row.state !== 'noPlan' && row.state !== 'preInit' && row.state !== 'unreadable';
  const shape: SessionShape = hasDocument ? { document: 'changed' } : {};
  return at(row, people.approveText(), shape, taken(row) ? approves : undefined);
};

const restore: Recipe = (row) => {
  if (!taken(row)) return at(row, people.restore());
  const restored = check.all(
    check.documentIs('valid'),
    check.emits('plan.restored', { from: 'approved' }),
    check.mirrors('valid'),
  );
  return (['changed', 'missing', 'valid'] as const).map((document) =>
    at(row, people.restore(), { document }, restored),
  );
};

const revise: Recipe = (row) => {
  const runs = check.all(check.startsTurn({ kind: 'revise', text: 'Split step 1.' }), check.filesUntouched);
  if (row.result === 'refuse') return at(row, people.revise(), {}, check.emitsNo('turn.start'));
  return at(row, people.revise(), {}, row.turn === 'busy' ? check.queueKinds('user.revise') : runs);
};

const chat: Recipe = (row) => {
  const armed = check.all(
    check.startsTurn({ hint: 'plan', kind: 'chat', text: keyword }),
    check.emits('plan.armed', { words: 'make a plan' }),
  );
  const plain = check.all(check.startsTurn({ hint: null, text: keyword }), check.emitsNo('plan.armed'));
  const idle = row.state === 'noPlan' ? armed : plain;
  return at(row, people.chat(keyword), {}, row.turn === 'busy' ? check.queueKinds('user.chat') : idle);
};

/** Text after `/plan` runs as a turn where it applies, and never where it is refused. */
const planText: Recipe = (row) => {
  if (!taken(row)) return at(row, people.planText('the cache'), {}, check.emitsNo('turn.start'));
  const runs = check.startsTurn({ text: 'the cache', kind: 'chat' });
  const arms = row.state === 'noPlan' ? check.emits('plan.armed') : check.emitsNo('plan.armed');
  return at(row, people.planText('the cache'), {}, check.all(runs, arms));
};

const plan: Recipe = (row) => {
  if (row.result === 'queue') return at(row, people.plan(), {}, check.queueKinds('user.plan'));
  if (!taken(row)) return at(row, people.plan());
  const arms = check.all(check.emits('plan.armed', { words: '/plan' }), check.emitsNo('turn.start'));
  return [at(row, people.plan(), {}, arms), at(row, people.planText('  '), {}, arms)];
};

const staleButton: Recipe = (row) => {
  const phase = phaseOfButton(row);
  const others = presses({ plan: 'other', phase, owns: true });
  const unowned = presses({ plan: planId, phase, owns: false });
  return [...others, ...unowned].map((said) => at(row, said));
};

const strangersButton: Recipe = (row) => {
  const phase = phaseOfButton(row);
  const good = presses({ plan: planId, phase, owns: true }, stranger);
  const stale = presses({ plan: 'other', phase, owns: false }, stranger);
  return [...good, ...stale].map((said) => at(row, said));
};

const invalidText: Recipe = (row) => {
  const mirrored = row.state === 'postInit' ? { root: { description: texts.invalid } } : {};
  return [hashOf(texts.invalid), null].map((shown) =>
    at(row, people.execute(shown), { document: 'invalid', ...mirrored }),
  );
};

const byEntry = (entry: EntryKind): Recipes => {
  const by = headless(entry);
  return {
    [`/plan under ${entry}`]: sayAll([people.plan(by), people.planText('the cache', by)]),
    [`/execute or Approve under ${entry}`]: sayAll([people.execute(undefined, by)]),
    [`/discard under ${entry}`]: sayAll([people.discard(by)]),
    [`chat with plan keyword under ${entry}`]: say(people.chat(keyword, by), unattended),
  };
};

/** What people do: the matrix' sections "User commands" and "Entry kinds". */
export const peopleRecipes: Recipes = {
  '/plan': plan,
  '/plan <text>': planText,
  '/plan while discarding': sayAll([people.plan()], { turn: 'discarding' }),
  '/plan under yolo': sayAll([people.plan(), people.planText('the cache')], { yolo: true }),
  '/execute': execute,
  '/execute while discarding': sayAll([people.execute()], { turn: 'discarding' }),
  '/execute (template invalid)': invalidText,
  '/execute (the .md is missing or differs from the approved hash)': (row) => [
    at(row, people.execute(hashOf(texts.changed)), { document: 'changed' }),
    at(row, people.execute(), { document: 'changed' }),
    at(row, people.execute(), { document: 'missing' }),
  ],
  '/execute under yolo': (row) =>
    at(row, people.execute(), { yolo: true }, check.startsTurn({ kind: 'seed' })),
  'Approve or /execute for a text not shown in full on that surface, or changed since': (row) => [
    at(row, people.execute(null)),
    at(row, people.execute(hashOf(texts.changed))),
    at(row, people.execute(), { document: 'changed', root: { description: texts.changed } }),
  ],
  '/discard': discard(),
  '/discard again while discarding': sayAll([people.discard()], { turn: 'discarding' }),
  '/discard while stopping': discard({ turn: 'stopping' }),
  '/show-plan': sayAll([people.show(), people.show(stranger)]),
  '/stop (or Esc Esc)': stop(),
  '/stop (or Esc Esc), tasks empty': stop(),
  '/stop (or Esc Esc), tasks there': stop(seeded),
  '/stop while stopping': sayAll([people.stop()], { turn: 'stopping' }),
  '/new or switch session': say(people.switch(), check.filesUntouched),
  'chat with plan keyword': chat,
  'chat with plan keyword by somebody who is not the owner (Telegram)': say(
    people.chat(keyword, stranger),
    check.all(check.startsTurn({ hint: null, by: stranger }), check.emitsNo('plan.armed')),
  ),
  'chat with plan keyword under yolo': (row) => at(row, people.chat(keyword), { yolo: true }, unattended),
  'ask for changes + note': revise,
  'approve this changed text': approveText,
  'restore the approved text': restore,
  'continue after an interruption': (row) =>
    at(
      row,
      people.resume(),
      { record: { interrupted: true } },
      taken(row) ? check.startsTurn({ kind: 'resume', again: false }) : undefined,
    ),
  'plan button of another plan, or on a message that does not own the keyboard': staleButton,
  'plan button pressed by somebody who is not the owner': strangersButton,
  'typed /plan, /execute or /discard by somebody who is not the owner': sayAll([
    people.plan(stranger),
    people.execute(undefined, stranger),
    people.discard(stranger),
  ]),
  'switch yolo on': say(
    people.policy('yolo'),
    check.holds('yolo is on and the plan is still in review', ({ files, snapshot }) => {
      return files.record.yolo && snapshot.matches({ plan: { editing: 'postInit' } });
    }),
  ),
  ...byEntry('run'),
  ...byEntry('cron'),
  ...byEntry('a2a'),
};
