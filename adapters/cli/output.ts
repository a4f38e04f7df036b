import { harmless, visibleLine } from '../text.ts';

/** Where a command writes: answers to stdout, everything else to stderr. Control bytes are made visible (D39). */
export interface Output {
  /** A piece of a streamed text; pieces may part anywhere. */
  text(text: string): void;
  /** Ends the text on a line of its own, if it does not end so already. */
  endText(): void;
  /** A whole text for stdout. */
  print(text: string): void;
  /** One line for stderr. */
  line(line: string): void;
}

export interface Streams {
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
}

/** What may be half of something: a carriage return before its newline, the first half of a character. */
const half = /[\r\ud800-\udbff]$/u;

export function createOutput({ stdout, stderr }: Streams): Output {
  let kept = '';
  let ends = '\n';
  const write = (text: string): void => {
    const shown = harmless(text);
    if (shown === '') return;
    ends = shown.slice(-1);
    stdout.write(shown);
  };
  return {
    text(text) {
      const whole = kept + text;
      kept = half.exec(whole)?.[0] ?? '';
      write(whole.slice(0, whole.length - kept.length));
    },
    endText() {
      write(kept);
      kept = '';
      if (ends !== '\n') write('\n');
    },
    print: write,
    line: (line) => void stderr.write(`${visibleLine(line)}\n`),
  };
}

/**
 * A reader that went away (`| head`) ends no work: what is written after that is dropped. Another failure,
 * such as a full disk, calls back.
 */
export function onWriteError(
  streams: readonly NodeJS.WritableStream[],
  failed: (error: Error) => void,
): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') failed(error);
    });
  }
}
