import { defineConfig } from '@playwright/test';
import { useOwnSettings } from '../own-settings.ts';
import type { EngineName } from './visit.ts';

useOwnSettings();

const project = (engineName: EngineName, name: string, packages: string) => ({
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
  timeout: 120_000,
  globalTimeout: 15 * 60_000,
  forbidOnly: true,
  reporter: [['./table.ts'], ['json', { outputFile: '../../.cache/engines.json' }]],
  projects: [
    project('chromium', 'Chromium', 'chromium'),
    project('firefox', 'Firefox ESR', 'firefox-esr'),
    project('webkit', 'WebKitGTK', 'webkit2gtk-driver xvfb'),
  ],
});
