export { createRehearsalModel, type RehearsalOptions } from './model.ts';
