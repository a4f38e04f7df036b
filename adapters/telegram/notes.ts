import type { Actor, Said } from '../../machines/index.ts';
import type { NotePrompt } from './chat-record.ts';
import { run } from './html/rich.ts';
import type { Place } from './place.ts';
import type { Wire } from './wire.ts';

type Button = NonNullable<Extract<Said, { type: 'user.revise' }>['button']>;

export interface NotesDeps {
  place: Place;
  wire: Pick<Wire, 'post'>;
  save: (notes: NotePrompt[]) => void;
  posted: (message: number) => void;
}

/** So many closed questions are remembered, so that a late reply is told why it is not run. */
const remembered = 20;

const question = '✏️ What should change? Reply to this message; your reply goes to the model as it is.';

/** What a reply is a reply to: the message, and its text where the bot wrote it. */
export interface RepliedTo {
  message: number;
  text: string | null;
}

/** Ask for changes (D44): a question that only a reply answers, kept on disk until the plan leaves its review. */
export class Notes {
  private readonly deps: NotesDeps;
  private notes: NotePrompt[];
  /** The newest question, while its message is on its way. */
  private sending: NotePrompt | null = null;

  constructor(stored: readonly NotePrompt[], deps: NotesDeps) {
    this.notes = [...stored];
    this.deps = deps;
  }

  async ask({ plan, hash }: { plan: string; hash: string | null }, person: string): Promise<void> {
    const { wire, place, posted } = this.deps;
    this.close('a newer question took its place');
    const sending: NotePrompt = { message: 0, plan, hash, person, closed: null };
    this.sending = sending;
    const result = await wire.post(place, run(question), { notify: 'yes', ask: 'reply' });
    if (this.sending === sending) this.sending = null;
    const message = result.kind === 'sent' ? result.messages.at(-1) : undefined;
    if (message === undefined) return;
    this.keep([...this.notes, { ...sending, message }]);
    posted(message);
  }

  /** The plan is not under review any more, or another one is. */
  follow(view: { phase: string; plan: string | null }): void {
    const open = this.notes.find(({ closed }) => closed === null);
    if (open === undefined) return;
    if (view.phase === 'postInit' && view.plan === open.plan) return;
    const reason =
      view.phase === 'seeding' || view.phase === 'checklist' ? 'the plan was approved' : 'the plan has ended';
    this.close(reason);
    const { wire, place } = this.deps;
    void wire.post(place, run(`✏️ This question is closed: ${reason}.`), {
      notify: 'no',
      reply: open.message,
    });
  }

  /**
   * What a reply says to the session, and what closes its question once it was taken; `refused` is for the person; null: no
   * question of this kind. A question whose sending had no answer is known by its text (decision 0060).
   */
  reply(
    to: RepliedTo,
    text: string,
    by: Actor,
  ): { said: Said; taken: () => void } | { refused: string } | null {
    const isCopy = to.text === question;
    const known = this.notes.find(({ message }) => message === to.message);
    // Such a copy stands above the one that was heard of.
    const note =
      known ?? (isCopy ? (this.notes.find(({ message }) => message > to.message) ?? this.sending) : null);
    if (note === null)
      return isCopy ? { refused: 'That question is not known any more. Nothing was sent.' } : null;
    if (!by.owner)
      return { refused: 'Only the owner of this session may ask for changes. Nothing was sent.' };
    if (note.closed !== null)
      return { refused: `That question is closed: ${note.closed}. Nothing was sent.` };
    const button: Button = { plan: note.plan, phase: 'editing', owns: true, hash: note.hash };
    const said: Said = { type: 'user.revise', by, button, note: text, seen: note.hash };
    return { said, taken: () => this.taken(note) };
  }

  /** The note was taken: a second reply is another note, which needs its own question. */
  private taken(note: NotePrompt): void {
    const closed = 'it was answered';
    if (note === this.sending) note.closed = closed;
    else this.keep(this.notes.map((one) => (one === note ? { ...one, closed } : one)));
  }

  private close(reason: string): void {
    this.keep(this.notes.map((one) => (one.closed === null ? { ...one, closed: reason } : one)));
  }

  private keep(notes: NotePrompt[]): void {
    this.notes = notes.slice(-remembered);
    this.deps.save(this.notes);
  }
}
