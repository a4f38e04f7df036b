import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { tuiPrograms, type TuiPrograms } from '../adapters/tui/tui-program.ts';
import { openBrowser } from '../support/browser.ts';
import { screenHtml } from './html.ts';
import { pageText, screenText } from './page.ts';
import { type Scene, scenes } from './scenes.ts';
import { restMs, stageOn } from './stage.ts';

/*
 * `npm run screens`: plays every scene on the real program and a real pseudo-terminal, and writes what stands there
 * into docs/screens, as text and as a picture. Named scenes alone: `npm run screens -- plan question`.
 */
const folder = fileURLToPath(new URL('../../docs/screens/', import.meta.url));

interface Taken {
  rows: string[];
  html: string;
}

async function taken(programs: TuiPrograms, scene: Scene): Promise<Taken> {
  const program = await programs.run(scene.setup, {
    ...(scene.size ?? { cols: 80, rows: 24 }),
    env: { NO_COLOR: undefined },
  });
  await scene.play(await stageOn(program));
  await atRest(() => program.bytes().length);
  const rows = program.screen();
  const cursor = program.cursor();
  return { rows, html: screenHtml(program.cells(), cursor.visible ? cursor : null) };
}

/** Resolves when nothing more is written for a while. */
async function atRest(written: () => number): Promise<void> {
  for (let before = -1; before !== written();) {
    before = written();
    await delay(8 * restMs);
  }
}

async function main(names: readonly string[]): Promise<void> {
  const wanted = scenes.filter(({ name }) => names.length === 0 || names.includes(name));
  const programs = await tuiPrograms();
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ deviceScaleFactor: 1 });
    for (const scene of wanted) {
      const { rows, html } = await taken(programs, scene);
      writeFileSync(join(folder, `${scene.name}.txt`), screenText(rows));
      await page.setContent(html);
      const box = await page.locator('main').boundingBox();
      if (box === null) throw new Error(`${scene.name} has no picture.`);
      await page.setViewportSize({ width: Math.ceil(box.width) + 16, height: Math.ceil(box.height) + 16 });
      await page.screenshot({ path: join(folder, `${scene.name}.png`) });
      process.stdout.write(`${scene.name}\n`);
    }
    writeFileSync(join(folder, 'README.md'), pageText(scenes));
  } finally {
    await browser.close();
    await programs.end();
  }
}

await main(process.argv.slice(2));
