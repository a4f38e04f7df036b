import { randomUUID } from 'node:crypto';
import type { Clock } from './ports.ts';

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  id: () => randomUUID(),
};
