import { journalLine, type Noted } from '../../machines/index.ts';
import type { StoreTransaction } from '../ports.ts';

/** What happens during one stay under the lock, for the journal. */
export interface JournalNotes {
  add(noted: Noted): void;
  /** Before the lock is given back. Contract: never throws, for no dispatch may fail by its journal (decision 0080). */
  write(): void;
}

/** `failed` hears of the first failure only: a journal that can't be written stays so for long. */
export function createJournal(failed: (error: unknown) => void): (tx: StoreTransaction) => JournalNotes {
  let told = false;
  return (tx) => {
    const noted: Noted[] = [];
    return {
      add: (one) => void noted.push(one),
      write() {
        if (tx.journal === undefined || noted.length === 0) return;
        try {
          tx.journal(noted.map(journalLine));
        } catch (error) {
          if (!told) failed(error);
          told = true;
        }
      },
    };
  };
}
