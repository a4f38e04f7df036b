export { type Config, readConfig, type Setting, sourceWords } from './config.ts';
export { readProjectNotes } from './project-notes.ts';
export { readTrust, type Trust, TrustError, writeTrust } from './trust.ts';
