import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { matrix } from '../support/samples-matrix.ts';
import { gateRows, toolRows, toolsPage } from './tools-page.ts';

const path = fileURLToPath(new URL('../../docs/tools.md', import.meta.url));
const page = existsSync(path) ? readFileSync(path, 'utf8') : '';

describe('docs/tools.md', () => {
  it('is what the registry and the gate say', async () => {
    expect(page).not.toBe('');
    await expect(toolsPage()).toMatchFileSnapshot(path);
  });

  it('has a column for each state of the matrix and a row for each class and tool', () => {
    const head = page.split('\n').find((line) => line.startsWith('| class |'));
    expect(head).toBe(`| class | ${matrix.states.join(' | ')} |`);
    expect(gateRows().length).toBeGreaterThan(10);
    for (const [first = ''] of [...gateRows(), ...toolRows()]) expect(page).toContain(`\n| ${first} |`);
  });

  it('has a row of the spec’s table word for word', () => {
    expect(page).toContain('\n| `bash` | yes | ro | – | – | – | – | yes | – |\n');
    expect(page).toContain('\n| `spawnArchitect` | yes | yes | – | – | – | – | yes | – |\n');
    expect(page).toContain('\n| `sessionPlan` | – | – | yes | – | – | – | – | – |\n');
  });
});
