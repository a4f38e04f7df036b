import { Console } from 'node:console';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import xterm from '@xterm/headless';
import { startTui } from '../../../adapters/tui/index.ts';
import type { Choice } from '../../../adapters/tui/picker/picker.ts';
import { fakeHandle, type FakeHandle, type FakeOptions } from '../../support/fake-handle.ts';

/** The terminal UI in this process, its bytes drawn by a real emulator: fast, and without a program of its own. */
export interface InProcess {
  handle: FakeHandle;
  type(text: string): void;
  /** Visible rows, without trailing spaces. */
  rows(): string[];
  /** Whether the alternate screen is shown. */
  alternate(): boolean;
  end(): Promise<void>;
}

function keyboard(): PassThrough {
  const stdin = new PassThrough();
  return Object.assign(stdin, { isTTY: true, setRawMode: () => stdin, ref: () => stdin, unref: () => stdin });
}

/** Starts it on a screen of this size; `sessions` is what `/sessions` lists. The caller ends it. */
export function startInProcess(
  options: FakeOptions & { sessions?: readonly Choice[] },
  size: { cols: number; rows: number },
): InProcess {
  // The test runner's console has no such part, and Ink wants one.
  Object.assign(globalThis.console, { Console });
  const emulator = new xterm.Terminal({ ...size, allowProposedApi: true });
  const stdin = keyboard();
  const stdout = new PassThrough();
  Object.assign(stdout, { isTTY: true, columns: size.cols, rows: size.rows, hasColors: () => true });
  // A terminal in raw output mode would need it; the kernel adds it for a real one.
  stdout.on('data', (data: Buffer) => emulator.write(data.toString().replaceAll(/\r?\n/gu, '\r\n')));
  const handle = fakeHandle(options);
  const ended = startTui({
    handle,
    version: '0.0.0',
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    home: '/home/ada',
    notices: [],
    ...(options.sessions === undefined ? {} : { sessions: async () => options.sessions ?? [] }),
  });
  return {
    handle,
    type: (text) => void stdin.write(text),
    rows() {
      const { active } = emulator.buffer;
      return Array.from(
        { length: size.rows },
        (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '',
      );
    },
    alternate: () => emulator.buffer.active.type === 'alternate',
    async end() {
      // Closes the plan whatever a person is just doing there.
      if (emulator.buffer.active.type === 'alternate') stdin.write('\u0003');
      // A running turn has to be asked about twice, and two lines in one chunk would be a paste.
      while (typeof (await Promise.race([ended, delay(20, 'running')])) === 'string') stdin.write('/quit\r');
    },
  };
}
