import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionView } from '../../../machines/index.ts';
import { reviewView, viewOf } from '../../support/fake-handle.ts';
import type { FixtureSetup } from './fixture.tsx';
import { tuiPrograms, type TuiProgram, type TuiPrograms } from './tui-program.ts';

const sizes = [
  { cols: 80, rows: 24 },
  { cols: 40, rows: 12 },
];
const [wide = { cols: 80, rows: 24 }] = sizes;
const view = { kind: 'view', text: '' } as const;

let programs: TuiPrograms;
let folder: string;
beforeAll(async () => {
  programs = await tuiPrograms();
  folder = mkdtempSync(join(tmpdir(), 'planchart-editor-'));
});
afterAll(async () => {
  await programs.end();
  rmSync(folder, { recursive: true, force: true });
});

/** A plan in review whose file is at `path`. */
function reviewAt(path: string, text: string, hash: string): SessionView {
  const seen = reviewView(text, hash);
  return { ...seen, document: seen.document === null ? null : { ...seen.document, path } };
}

/** A script as somebody's editor, run by the shell. */
function editor(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, script);
  return `sh "${path}" --wait`;
}

async function opened(setup: FixtureSetup, size = wide, how: 'run' | 'shell' = 'run'): Promise<TuiProgram> {
  const tui = await programs[how](setup, size);
  await tui.order({ do: 'reply', to: 'user.show', answer: view });
  tui.key('ctrlP');
  await tui.waitFor(/q close/u);
  return tui;
}

const given = { bracketedPaste: false, cursorKeys: false, mouse: 'off' };

describe.each(sizes)('B102 the editor, from the overlay at $cols×$rows', (size) => {
  it('has the terminal to itself, and afterwards the plan is read again', async () => {
    const path = join(folder, `plan-${size.cols}.md`);
    writeFileSync(path, '# Plan\n');
    // Reads a line as a shell does: neither raw mode nor a second reader is in its way.
    const own = editor(
      `own-${size.cols}`,
      'echo "editing $1 $2"; read -r line; printf "%s" "$line" > "$2"\n',
    );
    const tui = await opened({ view: reviewAt(path, '# Plan\n', 'h1'), editor: own }, size);
    await tui.waitFor(() => tui.modes().mouse === 'on');
    await tui.press('e', /editing --wait/u);
    expect(tui.buffer()).toBe('normal');
    expect(tui.modes()).toEqual(given);
    expect(tui.cursor().visible).toBe(true);
    await tui.order({ do: 'see', view: reviewAt(path, '# Edited', 'h2') });
    tui.type('# Edited by hand\r');
    const rows = await tui.waitFor(/Edited: this is the text/u);
    expect(rows.join('\n')).toMatch(/# Edited/u);
    expect(tui.buffer()).toBe('alternate');
    expect(readFileSync(path, 'utf8')).toBe('# Edited by hand');
    expect(tui.facts.map((fact) => 'sent' in fact && fact.sent.type)).toEqual(['user.show', 'user.show']);
    tui.type('c');
    await tui.waitFor(/^\+ # Edited/mu);
    tui.type('q');
    await tui.waitFor(() => tui.buffer() === 'normal' && /^› /mu.test(tui.screen().join('\n')));
    tui.type('typed afterwards');
    await tui.waitFor(/› typed afterwards/u);
    expect(tui.modes()).toEqual({ ...given, bracketedPaste: true });
  });
});

describe('B102 an editor that fails', () => {
  const review = reviewAt('/nowhere/plan.md', '# Plan', 'h1');

  it.each([
    ['none is named', undefined, /No editor is named\. Set VISUAL or EDITOR/u],
    ['it is not there', 'no-such-editor --wait', /no-such-editor did not start: there is no such/u],
    ['it ends with an error', 'false', /false ended with 1/u],
  ])('is reported in place: %s', async (_name, command, wanted) => {
    const tui = await opened({ view: review, ...(command === undefined ? {} : { editor: command }) });
    const rows = await tui.press('e', wanted);
    expect(rows.join('\n')).toMatch(/# Plan/u);
    expect(tui.buffer()).toBe('alternate');
    await tui.waitFor(() => tui.modes().mouse === 'on');
  });

  it('leaves no overlay when the plan has gone meanwhile', async () => {
    const tui = await opened({ view: review, editor: 'true' });
    const answer = { kind: 'info', code: 'NO_PLAN', text: 'There is no active plan.' } as const;
    await tui.order({ do: 'reply', to: 'user.show', answer });
    await tui.press('e', /NO_PLAN {2}There is no active plan\./u);
    expect(tui.buffer()).toBe('normal');
  });

  it('ends with the program', async () => {
    const tui = await opened({ view: review, editor: editor('long', 'echo "pid $$"; sleep 60\n') });
    const rows = await tui.press('e', /pid \d+/u);
    const pid = Number(/pid (\d+)/u.exec(rows.join('\n'))?.[1]);
    await tui.order({ do: 'crash', how: 'throw', text: 'boom' });
    expect(await tui.exit()).toBe(1);
    expect(tui.modes()).toEqual(given);
    await expect.poll(() => alive(pid)).toBe(false);
  });
});

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('the mouse wheel', () => {
  const plan = Array.from({ length: 400 }, (_, index) => `plan line ${index + 1}`).join('\n');

  it('B99 scrolls the plan, and belongs to the terminal on the inline screen', async () => {
    const tui = await opened({ view: reviewView(plan, 'h1') });
    tui.type('\u001b[<65;10;10M\u001b[<65;10;10M\u001b[<0;10;10M\u001b[<0;10;10m');
    await tui.waitFor(/^lines 7–/mu);
    tui.type('\u001b[<64;10;10M');
    await tui.waitFor(/^lines 4–/mu);
    tui.type('q');
    await tui.waitFor(() => tui.buffer() === 'normal' && /^› /mu.test(tui.screen().join('\n')));
    expect(tui.modes().mouse).toBe('off');
  });
});

describe('Ctrl+Z', () => {
  const ctrlZ = '\u001a';
  const shell = /^shell\$ *$/mu;

  it.each(['key', 'signal'] as const)(
    'gives the terminal to the shell and takes it back on fg (%s)',
    async (how) => {
      const tui = await programs.shell({}, wide);
      await tui.order({
        do: 'publish',
        events: [{ type: 'message.ended', turn: 't', text: 'Said before.' }],
      });
      tui.type('my draft');
      await tui.waitFor(/› my draft/u);
      if (how === 'key') tui.type(ctrlZ);
      else process.kill(await pidOf(tui), 'SIGTSTP');
      const rows = await tui.waitFor(/Stopped[\s\S]*^shell\$ *$/mu);
      expect(rows.join('\n')).not.toMatch(/› my draft/u);
      // The shell turns its own paste mode on.
      expect(tui.modes()).toMatchObject({ mouse: 'off', cursorKeys: false });
      expect(tui.cursor().visible).toBe(true);
      tui.type('echo shell-$((40+2))\r');
      await tui.waitFor(/^shell-42$/mu);
      tui.type('fg\r');
      await tui.waitFor(/› my draft/u);
      tui.type(' goes on');
      await tui.waitFor(/› my draft goes on/u);
      expect(tui.modes().bracketedPaste).toBe(true);
      expect(tui.history().filter((row) => row.includes('Said before.'))).toHaveLength(1);
      expect(tui.history().filter((row) => row.includes('my draft'))).toHaveLength(1);
    },
  );

  it('works from the overlay, mouse and all', async () => {
    const tui = await opened({ view: reviewView('# Plan', 'h1') }, wide, 'shell');
    tui.type(ctrlZ);
    await tui.waitFor(/Stopped[\s\S]*^shell\$ *$/mu);
    expect(tui.buffer()).toBe('normal');
    expect(tui.modes().mouse).toBe('off');
    tui.type('fg\r');
    await tui.waitFor(/q close/u);
    expect(tui.buffer()).toBe('alternate');
    await tui.waitFor(() => tui.modes().mouse === 'on');
    tui.type('q');
    await tui.waitFor(() => tui.buffer() === 'normal' && /^› /mu.test(tui.screen().join('\n')));
    expect(shell.test(tui.screen().at(-1) ?? '')).toBe(false);
  });

  it('stops nothing where no shell could continue it', async () => {
    const tui = await programs.run({ view: viewOf() }, wide);
    tui.type('draft');
    await tui.waitFor(/› draft/u);
    tui.type(ctrlZ);
    tui.type('!');
    const rows = await tui.waitFor(/› draft!/u);
    expect(rows.filter((row) => row.startsWith('›'))).toHaveLength(1);
  });
});

describe('SIGSTOP and SIGCONT from outside', () => {
  /** What another program would do to the terminal meanwhile; the emulator reads it as the terminal does. */
  const modes = (bytes: string): { paste: boolean; mouse: boolean } => ({
    paste: bytes.includes('\u001b[?2004h'),
    mouse: bytes.includes('\u001b[?1000h') && bytes.includes('\u001b[?1006h'),
  });

  async function continued(tui: TuiProgram): Promise<() => string> {
    tui.kill('SIGSTOP');
    const state = (): string => readFileSync(`/proc/${tui.pid}/stat`, 'utf8').split(') ')[1]?.[0] ?? '';
    await expect.poll(state).toBe('T');
    const before = tui.bytes().length;
    tui.kill('SIGCONT');
    return () => tui.bytes().slice(before);
  }

  it('draws the input anew and asks for pastes again', async () => {
    const tui = await programs.run({}, wide);
    tui.type('my draft');
    await tui.waitFor(/› my draft/u);
    const since = await continued(tui);
    await expect.poll(() => modes(since())).toEqual({ paste: true, mouse: false });
    await expect.poll(since).toContain('my draft');
    tui.paste(' a\nb');
    const rows = await tui.waitFor(/› my draft a\n {2}b/u);
    expect(rows.filter((row) => row.includes('my draft'))).toHaveLength(1);
  });

  it('draws the plan anew on its own screen, mouse and all', async () => {
    const tui = await opened({ view: reviewView('# Plan', 'h1') });
    await tui.waitFor(() => tui.modes().mouse === 'on');
    const since = await continued(tui);
    await expect.poll(() => modes(since())).toEqual({ paste: true, mouse: true });
    await expect.poll(since).toMatch(/1049h[\s\S]*# Plan[\s\S]*close/u);
    await tui.waitFor(/# Plan[\s\S]*q close/u);
    expect(tui.buffer()).toBe('alternate');
    tui.type('q');
    await tui.waitFor(() => tui.buffer() === 'normal' && /^› /mu.test(tui.screen().join('\n')));
    expect(tui.modes()).toEqual({ ...given, bracketedPaste: true });
  });
});

/** The fixture's process, the only child of the shell. */
async function pidOf(tui: TuiProgram): Promise<number> {
  const children = readFileSync(`/proc/${tui.pid}/task/${tui.pid}/children`, 'utf8').trim().split(' ');
  expect(children).toHaveLength(1);
  return Number(children[0]);
}
