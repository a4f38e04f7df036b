import type { Clock, SessionStore } from '../../adapters/ports.ts';
import { type Asked, hashFiles, type LogLine, type Stamps } from './two-process-log.ts';

/** A line without the process that writes it. */
type Told<L> = L extends LogLine ? Omit<L, 'by'> : never;
export type Write = (line: Told<LogLine>) => void;

/** What the process is at: its move, and what that asks for. */
export interface Doing {
  n: number;
  asked: Asked;
}

/** A clock that remembers what it gave out: the replay stamps its events with the same. */
export interface RecordingClock extends Clock {
  forget(): void;
  given(): Stamps;
}

export function recordingClock(clock: Clock): RecordingClock {
  let ats: string[] = [];
  let ids: string[] = [];
  const keep = (list: string[], value: string): string => {
    list.push(value);
    return value;
  };
  return {
    now: () => keep(ats, clock.now()),
    id: () => keep(ids, clock.id()),
    forget: () => {
      ats = [];
      ids = [];
    },
    given: () => ({ ats: [...ats], ids: [...ids] }),
  };
}

/** The store of the product; whatever is done under the lock is written down while the lock is held. */
export function loggingStore(
  store: SessionStore,
  clock: RecordingClock,
  doing: () => Doing,
  write: Write,
): SessionStore {
  return {
    ...store,
    exclusive: (session, work) =>
      store.exclusive(session, async (tx) => {
        const { n, asked } = doing();
        const files = () => hashFiles(store.paths(session));
        clock.forget();
        write({ t: 'begin', n });
        const read = async () => {
          const stored = await tx.read();
          const { document, leaseAlive: alive, gone, archives } = stored;
          // An editor takes no lock: what the machine saw is what was read, not what is there now.
          const seen = { ...files(), document: document.kind === 'text' ? document.hash : '' };
          write({ t: 'read', n, asked, files: seen, alive, gone, archives });
          return stored;
        };
        const commit: typeof tx.commit = async (change) => {
          write({ t: 'commit', n, change, stamps: clock.given() });
          await tx.commit(change);
          write({ t: 'committed', n, files: files() });
        };
        const result = await work({ read, commit });
        write({ t: 'done', n, stamps: clock.given() });
        return result;
      }),
  };
}
