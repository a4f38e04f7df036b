import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSkills } from '../../../adapters/skills/index.ts';
import type { Skills } from '../../../adapters/ports.ts';

/** Writes files below a folder, by relative path. */
export function writeTree(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

/** A file with front matter. */
export const markdown = (description: string, body: string, more = ''): string =>
  `---\ndescription: ${description}\n${more}---\n${body}\n`;

/** A home and a project in a temporary folder that goes with the test, and what they hold. */
export function skillWorld(trust: 'trusted' | 'refused' = 'trusted') {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'planchart-skills-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, 'home');
  const project = join(folder, 'project');
  mkdirSync(join(home, 'planchart'), { recursive: true });
  mkdirSync(project);
  const asked: string[] = [];
  const trusted = async (path: string): Promise<boolean> => {
    asked.push(path);
    return trust === 'trusted';
  };
  const skills: Skills = createSkills({ root: home, homes: [home], trusted });
  return {
    folder,
    home,
    project,
    own: join(home, 'planchart'),
    skills,
    asked,
    list: () => skills.list(project),
  };
}
