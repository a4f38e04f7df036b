/** Largest sidecar or session plan that is read, in bytes (D8, D19). */
export const fileLimitBytes = 10 * 1024 * 1024;

/**
 * One durable step. The store carries it out in this order (D7, D43): record if `record.order` is
 * first, archive copies, revision, sidecar, document, record if last. The sidecar's rename or
 * removal is the commit.
 */
export interface Commit {
  record?: { text: string; order: 'first' | 'last' };
  archive?: {
    suffix: '' | '.discarded' | '.unreadable' | '.orphan';
    /** UTC `yyyymmdd-hhmmss`, part of the archive's file names. */
    stamp: string;
    /** Text of the archived sidecar; absent: the bytes on disk; null: no copy (pre-init, orphan). */
    sidecar?: string | null;
  };
  sidecar?: { text: string } | { remove: true };
  document?: { text: string } | { remove: true };
  /**
   * A revision of the session `.md` to keep beside the plan (D49); the store names it by its hash. Before the
   * sidecar: once a person's own edit is mirrored, nothing would notice that it was never kept.
   */
  revision?: { text: string };
}
