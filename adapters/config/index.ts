export { type Config, readConfig, type Setting, sourceWords } from './config.ts';
export { readProjectNotes } from './project-notes.ts';
export { settingsPrint } from './settings-print.ts';
export { readTrust, readTrusted, type Trust, TrustError, writeTrust } from './trust.ts';
