import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: ['test/support/global-setup.ts'],
    // By default one core is left idle; many tests only wait for a program that they have started.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Terminal tests need real pseudo-terminals; with CI set Ink goes non-interactive.
    env: { NO_COLOR: '1' },
  },
});
