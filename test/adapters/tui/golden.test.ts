import { describe, expect, it } from 'vitest';
import { startInProcess, type InProcess } from './screen.ts';
import { review, states, text } from './states.ts';

/*
 * What stands on the screen in each state, kept as text in `golden/`. After a wanted change:
 * `npx vitest run test/adapters/tui/golden.test.ts -u`, then read the difference.
 */

const sizes = [
  { cols: 80, rows: 24 },
  { cols: 40, rows: 12 },
  { cols: 120, rows: 40 },
];

/** The rows with the size around them, so that a row that is too long or too short shows. */
function pictured(rows: readonly string[], { cols }: { cols: number }): string {
  const edge = `+${'-'.repeat(cols)}+`;
  return [edge, ...rows.map((row) => `|${row}`), edge, ''].join('\n');
}

async function shows(screen: InProcess, wanted: RegExp): Promise<string[]> {
  await expect.poll(() => screen.rows().join('\n'), { interval: 5 }).toMatch(wanted);
  return screen.rows();
}

describe.each(sizes)('on $cols×$rows', (size) => {
  it.each(Object.entries(states))('%s', async (name, view) => {
    const screen = startInProcess({ view, label: null }, size);
    try {
      await shows(screen, /^› /mu);
      screen.handle.publish(
        { type: 'context', used: 45_000, window: 200_000 },
        { type: 'notice', level: 'info', text: 'A notice.' },
      );
      const inline = await shows(screen, /A notice\.[\s\S]*^› /mu);
      await expect(pictured(inline, size)).toMatchFileSnapshot(
        `golden/${size.cols}x${size.rows}-${name}.txt`,
      );
      if (view.document === null && view.tasks.length === 0) return;
      screen.handle.reply(() => ({ kind: 'view', text: '' }));
      screen.type('\u0010');
      const overlay = await shows(screen, /q close/u);
      expect(screen.alternate()).toBe(true);
      await expect(pictured(overlay, size)).toMatchFileSnapshot(
        `golden/${size.cols}x${size.rows}-${name}-plan.txt`,
      );
    } finally {
      await screen.end();
    }
  });

  it('a changed plan', async () => {
    const kept = [
      { hash: 'h0', text: text.replace('2. Draw', '2. Show').replace('3. Test both', '3. Test') },
    ];
    const screen = startInProcess({ view: review, kept }, size);
    screen.handle.reply(() => ({ kind: 'view', text: '' }));
    try {
      await shows(screen, /› /u);
      screen.type('\u0010');
      await shows(screen, /q close/u);
      screen.type('c');
      const rows = await shows(screen, /^- 2\. Show/mu);
      await expect(pictured(rows, size)).toMatchFileSnapshot(`golden/${size.cols}x${size.rows}-changes.txt`);
    } finally {
      await screen.end();
    }
  });
});
