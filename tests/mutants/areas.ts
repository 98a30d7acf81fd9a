/** A part of the product, with the tests that reach its files: cheapest first. */
export interface Area {
  readonly name: 'phone' | 'server' | 'sql';
  /** Part of the drawn mutants. */
  readonly weight: number;
  /** Files and folders, as `git ls-files` takes them. */
  readonly sources: readonly string[];
  readonly stages: (file: string) => readonly Stage[];
}

export interface Stage {
  readonly name: string;
  /** Parameters of Node. */
  readonly command: readonly string[];
  /** Milliseconds after which the mutant counts as killed: it may loop for ever. */
  readonly patience: number;
}

const VITEST = 'node_modules/vitest/vitest.mjs';
const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js';

/** Browser tests of what a phone does with a quote. */
const IN_BROWSER = ['quote.test', 'form.test', 'delivery', 'answers', 'offer', 'links', 'details', 'files.test'];

/** Tests of the server whose names begin with these words reach the folder directly. */
const NEAREST: Readonly<Record<string, readonly string[]>> = {
  'server/rest': [
    'integration/rest',
    'integration/fuzz',
    'integration/desk.',
    'integration/database',
    'integration/quotes',
  ],
  'server/auth': ['integration/sign-in', 'integration/staff', 'unit/throttle', 'unit/tokens'],
  'server/admission.ts': ['unit/admission', 'integration/backend', 'integration/database'],
};

const integration = (name: string, ...words: readonly string[]): Stage => ({
  name,
  patience: 420_000,
  command: [VITEST, 'run', '--project', 'unit', '--project', 'integration', '--bail', '1', '--retry', '0', ...words],
});

/** A comparison of schemas and baseline would kill each mutant of either, and prove no rule. */
const RULES_IN_SQL = ['--exclude', '**/schemas.test.ts'];

export const AREAS: readonly Area[] = [
  {
    name: 'phone',
    weight: 2,
    sources: ['src/outbox', 'src/lead', 'src/form/rules.ts', 'src/form/submit-quote.ts', 'src/form/controls.ts'],
    stages: (file) => [
      {
        name: 'unit tests',
        patience: 120_000,
        command: [VITEST, 'related', file, '--run', '--project', 'unit', '--bail', '1', '--passWithNoTests'],
      },
      {
        name: 'browser tests',
        patience: 420_000,
        command: [PLAYWRIGHT, 'test', '--project', 'wide', '--retries', '0', '-x', '--workers', '2', ...IN_BROWSER],
      },
    ],
  },
  {
    name: 'server',
    weight: 1,
    sources: ['server/rest', 'server/auth', 'server/admission.ts'],
    stages: (file) => [
      integration('nearest tests', ...(Object.entries(NEAREST).find(([folder]) => file.startsWith(folder))?.[1] ?? [])),
      integration('all integration tests', 'integration/'),
    ],
  },
  {
    name: 'sql',
    weight: 1,
    sources: ['supabase/migrations'],
    stages: () => [integration('integration tests', 'integration/', ...RULES_IN_SQL)],
  },
];
