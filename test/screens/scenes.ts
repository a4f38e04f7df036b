import type { Prompt, Published } from '../../adapters/ports.ts';
import type { SessionView } from '../../machines/index.ts';
import type { FixtureSetup } from '../adapters/tui/fixture.tsx';
import { review as reviewed, states, text as written } from '../adapters/tui/states.ts';
import { running, viewOf } from '../support/fake-handle.ts';
import type { Stage } from './stage.ts';

/** One picture of the docs: a state of the program, and how a person comes to see it. */
export interface Scene {
  name: string;
  caption: string;
  setup: FixtureSetup;
  /** 80×24 where none is given. */
  size?: { cols: number; rows: number };
  play(stage: Stage): Promise<string[]>;
}

/** Without the wide letters, for which not every computer that takes the pictures has a font. */
const text = written.replace(' 完了', '');

/** The plan in review with another text. */
function withText(view: SessionView, shown: string, hash: string): SessionView {
  return { ...view, document: view.document === null ? null : { ...view.document, text: shown, hash } };
}

const ctrlP = '\u0010';
const turn = 't1';
const review = withText(reviewed, text, 'h1');
const of = (name: string): SessionView => states[name] ?? viewOf();

/** A turn that runs here; without a start there is no clock, which no picture could repeat. */
const inTurn = (view: SessionView): SessionView => running(view, { since: '' });

const asked: Published[] = [
  { type: 'turn.started', turn, kind: 'chat', label: null },
  { type: 'user', turn, text: 'Make a plan to add a dark mode', from: 'person' },
];
const call = (id: string, name: string, summary: string, result: string): Published[] => [
  { type: 'tool.started', turn, call: id, name, summary },
  { type: 'tool.ended', turn, call: id, name, text: result, failed: false },
];
const explored: Published[] = [
  ...call('1', 'ls', 'src', '4 entries'),
  ...call('2', 'grep', '"theme" in src', '3 matches in 2 files'),
];
const ended: Published[] = [{ type: 'turn.ended', turn, outcome: 'done', cause: null }];
const said = (message: string): Published => ({ type: 'message.ended', turn, text: message });

const here = { surface: 'tui', owner: 'here' } as const;

const approval: Prompt = {
  id: 'q',
  kind: 'approval',
  tool: 'edit_file',
  title: 'edit_file src/theme.ts',
  body: ' export const themes = [\n-  "light",\n+  "light",\n+  "dark",\n ];\n',
  folder: '/home/ada/project',
  sandbox: null,
};

const read = async (stage: Stage): Promise<void> => {
  stage.type(ctrlP);
  await stage.shows(/q close/u);
};

/** Opens the plan, then does what the scene is about. */
const reading =
  (play: (stage: Stage) => Promise<string[]>): Scene['play'] =>
  async (stage) => {
    await read(stage);
    return play(stage);
  };

const still =
  (wanted: RegExp): Scene['play'] =>
  (stage) =>
    stage.shows(wanted);

const incomplete = withText(of('postInitIncomplete'), text.replace(/(Target state:\*\*).*/u, '$1'), 'h0');

const changedText = text.replace('3. Test both', '3. Remove the old switch\n4. Test both');
const changed = withText(review, changedText, 'h2');

const inline: readonly Scene[] = [
  {
    name: 'no-plan',
    caption: 'No plan: the program has just started.',
    setup: { label: null },
    play: still(/^› /mu),
  },
  {
    name: 'exploring',
    caption: 'Plan mode, no plan yet: the agent reads, nothing of the project can change.',
    setup: { view: inTurn(of('preInit')), label: null },
    async play(stage) {
      await stage.publish(...asked, ...explored, {
        type: 'text',
        turn,
        text: 'The setting `theme` is read by **nobody** so far; I look at who draws the header.',
      });
      return stage.shows(/draws the header/u);
    },
  },
  {
    name: 'ready',
    caption: 'The session plan waits for your review: the card says it once, the strip keeps it in view.',
    setup: { view: inTurn(of('preInit')), label: null },
    async play(stage) {
      await stage.publish(
        ...asked,
        ...call('3', 'write_file', 'session plan', 'written'),
        said('The plan is complete.'),
        ...ended,
      );
      await stage.see(review);
      return stage.shows(/Ready for your review/u);
    },
  },
  {
    name: 'not-ready',
    caption: 'A part of the session plan is missing: it is named, with its line.',
    setup: { view: inTurn(of('preInit')), label: null },
    async play(stage) {
      await stage.publish(...asked, said('I wrote the plan.'), ...ended);
      await stage.see(incomplete);
      return stage.shows(/Not ready to approve yet/u);
    },
  },
  {
    name: 'building',
    caption:
      'Approved: the agent builds the checklist; here it waits for an answer that is asked on Telegram.',
    setup: { view: of('seeding'), label: null },
    play: still(/Building checklist/u),
  },
  {
    name: 'not-built',
    caption: 'The seed turn has ended without a task.',
    setup: { view: of('seedFailedEmpty'), label: null },
    play: still(/not built/u),
  },
  {
    name: 'not-started',
    caption: 'The checklist is there, but the seed turn has ended before its first task was started.',
    setup: { view: of('seedFailedPartial'), label: null },
    play: still(/not started/u),
  },
  {
    name: 'checklist',
    caption: 'The checklist is worked; the running task is in the middle, with its goal.',
    setup: { view: inTurn(of('checklist')), label: null },
    async play(stage) {
      await stage.publish(...call('4', 'plan', 'start 5', 'Task 5 of 9 is started.'), {
        type: 'tool.started',
        turn,
        call: '5',
        name: 'read_file',
        summary: 'src/header.ts',
      });
      return stage.shows(/read_file src/u);
    },
  },
  {
    name: 'question',
    caption: 'A tool wants to change a file: the question shows the difference.',
    setup: { view: inTurn(of('checklist')), label: null },
    async play(stage) {
      await stage.ask(approval);
      return stage.shows(/Allow\?/u);
    },
  },
  {
    name: 'waiting',
    caption: 'Messages that wait for the end of the turn.',
    setup: {
      view: {
        ...inTurn(of('checklist')),
        queue: [
          { id: 'a', kind: 'chat', text: 'Then look at the footer as well', ...here, state: 'waiting' },
          { id: 'b', kind: 'chat', text: 'And mind the print style', ...here, state: 'not sent' },
        ],
      },
      label: null,
    },
    play: still(/waits/u),
  },
  {
    name: 'completion',
    caption: 'Tab after `@` finds files of the whole tree.',
    setup: {
      files: ['src/theme.ts', 'src/ui/theme-switch.tsx', 'test/theme.test.ts', 'docs/themes.md'],
      label: null,
    },
    async play(stage) {
      await stage.shows(/^› /mu);
      return stage.press('Look at @them\t', /theme-switch/u);
    },
  },
  {
    name: 'unreadable',
    caption: 'A plan file cannot be read: its path and the cause.',
    setup: { view: of('unreadable'), label: null },
    play: still(/cannot be read/u),
  },
];

const overlays: readonly Scene[] = [
  {
    name: 'plan',
    caption: 'The plan in full, with the keys that apply now.',
    setup: { view: review, label: null },
    play: reading(still(/a approve/u)),
  },
  {
    name: 'plan-small',
    caption: 'The same on the smallest terminal, 40×12.',
    setup: { view: review, label: null },
    size: { cols: 40, rows: 12 },
    play: reading(still(/a approve/u)),
  },
  {
    name: 'plan-incomplete',
    caption: 'A plan that is not complete: the line is marked, Approve is off and says why.',
    setup: { view: incomplete, label: null },
    play: reading((stage) => stage.press('a', /Approve is off/u)),
  },
  {
    name: 'plan-changes',
    caption: 'What changed since the text that you saw before.',
    setup: { view: review, label: null },
    play: reading(async (stage) => {
      await stage.see(changed);
      await stage.press('u', /newest text/u);
      return stage.press('c', /^\+ 3\. Remove/mu);
    }),
  },
  {
    name: 'plan-note',
    caption: 'Ask for changes: the note becomes the next turn, the plan stays in view.',
    setup: { view: review, label: null },
    play: reading(async (stage) => {
      await stage.press('r', /Esc/u);
      stage.type('Keep the switch out of the header on a phone');
      return stage.shows(/on a phone/u);
    }),
  },
  {
    name: 'plan-stale',
    caption: 'The text has changed while you read: Approve is off until you have loaded the new one.',
    setup: { view: review, label: null },
    play: reading(async (stage) => {
      await stage.see(changed);
      return stage.shows(/u load/u);
    }),
  },
  {
    name: 'plan-discard',
    caption: 'Discard asks once.',
    setup: { view: review, label: null },
    play: reading((stage) => stage.press('d', /Discard the session plan\?/u)),
  },
  {
    name: 'plan-checklist',
    caption: 'The checklist in full.',
    setup: { view: of('checklist'), label: null },
    play: reading(still(/Task number 9/u)),
  },
];

const sessions: Scene = {
  name: 'sessions',
  caption: 'The sessions to go to, the last used first.',
  setup: {
    label: null,
    sessions: [
      {
        id: '11111111-2222-4333-8444-555555555555',
        name: 'Dark mode',
        cwd: '/home/ada/project',
        state: 'Editing: ready for review',
        used: '2020-01-02T12:00:00Z',
      },
      {
        id: '21111111-2222-4333-8444-555555555555',
        name: null,
        cwd: '/home/ada/notes',
        state: 'No plan',
        used: '2020-01-01T12:00:00Z',
      },
    ],
  },
  async play(stage) {
    await stage.shows(/^› /mu);
    return stage.press('/sessions\r', /notes/u);
  },
};

export const scenes: readonly Scene[] = [...inline, sessions, ...overlays];
