import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Said } from '../../machines/index.ts';
import { createWorld, type World as Folders } from '../cli/planchart.ts';
import type { Move, World } from '../support/explore.ts';
import { isModels, type Place, type Round, roundsOf } from './calls.ts';
import { type Desk, openDesk, resultIn } from './desk.ts';
import { archivedBy } from './facts.ts';
import { heldCommand } from './held-command.ts';
import { Files } from './session-files.ts';
import type { Step, Surface, Walk } from './surface.ts';
import { resultFault } from './told.ts';
import { Hands } from './tui-hands.ts';
import { tuiLacks } from './tui-lacks.ts';
import { inputIn, Program } from './tui-program.ts';
import { screenFaults, timesIn } from './tui-screen.ts';
import { answerText, backInInput, cardText, noticesOf } from './tui-words.ts';
import { until } from './until.ts';
import { nextByItself, viewOf } from './views.ts';

/** The program in a pseudo-terminal, its model at a desk of the test, and an editor on the disk. */
export const tuiSurface: Surface = { name: 'tui', lacks: tuiLacks, open: openTui };

/** A command of the person's own, whose text has the words of a plan in it (D25). */
const command = '---\nname: make\ndescription: Makes what is said\n---\nMake $ARGUMENTS.\n';

async function openTui(): Promise<Walk> {
  const folders = createWorld();
  const commands = join(folders.home, '.opencrabs/planchart/commands');
  mkdirSync(commands, { recursive: true });
  writeFileSync(join(commands, 'make.md'), command);
  const desk = await openDesk();
  const program = new Program(folders, desk.baseUrl, toolsIn(folders));
  try {
    await program.start(null);
    return new TuiWalk(folders, desk, program);
  } catch (error) {
    await program.end();
    await desk.close();
    folders.end();
    throw error;
  }
}

/** How long what was done may take to be seen: a `.md` that stayed away for 2 s is written back (D10). */
const seenMs = 5000;

class TuiWalk implements Walk {
  private readonly folders: Folders;
  private readonly desk: Desk;
  private readonly program: Program;
  private readonly files: Files;
  private readonly place: Place;
  private readonly hands: Hands;
  private archived = 0;
  /** The agent's question is open. */
  private asking = false;
  /** What was seen to be wrong on the way. */
  private faults: string[] = [];
  /** How often the words of this step stood on the screen before it. */
  private before = new Map<string, number>();
  private words: readonly string[] = [];
  /** Hash of the text whose card was printed, or that was there when the program started. */
  private announced: string | null = null;

  constructor(folders: Folders, desk: Desk, program: Program) {
    this.folders = folders;
    this.desk = desk;
    this.program = program;
    const session = program.session();
    this.files = new Files(folders.home, session);
    this.hands = new Hands(program, this.files, () => this.restart());
    this.place = { document: this.files.document, folder: folders.project, session };
  }

  async perform(step: Step): Promise<void> {
    this.faults = [];
    this.hands.faults = [];
    const history = this.program.terminal.history();
    this.words = this.wordsOf(step);
    this.before = new Map(this.words.map((text) => [text, timesIn(history, text)]));
    if (this.asking) await this.answer();
    if (isCancelled(step.after) && !isCancelled(step.before)) await this.files.hold();
    await this.make(step);
    await this.settle(step);
  }

  async differences(step: Step): Promise<string[]> {
    const { after } = step;
    this.archived += archivedBy(step);
    // The program has gone on by now; the next step says what it did.
    if (nextByItself(after) !== null) return this.seen();
    const view = viewOf(after);
    const look = (): string[] => [
      ...this.files.faults(after.stored, this.archived),
      ...screenFaults(this.program.terminal.screen(), view, this.asking ? 'a question' : 'the input'),
      ...this.wordFaults(),
      ...this.inputFaults(step),
    ];
    const found = await lasting(look);
    const all = [...this.seen(), ...found];
    return all.length === 0 ? [] : [...all, this.program.told('afterwards')];
  }

  private seen(): string[] {
    return [...this.faults, ...this.hands.faults];
  }

  async close(): Promise<void> {
    await this.program.end();
    this.files.letGo();
    await this.desk.close();
    this.folders.end();
  }

  /** What a step has to print into the transcript. */
  private wordsOf(step: Step): string[] {
    const answer = isToldInPlan(step) ? null : answerText(step);
    const texts = [...(answer === null ? [] : [answer]), ...noticesOf(step.after), ...this.cardOf(step)];
    return [...new Set(texts.map((text) => this.files.real(text, step.after.stored)))];
  }

  /** The card of a text that waits for review, once for each text, when a turn has ended (D45, D50). */
  private cardOf({ before, move, after }: Step): string[] {
    const hash = after.snapshot.context.document?.hash ?? null;
    if (!('said' in move) || move.said.type !== 'turn.end') return [];
    const card = cardText(before, after);
    const isNew = hash !== this.announced;
    this.announced = hash;
    return card === null || !isNew ? [] : [card];
  }

  private wordFaults(): string[] {
    const history = this.program.terminal.history();
    // A program that starts anew prints on an empty screen.
    return this.words
      .filter((text) => timesIn(history, text) <= (this.before.get(text) ?? 0))
      .map((text) => `it was not said: ${JSON.stringify(text)}`);
  }

  /** What was not taken is in the input again (D26). */
  private inputFaults(step: Step): string[] {
    const input = inputIn(this.program.terminal.screen()) ?? '';
    const missing = backInInput(step).filter((line) => !`\n${input}\n`.includes(`\n${line}\n`));
    return missing.map(
      (line) => `the input does not hold ${JSON.stringify(line)} but ${JSON.stringify(input)}`,
    );
  }

  /** The model answers nothing before it is asked; a turn that runs now waits for it. */
  private async settle({ after }: Step): Promise<void> {
    const { lease } = after.snapshot.context.record;
    if (lease === null || isCancelled(after) || nextByItself(after) !== null) return;
    if (this.asking) return;
    if (!this.desk.open) await this.desk.asked();
  }

  private async make(step: Step): Promise<void> {
    const { move } = step;
    if (!('said' in move)) return this.outside(step, move);
    if (nextByItself(step.before) !== null) return;
    const { said } = move;
    if (said.type === 'turn.end' && isCancelled(step.before)) return this.files.letGo();
    if (isModels(said)) return this.rounds(step, roundsOf(step.before, said, this.place));
    if (said.type === 'turn.note' && said.shell === 'begins') return this.command(step, 'nothing is changed');
    // The one that ran has ended before this step.
    if (said.type === 'turn.note' && said.shell === 'ended') return;
    if (said.type === 'turn.note') return this.ask();
    return this.hands.say(step, said);
  }

  private async outside(step: Step, move: Exclude<Move, { said: Said }>): Promise<void> {
    if (move.type === 'command') return this.command(step, move.name.replace('a command: ', ''));
    if (move.name !== 'disk: the process dies') return this.files.change(move);
    await this.restart();
  }

  private async restart(): Promise<void> {
    await this.program.end();
    this.files.letGo();
    await this.program.start(this.place.session);
    this.before.clear();
    this.hands.forget();
    const { document } = this.files.read();
    this.announced = document.kind === 'text' ? document.hash : null;
  }

  private async rounds(step: Step, rounds: readonly Round[]): Promise<void> {
    const { after, move } = step;
    for (const [index, { before, ...answer }] of rounds.entries()) {
      before?.();
      this.desk.answer(answer);
      const isLast = index === rounds.length - 1;
      if (isLast && (nextByItself(after) !== null || after.snapshot.context.record.lease === null)) return;
      const request = await this.askedAfterYes();
      // A sub-agent hears it before it reports.
      const hears = 'said' in move && 'child' in move.said && move.said.child ? index === 1 : isLast;
      const fault = hears
        ? resultFault(step, resultIn(request), (text) => this.files.real(text, after.stored))
        : null;
      if (fault !== null) this.faults.push(fault);
    }
  }

  private async askedAfterYes() {
    await this.allowUntil(() => this.desk.waiting > 0);
    return this.desk.asked();
  }

  /** Says Yes where the program asks. */
  private async allowUntil(holds: () => boolean): Promise<void> {
    const { program } = this;
    const allows = (): boolean => /^Allow\? /mu.test(program.terminal.screen().join('\n'));
    const told = (): string => program.told('nothing comes of the call');
    await until(() => (holds() || allows() ? true : null), told);
    if (!holds()) await program.press('s', () => !allows() || holds());
    await until(() => (holds() ? true : null), told);
  }

  /**
   * A command with nothing around it, which does this to the plan files: nobody believes it while it runs, and it is
   * undone by whoever comes first, at the latest when it has ended.
   */
  private async command(step: Step, what: string): Promise<void> {
    const name = join(this.folders.folder, `command-${randomUUID()}`);
    const { sidecar, document } = this.files;
    mkdirSync(dirname(document), { recursive: true });
    const change = commands(sidecar, document)[what];
    if (change === undefined) throw new Error(`no command does this: ${what}`);
    const command = heldCommand(change, name);
    this.desk.answer({ calls: [{ name: 'bash', args: { command } }] });
    try {
      await this.allowUntil(() => existsSync(name));
      const view = viewOf(step.after);
      this.faults.push(
        ...(await lasting(() => screenFaults(this.program.terminal.screen(), view, 'the input'))),
      );
    } finally {
      // Where it fails before the command began, `close` removes the folder and so ends it.
      rmSync(name, { force: true });
    }
    await this.desk.asked();
  }

  private async ask(): Promise<void> {
    const args = { question: 'Which one?' };
    this.desk.answer({ calls: [{ name: 'follow_up_question', args }] });
    await this.program.terminal.waitFor(/^\? Which one\?/mu);
    this.asking = true;
  }

  private async answer(): Promise<void> {
    this.asking = false;
    const { terminal } = this.program;
    terminal.type('this one');
    await terminal.waitFor(/^\u203a this one$/mu);
    await this.program.press('\r', () => this.desk.waiting > 0);
    await this.desk.asked();
  }
}

/** What is still wrong after the time that it may take to be seen. */
async function lasting(look: () => string[]): Promise<string[]> {
  let found = look();
  const isRight = (): true | null => {
    found = look();
    return found.length === 0 ? true : null;
  };
  await until(isRight, () => '', seenMs).catch(() => null);
  return found;
}

/** Shell lines by what they do to the plan files. */
const commands = (sidecar: string, document: string): Readonly<Record<string, string>> => ({
  'nothing is changed': ':',
  'the .md becomes another text': `printf '# Forged\\n' > '${document}'`,
  'the .md is deleted': `rm -f '${document}'`,
  'the sidecar is torn': `printf '{' > '${sidecar}'`,
  'the sidecar is deleted': `rm -f '${sidecar}'`,
  'both are deleted': `rm -f '${sidecar}' '${document}'`,
});

/** A folder with what commands need and no sandbox in it, so that commands could write the plan files (D22). */
function toolsIn({ folder }: Folders): string {
  const path = join(folder, 'bin');
  mkdirSync(path);
  const places = (process.env['PATH'] ?? '').split(':').map((place) => resolve(place));
  for (const name of ['bash', 'sh', 'sleep', 'rm']) {
    const found = places.map((place) => join(place, name)).find((one) => existsSync(one));
    if (found !== undefined) symlinkSync(found, join(path, name));
  }
  return path;
}

const isCancelled = ({ snapshot }: World): boolean =>
  (snapshot.context.record.lease?.cancel ?? null) !== null;

/** What the plan's own screen answers stays there: a refusal, and that a text is back. */
function isToldInPlan({ move, after }: Step): boolean {
  if (!('said' in move)) return false;
  const { type } = move.said;
  return (
    type === 'user.restore' || (type === 'user.approveText' && after.taken.at(-1)?.answer.kind === 'refused')
  );
}
