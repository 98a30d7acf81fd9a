import { defineConfig } from '@playwright/test';
import { findChromium } from './build/browser.mjs';

const executablePath = await findChromium();

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: '.cache/test-results',
  snapshotPathTemplate: '{testDir}/snapshots/{arg}{ext}',
  updateSnapshots: 'none',
  workers: 2,
  // For a busy machine: nothing here is meant to measure time.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  reporter: process.env['CI'] ? 'line' : 'list',
  use: {
    browserName: 'chromium',
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    viewport: { width: 360, height: 740 },
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
