import { callbackOf, encodeCallback, type PlanButton, type Said } from '../../machines/index.ts';
import type { World } from '../support/explore.ts';
import { stale } from '../../adapters/telegram/words.ts';
import { texts } from '../support/samples.ts';
import { saveAs } from './calls.ts';
import type { Step } from './surface.ts';
import { type ChatBot, people, until } from './telegram-bot.ts';
import { isPlanSaid, keyboardAt, type PlanSaid } from './telegram-lacks.ts';
import { hasPlanRow } from './telegram-seen.ts';
import { asksWhatWasShown } from './views.ts';

/** Where the answer to something is looked for. */
export type Told = { kind: 'reply'; to: number } | { kind: 'press'; query: string };

type ByPerson = Extract<Said, { by: object }>;

type Press = (button: PlanButton) => Promise<Told>;

const buttonOf: Readonly<Record<PlanSaid['type'], PlanButton>> = {
  'user.execute': 'approve',
  'user.approveText': 'approveText',
  'user.restore': 'restore',
  'user.revise': 'revise',
  'user.discard': 'confirm',
  'user.continue': 'continue',
};

const typed: Partial<Record<Said['type'], string>> = {
  'user.show': '/show_plan',
  'user.execute': '/execute',
  'user.discard': '/discard',
  'user.continue': '/continue',
  'user.stop': '/stop',
  'user.switch': '/new',
};

/** Thumbs on phones: what each person of the chat writes and presses. */
export class Hands {
  private readonly bot: ChatBot;
  private readonly document: string;

  constructor(bot: ChatBot, document: string) {
    this.bot = bot;
    this.document = document;
  }

  async do(step: Step, said: ByPerson): Promise<Told> {
    const from = personOf(said);
    if (isPlanSaid(said) && isPressed(said)) return this.decide(step.before, said, from);
    if (said.type === 'user.execute' && hasOtherText(step.before, said))
      return this.executeUnread(step.before);
    if (said.type === 'user.policy' && said.yolo && said.by.owner) return this.yolo();
    return this.say(wordsOf(said), from);
  }

  private say(text: string, from: number, replyTo?: number): Told {
    const { bot } = this;
    const words = bot.room === 'group' && !text.startsWith('/') && replyTo === undefined;
    const options = replyTo === undefined ? {} : { replyTo };
    const to = bot.api.say(bot.chat, from, words ? `@planchart_bot ${text}` : text, options);
    return { kind: 'reply', to };
  }

  private press(data: string, from: number, message: number): Told {
    return { kind: 'press', query: this.bot.api.press(this.bot.chat, data, from, message) };
  }

  private async decide(at: World, said: PlanSaid, from: number): Promise<Told> {
    const press = async (button: PlanButton): Promise<Told> =>
      this.press(this.dataOf(at, said, button), from, await this.target(said));
    const fresh = said.by.owner && said.button?.owns !== false;
    if (said.type === 'user.discard' && fresh) {
      await this.answered(await press('discard'));
    }
    if (!fresh) return press(buttonOf[said.type]);
    if (said.type !== 'user.revise') return this.pressed(said, press);
    return this.askForChanges(press, said.note, from);
  }

  /** Buttons can move to a newer message under a finger; a person then presses there. */
  private async pressed(said: PlanSaid, press: Press): Promise<Told> {
    const { bot } = this;
    const on = await this.target(said);
    const told = await press(buttonOf[said.type]);
    await this.answered(told);
    const isTold = bot.api.queries.some(
      ({ id, text }) => told.kind === 'press' && id === told.query && text?.startsWith(stale),
    );
    const moved = bot.shown().findLast(hasPlanRow)?.id !== on;
    return isTold && moved ? press(buttonOf[said.type]) : told;
  }

  /** A question that Telegram lost is asked for again. */
  private async askForChanges(press: Press, note: string, from: number): Promise<Told> {
    const asked = (): number[] =>
      this.bot.shown().flatMap(({ id, forceReply }) => (forceReply === 'yes' ? [id] : []));
    const before = asked().length;
    for (let tries = 0; tries < 4 && asked().length === before; tries += 1) {
      await this.answered(await press('revise'));
      await until(
        () => asked().length > before,
        () => 'no question',
        2_000,
      ).catch(() => null);
    }
    const question = asked().at(-1);
    if (question === undefined) throw new Error(this.bot.told('nobody asks what should change'));
    return this.say(note, from, question);
  }

  private dataOf(at: World, said: PlanSaid, button: PlanButton): string {
    const { plan, document } = at.snapshot.context;
    const given = said.button;
    const keyboard = keyboardAt(at);
    const own = given === undefined || given.plan === plan?.id;
    const drawn = keyboard?.hash ?? document?.hash ?? null;
    const shown = given === undefined && said.type === 'user.approveText' ? said.shown : drawn;
    const hash = given?.hash === undefined ? shown : given.hash;
    return encodeCallback(callbackOf[button], {
      plan: own ? (this.bot.view()?.plan ?? 'none') : given.plan,
      phase: given?.phase ?? keyboard?.phase ?? 'editing',
      hash,
    });
  }

  /** The message that carries the buttons, or another one of the bot that does not. */
  private async target({ by, button }: PlanSaid): Promise<number> {
    const { bot } = this;
    if (by.owner && button?.owns !== false) {
      // Between one message and the next there are no buttons for a moment.
      const main = (): number | undefined => bot.shown().findLast(hasPlanRow)?.id;
      await until(
        () => main() !== undefined,
        () => bot.told('no message has buttons of a plan'),
      );
      return main() ?? 0;
    }
    const other = (): number | undefined => bot.shown().find((message) => !hasPlanRow(message))?.id;
    if (other() === undefined) this.say('/help', people.owner);
    await until(
      () => other() !== undefined,
      () => bot.told('no message to press on'),
    );
    return other() ?? 0;
  }

  async answered(told: Told): Promise<void> {
    if (told.kind === 'reply') return;
    const { api } = this.bot;
    // Telegram may have lost the answer to the press, so it is not waited for long.
    const open = (): boolean => api.queries.find(({ id }) => id === told.query)?.state === 'open';
    await until(
      () => !open(),
      () => 'no answer',
      3_000,
    ).catch(() => null);
  }

  /** The text is another one than the chat shows, since Telegram is slow to take it (D45). */
  private async executeUnread(at: World): Promise<Told> {
    const { bot } = this;
    const text = at.snapshot.context.document?.text ?? '';
    const [other, title] =
      text === texts.valid ? [texts.changed, 'Split both keys'] : [texts.valid, 'Split the key'];
    saveAs(this.document, other);
    const isShown = (): boolean =>
      bot
        .shown()
        .some((one) => one.text.includes(`📋 ${title}`) && one.buttons.flat().includes('✅ Approve'));
    await until(isShown, () => bot.told(`${title} is not shown`));
    for (const method of ['sendMessage', 'editMessageText'])
      bot.api.fault(method, { kind: 'flood', retryAfter: 29 }, { times: 3 });
    saveAs(this.document, text);
    const mark = bot.asked.length;
    const told = this.say('/execute', people.owner);
    const isAsked = (): boolean => bot.asked.slice(mark).some(({ said }) => said.type === 'user.execute');
    await until(isAsked, () => bot.told('nothing was executed'));
    bot.api.clearFaults();
    return told;
  }

  private async yolo(): Promise<Told> {
    const { bot } = this;
    const mark = bot.shown().at(-1)?.id ?? 0;
    this.say('/approve yolo', people.owner);
    const asked = (): number | undefined =>
      bot.shown().find(({ id, buttons }) => id > mark && buttons.flat().includes('Yes, yolo'))?.id;
    await until(
      () => asked() !== undefined,
      () => bot.told('yolo is not asked about'),
    );
    return { kind: 'press', query: bot.api.press(bot.chat, 'Yes, yolo', people.owner, asked()) };
  }
}

const personOf = ({ by }: ByPerson): number =>
  by.owner ? people.owner : by.person === 'eve' ? people.eve : people.bob;

/** Some decisions have a command, too; the others are buttons only. */
const isPressed = (said: PlanSaid): boolean => said.button !== undefined || typed[said.type] === undefined;

const hasOtherText = (at: World, { shown, by }: Extract<Said, { type: 'user.execute' }>): boolean =>
  by.owner && asksWhatWasShown(at) && shown !== at.snapshot.context.document?.hash;

function wordsOf(said: ByPerson): string {
  if (said.type === 'user.chat') return said.text;
  if (said.type === 'user.plan') return said.text === undefined ? '/plan' : `/plan ${said.text}`;
  if (said.type === 'user.policy') return said.yolo ? '/approve yolo' : '/approve ask';
  const words = typed[said.type];
  if (words === undefined) throw new Error(`nobody can say ${said.type} in a chat`);
  return words;
}
