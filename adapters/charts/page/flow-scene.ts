import {
  type FlowContent,
  type FlowEffect,
  type FlowEvent,
  type FlowSnapshot,
  flowStart,
  flowStep,
} from '../../../machines/index.ts';
import { accepted, type Choice, type Fact, ignored, leavesOf, type Scene, type Taken } from './scene.ts';

interface Flow {
  machine: FlowSnapshot;
  /** Milliseconds since the turn began. */
  now: number;
}

/** The flow machine, in a turn that begins now. */
export const flowScene = (): Scene => sceneOf({ machine: flowStart('turn 1', 0), now: 0 });

function sceneOf(at: Flow): Scene {
  return {
    states: leavesOf(at.machine.value),
    hint: hintOf(at),
    facts: factsOf(at),
    choices: () => choicesAt(at),
  };
}

function hintOf({ machine: { value, context } }: Flow): string {
  if (value === 'closed') return 'Nothing is shown yet. A tool, or a tick after 1.5 s, opens the message.';
  if (value === 'settled') return 'The turn has ended; what is still owed is sent.';
  if (context.flight !== null) return `One ${context.flight} is in flight: Telegram has to answer.`;
  return value.open === 'live'
    ? 'The message is edited as things happen.'
    : 'Nothing is sent until the wait is over.';
}

function factsOf({ machine: { context }, now }: Flow): Fact[] {
  const entries = context.entries.map((entry) =>
    entry.kind === 'tool' ? `${entry.name}: ${entry.status}` : entry.text,
  );
  return [
    { label: 'Time', text: `${now / 1000} s` },
    {
      label: 'Message',
      text: context.message === null ? 'none' : `${context.message}, part ${context.part}`,
    },
    { label: 'Log', text: entries.join('\n') || 'empty' },
    { label: 'In flight', text: context.flight ?? 'nothing' },
    { label: 'To send', text: context.content === 'changed' ? 'something changed' : 'nothing new' },
    { label: 'Waits until', text: context.due === null ? 'no wait' : `${context.due / 1000} s` },
  ];
}

type Happens = readonly [id: string, label: string, event: FlowEvent];

function choicesAt(at: Flow): Choice[] {
  const groups: Record<string, readonly Happens[]> = {
    Time: time(at),
    'The turn': turn(at),
    'The chat': chat(at),
    'Telegram answers': answers(at),
    'The turn ends': ends(at),
  };
  return Object.entries(groups).flatMap(([group, list]) =>
    list.map(([id, label, event]): Choice => {
      const take = (): Taken => taken(at, event);
      return { id, label, group, event: event.type, answer: () => take().answer, take };
    }),
  );
}

function taken(at: Flow, event: FlowEvent): Taken {
  const [machine, effects] = flowStep(at.machine, event);
  const same =
    JSON.stringify([machine.value, machine.context]) ===
    JSON.stringify([at.machine.value, at.machine.context]);
  const still = same && effects.length === 0 && event.type !== 'tick';
  return {
    answer: still ? ignored : accepted(),
    did: effects.map(inWords),
    next: sceneOf({ machine, now: event.now }),
  };
}

function inWords(effect: FlowEffect): string {
  if (effect.type === 'delete') return `delete message ${effect.message}`;
  const says = `${effect.content.header.kind}, ${effect.content.entries.length} lines${sectionsOf(effect.content)}`;
  return effect.type === 'post'
    ? `post a message: ${says}`
    : `${effect.type} message ${effect.message}: ${says}`;
}

const sectionsOf = ({ sections }: FlowContent): string =>
  sections.kind === 'plan' ? '' : `, sections: ${sections.kind}`;

const time = ({ now }: Flow): Happens[] => [
  ['time.two', 'Two seconds pass', { type: 'tick', now: now + 2_000 }],
  ['time.minute', 'A minute passes', { type: 'tick', now: now + 60_000 }],
];

function turn({ machine, now }: Flow): Happens[] {
  const tools = machine.context.entries.filter((entry) => entry.kind === 'tool');
  const running = tools.find((entry) => entry.status === 'running')?.call ?? 'none';
  const call = `call ${machine.context.tools + 1}`;
  const waiting = { what: 'your answer', surface: 'tui', since: '12:03' };
  return [
    ['turn.tool', 'A tool starts', { type: 'tool.started', call, name: 'bash', summary: 'ls', now }],
    ['turn.tool-done', 'The tool is done', { type: 'tool.ended', call: running, failed: 'no', now }],
    ['turn.tool-failed', 'The tool failed', { type: 'tool.ended', call: running, failed: 'yes', now }],
    [
      'turn.says',
      'The model says something',
      { type: 'narrated', text: 'I look around.', preview: 'I look around.', now },
    ],
    ['turn.thinks', 'The model thinks', { type: 'thought', text: 'Hm.', now }],
    [
      'turn.notice',
      'A notice: the request is retried',
      { type: 'noticed', about: 'retry', text: 'Trying again.', now },
    ],
    ['turn.waits', 'A person is waited for', { type: 'waits', waiting, now }],
    ['turn.resumes', 'The answer is there', { type: 'resumes', now }],
  ];
}

const chat = ({ now }: Flow): Happens[] => [
  ['chat.buried', 'Something newer is below it', { type: 'buried', now }],
  ['chat.no-plan', 'A newer message shows the plan', { type: 'sections', sections: { kind: 'none' }, now }],
  [
    'chat.closed',
    'The plan is completed',
    {
      type: 'sections',
      sections: { kind: 'closed', as: 'completed', title: 'Keep the basket', done: 2, total: 2 },
      now,
    },
  ],
];

function answers({ machine, now }: Flow): Happens[] {
  const message = (machine.context.message ?? 100) + 1;
  return [
    ['answer.posted', 'Posted', { type: 'posted', message, now }],
    ['answer.edited', 'Edited', { type: 'edited', now }],
    ['answer.deleted', 'Deleted', { type: 'deleted', now }],
    ['answer.failed', 'It did not go through', { type: 'failed', until: null, now }],
    ['answer.flood', 'Too many requests: wait 30 s', { type: 'failed', until: now + 30_000, now }],
    ['answer.gone', 'The message is not there any more', { type: 'gone', now }],
    ['answer.overflow', 'Too long: one line fits', { type: 'overflow', fits: 1, now }],
  ];
}

const ends = ({ now }: Flow): Happens[] =>
  (['finished', 'failed', 'timedOut', 'cancelled', 'interrupted'] as const).map((outcome): Happens => [
    `end.${outcome}`,
    `The turn: ${outcome}`,
    { type: 'turn.ended', outcome, now },
  ]);
