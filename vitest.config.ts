import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: ['test/support/global-setup.ts'],
    // One more than there are cores on a small machine: many tests only wait, for a program or for a chat's pace.
    maxWorkers: Math.max(3, availableParallelism()),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Terminal tests need real pseudo-terminals; with CI set Ink goes non-interactive.
    env: { NO_COLOR: '1' },
  },
});
