import type { InlineKeyboardButton, InlineKeyboardMarkup } from 'grammy/types';
import { planMark } from '../../machines/index.ts';
import type { Prompt, PromptAnswer } from '../ports.ts';
import { visible, visibleLine } from '../text.ts';
import type { ChatRecord } from './chat-record.ts';
import { bold, join, plainText, type Rich, run, type Tag } from './html/rich.ts';
import { messageLimits, take } from './html/split.ts';
import { noKeyboard } from './keyboard-markup.ts';
import type { RepliedTo } from './notes.ts';
import type { Place } from './place.ts';
import type { Wire } from './wire.ts';

/** A tool approval nobody answered is answered with No after this long, in ms (decision 0064). */
const approvalMs = 15 * 60_000;

type Allow = Extract<PromptAnswer, { kind: 'approval' }>['allow'];
const allowMarks = { y: 'once', s: 'session', n: 'no' } as const satisfies Record<string, Allow>;

export interface PromptsDeps {
  place: Place;
  wire: Pick<Wire, 'post' | 'edit'>;
  now: () => number;
  save: (prompts: ChatRecord['prompts']) => void;
  answer: (prompt: string, answer: PromptAnswer) => boolean;
  posted: (message: number) => void;
}

interface Open {
  prompt: Prompt;
  message: number | null;
  until: number | null;
  /** What the message says once nobody can answer any more; null while somebody can. */
  outcome: string | null;
}

/** The questions of a turn in the chat that started it (D36): approvals of tools, and questions of the agent. */
export class Prompts {
  private readonly deps: PromptsDeps;
  private readonly open = new Map<string, Open>();
  private stored: ChatRecord['prompts'];

  constructor(stored: ChatRecord['prompts'], deps: PromptsDeps) {
    this.deps = deps;
    this.stored = stored;
  }

  /** Of a program that has ended: dead buttons, marked so (D37). */
  expire(): void {
    for (const { message, head } of this.stored) {
      const { wire, place } = this.deps;
      void wire.edit(
        place,
        message,
        run(`${head}\n⚠️ Expired: the program that asked has ended.`),
        noKeyboard,
        'always',
      );
    }
    this.keep([]);
  }

  async ask(prompt: Prompt): Promise<void> {
    const { wire, place, now, posted } = this.deps;
    const until = prompt.kind === 'approval' ? now() + approvalMs : null;
    const open: Open = { prompt, message: null, until, outcome: null };
    this.open.set(prompt.id, open);
    const result = await wire.post(place, bodyOf(prompt), { notify: 'yes', keyboard: buttonsOf(prompt) });
    const message = result.kind === 'sent' ? result.messages.at(-1) : undefined;
    if (message === undefined) return;
    open.message = message;
    posted(message);
    if (open.outcome === null) {
      this.keep([...this.stored, { id: prompt.id, message, head: visibleLine(headOf(prompt)) }]);
    } else this.bury(open);
  }

  /** It was answered, here or by the end of the turn. */
  closed(id: string, reason: 'answered' | 'cancelled'): void {
    const open = this.open.get(id);
    if (open === undefined) return;
    open.outcome ??= reason === 'answered' ? '✔️ Answered.' : '⏹ Not asked any more: the turn has ended.';
    if (open.message !== null) this.bury(open);
  }

  /** Answers a press; `null` is for other buttons. The text is for the person who pressed. */
  press(data: string, by: { rank: 'owner' | 'other'; name: string }): string | null {
    const [, family, choice = '', mark] = /^(approve|ask):([a-z0-9]+):([0-9a-f]+)$/u.exec(data) ?? [];
    if (family === undefined) return null;
    const open = [...this.open.values()].find(({ prompt }) => planMark(prompt.id) === mark);
    if (open === undefined || open.outcome !== null) return 'This question is not open any more.';
    const { prompt } = open;
    if (prompt.kind === 'approval') {
      if (by.rank !== 'owner') return 'Only the owner of this session may allow that. Nothing was changed.';
      return this.allow(open, choice, by.name);
    }
    const option = prompt.options[Number(choice)];
    return option === undefined ? 'This question has no such answer.' : this.say(open, option, by.name);
  }

  /** A reply to the agent's question is the answer; null: the message is no such question. */
  reply(to: RepliedTo, text: string, name: string): string | null {
    const all = [...this.open.values()];
    // A question whose sending had no answer is known by its text (decision 0060).
    const open =
      all.find(({ message }) => message === to.message) ??
      all.find(({ prompt }) => to.text !== null && plainText(bodyOf(prompt)) === to.text);
    if (open === undefined || open.prompt.kind === 'approval') return null;
    if (open.outcome !== null) return 'This question is not open any more.';
    return this.say(open, text, name);
  }

  tick(): void {
    for (const open of this.open.values()) {
      if (open.until === null || open.outcome !== null || this.deps.now() < open.until) continue;
      open.outcome = '⏱ Nobody answered in time: not allowed.';
      this.deps.answer(open.prompt.id, { kind: 'approval', allow: 'no' });
    }
  }

  private allow(open: Open, choice: string, name: string): string {
    const allow = Object.hasOwn(allowMarks, choice) ? allowMarks[choice as keyof typeof allowMarks] : null;
    if (allow === null) return 'This question has no such answer.';
    const words = { once: '✅ Allowed once', session: '✅ Allowed for this session', no: '✖️ Not allowed' };
    return this.give(open, { kind: 'approval', allow }, `${words[allow]} by ${name}.`);
  }

  private say(open: Open, text: string, name: string): string {
    return this.give(open, { kind: 'question', text }, `✔️ ${name}: ${visibleLine(text)}`);
  }

  /** First answer wins (D47). */
  private give(open: Open, answer: PromptAnswer, outcome: string): string {
    open.outcome = outcome;
    if (this.deps.answer(open.prompt.id, answer)) return outcome;
    open.outcome = '⏹ Not asked any more.';
    if (open.message !== null) this.bury(open);
    return 'This question is not open any more.';
  }

  private bury(open: Open): void {
    const { wire, place } = this.deps;
    const { prompt, message, outcome } = open;
    this.open.delete(prompt.id);
    this.keep(this.stored.filter(({ id }) => id !== prompt.id));
    if (message === null) return;
    const body = join([bodyOf(prompt), run(outcome ?? '')], '\n');
    void wire.edit(place, message, take(body, messageLimits).head, noKeyboard, 'always');
  }

  private keep(prompts: ChatRecord['prompts']): void {
    this.stored = prompts;
    this.deps.save(prompts);
  }
}

const headOf = (prompt: Prompt): string =>
  prompt.kind === 'approval' ? `🔐 ${prompt.tool}: ${prompt.title}` : `❓ ${prompt.question}`;

/** What would happen, whole commands and diffs, as far as one message holds them. */
function bodyOf(prompt: Prompt): Rich {
  if (prompt.kind === 'question') {
    const how =
      prompt.options.length === 0 ? 'Reply to this message.' : 'Press one, or reply to this message.';
    return join([run(visible(headOf(prompt)), bold), run(how)], '\n');
  }
  const pre: Tag = { kind: 'pre', language: '' };
  const place = prompt.sandbox === null ? `in ${prompt.folder}` : `in ${prompt.folder} • ${prompt.sandbox}`;
  const head = run(visibleLine(headOf(prompt)), bold);
  const foot = run(visibleLine(place));
  const room = messageLimits.units - plainText(head).length - plainText(foot).length - 120;
  const { head: shown, rest } = take(run(visible(prompt.body), pre), { ...messageLimits, units: room });
  const more = rest.length === 0 ? [] : run('… longer than a message; the whole is in the terminal only.');
  return join([head, shown, more, foot], '\n');
}

function buttonsOf(prompt: Prompt): InlineKeyboardMarkup {
  const mark = planMark(prompt.id);
  const button = (text: string, data: string): InlineKeyboardButton => ({ text, callback_data: data });
  if (prompt.kind === 'approval') {
    return {
      inline_keyboard: [
        [button('Allow once', `approve:y:${mark}`), button('No', `approve:n:${mark}`)],
        [button('Allow for this session', `approve:s:${mark}`)],
      ],
    };
  }
  return {
    inline_keyboard: prompt.options.map((option, index) => [
      button(visibleLine(option).slice(0, 60) || '…', `ask:${index}:${mark}`),
    ]),
  };
}
