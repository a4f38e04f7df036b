import { spawn, type IPty } from '@lydell/node-pty';
import xterm from '@xterm/headless';

export interface TerminalOptions {
  cols: number;
  rows: number;
  cwd?: string;
  /** Added to this process's environment; `undefined` takes a variable away. */
  env?: Readonly<Record<string, string | undefined>>;
}

const keys = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  backspace: '\u007f',
  delete: '\u001b[3~',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  home: '\u001b[H',
  end: '\u001b[F',
  pageUp: '\u001b[5~',
  pageDown: '\u001b[6~',
  altEnter: '\u001b\r',
  ctrlA: '\u0001',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  ctrlE: '\u0005',
  ctrlJ: '\n',
  ctrlK: '\u000b',
  ctrlP: '\u0010',
  ctrlU: '\u0015',
  ctrlW: '\u0017',
} as const;

export type KeyName = keyof typeof keys;

/** One character on the screen; `colour` is one of the 16 of the terminal, -1 for its own. */
export interface Cell {
  text: string;
  /** 2 for a wide character. */
  width: number;
  colour: number;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  inverse: boolean;
}

/** A program on a real pseudo-terminal, its output drawn by a real emulator. */
export interface Terminal {
  /** Sends text in one chunk, exactly as given. */
  type(text: string): void;
  key(name: KeyName): void;
  /** Sends a bracketed paste. */
  paste(text: string): void;
  /** Visible rows of the active buffer, without trailing spaces. */
  screen(): string[];
  /** The visible cells of the active buffer, row by row; the second half of a wide character is left out. */
  cells(): Cell[][];
  /** Scrollback and screen of the primary buffer. */
  history(): string[];
  cursor(): { x: number; y: number; visible: boolean };
  buffer(): 'normal' | 'alternate';
  /** Terminal modes that a program has to give back. */
  modes(): { bracketedPaste: boolean; cursorKeys: boolean; mouse: 'on' | 'off' };
  /** Waits until the screen fits; fails with the screen in the message. */
  waitFor(wanted: RegExp | ((rows: string[]) => boolean), ms?: number): Promise<string[]>;
  resize(cols: number, rows: number): void;
  /**
   * How often the program erased the primary screen from its very top. tmux then keeps what was there in its
   * history, so a frame that is redrawn this way is doubled.
   */
  wipes(): number;
  /** Everything that the program has written so far. */
  bytes(): string;
  /** Exit code, once the program has ended. */
  exit(ms?: number): Promise<number>;
  /** Ends this program, and no other. */
  kill(signal?: string): void;
  pid: number;
}

interface Held {
  pty: IPty;
  emulator: InstanceType<typeof xterm.Terminal>;
  output: string;
  code: number | null;
  cursorVisible: boolean;
  /** Inside a synchronized update: what is on the screen is half a frame. */
  drawing: boolean;
  wipes: number;
  /** Called after every change of the screen, and at the end. */
  changed: Set<() => void>;
}

function environment(extra: TerminalOptions['env']): Record<string, string> {
  const env: Record<string, string | undefined> = { ...process.env, TERM: 'xterm-256color', ...extra };
  // Ink goes non-interactive when CI is set, even to the empty string.
  delete env['CI'];
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function rowsOf(held: Held, buffer: 'active' | 'normal', from: number, to: number): string[] {
  const lines = held.emulator.buffer[buffer];
  return Array.from(
    { length: to - from },
    (_, row) => lines.getLine(from + row)?.translateToString(true) ?? '',
  );
}

function screen(held: Held): string[] {
  const { viewportY } = held.emulator.buffer.active;
  return rowsOf(held, 'active', viewportY, viewportY + held.emulator.rows);
}

function cellsOf({ emulator }: Held): Cell[][] {
  const { active } = emulator.buffer;
  return Array.from({ length: emulator.rows }, (_, row) => {
    const line = active.getLine(active.viewportY + row);
    return Array.from({ length: emulator.cols }, (_unused, column) => line?.getCell(column)).flatMap((cell) =>
      cell === undefined || cell.getWidth() === 0
        ? []
        : {
            text: cell.getChars() || ' ',
            width: cell.getWidth(),
            colour: cell.isFgDefault() ? -1 : cell.getFgColor(),
            bold: cell.isBold() !== 0,
            dim: cell.isDim() !== 0,
            italic: cell.isItalic() !== 0,
            inverse: cell.isInverse() !== 0,
          },
    );
  });
}

function fits(rows: string[], wanted: RegExp | ((rows: string[]) => boolean)): boolean {
  return typeof wanted === 'function' ? wanted(rows) : wanted.test(rows.join('\n'));
}

/** Settles when `ready` answers something; looks again after every change, until the deadline. */
function until<T>(held: Held, ready: () => T | null, ms: number, failure: () => string): Promise<T> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      clearTimeout(timer);
      held.changed.delete(look);
    };
    const look = (): void => {
      const value = ready();
      if (value === null) return;
      done();
      resolve(value);
    };
    const timer = setTimeout(() => {
      done();
      reject(new Error(failure()));
    }, ms);
    held.changed.add(look);
    look();
  });
}

function listen(held: Held): void {
  const tell = (): void => {
    for (const changed of held.changed) changed();
  };
  held.emulator.parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) => {
    if (params.includes(25)) held.cursorVisible = true;
    if (params.includes(2026)) held.drawing = true;
    return false;
  });
  held.emulator.parser.registerCsiHandler({ prefix: '?', final: 'l' }, (params) => {
    if (params.includes(25)) held.cursorVisible = false;
    if (params.includes(2026)) held.drawing = false;
    return false;
  });
  held.emulator.parser.registerCsiHandler({ final: 'J' }, () => {
    const { type, cursorX, cursorY } = held.emulator.buffer.active;
    if (type === 'normal' && cursorX === 0 && cursorY === 0) held.wipes += 1;
    return false;
  });
  held.pty.onData((data) => {
    held.output += data;
    held.emulator.write(data, tell);
  });
  held.pty.onExit(({ exitCode }) => {
    held.code = exitCode;
    held.emulator.write('', tell);
  });
}

function describeScreen(held: Held, what: string): string {
  const rows = screen(held).map((row) => `  |${row}`);
  return `${what}; the screen is\n${rows.join('\n')}\nexit ${held.code ?? 'none yet'}`;
}

/** Starts a program on a fresh pseudo-terminal. The caller kills it. */
export function start(command: string, args: readonly string[], options: TerminalOptions): Terminal {
  const { cols, rows, cwd = process.cwd(), env } = options;
  const held: Held = {
    pty: spawn(command, [...args], { cols, rows, cwd, env: environment(env), name: 'xterm-256color' }),
    emulator: new xterm.Terminal({ cols, rows, allowProposedApi: true, scrollback: 5000 }),
    output: '',
    code: null,
    cursorVisible: true,
    drawing: false,
    wipes: 0,
    changed: new Set(),
  };
  listen(held);
  const { pty, emulator } = held;
  const send = (text: string): void => {
    if (held.code === null) pty.write(text);
  };
  return {
    pid: pty.pid,
    type: send,
    key: (name) => send(keys[name]),
    paste: (text) => send(`\u001b[200~${text}\u001b[201~`),
    screen: () => screen(held),
    cells: () => cellsOf(held),
    history: () => rowsOf(held, 'normal', 0, emulator.buffer.normal.length),
    cursor: () => ({
      x: emulator.buffer.active.cursorX,
      y: emulator.buffer.active.cursorY,
      visible: held.cursorVisible,
    }),
    buffer: () => emulator.buffer.active.type,
    modes: () => ({
      bracketedPaste: emulator.modes.bracketedPasteMode,
      cursorKeys: emulator.modes.applicationCursorKeysMode,
      mouse: emulator.modes.mouseTrackingMode === 'none' ? 'off' : 'on',
    }),
    waitFor: (wanted, ms = 10_000) =>
      until(
        held,
        () => (!held.drawing && fits(screen(held), wanted) ? screen(held) : null),
        ms,
        () => describeScreen(held, `Waited ${ms} ms for ${String(wanted)}`),
      ),
    resize(nextCols, nextRows) {
      emulator.resize(nextCols, nextRows);
      pty.resize(nextCols, nextRows);
    },
    wipes: () => held.wipes,
    bytes: () => held.output,
    exit: (ms = 10_000) =>
      until(
        held,
        () => held.code,
        ms,
        () => describeScreen(held, `Waited ${ms} ms for the end`),
      ),
    kill(signal = 'SIGKILL') {
      if (held.code === null) pty.kill(signal);
    },
  };
}
