import type { SessionRecord } from './record.ts';

/**
 * One file as the store found it. `unreadable` covers EACCES, EIO and anything over 10 MiB (D8). `path` is the
 * file that was really read: in a view it may be the legacy copy (D13).
 */
export type FileFound =
  | { kind: 'absent'; path: string }
  | { kind: 'text'; path: string; text: string; hash: string }
  | { kind: 'unreadable'; path: string; cause: string };

/** Everything a session is, as read from disk in one go. `derive` turns it into a snapshot. */
export interface StoredSession {
  record: SessionRecord;
  sidecar: FileFound;
  document: FileFound;
  /** Whether the process that runs the recorded turn still holds the turn's lock. False without a lease. */
  leaseAlive: boolean;
  /** Marks of processes in the queue that have ended: nobody takes their messages by itself (D26). */
  gone: readonly string[];
  /** File names in the archive that belong to this session, oldest first. */
  archives: readonly string[];
}
