import { defineConfig } from '@playwright/test';
import { findChromium } from './build/browser.mjs';
import type { Faces } from './tests/e2e/visitor.ts';

const executablePath = await findChromium();

/** Where it matters which faces the machine has. */
const WITH_EVERY_FACE = /layout\.test|first-paint\.test/;

export default defineConfig<object, { faces: Faces }>({
  testDir: 'tests/e2e',
  outputDir: '.cache/test-results',
  snapshotPathTemplate: '{testDir}/snapshots/{arg}{ext}',
  updateSnapshots: 'none',
  workers: 2,
  projects: [
    { name: 'wide', use: { faces: 'wide' } },
    { name: 'roboto', use: { faces: 'roboto' }, testMatch: WITH_EVERY_FACE },
    { name: 'narrow', use: { faces: 'narrow' }, testMatch: WITH_EVERY_FACE },
    { name: 'own', use: { faces: 'wide' }, testMatch: /layout\.test/ },
  ],
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
