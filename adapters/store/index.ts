export { createFileOps } from './file-ops.ts';
export type { FileCall, FileHook, FileOps, FilePoint } from './file-ops.ts';
export { createFileStore } from './file-store.ts';
export type { FileStoreOptions } from './file-store.ts';
export { StoreError } from './store-error.ts';
export type { StoreCode } from './store-error.ts';
