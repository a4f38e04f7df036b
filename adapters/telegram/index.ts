export { type BotEnd, type BotOptions, runBot } from './bot.ts';
export type { Listed, Sessions } from './rooms.ts';
