import { defineConfig } from 'oxlint';

// Rules for imports between the folders, as in CONTRIBUTING.md.

const WHERE = 'This folder may not import that one: CONTRIBUTING.md, "House rules".';
const FEATURES = ['form', 'receipts', 'network', 'voice', 'designer', 'desk', 'landing'];
/** Packages that only the folder with their wrapper may import. */
const PACKAGES = [
  'idb',
  '@supabase/postgrest-js',
  '@supabase/supabase-js',
  '@vapi-ai/web',
  'leaflet',
  'react-leaflet',
  'workbox-window',
] as const;
type Package = (typeof PACKAGES)[number];

const inRoom = (files: string | string[], unseen: string[], ...packages: Package[]) => ({
  files: [files].flat(),
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: PACKAGES.filter((name) => !packages.includes(name)).map((name) => ({ name, message: WHERE })),
        patterns: [{ group: unseen, message: WHERE }],
      },
    ] as ['error', object],
  },
});

const REACT = ['react', 'react-dom/**'];
const allBut = (...seen: string[]) => ['../**', ...seen.map((place) => `!../${place}`), ...REACT];
const otherFeatures = (own = '') => FEATURES.filter((name) => name !== own).map((name) => `../${name}/**`);
/** Forbidden imports of a feature that sends nothing to the server: the other features, and the outbox. */
const silent = (own: string) => [...otherFeatures(own), '../outbox/**'];

/** Imports allowed between folders of the desk. Every folder may also import api, the only one that calls the server. */
const SEEN = {
  team: [],
  answer: [],
  conversation: ['answer', 'team'],
  lead: ['answer', 'conversation', 'team'],
  list: ['answer', 'lead', 'team'],
  figures: [],
  imports: [],
  session: ['answer', 'team'],
  factor: ['session'],
} as const;
const ROOMS = Object.keys(SEEN) as (keyof typeof SEEN)[];
const inDesk = (seen: readonly string[]) => [
  ...silent('desk').map((place) => place.replace('../', '../../')),
  ...ROOMS.filter((room) => !seen.includes(room)).map((room) => `../${room}/**`),
  '!../lead/{lead,offer}.ts',
];
const BACKEND = '../api/backend.ts';

/**
 * Lint rule against an HTTP client of Node: Node's own clients decode compressed answers, which is unsafe
 * (server/plain-fetch.ts).
 */
const byPlainFetch = (name: string) => ({ name, message: 'Only server/plain-fetch.ts sends requests.' });

/** Lint message for a command that prints in one language. Names the function for texts in the operator's language. */
const inBothLanguages = (name: string) => `Operators read Spanish or English: use ${name}.`;

/** Lint rule against `.es` and `.en`, so that a third language changes only src/content/bilingual.ts. */
const ofOneLanguage = (property: string) => ({
  property,
  message: 'mainWords or englishWords of src/content/bilingual.ts.',
});

/**
 * Maximum number of lines of a function, without comments. It is high because of factories, and of components with
 * their markup.
 */
const LONGEST_FUNCTION = 100;
/** Maximum numbers of lines for files with a longer function. These numbers may only become smaller. */
const LONGER = {
  'src/form/form-draft.ts': 122,
  'src/form/quote-form.ts': 144,
  'src/outbox/drain.ts': 127,
  'src/outbox/outbox.ts': 147,
};
const shortFunctions = (files: string[], max: number) => ({
  files,
  rules: {
    'max-lines-per-function': ['error', { max, skipBlankLines: true, skipComments: true }] as ['error', object],
  },
});

/** Names that say nothing about what they name. */
const VAGUE = ['said', 'told', 'heard', 'written', 'kept', 'held', 'before', 'again', 'another', 'those'];

const lead = allBut();
const content = allBut('lead/**', 'config.ts');
const outbox = allBut('lead/**', 'config.ts', 'agreements.ts');

export default defineConfig({
  plugins: ['typescript', 'react', 'import', 'jsx-a11y', 'unicorn', 'promise'],
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/consistent-return': 'off',
    'typescript/switch-exhaustiveness-check': 'error',
    'import/no-default-export': 'error',
    'import/no-cycle': 'error',
    'import/no-unassigned-import': 'off',
    'react/react-in-jsx-scope': 'off',
    'react/jsx-no-target-blank': 'error',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'unicorn/require-module-specifiers': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'promise/always-return': 'off',
    'promise/no-callback-in-promise': 'off',
    'no-underscore-dangle': 'off',
    'no-restricted-properties': ['error', ...['es', 'en'].map(ofOneLanguage)],
    'react/set-state-in-effect': 'off',
  },
  overrides: [
    inRoom('src/lead/**', lead),
    inRoom('src/content/**', content),
    inRoom('src/outbox/**', outbox),
    inRoom(['src/outbox/store.ts', 'src/outbox/file-store.ts'], outbox, 'idb'),
    inRoom('src/outbox/delivery.ts', outbox, '@supabase/postgrest-js'),
    inRoom(['src/phone/**', 'src/notices/**', 'src/ui/**'], otherFeatures()),
    inRoom('src/phone/worker.ts', otherFeatures(), 'workbox-window'),
    inRoom('src/form/**', otherFeatures('form')),
    inRoom('src/receipts/**', otherFeatures('receipts')),
    inRoom('src/network/**', silent('network'), 'leaflet', 'react-leaflet'),
    inRoom('src/voice/**', silent('voice')),
    inRoom('src/voice/vapi.ts', silent('voice'), '@vapi-ai/web'),
    inRoom('src/designer/**', silent('designer')),
    inRoom('src/desk/*', [...silent('desk'), './api/backend.ts']),
    ...ROOMS.map((room) => inRoom(`src/desk/${room}/**`, [...inDesk(SEEN[room]), BACKEND])),
    inRoom('src/desk/api/**', inDesk([]), '@supabase/supabase-js'),
    // session.ts imports supabase-js only for its types.
    inRoom('src/desk/session/session.ts', [...inDesk(SEEN.session), BACKEND], '@supabase/supabase-js'),
    inRoom('src/landing/**', ['../desk/**']),
    // The service worker may import only the modules of src that are listed here, and never React.
    inRoom('sw/**', [
      '../src/**',
      ...['lead/**', 'outbox/**', 'agreements.ts', 'config.ts', 'phone/{badge,quote-notifications}.ts'].map(
        (place) => `!../src/${place}`,
      ),
      ...REACT,
    ]),
    shortFunctions(['build/**', 'server/**', 'src/**', 'sw/**'], LONGEST_FUNCTION),
    ...Object.entries(LONGER).map(([file, lines]) => shortFunctions([file], lines)),
    {
      files: ['server/**'],
      rules: {
        'no-restricted-globals': [
          'error',
          { globals: ['fetch', 'WebSocket', 'EventSource'].map(byPlainFetch), checkGlobalObject: true },
        ],
        'no-restricted-imports': [
          'error',
          {
            paths: [
              { name: 'pg', message: 'Only server/database/postgres.ts imports it.' },
              ...['node:http', 'node:https'].map((name) => ({
                ...byPlainFetch(name),
                importNames: ['default', 'request', 'get', 'Agent', 'globalAgent'],
              })),
              ...['node:http2', 'undici'].map(byPlainFetch),
            ],
          },
        ],
      },
    },
    {
      files: ['server/cli/**'],
      rules: {
        'no-restricted-globals': [
          'error',
          {
            globals: [
              ...['fetch', 'WebSocket', 'EventSource'].map(byPlainFetch),
              { name: 'console', message: inBothLanguages('print') },
              { name: 'Error', message: inBothLanguages('OperatorError') },
            ],
            checkGlobalObject: true,
          },
        ],
      },
    },
    { files: ['server/cli/command.ts'], rules: { 'no-restricted-globals': 'off' } },
    {
      files: ['server/database/postgres.ts', 'server/plain-fetch.ts'],
      rules: { 'no-restricted-imports': 'off' },
    },
    {
      files: ['*.config.ts', 'tests/engines/table.ts', 'tests/rerun.ts', 'tests/run-folder.ts'],
      rules: { 'import/no-default-export': 'off' },
    },
    {
      files: ['src/**', 'sw/**', 'server/**', 'build/**', 'supabase/functions/**'],
      rules: { 'id-denylist': ['error', ...VAGUE] },
    },
    // Keys of these files are texts, commands and outcomes.
    {
      files: ['src/content/**', 'src/lead/whatsapp-codes.ts', 'server/metrics.ts', 'server/cli/webhooks.ts'],
      rules: { 'id-denylist': 'off' },
    },
    { files: ['src/content/bilingual.ts', 'tests/**'], rules: { 'no-restricted-properties': 'off' } },
    { files: ['tests/**', 'bench/**'], rules: { 'no-empty-pattern': 'off', 'react/rules-of-hooks': 'off' } },
  ],
});
