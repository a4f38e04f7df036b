import { planCommand } from '../commands.ts';
import type { Code } from '../refusals.ts';
import type { SessionEvent } from '../events.ts';
import { batchFault, completeFault, seedFault, startFault } from './checklist-faults.ts';
import { approvedTextStands, isBusy, isRestorable, leaseOf, type SessionContext } from './context.ts';
import { initFault } from './init-faults.ts';

/** Which question a guard asks. Each is a total function of files and event: the first fault, or none. */
export const faults = {
  person: personFault,
  busy: (context) => (isBusy(context) ? 'BUSY' : null),
  /** A missing `.md` counts as a changed text, not as an incomplete one (D48). */
  template: (context) => ((context.document?.scan.faults.length ?? 0) > 0 ? 'TEMPLATE_INVALID' : null),
  shown: shownFault,
  drawn: drawnFault,
  approved: (context) => (approvedTextStands(context) ? null : 'TEXT_CHANGED'),
  restorable: (context) => (isRestorable(context) ? null : 'NOT_APPLICABLE'),
  chat: chatFault,
  stop: stopFault,
  settings: settingsFault,
  call: callFault,
  init: initFault,
  seed: seedFault,
  batch: batchFault,
  start: startFault,
  complete: completeFault,
  document: documentFault,
} as const satisfies Record<string, (context: SessionContext, event: SessionEvent) => Code | null>;

export type FaultName = keyof typeof faults;

/** Order of D30: owner, button, attended. Whether the session is idle is asked after it. */
function personFault(context: SessionContext, event: SessionEvent): Code | null {
  if (!('by' in event)) return null;
  if (!event.by.owner) return 'NOT_OWNER';
  if ('button' in event && event.button !== undefined && isStale(context, event.button))
    return 'STALE_BUTTON';
  const design = event.type === 'user.plan';
  if (event.by.entry !== 'interactive') return design ? 'UNATTENDED_DESIGN' : 'NEEDS_PERSON';
  return design && context.record.yolo ? 'UNATTENDED_DESIGN' : null;
}

function isStale({ plan }: SessionContext, button: { plan: string; phase: string; owns: boolean }): boolean {
  if (plan === null || !button.owns || button.plan !== plan.id) return true;
  return button.phase !== (plan.status === 'Editing' ? 'editing' : 'active');
}

/** D45: what is approved is the revision that was last shown in full on that surface. */
function shownFault(context: SessionContext, event: SessionEvent): Code | null {
  if (!('shown' in event)) return null;
  return event.shown !== null && event.shown === context.document?.hash ? null : 'TEXT_CHANGED';
}

/** D30: Retry and Restore are pressed for the text that their keyboard was drawn for, and for no other. */
function drawnFault({ document }: SessionContext, event: SessionEvent): Code | null {
  if (!('button' in event) || event.button?.hash === undefined) return null;
  return event.button.hash === (document?.hash ?? null) ? null : 'TEXT_CHANGED';
}

/** D3: a headless prompt can't be one of the acts of a person. */
function chatFault(_: SessionContext, event: SessionEvent): Code | null {
  if (event.type !== 'user.chat' || event.by.entry === 'interactive') return null;
  return planCommand(event.text) === null ? null : 'NEEDS_PERSON';
}

/** D29: only the owner stops somebody else's turn. */
function stopFault(context: SessionContext, event: SessionEvent): Code | null {
  if (event.type !== 'user.stop' || event.by.owner) return null;
  return leaseOf(context)?.by.person === event.by.person ? null : 'NOT_OWNER';
}

const settings = ['user.policy', 'user.goal', 'user.rename', 'user.compact'] as const;
type Setting = Extract<SessionEvent, { type: (typeof settings)[number] }>;
const isSetting = (event: SessionEvent): event is Setting =>
  (settings as readonly string[]).includes(event.type);

function settingsFault(_: SessionContext, event: SessionEvent): Code | null {
  if (!isSetting(event)) return null;
  if (!event.by.owner) return 'NOT_OWNER';
  return event.by.entry === 'interactive' ? null : 'NEEDS_PERSON';
}

/** D16: from a cancel on, every call of that turn is refused; so is a call of a turn that has ended. */
function callFault(context: SessionContext, event: SessionEvent): Code | null {
  if (!('child' in event)) return null;
  if (event.child) return 'NOT_FOR_CHILD';
  const lease = leaseOf(context);
  return lease === null || lease.turn !== event.turn || lease.cancel !== null ? 'CANCELLED' : null;
}

/** D23: a write is based on the text that is there, of the plan that is there. */
function documentFault(context: SessionContext, event: SessionEvent): Code | null {
  if (event.type !== 'tool.document') return null;
  if (event.plan !== (context.plan?.id ?? null)) return 'STALE_TEXT';
  return event.base === (context.document?.hash ?? null) ? null : 'STALE_TEXT';
}
