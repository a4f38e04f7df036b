import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startInProcess } from '../adapters/tui/screen.ts';
import { pageText, screenText } from './page.ts';
import { scenes } from './scenes.ts';
import { stageIn } from './stage.ts';

/* The pictures of the docs are those of the program as it is now; `npm run screens` takes them anew. */

const folder = fileURLToPath(new URL('../../docs/screens/', import.meta.url));
const kept = (name: string): string => readFileSync(`${folder}${name}`, 'utf8');

describe('docs/screens', () => {
  it.each(scenes.map((scene) => [scene.name, scene] as const))('%s is up to date', async (name, scene) => {
    const screen = startInProcess(scene.setup, scene.size ?? { cols: 80, rows: 24 });
    try {
      const stage = stageIn(screen);
      await stage.shows(/^› /mu);
      const rows = await scene.play(stage);
      expect(screenText(rows)).toBe(kept(`${name}.txt`));
    } finally {
      await screen.end();
    }
  });

  it('is a page with every scene and nothing else, its pictures small', () => {
    expect(kept('README.md')).toBe(pageText(scenes));
    const files = scenes.flatMap(({ name }) => [`${name}.png`, `${name}.txt`]);
    expect(readdirSync(folder).toSorted()).toEqual([...files, 'README.md'].toSorted());
    for (const file of files) expect(statSync(`${folder}${file}`).size).toBeLessThan(40_000);
  });
});
