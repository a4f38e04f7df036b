import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Terminal tests need real pseudo-terminals; with CI set Ink goes non-interactive.
    env: { NO_COLOR: '1' },
  },
});
