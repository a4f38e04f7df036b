/** What a refusal text may name. Everything is derived from the snapshot and the event by `refusalFacts`. */
export interface RefusalFacts {
  documentPath: string;
  sidecarPath: string;
  /** Faults, one per line of the list; template faults carry their line number. */
  faults: readonly string[];
  /** What runs now and what it waits for, e.g. "A turn runs" or "A turn waits in the terminal since 12:03". */
  running: string;
  /** The task that the refusal is about, e.g. `task 2 "Write it"`. */
  task: string;
  /** The value that was refused, as it was given. */
  value: string;
  cause: string;
  /** Archive copies of this session, newest first, as a sentence part. */
  archived: string;
}

type Text = (facts: RefusalFacts) => string;

const list = (faults: readonly string[]): string => faults.map((fault) => `\n- ${fault}`).join('');

/**
 * One code, one clear sentence, and what to do next. People and the model read the same text; no
 * surface words a refusal itself (architecture, "An answer is part of the machine").
 */
export const refusals = {
  /** The store's own sentence: only the store knows whether nothing or a part of it was written. */
  NOT_SAVED: (f: Pick<RefusalFacts, 'cause'>) => f.cause,
  NOT_OWNER: () => 'Only the owner of this session may do that. Nothing was changed; ask the owner.',
  STALE_BUTTON: () =>
    'This button belongs to an earlier plan or message. Use /show-plan for the current one.',
  NEEDS_PERSON: () =>
    'Only a person can do that, in the terminal or in the chat. Open the session with planchart.',
  UNATTENDED_DESIGN: () =>
    'A design needs a person to approve it, and this session runs without one. Use a checklist or an import, ' +
    'or switch with /approve ask first.',
  BUSY: (f) => `${f.running}. Wait until it has ended, or end it with /stop; nothing was queued.`,
  STOPPING: () => 'The turn is already being stopped. It ends within seconds; nothing more to do.',
  DISCARDING: () =>
    'Discarding is already under way. It is done when the turn has ended; nothing more to do.',
  NOTHING_RUNNING: () => 'No turn is running. Type a message to start one.',
  NOTHING_QUEUED: () =>
    'That message does not wait here any more: it was sent, taken back, or is waited for by another window. ' +
    'Send it again if it is still wanted.',
  NOT_APPLICABLE: () => 'That does not apply to the present state. /show-plan tells where things stand.',
  NO_PLAN: (f) => `There is no active plan. Start one with /plan.${f.archived}`,
  PRE_INIT: () =>
    'Plan mode is on, but there is no plan yet: it still needs `plan init`. ' +
    'Say what to plan, or leave with /discard.',
  ALREADY_EDITING: () =>
    'Plan mode is already on. Read it with /show-plan, approve with /execute, leave with /discard.',
  LIVE_PLAN: () =>
    'A plan or a checklist is live in this session. Finish it, or ask the user to /discard it first.',
  UNREADABLE: (f) =>
    `The plan file ${f.sidecarPath} cannot be read: ${f.cause}. ` +
    'Mend it by hand, or move it to the archive with /discard.',
  TEMPLATE_INVALID: (f) =>
    `The session plan ${f.documentPath} is not complete yet:${list(f.faults)}\nFill these in, then approve again.`,
  TEXT_CHANGED: (f) =>
    `The text of ${f.documentPath} is not the one that was shown or approved. ` +
    'Read it with /show-plan, then approve that text.',
  PARTIAL_SEED: () =>
    'The checklist was written but never started, and a half seed is not repaired. ' +
    'The user has to /discard and approve the plan again; its text is kept in the archive.',
  SEED_FAILED: () =>
    'The checklist was not built. The user retries with /execute or leaves with /discard; call nothing now.',
  SEED_NOT_STARTED: () => 'No task has been started. Call `plan` with operation start first.',
  SEED_COUNT: (f) =>
    `The approved session plan has ${f.faults.length} numbered steps; give exactly one task for each, in this order:${list(f.faults)}\nCall add_tasks again with these.`,
  SEED_ONE_BATCH: () => 'The tasks of this plan are already there. Call `plan` with operation start now.',
  EDITING: () =>
    'The session plan is still being written. Finish the .md and end the turn; the checklist comes after the user approves with /execute.',
  FROZEN: (f: Pick<RefusalFacts, 'documentPath'>) =>
    `${f.documentPath} was approved and is frozen. Work on the tasks; a new design needs /discard first.`,
  GATE_CLOSED: (f) =>
    `Writing ${f.documentPath} is not possible in this state. Call \`plan\` with operation init first.`,
  STALE_TEXT: (f) =>
    `${f.documentPath} is not the text that you last read. Read it again, then write; nothing was overwritten.`,
  CANCELLED: () => 'This turn was cancelled. Nothing was done; end the turn.',
  NOT_FOR_CHILD: () => 'A sub-agent has no plan tool. Report to the agent that started you.',
  UNKNOWN_OPERATION: (f) =>
    `There is no operation ${f.value}. The operations are init, add_tasks, start and complete; ` +
    'the user alone approves, with /execute, and discards, with /discard.',
  UNKNOWN_MODE: (f) =>
    `There is no mode ${f.value}. Use design (a session plan to approve) or checklist (with tasks).`,
  UNKNOWN_ACTION: (f) => `There is no action ${f.value}. Use success, fail or skip.`,
  TITLE_MISSING: () => 'A title is missing. Give a title of 3 to 8 words, or a file_path to import.',
  FILE_AND_TASKS: () => 'Give either file_path or tasks, not both.',
  DESIGN_WITH_TASKS: () => 'A design starts as prose. Leave the tasks out, or use mode checklist.',
  CHECKLIST_WITHOUT_TASKS: () => 'A checklist needs at least one task. Give tasks, or use mode design.',
  TASKS_INVALID: (f) =>
    `The tasks cannot be taken; nothing was written:${list(f.faults)}\nCorrect these and call again.`,
  IMPORT_UNREADABLE: (f) =>
    `${f.value} cannot be read: ${f.cause}. Give the path of a JSON file of at most 10 MiB.`,
  IMPORT_INVALID: (f) =>
    `${f.value} is not a plan that can be imported:${list(f.faults)}\nCorrect the file and call again.`,
  IMPORT_EMPTY: (f) => `${f.value} has no tasks. Import needs at least one; for prose use mode design.`,
  NO_TASKS: () => 'There are no tasks yet. Call `plan` with operation add_tasks first.',
  NO_SUCH_TASK: (f) =>
    `There is no task ${f.value}. Call \`plan\` with operation start and no number to see the current one.`,
  TASK_RUNNING: (f) =>
    `One task runs at a time, and ${f.task} is in progress. Complete, fail or skip it first.`,
  TASK_NOT_RUNNING: (f) =>
    `${f.task} is not in progress. Start it first, or use action skip for a task that will not be done.`,
  TASK_CLOSED: (f) => `${f.task} is resolved and does not open again. Add a new task with add_tasks instead.`,
  DEPENDENCIES_OPEN: (f) => `${f.task} waits for other tasks:${list(f.faults)}\nResolve these first.`,
  RETRY_LIMIT: (f) =>
    `${f.task} has failed too often to be started again. Complete it with action skip, or ask the user.`,
  NOTHING_TO_START: (f) =>
    `No task can start now:${list(f.faults)}\nStart a failed task by its number, or complete it with action skip.`,
} as const satisfies Record<string, Text>;

export type Code = keyof typeof refusals;

export const codes = Object.keys(refusals) as readonly Code[];

export function refusalText(code: Code, facts: RefusalFacts): string {
  const text: Text = refusals[code];
  return text(facts);
}
