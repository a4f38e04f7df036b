import type { Said } from '../../machines/index.ts';
import { type Fault } from '../support/bot-api/faults.ts';
import type { Shown } from '../support/bot-api/people.ts';
import type { Move, World } from '../support/explore.ts';
import { sessionId } from '../support/samples.ts';
import { isModels, type Round, roundsOf } from './calls.ts';
import { type Held, resultIn } from './desk.ts';
import { archivedBy } from './facts.ts';
import { Files } from './session-files.ts';
import type { Step, Surface, Walk } from './surface.ts';
import { ChatBot, people, until } from './telegram-bot.ts';
import { Hands, type Told } from './telegram-hands.ts';
import { lacksIn, type Room } from './telegram-lacks.ts';
import { answerFaults, chatFaults, showsState } from './telegram-seen.ts';
import { resultFault } from './told.ts';
import { nextByItself, viewOf } from './views.ts';

/** What is made difficult on purpose before each step; `null`: nothing. */
export type Trouble =
  | ((step: number) => { faults: readonly (readonly [string, Fault])[]; restart: 'yes' | 'no' })
  | null;

/** The bot in one chat: people write and press, its model is at a desk of the test, an editor is on the disk. */
export function telegramIn(room: Room, trouble: Trouble = null): Surface {
  return {
    name: 'telegram',
    lacks: lacksIn(room),
    open: async () => new ChatWalk(await ChatBot.open(room), trouble),
  };
}

/** A group, in which two more people may write. */
export const telegramSurface: Surface = telegramIn('group');

/** How long what was done may take to be seen, in ms. */
const seenMs = 15_000;

class ChatWalk implements Walk {
  private readonly bot: ChatBot;
  private readonly trouble: Trouble;
  private readonly files: Files;
  private readonly hands: Hands;
  private held: Held | null = null;
  private told: Told | null = null;
  private mark = 0;
  private since = 0;
  private archived = 0;
  private index = 0;
  private allowed = 0;
  private faults: string[] = [];

  constructor(bot: ChatBot, trouble: Trouble) {
    this.bot = bot;
    this.trouble = trouble;
    this.files = new Files(bot.root, sessionId);
    this.hands = new Hands(bot, this.files.document);
  }

  async perform(step: Step): Promise<void> {
    await this.disturb(step);
    this.faults = [];
    this.told = null;
    this.mark = this.bot.asked.length;
    this.since = this.bot.shown().at(-1)?.id ?? 0;
    await this.make(step);
    await this.settle(step);
  }

  async differences(step: Step): Promise<string[]> {
    this.archived += archivedBy(step);
    // The program has gone on by now; the next step says what it did.
    if (nextByItself(step.after) !== null) return this.faults;
    let found: string[] = [];
    const look = (): boolean => {
      found = this.look(step);
      return found.length === 0;
    };
    await until(look, () => '', seenMs).catch(() => null);
    const all = [...this.faults, ...found];
    return all.length === 0 ? [] : [...all, this.bot.told('the chat:')];
  }

  async close(): Promise<void> {
    await this.bot.close();
  }

  private look(step: Step): string[] {
    const { after } = step;
    const real = (text: string): string => this.files.real(text, after.stored);
    return [
      ...this.files.faults(after.stored, this.archived).filter(isMeant),
      ...chatFaults(this.messages(), step, viewOf(after), real),
      ...this.heard(step),
    ];
  }

  /** Telegram may lose what somebody is told, and not what they say. */
  private heard(step: Step): string[] {
    const { told, since } = this;
    if (told === null) return [];
    const asked = this.bot.asked.slice(this.mark);
    return answerFaults(this.bot, step, {
      told,
      asked,
      since,
      words: this.trouble === null ? 'heard' : 'may be lost',
    });
  }

  /** What Telegram took without the bot hearing of it is never sent again, nor changed (D34). */
  private messages(): Shown[] {
    const all = this.bot.shown();
    return this.trouble === null
      ? all
      : all.filter((message) => !showsState(message) || this.bot.knows(message.id));
  }

  private async disturb({ before, move }: Step): Promise<void> {
    const trouble = this.trouble?.(this.index);
    this.index += 1;
    if (trouble === undefined) return;
    const { lease, queue } = before.snapshot.context.record;
    if (trouble.restart === 'yes' && lease === null && queue.length === 0 && this.index > 1) {
      await this.bot.stop();
      await this.bot.start();
    }
    // A question of which the bot does not know that it is there can't be answered; a person would ask for it again.
    const asks = move.type === 'user.revise' || move.type === 'user.policy';
    for (const [method, fault] of trouble.faults)
      if (!asks || method !== 'sendMessage') this.bot.api.fault(method, fault);
  }

  private async make(step: Step): Promise<void> {
    const { move, before } = step;
    if (!('said' in move)) return this.outside(step, move);
    if (nextByItself(before) !== null) return;
    const { said } = move;
    if (isModels(said)) {
      if (said.type === 'turn.end' && isCancelled(before)) return this.bot.model.letGo();
      const { document } = this.files;
      const rounds = roundsOf(before, said, { document, folder: this.bot.project, session: sessionId });
      return this.rounds(step, rounds);
    }
    if ('by' in said) this.told = await this.hands.do(step, said);
  }

  private async outside({ before, after }: Step, move: Exclude<Move, { said: Said }>): Promise<void> {
    if (move.name === 'disk: the process dies') return this.bot.crash();
    this.files.change(move);
    if (!after.taken.some(({ event }) => event.type === 'file.lost')) return;
    // Its absence has to be seen, and then to last.
    for (let tries = 0; tries < 4; tries += 1) {
      const back = (): boolean => this.files.read().document.kind === 'text';
      if (
        await until(back, () => '', 600).then(
          () => true,
          () => false,
        )
      )
        return;
      this.bot.jump(isCancelled(before) ? 2_100 : 2_500);
    }
  }

  private async rounds(step: Step, rounds: readonly Round[]): Promise<void> {
    const { after, move } = step;
    for (const [index, { before, ...answer }] of rounds.entries()) {
      before?.();
      if (this.held === null) throw new Error(this.bot.told('the model was not asked'));
      this.held.answer(answer);
      this.held = null;
      const isLast = index === rounds.length - 1;
      if (isLast && (nextByItself(after) !== null || after.snapshot.context.record.lease === null)) return;
      this.held = await this.askedAfterYes();
      // A sub-agent hears it before it reports.
      const hears = 'said' in move && 'child' in move.said && move.said.child ? index === 1 : isLast;
      const result = resultIn(this.held.request);
      const fault = hears ? resultFault(step, result, (text) => this.files.real(text, after.stored)) : null;
      if (fault !== null) this.faults.push(fault);
    }
  }

  /** Says Yes where the program asks, until the model is asked again. */
  private async askedAfterYes(): Promise<Held> {
    const { bot } = this;
    const pressed = new Set<number>();
    const ready = (): boolean => {
      const prompt = bot
        .shown()
        .find(({ id, buttons }) => buttons.flat().includes('Allow once') && !pressed.has(id));
      if (prompt !== undefined) {
        pressed.add(prompt.id);
        bot.api.press(
          bot.chat,
          this.allowed === 0 ? 'Allow once' : 'Allow for this session',
          people.owner,
          prompt.id,
        );
        this.allowed += 1;
      }
      return bot.desk.waiting > 0;
    };
    await until(ready, () => bot.told('the model is not asked'));
    return bot.desk.held();
  }

  /** A turn that runs now waits for its model. */
  private async settle({ before, after }: Step): Promise<void> {
    const { lease } = after.snapshot.context.record;
    if (lease === null) this.held = null;
    if (lease === null || isCancelled(after) || nextByItself(after) !== null) return;
    const same = before.snapshot.context.record.lease?.turn === lease.turn;
    if (!same || this.held === null) this.held = await this.askedAfterYes();
  }
}

/** What a press says of itself is not in the model's command. */
const isMeant = (fault: string): boolean => !/^record, queue, \d+, (?:button|seen)/u.test(fault);

const isCancelled = ({ snapshot }: World): boolean =>
  (snapshot.context.record.lease?.cancel ?? null) !== null;
