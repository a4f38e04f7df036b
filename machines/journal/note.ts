import { planCommand } from '../commands.ts';
import { draftTasks } from '../drafts.ts';
import type { Actor, Found, Said, Stamp } from '../events.ts';
import { readImport } from '../import.ts';
import { planWords } from '../intent.ts';
import { completeAction } from '../session/checklist-faults.ts';
import { leaseOf, type SessionContext } from '../session/context.ts';
import type { SessionSnapshot } from '../session/derive.ts';
import { importIds, type InitEvent } from '../session/init-faults.ts';
import type { Lease } from '../record.ts';
import type { Task } from '../tasks.ts';
import type { Verdict } from '../verdict.ts';
import {
  countLimit,
  type EventFacts,
  type JournalLine,
  type StateFacts,
  type TaskFacts,
  type WhoFacts,
} from './line.ts';

/** What can be dispatched; the machine raises the rest itself. */
export type Spoken = (Said | Found) & Stamp;

/** One event as the dispatcher took it; `after` is what stands on disk then. */
export interface Noted {
  before: SessionSnapshot;
  event: Spoken;
  verdict: Verdict;
  after: SessionSnapshot;
  saved: boolean;
}

/** The journal's line for one event: what guards look at, and no text, name, path or id (decision 0079). Pure. */
export function journalLine({ before, event, verdict, after, saved }: Noted): JournalLine {
  const { at, process: dispatcher } = event;
  return {
    v: 1,
    at,
    process: dispatcher.slice(0, 8),
    event: eventFacts(before.context, event),
    verdict: verdict.kind,
    ...('code' in verdict ? { code: verdict.code } : {}),
    before: stateFacts(before.context, event),
    from: stateName(before),
    to: stateName(after),
    ...(saved ? {} : { saved }),
  };
}

/** `editing.postInit/idle`: state of the plan, state of the turn. */
export function stateName({ value }: { value: unknown }): string {
  const path = (at: unknown): string[] =>
    typeof at === 'string' ? [at] : Object.entries(at as object).flatMap(([key, in_]) => [key, ...path(in_)]);
  const { plan, turn } = value as { plan: unknown; turn: unknown };
  return `${path(plan).join('.')}/${path(turn).join('.')}`;
}

const counted = (list: { readonly length: number }): number => Math.min(list.length, countLimit);
const same = (holds: boolean): 'this' | 'other' => (holds ? 'this' : 'other');

function stateFacts(context: SessionContext, event: Spoken): StateFacts {
  const { record, document, unreadable } = context;
  const { lease, queue } = record;
  return {
    ...(record.yolo ? { yolo: true } : {}),
    ...(lease === null ? {} : { turn: turnFacts(lease) }),
    ...(queue.length === 0
      ? {}
      : {
          queue: queue.slice(0, countLimit).map(({ process, said }) => ({
            of: context.gone.includes(process) ? ('gone' as const) : same(process === event.process),
            said: eventFacts(context, { ...said, at: event.at, ids: [], process }),
          })),
        }),
    ...planFacts(context),
    ...(document === null
      ? {}
      : {
          document: {
            hash: document.hash.slice(0, 12),
            steps: counted(document.scan.steps),
            faults: document.scan.faults.slice(0, countLimit).map(({ code }) => code),
          },
        }),
    ...(unreadable === null ? {} : { unreadable: true }),
  };
}

function turnFacts({ kind, by, cancel }: Lease): NonNullable<StateFacts['turn']> {
  const { entry, owner } = by;
  return { kind, entry, owner, ...(cancel === null ? {} : { cancel: cancel.then }) };
}

function planFacts({ plan, document }: SessionContext): Pick<StateFacts, 'plan'> {
  if (plan === null) return {};
  const { status, track, seed, description, approval, tasks } = plan;
  const approved = approval === null ? {} : { approved: same(approval.hash === document?.hash) };
  return {
    plan: {
      status,
      ...(plan.pre_init_editing ? { flag: true } : {}),
      track,
      seed,
      text: textFacts(description, document),
      ...approved,
      ...(tasks.length === 0 ? {} : { tasks: taskFacts(tasks.slice(0, countLimit)) }),
    },
  };
}

function textFacts(
  description: string,
  document: SessionContext['document'],
): NonNullable<StateFacts['plan']>['text'] {
  if (description === '') return document?.text === '' ? 'empty' : 'none';
  return document?.text === description ? 'document' : 'another';
}

const statuses = ['InProgress', 'Completed', 'Skipped', 'Failed', 'Blocked'] as const;

function taskFacts(tasks: readonly Task[]): TaskFacts[] {
  const numbers = new Map<string, number>();
  for (const [index, { id }] of tasks.entries()) if (!numbers.has(id)) numbers.set(id, index + 1);
  return tasks.map(({ id, status, retry_count, max_retries, dependencies }, index) => {
    const twin = numbers.get(id) ?? 0;
    const word = typeof status === 'object' ? 'Blocked' : statuses.find((known) => known === status);
    const after = dependencies.slice(0, countLimit).map((other) => numbers.get(other) ?? 0);
    return {
      ...(status === 'Pending' ? {} : { is: word ?? 'other' }),
      ...(retry_count === 0 ? {} : { tries: retry_count }),
      ...(max_retries === 3 ? {} : { of: max_retries }),
      ...(after.length === 0 ? {} : { after }),
      ...(twin === index + 1 ? {} : { twin }),
    };
  });
}

function whoFacts(context: SessionContext, { surface, entry, owner, person }: Actor): WhoFacts {
  const starter = leaseOf(context)?.by.person === person;
  const known = /^[a-z0-9]{1,16}$/u.test(surface) ? surface : 'other';
  return { surface: known, entry, owner, ...(starter ? { starter } : {}) };
}

type Button = NonNullable<Extract<Said, { type: 'user.execute' }>['button']>;

function buttonFacts({ plan, document }: SessionContext, button: Button): EventFacts['button'] {
  const { phase, owns, hash } = button;
  return {
    plan: same(button.plan === plan?.id),
    phase,
    owns,
    ...(hash === undefined ? {} : { hash: same(hash === (document?.hash ?? null)) }),
  };
}

function eventFacts(context: SessionContext, event: Spoken): EventFacts {
  return {
    type: event.type,
    ...('by' in event ? { by: whoFacts(context, event.by) } : {}),
    ...('button' in event && event.button !== undefined
      ? { button: buttonFacts(context, event.button) }
      : {}),
    ...('turn' in event ? { turn: same(leaseOf(context)?.turn === event.turn) } : {}),
    ...('child' in event ? { child: event.child } : {}),
    ...ownFacts(context, event),
  };
}

/** What only events of this type have. */
function ownFacts(context: SessionContext, event: Spoken): Omit<EventFacts, 'type'> {
  const shown = (hash: string | null): 'this' | 'other' | null =>
    hash === null ? null : same(hash === context.document?.hash);
  switch (event.type) {
    case 'user.plan':
      return event.text === undefined ? {} : { text: event.text.trim() === '' ? 'blank' : 'plain' };
    case 'user.chat':
      return { text: messageOf(event.text), origin: event.origin };
    case 'user.execute':
    case 'user.approveText':
      return { shown: shown(event.shown) };
    case 'user.revise':
      return { shown: shown(event.seen) };
    case 'user.policy':
      return { yolo: event.yolo };
    case 'tool.document': {
      const { document, plan } = context;
      const base = same(event.base === (document?.hash ?? null));
      return { base, plan: same(event.plan === (plan?.id ?? null)) };
    }
    case 'queue.take':
    case 'queue.send':
    case 'queue.drop':
      return { item: Math.min(countLimit, placeOf(context, event.item)) };
    case 'turn.end':
      return { outcome: event.outcome };
    case 'turn.note': {
      const { shell, waiting } = event;
      return {
        ...(shell === undefined ? {} : { shell }),
        ...(waiting === undefined ? {} : { waiting: waiting !== null }),
      };
    }
    case 'file.finished':
      return { as: event.as };
    default:
      return callFacts(context, event);
  }
}

function callFacts({ plan }: SessionContext, event: Spoken): Omit<EventFacts, 'type'> {
  switch (event.type) {
    case 'tool.init':
      return initFacts(event);
    case 'tool.addTasks': {
      const { tasks, ids } = event;
      return {
        tasks: counted(tasks),
        ...('faults' in draftTasks(tasks, plan?.tasks ?? [], ids.slice(2)) ? { faulty: true } : {}),
      };
    }
    case 'tool.start':
      return event.task === undefined ? {} : { task: event.task };
    case 'tool.complete':
      return {
        ...(event.task === undefined ? {} : { task: event.task }),
        action: completeAction(event.action) ?? 'other',
      };
    default:
      return {};
  }
}

const placeOf = ({ record }: SessionContext, item: string): number =>
  record.queue.findIndex(({ id }) => id === item) + 1;

function messageOf(text: string): NonNullable<EventFacts['text']> {
  if (planCommand(text) !== null) return 'command';
  return planWords(text) === null ? 'plain' : 'plan words';
}

function initFacts(event: InitEvent): Omit<EventFacts, 'type'> {
  const { mode, tasks, file, ids } = event;
  const faulty = tasks !== undefined && 'faults' in draftTasks(tasks, [], ids.slice(2));
  return {
    title: (event.title ?? '').trim() === '' ? 'blank' : 'given',
    ...(mode === undefined ? {} : { mode: mode === 'design' || mode === 'checklist' ? mode : 'other' }),
    ...(tasks === undefined ? {} : { tasks: counted(tasks) }),
    ...(faulty ? { faulty } : {}),
    ...(file === undefined ? {} : { file: fileFacts(event) }),
  };
}

function fileFacts(event: InitEvent): NonNullable<EventFacts['file']> {
  if (event.file === undefined || !('text' in event.file)) return 'unreadable';
  const plan = readImport(event.file.text);
  if ('faults' in plan) return 'invalid';
  if (plan.tasks.length === 0) return 'empty';
  return 'faults' in draftTasks(plan.tasks, [], importIds(event, plan.tasks.length)) ? 'faulty' : 'good';
}
