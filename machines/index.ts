export { type AgentEffect, type AgentEvent, agentMachine, type AgentSnapshot, agentStep } from './agent.ts';
export { type Answer, acceptedAnswer, answerOf } from './answer.ts';
export { planCommand } from './commands.ts';
export { type Commit, fileLimitBytes } from './commit.ts';
export { scanDocument } from './document.ts';
export type { ArchiveOrder, Effect } from './effects.ts';
export {
  Actor,
  type EntryKind,
  entryKinds,
  idsNeeded,
  Said,
  type SessionEvent,
  type Stamp,
  type TaskDraft,
} from './events.ts';
export { phaseOf, turnOf } from './phase.ts';
export { implementPrompt, type Reminder, reminderOf } from './reminder.ts';
export { Lease, ProjectSlug, QueueItem, recordVersion, SessionRecord, upgradeRecord } from './record.ts';
export { type Code, codes, refusals } from './refusals.ts';
export { select } from './select.ts';
export { derive, type SessionSnapshot } from './session/derive.ts';
export { applyCommit, projectCommit, recordText } from './session/project.ts';
export { sessionMachine } from './session/session.ts';
export { settle, type Step, step } from './session/step.ts';
export type { FileFound, StoredSession } from './stored.ts';
export {
  gate,
  gateTable,
  type GateRequest,
  type GateVerdict,
  isWithin,
  type ToolClass,
  toolClasses,
} from './tool-gate.ts';
export { verdict, type Verdict } from './verdict.ts';
export type { Phase, SessionView, TaskView, TurnState } from './views.ts';
