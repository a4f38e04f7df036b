import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** The browser of this computer, as `PATH` names it. Throws one sentence that names the package where there is none. */
export function browserPath(path = process.env['PATH'] ?? ''): string {
  const places = path.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const found = places.find(isProgram);
  if (found === undefined)
    throw new Error('These tests need a browser, and there is none: install the Debian package chromium.');
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

/** Close it when done. In a container there is no user to keep a sandbox from. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox'] });
