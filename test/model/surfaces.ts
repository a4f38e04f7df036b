import { engine } from './engine.ts';
import type { Surface, SurfaceName } from './surface.ts';

/** Opening a session costs nothing on the engine, and seconds elsewhere: there the paths are few and long. */
export const longestOn: Readonly<Record<SurfaceName, number>> = { engine: 15, tui: 25, telegram: 60 };

/** A walk in a terminal or a chat mostly waits. */
export const atOnceOn: Readonly<Record<SurfaceName, number>> = { engine: 1, tui: 3, telegram: 4 };

/** Loaded when it is asked for: a terminal or a bot is much to load for a walk on the engine. */
export async function surfaceNamed(name: SurfaceName): Promise<Surface> {
  if (name === 'engine') return engine;
  if (name === 'tui') return (await import('./tui.ts')).tuiSurface;
  return (await import('./telegram.ts')).telegramSurface;
}
