import type { Answer, Said, SessionView } from '../../machines/index.ts';
import type {
  Prompt,
  PromptAnswer,
  Published,
  SessionHandle,
  SkillList,
  TranscriptEntry,
} from '../../adapters/ports.ts';

/** A view of a session without a plan, with `change` on top. */
export function viewOf(change: Partial<SessionView> = {}): SessionView {
  return {
    session: '11111111-2222-4333-8444-555555555555',
    name: null,
    cwd: '/home/ada/project',
    phase: 'noPlan',
    turn: 'idle',
    badge: '',
    plan: null,
    title: null,
    tasks: [],
    progress: { done: 0, total: 0 },
    goal: { user: null, task: null },
    building: false,
    seedError: null,
    document: null,
    unreadable: null,
    decisions: {
      approve: 'hidden',
      why: null,
      revise: false,
      discard: false,
      retry: false,
      restore: false,
      resume: false,
    },
    policy: 'ask',
    running: null,
    queue: [],
    closed: null,
    interrupted: false,
    hint: '',
    ...change,
  };
}

/** A plan in review: `text` as revision `hash`, complete unless faults are given. */
export function reviewView(text: string, hash: string, change: Partial<SessionView> = {}): SessionView {
  return viewOf({
    phase: 'postInit',
    badge: 'Editing',
    title: 'Dark mode',
    document: {
      path: '/home/ada/project/.plans/plan.md',
      text,
      hash,
      faults: [],
      steps: 3,
      drifted: false,
    },
    decisions: { ...viewOf().decisions, approve: 'on', revise: true, discard: true },
    hint: 'The session plan is ready for review: /show-plan, then /execute, or /discard.',
    ...change,
  });
}

/** A checklist of `total` tasks with the first `done` completed and the next one running. */
export function checklistView(total: number, done: number, change: Partial<SessionView> = {}): SessionView {
  const tasks = Array.from({ length: total }, (_, index) => ({
    number: index + 1,
    title: `Task number ${index + 1}`,
    status:
      index < done ? ('completed' as const) : index === done ? ('running' as const) : ('pending' as const),
    waitsFor: [],
  }));
  return viewOf({
    phase: 'checklist',
    badge: 'Active',
    title: 'Dark mode',
    tasks,
    progress: { done, total },
    decisions: { ...viewOf().decisions, discard: true },
    ...change,
  });
}

/** The view while a turn runs in this terminal. */
export function running(
  view: SessionView,
  change: Partial<NonNullable<SessionView['running']>> = {},
): SessionView {
  return {
    ...view,
    turn: 'running',
    running: {
      turn: 'turn-1',
      kind: 'chat',
      entry: 'interactive',
      surface: 'tui',
      since: '2026-01-02T12:03:00.000Z',
      waiting: null,
      ...change,
    },
  };
}

export interface FakeHandle extends SessionHandle {
  /** Everything that the surface said, in order. */
  readonly sent: Said[];
  readonly answers: { prompt: string; answer: PromptAnswer }[];
  /** What the next `send` answers; by default everything is accepted in silence. */
  reply(rule: (said: Said) => Answer | Error): void;
  /** What `useModel` answers; by default it is taken. */
  modelReply: Awaited<ReturnType<SessionHandle['useModel']>> | Error | null;
  readonly models: string[];
  publish(...events: readonly Published[]): void;
  /** Publishes the view and makes it the newest. */
  see(view: SessionView): void;
  open(prompt: Prompt): void;
}

export interface FakeOptions {
  view?: SessionView;
  label?: string | null;
  transcript?: readonly TranscriptEntry[];
  skills?: SkillList;
  /** Hashes of what the person saw before a restart. */
  saw?: readonly string[];
  /** Files below the session's folder. */
  files?: readonly string[];
  /** Kept texts of the plan, oldest first. */
  kept?: readonly { hash: string; text: string }[];
}

/** A session that a test scripts: it records what the surface sends and publishes what the test says. */
export function fakeHandle(options: FakeOptions = {}): FakeHandle {
  let view = options.view ?? viewOf();
  let rule: (said: Said) => Answer | Error = () => ({ kind: 'accepted', text: '' });
  let openPrompt: string | null = null;
  const listeners = new Set<(published: Published) => void>();
  const publish = (...events: readonly Published[]): void => {
    for (const event of events) {
      if (event.type === 'view') view = event.view;
      for (const listener of listeners) listener(event);
    }
  };
  const sent: Said[] = [];
  const answers: FakeHandle['answers'] = [];
  const saw = [...(options.saw ?? [])];
  return {
    id: view.session,
    cwd: view.cwd,
    paths: {
      dir: '/p',
      sidecar: '/p/plan.json',
      document: '/p/plan.md',
      archive: '/p/archive',
      own: '/p/own',
    },
    model: { name: 'rehearsal', label: options.label === undefined ? 'rehearsal model' : options.label },
    modelReply: null,
    models: [],
    async useModel(name) {
      this.models.push(name);
      if (this.modelReply instanceof Error) throw this.modelReply;
      return this.modelReply ?? { kind: 'accepted', text: `The next turn asks ${name}.` };
    },
    sent,
    answers,
    async send(said) {
      sent.push(said);
      const answer = rule(said);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    view: () => view,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    answer(prompt, answer) {
      if (openPrompt !== prompt) return false;
      openPrompt = null;
      answers.push({ prompt, answer });
      publish({ type: 'prompt.closed', id: prompt, reason: 'answered' });
      return true;
    },
    transcript: () => Promise.resolve(options.transcript ?? []),
    revisions: () =>
      Promise.resolve((options.kept ?? []).map(({ hash }) => ({ hash, at: '2026-01-02T12:00:00.000Z' }))),
    revision: (hash) => Promise.resolve(options.kept?.find((one) => one.hash === hash)?.text ?? null),
    files: () => Promise.resolve(options.files ?? []),
    seen: () => Promise.resolve([...saw]),
    saw: async (hash) => void saw.push(hash),
    skills: () => Promise.resolve(options.skills ?? { all: [], faults: [] }),
    reply(next) {
      rule = next;
    },
    publish,
    see: (next) => publish({ type: 'view', view: next }),
    open(prompt) {
      openPrompt = prompt.id;
      publish({ type: 'prompt.opened', turn: 'turn-1', prompt });
    },
  };
}
