import { defineConfig } from '@playwright/test';
import type { EngineName } from './visit.ts';

const project = (engineName: EngineName, name: string) => ({ name, use: { engineName } });

export default defineConfig<object, { engineName: EngineName }>({
  testDir: '.',
  outputDir: '../../.cache/engines',
  // An engine is started once, and its flows come one after the other.
  workers: 2,
  timeout: 45_000,
  forbidOnly: true,
  reporter: [['./table.ts'], ['json', { outputFile: '../../.cache/engines.json' }]],
  projects: [project('chromium', 'Chromium'), project('firefox', 'Firefox ESR'), project('webkit', 'WebKitGTK')],
});
