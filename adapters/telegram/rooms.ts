import type { SessionHandle } from '../ports.ts';
import { Chat } from './chat.ts';
import type { ChatFiles } from './chat-files.ts';
import { type ChatRecord, newChat } from './chat-record.ts';
import { Hub } from './hub.ts';
import { type Place, placeKey } from './place.ts';
import type { Wire } from './wire.ts';

/** One session among many, for a list. */
export type Listed =
  | { id: string; name: string | null; cwd: string; state: string; used: string }
  | { id: string; error: string };

/** The sessions of this home, as the composition root opens them. */
export interface Sessions {
  /** Throws what the store throws. */
  open(id: string): Promise<SessionHandle & { close(): Promise<void> }>;
  /** A new one, in the folder where the bot started (D36); answers its id. */
  create(): Promise<string>;
  list(): Promise<readonly Listed[]>;
}

export interface RoomsDeps {
  sessions: Sessions;
  files: ChatFiles;
  wire: Wire;
  now: () => number;
  /** One line for the log. */
  line: (text: string) => void;
}

/** Buttons of another session go, wherever they are; the new session's get a message of their own. */
const homeless = (keyboard: unknown): unknown =>
  typeof keyboard === 'object' && keyboard !== null ? { ...keyboard, home: null, wish: null } : null;

interface Open {
  hub: Hub;
  close: () => Promise<void>;
}

/** A chat with the session that it is bound to. */
export interface Room {
  chat: Chat;
  hub: Hub;
}

/** Which session each chat and topic is bound to, and what of it is open (D36). */
export class Rooms {
  private readonly deps: RoomsDeps;
  private readonly rooms = new Map<string, Room>();
  private readonly opening = new Map<string, Promise<Room>>();
  private readonly open = new Map<string, Promise<Open>>();

  constructor(deps: RoomsDeps) {
    this.deps = deps;
  }

  /** Opens what the last program had open, and mends what its chats show (D37). */
  async load(): Promise<void> {
    const { records, faults } = this.deps.files.all();
    for (const path of faults) this.deps.line(`${path} can't be read; its chat starts anew.`);
    for (const record of records) {
      try {
        (await this.join(record)).chat.start();
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        this.deps.line(`Session ${record.session} of chat ${record.chat} can't be opened: ${text}`);
      }
    }
  }

  at(place: Place): Room | null {
    return this.rooms.get(placeKey(place)) ?? null;
  }

  /** The room of a place; its first session begins here. */
  enter(place: Place, kind: ChatRecord['kind']): Promise<Room> {
    const key = placeKey(place);
    const known = this.rooms.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const begun = this.opening.get(key) ?? this.begin(place, kind).finally(() => this.opening.delete(key));
    this.opening.set(key, begun);
    return begun;
  }

  /** Another session for a place; null: a new one. The old one's buttons go. */
  async rebind(room: Room, session: string | null): Promise<Room> {
    const { bound } = room.chat;
    const id = session ?? (await this.deps.sessions.create());
    const made = session === null ? [...bound.made, id] : bound.made;
    await this.opened(id);
    room.chat.leave();
    await this.part(room);
    return this.join({ ...newChat(bound, id, made), keyboard: homeless(room.chat.bound.keyboard) });
  }

  /** A group that became a supergroup has another id; its session moves with it (B127). */
  async migrate(from: number, to: number): Promise<void> {
    for (const room of this.rooms.values()) {
      const { bound } = room.chat;
      if (bound.chat !== from) continue;
      await this.part(room);
      this.deps.files.remove(bound);
      // Message ids of the old chat mean nothing in the new one.
      await this.join(newChat({ ...bound, chat: to }, bound.session, bound.made));
    }
  }

  /** How sending to a chat goes: what keeps it, null once something has landed (D34). */
  heard(chat: number, failure: string | null): void {
    for (const room of this.rooms.values())
      if (room.chat.place.chat === chat)
        room.chat.failed(failure === null ? null : { text: failure, lost: 'no' });
  }

  /** Sessions that began in some chat; the others began in the terminal (D36). */
  madeHere(): ReadonlySet<string> {
    return new Set(Array.from(this.rooms.values(), ({ chat }) => chat.bound.made).flat());
  }

  tick(): void {
    for (const { chat } of this.rooms.values()) chat.tick();
  }

  /** Something that a turn has to say is still to be sent. */
  get owes(): boolean {
    return [...this.rooms.values()].some(({ chat }) => chat.owes);
  }

  /** Ends running turns; what they show is settled before this resolves or shortly after. */
  async close(): Promise<void> {
    const all = await Promise.allSettled(this.open.values());
    for (const one of all) if (one.status === 'fulfilled') await one.value.close();
  }

  private async begin(place: Place, kind: ChatRecord['kind']): Promise<Room> {
    const id = await this.deps.sessions.create();
    return this.join(newChat({ ...place, kind }, id, [id]));
  }

  private async join(record: ChatRecord): Promise<Room> {
    const { wire, now } = this.deps;
    const { hub } = await this.opened(record.session);
    const save = (next: ChatRecord): void => this.save(next);
    this.save(record);
    const chat = new Chat(record, { handle: hub.handle, wire, now, save });
    hub.add(chat);
    const room = { chat, hub };
    this.rooms.set(placeKey(record), room);
    return room;
  }

  private opened(id: string): Promise<Open> {
    const known = this.open.get(id);
    if (known !== undefined) return known;
    const opening = this.openSession(id);
    this.open.set(id, opening);
    opening.catch(() => this.open.delete(id));
    return opening;
  }

  private async openSession(id: string): Promise<Open> {
    const handle = await this.deps.sessions.open(id);
    return { hub: new Hub(handle), close: () => handle.close() };
  }

  private async part({ chat, hub }: Room): Promise<void> {
    this.rooms.delete(placeKey(chat.place));
    hub.remove(chat);
    if (!hub.isEmpty) return;
    const open = this.open.get(hub.handle.id);
    this.open.delete(hub.handle.id);
    await (await open)?.close();
    hub.close();
  }

  /** A disk that fails changes nothing about the plan; what a chat shows is mended later (D34). */
  private save(record: ChatRecord): void {
    try {
      this.deps.files.save(record);
    } catch (error) {
      this.deps.line(
        `What chat ${record.chat} shows can't be kept: ${error instanceof Error ? error.message : error}`,
      );
    }
  }
}
