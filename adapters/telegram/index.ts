export { type BotEnd, type BotOptions, runBot } from './bot.ts';
export type { Sessions } from './rooms.ts';
