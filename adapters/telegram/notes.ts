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

/** Ask for changes (D44): a question that only a reply answers, kept on disk until the plan leaves its review. */
export class Notes {
  private readonly deps: NotesDeps;
  private notes: NotePrompt[];

  constructor(stored: readonly NotePrompt[], deps: NotesDeps) {
    this.notes = [...stored];
    this.deps = deps;
  }

  async ask({ plan, hash }: { plan: string; hash: string | null }, person: string): Promise<void> {
    const { wire, place, posted } = this.deps;
    this.close('a newer question took its place');
    const text = '✏️ What should change? Reply to this message; your reply goes to the model as it is.';
    const result = await wire.post(place, run(text), { notify: 'yes', ask: 'reply' });
    const message = result.kind === 'sent' ? result.messages.at(-1) : undefined;
    if (message === undefined) return;
    this.keep([...this.notes, { message, plan, hash, person, closed: null }]);
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

  /** What a reply says to the session; `refused` is for the person; null: no question of this kind. */
  reply(to: number, text: string, by: Actor): Said | { refused: string } | null {
    const note = this.notes.find(({ message }) => message === to);
    if (note === undefined) return null;
    if (!by.owner)
      return { refused: 'Only the owner of this session may ask for changes. Nothing was sent.' };
    if (note.closed !== null)
      return { refused: `That question is closed: ${note.closed}. Nothing was sent.` };
    const button: Button = { plan: note.plan, phase: 'editing', owns: true, hash: note.hash };
    return { type: 'user.revise', by, button, note: text, seen: note.hash };
  }

  /** The note was taken: a second reply is another note, which needs its own question. */
  taken(message: number): void {
    this.keep(
      this.notes.map((one) => (one.message === message ? { ...one, closed: 'it was answered' } : one)),
    );
  }

  private close(reason: string): void {
    this.keep(this.notes.map((one) => (one.closed === null ? { ...one, closed: reason } : one)));
  }

  private keep(notes: NotePrompt[]): void {
    this.notes = notes.slice(-remembered);
    this.deps.save(this.notes);
  }
}
