import { defineConfig } from '@playwright/test';
import { ensureChromium, findChromium, findHeadlessShell } from './build/browser.ts';
import { FACES, type Faces } from './tests/e2e/faces.ts';
import { useOwnSettings } from './tests/own-settings.ts';

useOwnSettings();

if (!(await ensureChromium()))
  throw new Error('The tests in a browser need Chromium: install it, or set CHROMIUM_PATH to its file.');
const [whole, shell] = await Promise.all([findChromium(), findHeadlessShell()]);
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const started = (executablePath: string | undefined) => ({ args, ...(executablePath && { executablePath }) });

/** With which all the tests run: `TEST_FACES=narrow npx playwright test` for another. */
const faces = FACES.find((name) => name === (process.env['TEST_FACES'] ?? 'wide'));
if (!faces) throw new Error(`TEST_FACES is one of ${FACES.join(', ')}.`);

const MEASURED = /layout\.test|first-paint\.test/;
// What holds with the widest and the narrowest holds with Android's and with Arial: only their stand-ins have to be seen.
const STAND_INS = { testMatch: /first-paint\.test/, grep: /takes over/ };

/** Where it matters which faces the machine has: what of it is measured. */
const WITH_FACE: Record<Faces, object> = {
  wide: { testMatch: MEASURED, grep: /holds|takes over/ },
  roboto: STAND_INS,
  arial: STAND_INS,
  // Nothing stands in for these: the page stays in them at any width, and one says so.
  narrow: { testMatch: MEASURED, grep: /holds|at 360 px .* takes over/ },
};

/**
 * The browser that people have, at twice the work: for what is sent when no page is open, for phones with another
 * release, for notifications and for the pictures. The shell has no Background Sync: what arrives there, the page itself has sent.
 */
const IN_WHOLE_CHROMIUM = /alerts\.test|looks\.test|saving\.test|worker\.test/;
const inWhole = { faces, launchOptions: started(whole) };

/**
 * Comforts, internal pages, other widths of the same state, releases and sites that are built apart: tests with the tag,
 * and whole files. `npm run test:full` runs them.
 */
const REST =
  /@full|(designer|desk-calls|desk-history|desk-looks|desk-words|icons|mounts|pictures|update|voice[\w-]*)\.test/;

export default defineConfig<object, { faces: Faces }>({
  testDir: 'tests/e2e',
  globalSetup: './tests/run-folder.ts',
  outputDir: '.cache/test-results',
  snapshotPathTemplate: '{testDir}/snapshots/{arg}{ext}',
  updateSnapshots: 'none',
  // Tests wait as much as they work. Each worker has a server of its own: a fourth costs more than it brings on two cores.
  workers: 3,
  projects: [
    { name: faces, use: { faces }, testIgnore: IN_WHOLE_CHROMIUM, grepInvert: REST },
    { name: 'whole', use: inWhole, testMatch: IN_WHOLE_CHROMIUM, grepInvert: REST },
    { name: 'rest', use: { faces }, testIgnore: IN_WHOLE_CHROMIUM, grep: REST },
    { name: 'rest-whole', use: inWhole, testMatch: IN_WHOLE_CHROMIUM, grep: REST },
    ...FACES.filter((other) => other !== faces).map((other) => ({
      name: other,
      use: { faces: other },
      ...WITH_FACE[other],
    })),
    { name: 'own', use: { faces: 'wide' }, testMatch: /layout\.test/ },
  ],
  // For a busy machine: nothing here is meant to measure time.
  timeout: 120_000,
  expect: { timeout: 20_000, toPass: { intervals: [50, 100, 250] } },
  forbidOnly: true,
  // A busy machine may be late once; tests/rerun.ts names each test that passed only then.
  retries: 1,
  reporter: [[process.env['CI'] ? 'dot' : 'list'], ['./tests/rerun.ts']],
  use: {
    browserName: 'chromium',
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    viewport: { width: 360, height: 740 },
    // A fourth of the work goes into frames of what moves: where that matters, a file asks for it (`moving`).
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: started(shell),
  },
});
