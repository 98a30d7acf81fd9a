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

/** Typefaces of all tests. To choose others: `TEST_FACES=narrow npx playwright test`. */
const faces = FACES.find((name) => name === (process.env['TEST_FACES'] ?? 'wide'));
if (!faces) throw new Error(`TEST_FACES is one of ${FACES.join(', ')}.`);

const MEASURED = /layout\.test|first-paint\.test/;
// With Roboto and Arial, which the page shows until our typeface has loaded, only the tests of this replacement run.
// Tests of the layout run with a wider and a narrower typeface.
const STAND_INS = { testMatch: /first-paint\.test/, grep: /@replacement/ };

/** Tests that depend on the machine's typefaces, by set of faces. */
const WITH_FACE: Record<Faces, object> = {
  wide: { testMatch: MEASURED, grep: /@layout|@replacement/ },
  roboto: STAND_INS,
  arial: STAND_INS,
  // A narrow typeface of the phone stays on the page at every width of the window, so one width is tested (@narrow).
  narrow: { testMatch: MEASURED, grep: /@layout|@narrow/ },
};

/**
 * Tests that need the whole Chromium, which takes twice as long: sending while no page is open, updates of the site,
 * notifications, screenshots. All other tests use the headless shell. It lacks Background Sync, so there the page
 * itself sends the quotes.
 */
const IN_WHOLE_CHROMIUM = /alerts\.test|looks\.test|saving\.test|worker\.test/;
const inWhole = { faces, launchOptions: started(whole) };

/**
 * Tests of `npm run test:full`: secondary features, internal pages, other widths, and sites that are built separately.
 */
const REST =
  /@full|(designer|desk-calls|desk-history|desk-looks|desk-words|mail|papers|pictures|update|voice[\w-]*|webhooks|whatsapp)\.test/;

export default defineConfig<object, { faces: Faces }>({
  testDir: 'tests/e2e',
  globalSetup: './tests/run-folder.ts',
  outputDir: '.cache/test-results',
  snapshotPathTemplate: '{testDir}/snapshots/{arg}{ext}',
  updateSnapshots: 'none',
  // Three workers, because a test mostly waits. A fourth worker, with its server, would slow two cores down.
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
  // Long timeouts for busy machines: no test measures how long something takes.
  timeout: 120_000,
  expect: { timeout: 20_000, toPass: { intervals: [50, 100, 250] } },
  forbidOnly: true,
  // A second try for busy machines; tests/rerun.ts names each test that needed it.
  retries: 1,
  reporter: [[process.env['CI'] ? 'dot' : 'list'], ['./tests/rerun.ts']],
  use: {
    browserName: 'chromium',
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    viewport: { width: 360, height: 740 },
    // A service worker doubles the time of a visit, so it is blocked. Tests of the worker allow it.
    serviceWorkers: 'block',
    // Animations are off, because they take a quarter of the time. Tests of animations turn them on (`moving`).
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: started(shell),
  },
});
