import { Writable } from 'node:stream';

/** A terminal that can be drawn on: Node's `process.stdout`, or one like it. */
export interface TerminalOutput extends NodeJS.WritableStream {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  hasColors?(): boolean;
}

/**
 * A second stream onto the same terminal. Ink keeps one renderer per stream object, so the overlay needs
 * its own; sizes and resize events are passed on from the real one.
 */
export class ScreenStream extends Writable {
  readonly isTTY = true;
  readonly #terminal: TerminalOutput;
  readonly #resized = (): void => {
    this.emit('resize');
  };

  constructor(terminal: TerminalOutput) {
    super({ decodeStrings: false });
    this.#terminal = terminal;
    terminal.on('resize', this.#resized);
  }

  get columns(): number {
    return this.#terminal.columns ?? 80;
  }

  get rows(): number {
    return this.#terminal.rows ?? 24;
  }

  override _write(
    chunk: string | Uint8Array,
    _encoding: BufferEncoding,
    done: (error?: Error) => void,
  ): void {
    this.#terminal.write(chunk);
    done();
  }

  /** Stops passing on sizes; the terminal itself stays open. */
  release(): void {
    this.#terminal.off('resize', this.#resized);
  }
}
