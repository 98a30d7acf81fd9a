import { defineConfig } from 'vitest/config';
import { useOwnSettings } from './tests/own-settings.ts';
import { SHORT_LIVED } from './tests/run-folder.ts';

useOwnSettings();

export default defineConfig({
  test: {
    projects: [
      // They leave nothing behind in their process: one for each file would cost as much as the tests do.
      // Five times the longest on a quiet machine.
      { test: { name: 'unit', include: ['tests/unit/*.test.ts'], isolate: false, testTimeout: 40_000 } },
      {
        test: {
          name: 'integration',
          include: ['tests/integration/*.test.ts'],
          globalSetup: 'tests/run-folder.ts',
          execArgv: [SHORT_LIVED],
          // Much of them is waiting for processes; of two cores vitest would use one.
          maxWorkers: 3,
          // Real databases and real processes, on machines that may have two slow cores.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          name: 'hosted',
          include: ['tests/hosted/*.test.ts'],
          globalSetup: 'tests/run-folder.ts',
          execArgv: [SHORT_LIVED],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
