import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { toolRows, toolsPage } from './tools-page.ts';

const path = fileURLToPath(new URL('../../docs/tools.md', import.meta.url));
const page = existsSync(path) ? readFileSync(path, 'utf8') : '';

describe('docs/tools.md', () => {
  it('is what the registry says', async () => {
    expect(page).not.toBe('');
    await expect(toolsPage()).toMatchFileSnapshot(path);
  });

  it('has a row for each tool', () => {
    expect(toolRows().length).toBeGreaterThan(10);
    for (const [first = ''] of toolRows()) expect(page).toContain(`\n| ${first} |`);
  });
});
