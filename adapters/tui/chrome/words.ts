import type { SessionView } from '../../../machines/index.ts';
import { visibleLine } from '../text.ts';

/** Local wall clock `hh:mm` of an RFC 3339 time; the text itself when it is none. */
export function clock(at: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return visibleLine(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** `8 s`, `2 min 5 s`, `1 h 3 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const places: Readonly<Record<string, string>> = { tui: 'the terminal', telegram: 'Telegram' };

/** A surface as people call it. */
export function place(surface: string): string {
  const name = surface.split(':', 1)[0] ?? surface;
  return visibleLine(Object.hasOwn(places, name) ? (places[name] ?? surface) : surface);
}

export function count(amount: number, one: string): string {
  return `${amount} ${one}${amount === 1 ? '' : 's'}`;
}

/** The policy in words; yolo is never only a colour or a letter (D2). */
export function policyWords(policy: SessionView['policy'], form: 'long' | 'short' = 'long'): string {
  if (policy === 'yolo') return form === 'long' ? 'yolo: acts without asking' : 'yolo: never asks';
  return form === 'long' ? 'asks before acting' : 'asks first';
}

/** `~/…` for a folder below the home. */
export function shortFolder(folder: string, home: string): string {
  if (folder === home) return '~';
  return folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}
