import { defineConfig } from '@playwright/test';
import { useOwnSettings } from '../own-settings.ts';
import type { EngineName } from './visit.ts';

useOwnSettings();

export const project = (engineName: EngineName, name: string, packages: string) => ({
  name,
  use: { engineName },
  metadata: { packages },
});

export default defineConfig<object, { engineName: EngineName }>({
  testDir: '.',
  globalSetup: '../run-folder.ts',
  outputDir: '../../.cache/engines',
  workers: 2,
  // An engine that starts cold on a busy machine takes its time.
  timeout: 300_000,
  globalTimeout: 30 * 60_000,
  retries: 1,
  forbidOnly: true,
  reporter: [['./table.ts'], ['../rerun.ts']],
  projects: [
    project('firefox', 'Firefox ESR', 'firefox-esr'),
    project('webkit', 'WebKitGTK', 'webkit2gtk-driver xvfb'),
  ],
});
