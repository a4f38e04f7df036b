export { readChatKeyboard } from './chat-keyboards.ts';
export { createFileOps } from './file-ops.ts';
export type { FileCall, FileHook } from './file-ops.ts';
export { createFileStore } from './file-store.ts';
export { journalText, readJournal } from './journal.ts';
export { StoreError } from './store-error.ts';
