import { defineConfig } from 'vitest/config';
import { useOwnSettings } from './tests/own-settings.ts';
import { vitestRerun } from './tests/rerun.ts';
import { SHORT_LIVED } from './tests/run-folder.ts';

useOwnSettings();

const within = (folder: string, names: readonly string[]) => names.map((name) => `tests/${folder}/${name}.test.ts`);

/**
 * Slow integration tests, only in `npm run test:full`: installations, releases, power cuts, and PostgreSQL's own
 * features.
 */
const LONG = within('integration', [
  'backup-long',
  'bench',
  'changes',
  'caddy',
  'demo',
  'doctor',
  'image',
  'import-long',
  'mail-in-long',
  'operar',
  'own-postgres',
  'own-postgres-requests',
  'own-settings',
  'package',
  'power-cut-long',
  'published',
  'release',
  'service',
  'upgrade',
  'webhooks-long',
  'world-model',
]);
/** Tests of rules in SQL: the project `integration` runs them on PGlite, the project `postgres` on PostgreSQL. */
const SQL = within('integration', [
  'alert-devices',
  'alerts',
  'blocked',
  'calls',
  'cover',
  'customer-mail',
  'database',
  'desk',
  'details',
  'files',
  'history',
  'import-rules',
  'links',
  'offer-lines',
  'offers',
  'people',
  'received-messages',
  'recovered',
  'retention',
  'rights',
  'roles',
  'schemas',
  'templates-reminders',
  'tracking',
  'untold',
  'vocabulary',
  'webhooks',
  'whatsapp',
  'whatsapp-received',
]);

/** Options of tests with real databases and processes, for machines with two slow cores. */
const real = {
  globalSetup: 'tests/run-folder.ts',
  execArgv: [SHORT_LIVED],
  // Three workers, because tests mostly wait for processes; on two cores Vitest would start only one.
  maxWorkers: 3,
  // Runs after the unit tests.
  sequence: { groupOrder: 1 },
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Each test begins without the spies and stubs of the test before.
  restoreMocks: true,
  unstubGlobals: true,
  expect: { poll: { timeout: 20_000 } },
  // A second try for busy machines; tests/rerun.ts names each test that needed it.
  retry: 1,
};

export default defineConfig({
  test: {
    reporters: [process.env['CI'] ? 'dot' : 'default', vitestRerun],
    projects: [
      // Unit tests leave no state in their process, so they run without isolation: isolating them would take as long as
      // the tests themselves.
      { test: { name: 'unit', include: ['tests/unit/*.test.ts'], isolate: false, testTimeout: 40_000 } },
      { test: { ...real, name: 'integration', include: ['tests/integration/*.test.ts'], exclude: LONG } },
      { test: { ...real, name: 'postgres', include: SQL, env: { TESTS_ENGINE: 'postgres' } } },
      // Time limits for tests that build, install and start whole releases.
      { test: { ...real, name: 'long', include: LONG, testTimeout: 600_000, hookTimeout: 300_000 } },
      { test: { ...real, name: 'hosted', include: ['tests/hosted/*.test.ts'], testTimeout: 300_000 } },
    ],
  },
});
