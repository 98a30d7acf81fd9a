import { defineConfig } from '@playwright/test';
import { useOwnSettings } from '../own-settings.ts';
import type { EngineName } from './visit.ts';

useOwnSettings();

export default defineConfig<object, { engineName: EngineName }>({
  testDir: '.',
  globalSetup: '../run-folder.ts',
  outputDir: '../../.cache/engines',
  workers: 2,
  // The first start of an engine on a busy machine is slow.
  timeout: 300_000,
  globalTimeout: 30 * 60_000,
  retries: 1,
  forbidOnly: true,
  reporter: [['list'], ['../rerun.ts']],
  projects: [
    { name: 'Firefox ESR', use: { engineName: 'firefox' } },
    { name: 'WebKitGTK', use: { engineName: 'webkit' } },
  ],
});
