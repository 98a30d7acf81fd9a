import { whyNotHosted } from '../hosted/programs.ts';
import { playwrightReport, type Report, vitestReport } from './reports.ts';

/** What `npm test` is made of, in the order in which it begins. */
export interface Part {
  readonly name: string;
  readonly command: string;
  /** Needs no build, no database and no browser. */
  readonly quick?: boolean;
  readonly needsBuild?: boolean;
  readonly needsChromium?: boolean;
  /** Spends its time waiting, much of it: it runs beside those that compute. */
  readonly waits?: boolean;
  /** What it prints is worth reading also when nothing failed. */
  readonly shown?: boolean;
  /** Why it cannot run on this machine; empty where it can. */
  readonly whyNot?: () => string;
  /** A part that runs test files, and can be told which. One without counts as one test. */
  readonly tests?: Tests;
}

interface Tests {
  /** In `tests/`. */
  readonly folder: string;
  /** Where the runner leaves its own count. */
  readonly report: Report;
  /** What names the tests whose title matches. */
  readonly titleOption: string;
  /** Those that fail are run again, once: this runner does not do so by itself. */
  readonly repeats?: boolean;
}

const vitest = (name: string) => ({
  name,
  command: `vitest run --project ${name} --no-color --reporter=dot --reporter=json --outputFile.json=.cache/${name}.json`,
  tests: { folder: name, report: vitestReport, titleOption: '-t', repeats: true },
});

const playwright = (folder: string) => ({
  needsBuild: true,
  needsChromium: true,
  tests: { folder, report: playwrightReport, titleOption: '--pass-with-no-tests -g' },
});

export const PARTS: readonly Part[] = [
  { name: 'format', command: 'oxfmt --check', quick: true },
  { name: 'lint', command: 'oxlint --type-aware --deny-warnings', quick: true },
  {
    name: 'types',
    command: ['.', 'src', 'sw', 'server', 'tests', 'bench'].map((place) => `tsc -p ${place}`).join(' && '),
    quick: true,
  },
  { name: 'dead code', command: 'knip', quick: true },
  { ...vitest('unit'), quick: true },
  { name: 'build', command: 'node build/site.ts' },
  { ...vitest('integration'), needsBuild: true, needsChromium: true },
  { name: 'browser', command: 'playwright test --reporter=dot,json', ...playwright('e2e') },
  {
    name: 'engines',
    // The whole table, with Chromium, is `npm run engines`: what that can do is seen in `browser`.
    command: 'playwright test --config tests/engines',
    shown: true,
    waits: true,
    ...playwright('engines'),
  },
  { ...vitest('hosted'), waits: true, whyNot: whyNotHosted },
  {
    name: 'world',
    // A few faults are looked for first, so that it is known that it can fail.
    command: 'node tests/world/run.ts --few --minutes 1',
    shown: true,
  },
  // The whole storm is `npm run chaos`, the whole soak `npm run soak`.
  {
    name: 'chaos',
    command: 'node tests/chaos/storm.ts --n 25 --seed 7',
    needsBuild: true,
    needsChromium: true,
    waits: true,
  },
  {
    name: 'soak',
    command: 'node tests/chaos/soak.ts --phones 60 --seconds 1 --kills 2 --files 2',
    needsBuild: true,
    waits: true,
  },
];

/** Before parts that were chosen: the site as it is may be new enough. */
export const BUILD_IF_STALE: Part = { name: 'build', command: 'node build/site.ts --if-stale' };
