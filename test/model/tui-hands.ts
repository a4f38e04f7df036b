import { appendFileSync, readFileSync } from 'node:fs';
import type { Said } from '../../machines/index.ts';
import { hashOf, texts } from '../support/samples.ts';
import { saveAs } from './calls.ts';
import type { Step } from './surface.ts';
import type { Files } from './session-files.ts';
import type { Program } from './tui-program.ts';
import { planScreenFaults, timesIn } from './tui-screen.ts';
import { answerText, lineOf } from './tui-words.ts';
import { until } from './until.ts';
import { asksWhatWasShown, viewOf } from './views.ts';

/** What a person at the terminal does, by keys. */
export class Hands {
  /** What was seen to be wrong on the way. */
  faults: string[] = [];
  private readonly program: Program;
  private readonly files: Files;
  private readonly restarted: () => Promise<void>;
  /** Hash of the text that this terminal has shown last. */
  private shown: string | null = null;
  /** Of steps: where there are several ways to do a thing, each gets its turn. */
  private count = 0;

  /** `restart`: starts the program anew. */
  constructor(program: Program, files: Files, restart: () => Promise<void>) {
    this.program = program;
    this.files = files;
    this.restarted = restart;
  }

  /** A program that has started anew has shown nothing yet. */
  forget(): void {
    this.shown = null;
  }

  /** Says it as a person at this terminal does; what is told there is looked at. */
  async say(step: Step, said: Said): Promise<void> {
    const { program } = this;
    this.count += 1;
    switch (said.type) {
      case 'user.show':
        return this.show(step);
      case 'user.execute':
        return this.execute(step, said.shown);
      case 'user.approveText':
        return this.inPlan(step, 'a');
      case 'user.restore':
        return this.inPlan(step, 't');
      case 'user.revise':
        return this.revise(step, said.note);
      case 'user.discard':
        return this.discard(step);
      case 'user.stop':
        return this.stop(step);
      case 'queue.send':
        await program.empty();
        return program.terminal.type('\u0013');
      case 'queue.drop':
        return this.takeBack(step, said.item);
      case 'user.compact':
        if (step.before.snapshot.context.record.lease === null)
          appendFileSync(this.files.transcript, talk(this.count));
        return program.say('/compact');
      default:
        return program.say(lineOf(said));
    }
  }

  private async show(step: Step): Promise<void> {
    if (step.after.taken.at(-1)?.answer.kind !== 'view') return this.program.say('/show-plan');
    await this.open(step);
    await this.program.closePlan();
  }

  /** Opens the plan, looks whether its screen is right, and leaves it open. */
  private async open({ before }: Step): Promise<void> {
    await this.program.openPlan();
    const view = viewOf(before);
    let faults: string[] = [];
    await until(
      () => {
        faults = planScreenFaults(this.program.terminal.screen(), view);
        return faults.length === 0 ? true : null;
      },
      () => '',
      1500,
    ).catch(() => this.faults.push(...faults, this.program.told('the plan')));
    this.shown = view.document?.hash ?? this.shown;
  }

  private async execute(step: Step, shown: string | null): Promise<void> {
    const { program } = this;
    const answer = step.after.taken.at(-1)?.answer;
    const code = answer !== undefined && 'code' in answer ? answer.code : null;
    if (asksWhatWasShown(step.before) && code !== 'TEMPLATE_INVALID') await this.haveSeen(step, shown);
    if (program.isPlanOpen) {
      if (code === null && this.count % 2 === 0) return program.press('a', () => !program.isPlanOpen);
      await program.closePlan();
    }
    await program.say('/execute');
    if (code !== 'TEXT_CHANGED') return;
    await program.planIsOpen();
    this.shown = step.before.snapshot.context.document?.hash ?? null;
    await program.closePlan();
  }

  /** What the person has read is nothing, another text that an editor has put back since, or the text of now. */
  private async haveSeen(step: Step, shown: string | null): Promise<void> {
    const { document } = step.before.snapshot.context;
    if (shown === null && this.shown !== null) return this.restarted();
    if (shown === null || document === null) return;
    if (shown === document.hash) return this.open(step);
    const other = document.text === texts.changed ? texts.valid : texts.changed;
    const firstStep = (text: string): string => /^1\. .*$/mu.exec(text)?.[0] ?? '';
    saveAs(this.files.document, other);
    await until(
      () => (this.mirrored() === other ? true : null),
      () => 'the edit was not seen',
    );
    await this.program.openPlan();
    await this.program.terminal.waitFor((rows) => timesIn(rows, firstStep(other)) > 0);
    await this.program.closePlan();
    saveAs(this.files.document, document.text);
    await until(
      () => (this.mirrored() === document.text ? true : null),
      () => 'the edit back was not seen',
    );
    this.shown = hashOf(other);
  }

  private mirrored(): unknown {
    return (JSON.parse(readFileSync(this.files.sidecar, 'utf8')) as Record<string, unknown>)['description'];
  }

  /** A key on the plan's own screen; what is refused is said there, and what is restored. */
  private async inPlan(step: Step, key: string): Promise<void> {
    const { program } = this;
    await this.open(step);
    const text = answerText(step);
    const stays = key === 't' || step.after.taken.at(-1)?.answer.kind === 'refused';
    if (!stays) return program.press(key, () => !program.isPlanOpen);
    const real = this.files.real(text ?? '', step.after.stored);
    await program.press(key, () => timesIn(program.terminal.screen(), real.slice(0, 40)) > 0);
    await program.closePlan();
  }

  private async revise(step: Step, note: string): Promise<void> {
    const { program } = this;
    await this.open(step);
    await program.press('r', () => /What should change\?/u.test(program.terminal.screen().join('\n')));
    program.terminal.type(note);
    await program.terminal.waitFor((rows) => rows.some((row) => row === `\u203a ${note}`));
    await program.press('\r', () => !program.isPlanOpen);
  }

  private async discard(step: Step): Promise<void> {
    const { program } = this;
    const { phase, document, tasks, decisions } = viewOf(step.before);
    const readable = phase !== 'preInit' && (document !== null || tasks.length > 0);
    if (!readable || !decisions.discard || this.count % 2 === 0) return program.say('/discard');
    await this.open(step);
    const asks = (): boolean => /Discard the [a-z ]+\? d discard/u.test(program.terminal.screen().join('\n'));
    await program.press('d', asks);
    await program.press('d', () => !program.isPlanOpen);
  }

  private async stop(step: Step): Promise<void> {
    const { program } = this;
    const runs = step.before.snapshot.context.record.lease !== null;
    if (!runs || this.count % 3 === 0) return program.say('/stop');
    if (this.count % 3 === 1) return program.key('ctrlC');
    program.key('escape');
    await program.terminal.waitFor(/Press Esc again to stop the turn/u);
    program.key('escape');
  }

  private async takeBack({ before }: Step, item: string): Promise<void> {
    const { program } = this;
    await program.empty();
    const { queue } = viewOf(before);
    const unsent = queue.find(({ id }) => id === item)?.state === 'not sent';
    if (unsent) program.terminal.type('\u0018');
    else program.key('up');
    const text = queue.find(({ id }) => id === item)?.text ?? '';
    const isBack = (row: string): boolean =>
      [text, `/${text}`].some((one) => row.startsWith(`\u203a ${one}`));
    await program.terminal.waitFor((rows) => rows.some(isBack));
    await program.empty();
  }
}

/** Lines of a transcript that there is something to sum up of. */
function talk(count: number): string {
  const at = '2026-03-01T12:00:00.000Z';
  const turn = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
  const said = (text: string, answer: string): object[] => [
    { v: 1, at, type: 'user', turn, text, from: 'person', kind: 'chat' },
    { v: 1, at, type: 'assistant', turn, text: answer, calls: [] },
    { v: 1, at, type: 'turn.ended', turn, outcome: 'done' },
  ];
  const lines = [...said('Tell me more.', 'More. '.repeat(700)), ...said('Thanks.', 'Gladly.')];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
