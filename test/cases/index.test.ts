import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Every case of these sections. */
const ids = {
  A: 'B01 B02 B03 B04 B06 B08 B09 B11 B12 B13 B14 B15 B17 B18 B19 B21 B22',
  B: 'B23 B24 B26 B27 B29 B30',
  C: 'B31 B32 B33 B34 B36 B38 B39 B41 B42 B43 B45 B46 B48 B49 B50 B52 B53',
  D: 'B54 B56 B57 B58 B59 B60 B61 B62 B64 B65',
  E: 'B67 B68 B69 B70 B72 B73 B75 B76 B77',
  F: 'B78 B79 B81 B82 B83 B84',
  G: 'B86 B87 B89 B90',
  H: 'B92 B93 B95 B97 B98 B99 B100 B101 B102',
  I: 'B104 B105 B107 B108 B109 B111 B112 B113 B114 B115 B117 B119 B120 B121 B122 B123 B124 B125 B127 B128 B129 B130 B132 B133 B135',
};

/** Test files that do a case's repro, by path from `test/`; `later` says what of it waits, and for what. */
interface Where {
  files: readonly string[];
  later?: string;
}
const on = (...files: string[]): Where => ({ files });
const but = (later: string, ...files: string[]): Where => ({ files, later });

const gate = 'cases/a-gate.test.ts';
const approval = 'cases/a-approval.test.ts';
const validator = 'cases/c-validator.test.ts';
const text = 'cases/c-text.test.ts';
const store = 'cases/c-store.test.ts';
const approve = 'cases/d-approve.test.ts';
const restart = 'cases/e-restart.test.ts';
const files = 'cases/f-files.test.ts';
const checklist = 'cases/g-checklist.test.ts';
const bash = 'cases/b-shell.test.ts';
const shell = 'adapters/workspace/read-only-shell.test.ts';
const allow = 'adapters/workspace/allow-list.test.ts';
const compaction = 'cases/e-compaction.test.ts';
const keyboard = 'machines/keyboard.test.ts';
const flow = 'machines/flow.test.ts';
const screen = 'cases/h-screen.test.ts';
const chat = 'cases/i-telegram.test.ts';
const overHttp = 'cases/i-telegram-bot.test.ts';
const telegram = (name: string): string => `adapters/telegram/${name}.test.ts`;

const cases: Readonly<Record<string, Where>> = {
  B01: on(gate, 'adapters/runtime/gate.test.ts'),
  B02: on(gate, 'adapters/runtime/gate.test.ts'),
  B03: on(gate),
  B04: on(gate),
  B06: on(gate, 'adapters/workspace/swap.test.ts', 'adapters/store/atomic-write.test.ts'),
  B08: on('machines/gate.test.ts'),
  B09: on(files, 'adapters/store/places.test.ts'),
  B11: on(approval),
  B12: on(approval),
  B13: on(approval),
  B14: on(gate),
  B15: on('cases/a-mcp.test.ts', 'machines/gate.test.ts'),
  B17: on(approval, 'machines/select.test.ts'),
  B18: on(approval),
  B19: on(approval),
  B21: on(approval),
  B22: on(approval),

  B23: on(bash, shell, allow),
  B24: on(bash, shell, allow),
  B26: on(bash, shell, allow),
  B27: on(bash, 'adapters/workspace/read-only-table.test.ts'),
  B29: on(bash, shell, allow),
  B30: on(bash, shell, allow),

  B31: on(validator),
  B32: on(validator, overHttp),
  B33: on(validator, 'machines/document.test.ts'),
  B34: on(validator, 'machines/document.test.ts'),
  B36: on(validator, 'machines/document/steps.test.ts'),
  B38: on(validator, 'machines/document/steps.test.ts', telegram('html-plan')),
  B39: on(validator, 'machines/document.test.ts'),
  B41: on(validator),
  B42: on(text),
  B43: on(text, overHttp, keyboard),
  B45: on(text),
  B46: on(text),
  B48: on(text),
  B49: but('Telegram does not draw what changed', text, 'adapters/tui/overlay/changes.test.ts'),
  B50: on(text),
  B52: on(store, 'adapters/store/disk.test.ts'),
  B53: on(store),

  B54: on(approve, overHttp),
  B56: on('adapters/runtime/seed.test.ts'),
  B57: on(approve),
  B58: on(chat, keyboard),
  B59: on(approve, 'machines/keyboard-product.test.ts', telegram('bot-people')),
  B60: on(approve),
  B61: on(approve, overHttp),
  B62: on(approve, 'prompts/prompts.test.ts'),
  B64: on(approve),
  B65: but('one model serves every state'),

  B67: on(compaction),
  B68: on(compaction),
  B69: on(compaction),
  B70: on(compaction),
  B72: on(restart, 'adapters/runtime/crash.test.ts'),
  B73: on(restart),
  B75: on(restart, 'adapters/runtime/restart.test.ts'),
  B76: on(restart),
  B77: on(compaction),

  B78: on(files, 'adapters/runtime/crash.test.ts'),
  B79: on(files, 'adapters/runtime/faults.test.ts'),
  B81: on(files, 'adapters/store/atomic-write.test.ts'),
  B82: on(files, 'adapters/store/file-store.test.ts'),
  B83: on(files, 'adapters/store/atomic-write.test.ts'),
  B84: on(files, 'adapters/store/lock.test.ts', 'adapters/runtime/processes.test.ts'),

  B86: on(checklist),
  B87: but('a complete need not name each criterion (D18 asks for a started task only)', checklist),
  B89: on(checklist),
  B90: on(checklist),

  B92: on(screen, 'adapters/tui/inline.pty.test.ts', 'adapters/tui/frame.test.ts'),
  B93: on(screen, 'adapters/tui/inline.pty.test.ts', 'adapters/tui/frame.test.ts'),
  B95: on(screen, 'adapters/tui/frame.test.ts', 'adapters/tui/text.test.ts'),
  B97: on(
    'adapters/tui/overlay.pty.test.ts',
    'adapters/tui/inline.pty.test.ts',
    'adapters/tui/input/keys.test.ts',
  ),
  B98: on(screen, 'adapters/tui/overlay/overlay.test.ts', 'adapters/tui/prompt/prompt.test.ts'),
  B99: on('adapters/tui/overlay.pty.test.ts', 'adapters/tui/overlay/overlay.test.ts'),
  B100: on('cli/usage.test.ts'),
  B101: on(
    'adapters/tui/inline.pty.test.ts',
    'adapters/tui/frame.test.ts',
    'adapters/tui/overlay/changes.test.ts',
  ),
  B102: on('cases/h-editor.test.ts', 'adapters/tui/hand-over.pty.test.ts'),

  B104: on(chat, keyboard),
  B105: on(chat, flow, telegram('outbox')),
  B107: on(chat, flow, telegram('outbox')),
  B108: on(chat, flow, telegram('outbox')),
  B109: on(telegram('html'), telegram('html-plan')),
  B111: on(telegram('outbox-server'), telegram('html-plan')),
  B112: on(telegram('bot-turn')),
  B113: on(overHttp),
  B114: on(telegram('bot-places'), telegram('outbox')),
  B115: on(overHttp, telegram('bot-places'), telegram('outbox')),
  B117: on(telegram('bot-places'), keyboard, flow),
  B119: on(telegram('bot-people'), keyboard),
  B120: on(telegram('bot-people')),
  B121: on('machines/callback.test.ts'),
  B122: on(telegram('commands')),
  B123: on(telegram('bot-people')),
  B124: on(overHttp, telegram('bot-both')),
  B125: on(chat, keyboard),
  B127: on(overHttp, telegram('bot-places')),
  B128: on(telegram('poll'), 'cli/bot.test.ts'),
  B129: on(chat, telegram('bot-turn')),
  B130: on(chat, telegram('bot-job'), telegram('bot-more'), telegram('html-plan')),
  B132: on(chat),
  B133: on(overHttp, telegram('bot-both')),
  B135: on(chat, telegram('bot-both')),
};

/** Names of this folder's tests start with the cases that they do. */
function idsIn(path: string): string[] {
  const names = readFileSync(`${root}test/${path}`, 'utf8').matchAll(/\(\s*['"](B\d\d[^'"]*)/gu);
  return [...names].flatMap(
    ([, name = '']) =>
      name
        .match(/^(?:B\d{2,3} )+/u)?.[0]
        .trim()
        .split(' ') ?? [],
  );
}

describe('cases from public bug reports, sections A to I', () => {
  const all = Object.values(ids).flatMap((section) => section.split(' '));

  it('each has its place', () => {
    expect(all).toHaveLength(103);
    expect(Object.keys(cases)).toEqual(all);
  });

  it.each(Object.entries(cases))('%s is done where the table says', (id, { files: named, later = '' }) => {
    expect(named.length > 0 || later !== '').toBe(true);
    const missing = named.filter((path) => !existsSync(`${root}test/${path}`));
    expect(missing).toEqual([]);
    const idle = named.filter((path) => {
      const done = path.startsWith('cases/')
        ? idsIn(path).includes(id)
        : new RegExp(`\\b${id}\\b`, 'u').test(readFileSync(`${root}test/${path}`, 'utf8'));
      return !done;
    });
    expect(idle).toEqual([]);
  });

  it('no test of this folder does a case that the table does not know', () => {
    const found = globSync('cases/*.test.ts', { cwd: `${root}test` }).filter(
      (path) => !path.includes('index'),
    );
    expect(found.length).toBeGreaterThan(5);
    const unknown = found.flatMap((path) =>
      idsIn(path).filter((id) => cases[id]?.files.includes(path) !== true),
    );
    expect(unknown).toEqual([]);
  });
});
