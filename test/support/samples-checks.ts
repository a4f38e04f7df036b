import { type Effect, select } from '../../machines/index.ts';
import { hashOf, texts } from './samples.ts';
import type { Played } from './samples-rows.ts';

/** What a row's note promises, as checks that name what is wrong. */
export type Check = (played: Played) => readonly string[];

export const all =
  (...checks: Check[]): Check =>
  (played) =>
    checks.flatMap((check) => check(played));

const wrong = (text: string, holds: boolean): string[] => (holds ? [] : [text]);

/** `is` states what must hold and is the failure's text. */
export const holds =
  (is: string, test: (played: Played) => boolean): Check =>
  (played) =>
    wrong(`must hold: ${is}`, test(played));

const effectsOf = ({ steps }: Played): Effect[] => steps.flatMap((step) => [...step.effects]);

export const emits = (type: Effect['type'], fields: Record<string, unknown> = {}): Check =>
  holds(`${type} ${JSON.stringify(fields)} is emitted`, (played) =>
    effectsOf(played).some(
      (effect) =>
        effect.type === type &&
        Object.entries(fields).every(
          ([name, value]) =>
            JSON.stringify((effect as Record<string, unknown>)[name]) === JSON.stringify(value),
        ),
    ),
  );

export const emitsNo = (type: Effect['type']): Check =>
  holds(`${type} is not emitted`, (played) => effectsOf(played).every((effect) => effect.type !== type));

/** A turn starts, and its effect names the turn that the files now hold. */
export const startsTurn = (fields: Record<string, unknown> = {}): Check => {
  const named = holds('turn.start names the lease', ({ files, steps }) => {
    const turn = files.record.lease?.turn;
    return steps.some(({ effects }) => effects.some((e) => e.type === 'turn.start' && e.turn === turn));
  });
  return all(emits('turn.start', fields), named);
};

export const archives = (as: string | null): Check =>
  holds(`archived as ${as}`, ({ steps }) => {
    const orders = steps.flatMap(({ archive }) => (archive === null ? [] : [archive.as]));
    return as === null ? orders.length === 0 : orders.join() === as;
  });

/** The live files are gone (D43). */
export const nothingLive: Check = holds(
  'no live file is left',
  ({ files }) => files.sidecar.kind === 'absent' && files.document.kind === 'absent',
);

export const filesUntouched: Check = holds('no file changed', ({ files, before }) => {
  const text = files.document.kind === 'text' ? files.document.text : null;
  return text === (before.context.document?.text ?? null);
});

export const goals = (user: string | null, task: string | null): Check =>
  holds(`the goals are ${user} and ${task}`, ({ files }) => {
    return files.record.goal.user === user && files.record.goal.task === task;
  });

export const approvedAt = (at: string): Check =>
  holds(`approved_at is ${at}`, ({ snapshot }) => snapshot.context.plan?.approved_at === at);

export const approvedText = (text: keyof typeof texts): Check =>
  holds(`the ${text} text is approved`, ({ snapshot }) => {
    return snapshot.context.plan?.approval?.hash === hashOf(texts[text]);
  });

export const mirrors = (text: keyof typeof texts): Check =>
  holds(`description is the ${text} text`, ({ snapshot }) => {
    return snapshot.context.plan?.description === texts[text];
  });

export const documentIs = (text: keyof typeof texts): Check =>
  holds(
    `the .md is the ${text} text`,
    ({ files }) => files.document.kind === 'text' && files.document.text === texts[text],
  );

export const drifts: Check = holds(
  'the drift is shown (D48)',
  ({ snapshot }) => select(snapshot).document?.drifted === true,
);

export const queueKinds = (...kinds: string[]): Check =>
  holds(`the queue holds ${kinds.join(', ') || 'nothing'}`, ({ files }) => {
    return files.record.queue.map(({ said }) => said.type).join() === kinds.join();
  });

export const taskStatuses = (...statuses: string[]): Check =>
  holds(`tasks are ${statuses.join(', ')}`, ({ snapshot }) => {
    const tasks = snapshot.context.plan?.tasks ?? [];
    return JSON.stringify(tasks.map(({ status }) => status)) === JSON.stringify(statuses);
  });

export const interrupted: Check = holds(
  'the turn counts as interrupted and Continue is offered',
  (played) => {
    const view = select(played.snapshot);
    return view.interrupted && view.decisions.resume;
  },
);

export const seedDone: Check = holds('the seed window is open', ({ snapshot }) => {
  return snapshot.context.plan?.seed === 'done';
});

/** The finished checklist stays on screen until its turn settles (D17). */
export const closedInLease = (...statuses: string[]): Check =>
  holds(`the lease keeps the finished tasks as ${statuses.join(', ')}`, ({ files }) => {
    return files.record.lease?.closed?.tasks.map(({ status }) => status).join() === statuses.join();
  });
