import type { Code } from '../machines/index.ts';
import type { Target, ToolContext, ToolResult } from './types.ts';

/** NUL bytes in the first part of a file are what tells a binary file from text. */
const probeBytes = 8192;

export const failed = (text: string): ToolResult => ({ text, failed: true });

/** A write that was refused or failed; the cause names the path. */
export function notWritten({ cause, code }: { cause: string; code?: Code }): ToolResult {
  const result = failed(`Nothing was written. ${sentence(cause)}`);
  return code === undefined ? result : { ...result, code };
}

/** The path that the gate judged. Throws when the runtime resolved none: a tool never resolves it again (D21). */
export function targetOf(context: ToolContext): Target {
  if (context.target === null) throw new Error('a tool with a target was run without one');
  return context.target;
}

export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, probeBytes).includes(0);

/** The whole text, byte order mark included, or null when the bytes are not UTF-8: an edit must not change those. */
export function exactText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Decoding has one way to fail.
    return null;
  }
}

/** Lines without their ends; a line end at the end of the text opens no further line. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** A line of at most `limit` UTF-16 units, marked where it was cut. */
export function cutLine(line: string, limit: number): string {
  return line.length <= limit
    ? line
    : `${line.slice(0, limit).toWellFormed()}… [${line.length - limit} more]`;
}

/** For the tool log: one short line. */
export const oneLine = (text: string): string => cutLine(text.trim().replaceAll(/\s+/g, ' '), 120);

/** `3 files`, `1 file`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export function bytesInWords(bytes: number): string {
  if (bytes < 1024) return counted(bytes, 'byte');
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, 'KiB'] : [bytes / 1024 ** 2, 'MiB'];
  return `${size.toFixed(1)} ${unit}`;
}

/** Ends a cause as a sentence, whoever worded it. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
