/** Part of the product, with the tests that reach its files. */
export interface Area {
  readonly name: 'phone' | 'server' | 'sql';
  /** Relative number of mutants drawn from this area. */
  readonly weight: number;
  /** Files and folders for `git ls-files`. */
  readonly sources: readonly string[];
  /**
   * Returns the test stages for the changed files, cheapest first. A migration counts as its files in
   * `supabase/schemas`.
   */
  readonly stages: (subjects: readonly string[]) => readonly Stage[];
}

export interface Stage {
  readonly name: string;
  readonly command: readonly string[];
  /** Milliseconds after which a mutant counts as killed, because it may loop for ever. */
  readonly patience: number;
}

const VITEST = 'node_modules/vitest/vitest.mjs';
const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js';
const COMPILER = 'node_modules/typescript/bin/tsc';

/** Browser tests of quotes on a phone. */
const IN_BROWSER = ['first-press', 'form.test', 'delivery', 'answers', 'offer', 'links', 'details', 'files.test'];

/** Areas of the server. `nearest` tests run in one process; `started` tests start a server. */
const SERVER = [
  {
    part: 'server/rest',
    nearest: ['rest.', 'delivery', 'connections', 'unit/refusals'],
    started: ['backend', 'fuzz', 'metrics', 'people'],
  },
  { part: 'server/rest/identity.ts', nearest: ['sign-in'], started: [] },
  {
    part: 'server/auth',
    nearest: ['sign-in', 'second-factor', 'unit/throttle'],
    started: ['staff'],
  },
  {
    part: 'server/admission.ts',
    nearest: ['unit/admission', 'unit/throttle', 'connections', 'rest.'],
    started: ['backend', 'fuzz'],
  },
] as const;

/** Tests that most likely notice a mutant of each schema file, and therefore run first. */
const NEAREST_SCHEMA: Readonly<Record<string, readonly string[]>> = {
  foundations: ['database', 'rights', 'roles', 'vocabulary'],
  staff: ['roles', 'cover', 'templates-reminders'],
  quotes: ['database', 'recovered'],
  desk: ['desk.', 'blocked', 'calls'],
  prices: ['offer-lines', 'offers'],
  answers_and_offers: ['offers', 'desk.'],
  phone_answers: ['offers', 'details'],
  shipment_and_files: ['details', 'files'],
  tracking: ['tracking'],
  desk_page: ['history', 'templates-reminders', 'desk.'],
  people: ['retention', 'roles'],
  links_and_recovery: ['links', 'recovered'],
  received_messages: ['received-messages'],
  replies_by_mail: ['mail-in.', 'received-messages'],
  imports: ['import-rules'],
  alerts: ['alerts.', 'alert-devices', 'untold'],
  whatsapp: ['whatsapp'],
  webhooks: ['webhooks.'],
  alert_sending: ['alerts.', 'alert-devices', 'cover', 'customer-mail'],
};

/** Tests of the rules in SQL, except `schemas`: that test compares texts, so it would kill every mutant. */
const RULES_IN_SQL = [...new Set(Object.values(NEAREST_SCHEMA).flat())];

function sqlStages(schemas: readonly string[]): readonly Stage[] {
  const known = Object.entries(NEAREST_SCHEMA).filter(([name]) =>
    schemas.some((file) => file.endsWith(`_${name}.sql`)),
  );
  const nearest = new Set(known.flatMap(([, words]) => words));
  const others = RULES_IN_SQL.filter((word) => !nearest.has(word));
  return [
    vitest('nearest tests', [...nearest], '--no-isolate'),
    vitest('other rules in SQL', others, '--no-isolate'),
    vitest('tests that start a server', ['people', 'rest.']),
  ].flat();
}

/** Returns a stage of the tests whose path contains one of the words. Words without a folder mean integration tests. */
function vitest(name: string, words: readonly string[], ...options: readonly string[]): readonly Stage[] {
  if (words.length === 0) return [];
  const projects = ['--project', 'unit', '--project', 'integration'];
  const paths = words.map((word) => (word.includes('/') ? word : `integration/${word}`));
  // A single Vitest worker, so that the run ends at the first failure.
  const command = [
    VITEST,
    'run',
    ...projects,
    '--bail',
    '1',
    '--retry',
    '0',
    '--maxWorkers',
    '1',
    ...options,
    ...paths,
  ];
  return [{ name, patience: 420_000, command }];
}

const compiler = (project: string): Stage => ({
  name: 'compiler',
  patience: 120_000,
  command: [COMPILER, '-p', project, '--noEmit'],
});

export const AREAS: readonly Area[] = [
  {
    name: 'phone',
    weight: 2,
    sources: ['src/outbox', 'src/lead', 'src/form/rules.ts', 'src/form/submit-quote.ts', 'src/form/controls.ts'],
    stages: (files) => [
      {
        name: 'unit tests',
        patience: 120_000,
        command: [VITEST, 'related', ...files, '--run', '--project', 'unit', '--bail', '1', '--passWithNoTests'],
      },
      compiler('src'),
      ...vitest('tests on a database', ['vocabulary', 'database', 'delivery']),
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
    stages: (files) => {
      const reached = SERVER.filter(({ part }) => files.some((file) => file.startsWith(part)));
      return [
        ...vitest(
          'nearest tests',
          reached.flatMap(({ nearest }) => nearest),
        ),
        compiler('server'),
        ...vitest(
          'tests that start a server',
          reached.flatMap(({ started }) => started),
        ),
      ];
    },
  },
  {
    name: 'sql',
    weight: 1,
    sources: ['supabase/migrations'],
    stages: sqlStages,
  },
];
