import { defineConfig } from 'vitest/config';
import { useOwnSettings } from './tests/own-settings.ts';

useOwnSettings();

export default defineConfig({
  test: {
    projects: [
      // Five times the longest on a quiet machine.
      { test: { name: 'unit', include: ['tests/unit/*.test.ts'], testTimeout: 40_000 } },
      {
        test: {
          name: 'integration',
          include: ['tests/integration/*.test.ts'],
          globalSetup: 'tests/run-folder.ts',
          // Much of them is waiting for processes; of two cores vitest would use one.
          maxWorkers: 3,
          // Real databases and real processes, on machines that may have two slow cores.
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          name: 'hosted',
          include: ['tests/hosted/*.test.ts'],
          globalSetup: 'tests/run-folder.ts',
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
