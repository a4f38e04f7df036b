export {
  type AgentCall,
  type AgentEffect,
  type AgentEvent,
  agentMachine,
  type AgentSnapshot,
  agentStep,
  type FullCause,
} from './agent.ts';
export { type Answer, acceptedAnswer, answerOf } from './answer.ts';
export { type CallbackAction, encodeCallback, hashMark, parseCallback, planMark } from './callback.ts';
export { isBuiltInCommand, planCommand } from './commands.ts';
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
export {
  flowMachine,
  flowRecord,
  type FlowSnapshot,
  flowStart,
  flowStep,
  isFlowDone,
  restoreFlow,
} from './flow.ts';
export type { FlowEvent } from './flow/changes.ts';
export type { FlowContent, FlowEffect } from './flow/next.ts';
export type { FlowEntry } from './flow/record.ts';
export { phaseOf, turnOf } from './phase.ts';
export { openHints } from './intent/hints.ts';
export {
  keyboardMachine,
  keyboardRecord,
  type KeyboardSnapshot,
  keyboardStep,
  markupOf,
  restoreKeyboard,
} from './keyboard.ts';
export type { KeyboardEffect, KeyboardEvent } from './keyboard/changes.ts';
export { type JournalLine, type JournalText, readJournalText } from './journal/line.ts';
export { journalLine, type Noted, type Spoken, stateName } from './journal/note.ts';
export { replay, type Replayed, verdictWords } from './journal/replay.ts';
export { standInEvent, standInFiles } from './journal/stand-in.ts';
export { eventWords, whoWords } from './journal/words.ts';
export { desiredKeyboard } from './keyboard/desired.ts';
export { saidByPress } from './keyboard/said.ts';
export { callbackOf, KeyboardRecord, type PlanButton, type PlanKeyboard } from './keyboard/record.ts';
export { implementPrompt, type Reminder, reminderOf } from './reminder.ts';
export {
  Lease,
  ProjectSlug,
  QueueItem,
  recordText,
  recordVersion,
  SessionRecord,
  upgradeRecord,
} from './record.ts';
export { type Code, codes, refusals } from './refusals.ts';
export { badges, select, typedText } from './select.ts';
export {
  contextFigure,
  contextFull,
  type ContextUse,
  contextWindow,
  corrected,
  type Counted,
  estimateTokens,
  isFull,
  isOver,
  shares,
} from './context-window.ts';
export { recoveryOf } from './recovery.ts';
export { derive, type SessionSnapshot } from './session/derive.ts';
export { keepFiles, restoring, restoredText } from './session/kept.ts';
export { applyCommit, projectCommit } from './session/project.ts';
export { sessionMachine } from './session/session.ts';
export { settle, type Step, step } from './session/step.ts';
export type { FileFound, StoredSession } from './stored.ts';
export { tags } from './tags.ts';
export {
  agentClosed,
  type AgentKind,
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
