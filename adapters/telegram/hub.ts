import { type Answer, type Said, typedText } from '../../machines/index.ts';
import type { Published, SessionHandle } from '../ports.ts';
import type { Chat } from './chat.ts';

/** One session and the chats that it is bound to (D36): views go to all of them, a turn to the one that started it. */
export class Hub {
  readonly handle: SessionHandle;
  private readonly chats = new Set<Chat>();
  /** What was said here and has started no turn yet, oldest first. */
  private waiting: { chat: Chat; text: string }[] = [];
  private turn: { id: string; chat: Chat } | null = null;
  private acting: Chat | null = null;
  private readonly stop: () => void;

  constructor(handle: SessionHandle) {
    this.handle = handle;
    this.stop = handle.subscribe((published) => this.heard(published));
  }

  add(chat: Chat): void {
    this.chats.add(chat);
  }

  remove(chat: Chat): void {
    this.chats.delete(chat);
    if (this.acting === chat) this.acting = null;
  }

  get isEmpty(): boolean {
    return this.chats.size === 0;
  }

  close(): void {
    this.stop();
  }

  /** Sends what somebody said in a chat; a turn that comes of it is shown there. */
  async send(chat: Chat, said: Said): Promise<Answer> {
    const entry = { chat, text: typedText(said) };
    this.waiting.push(entry);
    this.acting = chat;
    const answer = await this.handle.send(said);
    // A turn that began has taken the entry; one that waits keeps it.
    if (answer.kind !== 'queued' && answer.kind !== 'accepted') this.forget(entry);
    if (answer.kind === 'accepted' && said.type !== 'user.chat' && this.handle.view().turn === 'idle')
      this.forget(entry);
    return answer;
  }

  private forget(entry: Hub['waiting'][number]): void {
    this.waiting = this.waiting.filter((one) => one !== entry);
  }

  private heard(published: Published): void {
    if (published.type === 'view') {
      for (const chat of this.chats) chat.view(published.view);
      return;
    }
    if (published.type === 'turn.started') this.begin(published.turn);
    const chat = this.placeOf(published);
    chat?.heard(published);
    if (published.type === 'turn.ended' && this.turn?.id === published.turn) this.turn = null;
  }

  private begin(turn: string): void {
    this.turn = null;
    const { running } = this.handle.view();
    if (running?.surface !== 'telegram') return;
    const entry = this.waiting.shift();
    const chat = entry?.chat ?? this.acting ?? this.first;
    if (chat !== null) this.turn = { id: turn, chat };
  }

  private placeOf(published: Published): Chat | null {
    if ('turn' in published) return this.turn?.id === published.turn ? this.turn.chat : null;
    if (published.type === 'returned') {
      const entry = this.waiting.find(({ text }) => text === published.text);
      if (entry !== undefined) this.forget(entry);
      return entry?.chat ?? this.acting;
    }
    return this.turn?.chat ?? this.acting ?? this.first;
  }

  private get first(): Chat | null {
    return [...this.chats][0] ?? null;
  }
}
