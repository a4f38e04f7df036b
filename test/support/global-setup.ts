import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The surfaces are tested as people start them: from the built file. */
export function setup(): void {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  execFileSync(process.execPath, ['adapters/build.ts'], { cwd: root, stdio: 'inherit' });
}
