import type { KeyName } from './keys.ts';

type WheelKey = Extract<KeyName, 'wheelUp' | 'wheelDown'>;

/** The keyboard's stream without reports of the mouse, and who is told of its wheel. */
export interface Wheel {
  stdin: NodeJS.ReadStream;
  /** Answers a function that stops listening. */
  listen: (listener: (name: WheelKey) => void) => () => void;
}

/** A report of the mouse in SGR form: button, column, row, pressed or released. */
// eslint-disable-next-line no-control-regex -- reports begin with ESC
const report = /\u001b\[<(\d+);\d+;\d+[Mm]/gu;
/** One that is not here as a whole yet. */
// eslint-disable-next-line no-control-regex -- as above
const begun = /\u001b\[<[\d;]*$/u;

/** Bits 2 to 4 of the button are Shift, Alt and Ctrl. */
const modifiers = 0b11100;
const buttons: Readonly<Record<number, WheelKey>> = { 64: 'wheelUp', 65: 'wheelDown' };

/** Takes reports out of what is read, also those that come in pieces. */
export function reportFilter(told: (name: WheelKey) => void): (chunk: string) => string {
  let held = '';
  return (chunk) => {
    const rest = (held + chunk).replace(report, (_all, button: string) => {
      const name = buttons[Number(button) & ~modifiers];
      if (name !== undefined) told(name);
      return '';
    });
    held = begun.exec(rest)?.[0] ?? '';
    return rest.slice(0, rest.length - held.length);
  };
}

/** Ink knows no mouse and drops its reports, so they are taken out before Ink reads. */
export function withWheel(stdin: NodeJS.ReadStream): Wheel {
  const listeners = new Set<(name: WheelKey) => void>();
  const filter = reportFilter((name) => {
    for (const listener of listeners) listener(name);
  });
  const read = (): unknown => {
    const chunk: unknown = stdin.read();
    return typeof chunk === 'string' ? filter(chunk) : chunk;
  };
  const filtered = new Proxy(stdin, {
    get(target, name) {
      if (name === 'read') return read;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    stdin: filtered,
    listen(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
