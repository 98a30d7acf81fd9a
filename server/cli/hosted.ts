import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findOnPath } from '../../build/on-path.ts';
import { readRenamed } from '../../build/setting-names.ts';
import { readAlertSettings } from '../alerts/settings.ts';
import { KEEP_PROMISE } from '../database/promise.ts';
import { readSettings } from '../settings.ts';
import { testAlerts } from './alert-test.ts';
import { openAlerts } from './alerts-api.ts';
import { askFor, type Question } from './ask-for.ts';
import { runCommand, UsageError } from './command.ts';

const HELP = `npm run hosted -- setup

Brings a project of hosted Supabase up to this release: its database, the function that sends alerts, and what calls it.
It can be run again, as often as anything of it changes; each time the function gets a new ALERTS_KEY. What it needs it
takes from the environment or .env, and asks for where there is a terminal; nothing of it is kept on this machine.

  SUPABASE_PROJECT_REF         the project's id, as in https://<id>.supabase.co; or VITE_SUPABASE_URL, which has it in it
  SUPABASE_ACCESS_TOKEN        of your account: https://supabase.com/dashboard/account/tokens
  SUPABASE_DB_URL              the project's dashboard, Connect, Session pooler, with the database's password in it
  SUPABASE_SECRET_KEY          its dashboard, API Keys: a secret key
  VITE_SITE_URL                where the site is published: the links of alerts lead there
  RETENTION_MONTHS             after so many months without a word quotes are blocked, three later erased; 0, or none: never
  VITE_COMPANY_NAME, VITE_COMPANY_EMAIL, SMTP_URL, ALERT_MAIL, MAIL_FROM, PUSH_SERVICES    as in docs/operating.md, where they are set
`;

/** Its commands changed their options between majors. */
const CLI = { version: '3.1.0', major: '3' };
const REF = /^[a-z]{20}$/;
/** A project calls its function every 30 seconds; the first call may find it still being put up. */
const PATIENCE = 100;

const QUESTIONS = [
  {
    name: 'SUPABASE_PROJECT_REF',
    asks: 'The id of the project, as in https://<id>.supabase.co',
    isRight: (value) => REF.test(value),
  },
  {
    name: 'SUPABASE_ACCESS_TOKEN',
    asks: 'An access token of your account (https://supabase.com/dashboard/account/tokens)',
    isSecret: true,
    isRight: (value) => /^sbp_\w+$/.test(value),
  },
  {
    name: 'SUPABASE_DB_URL',
    asks: 'The address of its database, with the password in it (dashboard, Connect, Session pooler)',
    isSecret: true,
    isRight: (value) =>
      /^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? '') && Boolean(URL.parse(value)?.password),
  },
  {
    name: 'SUPABASE_SECRET_KEY',
    asks: 'A secret key of the project (dashboard, API Keys)',
    isSecret: true,
    isRight: (value) => /^\S{20,}$/.test(value),
  },
  {
    name: 'VITE_SITE_URL',
    asks: 'The address of the site, such as https://carga.example',
    isRight: (value) => URL.canParse(value),
  },
] as const satisfies readonly Question[];
type Given = Readonly<Record<(typeof QUESTIONS)[number]['name'], string>>;

/** Of the function, where they are set. */
const PASSED_ON = [
  'VITE_COMPANY_NAME',
  'VITE_COMPANY_EMAIL',
  'SMTP_URL',
  'ALERT_MAIL',
  'MAIL_FROM',
  'PUSH_SERVICES',
] as const;

async function run(words: readonly string[]): Promise<void> {
  if (words.includes('--help')) return void process.stdout.write(HELP);
  if (words.length !== 1 || words[0] !== 'setup') throw new UsageError(HELP);
  // Before anything is asked, or changed: a sentence that names what cannot be meant.
  readAlertSettings(process.env);
  readSettings(process.env);
  const given: Given = await askFor(QUESTIONS, {
    ...process.env,
    SUPABASE_PROJECT_REF: projectRef(process.env),
    SUPABASE_SECRET_KEY: readRenamed('SUPABASE_SECRET_KEY', process.env),
  });
  const folder = await mkdtemp(path.join(tmpdir(), 'aeropuente-hosted-'));
  try {
    await setUp(given, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function setUp(given: Given, folder: string): Promise<void> {
  const { SUPABASE_PROJECT_REF: ref, SUPABASE_DB_URL, VITE_SITE_URL } = given;
  const key = randomBytes(32).toString('base64url');
  const url = process.env['VITE_SUPABASE_URL'] || `https://${ref}.supabase.co`;
  // What it refuses is said before anything is changed.
  const own = readSettings({ ...process.env, VITE_SUPABASE_URL: url });
  const cli = await findCli(given, [key, process.env['SMTP_URL'] ?? '']);
  const project = `--remote=${ref}`;
  // Its password goes another way: everybody on a machine may read how a program was called.
  const database = new URL(SUPABASE_DB_URL);
  database.password = '';
  const withDatabase = `--remote=${database.href}`;

  await step(
    '1. Database',
    'Is SUPABASE_DB_URL right, its password too? "npx supabase db push" says more.',
    async () => {
      const said = await cli(['db', 'push', withDatabase, '--skip-vault']);
      const applied = said.match(/Applying migration \S+/g)?.length ?? 0;
      await cli(['db', 'query', withDatabase, KEEP_PROMISE.sql]);
      return applied > 0
        ? `${applied} ${applied === 1 ? 'migration was' : 'migrations were'} applied.`
        : 'it was up to date.';
    },
  );

  await step('2. Function', 'What the project answered stands above; it can be run again.', async () => {
    await cli(['functions', 'deploy', 'alert', project, '--use-api']);
    return 'alert is deployed.';
  });

  const settings = PASSED_ON.map((name) => [name, process.env[name] ?? ''] as const).filter(([, value]) => value);
  const secrets = Object.fromEntries([...settings, ['VITE_SITE_URL', VITE_SITE_URL], ['ALERTS_KEY', key]]);
  await step(
    '3. Secrets',
    'May this access token change the project? "npx supabase projects list" shows.',
    async () => {
      const file = path.join(folder, 'secrets.env');
      await writeFile(file, Object.entries(secrets).map(asLine).join(''), { mode: 0o600 });
      await cli(['secrets', 'set', project, '--env-file', file]);
      return `the function has ${Object.keys(secrets).toSorted().join(', ')}.`;
    },
  );

  // Not before all else that can fail: from here to the next step no alerts are sent.
  const silent =
    'Until this has run to its end no alerts are sent: the function has its new key, and who calls it has not.';
  await step(
    '4. Calls',
    `Has the project the extensions pg_net, pg_cron and vault? Dashboard, Database, Extensions. ${silent}`,
    async () => {
      const template = await readFile('supabase/functions/alert/calls.sql', 'utf8');
      const statement = template
        .replace('https://YOUR-PROJECT.supabase.co', () => url.replace(/\/$/, '').replaceAll("'", "''"))
        .replace('YOUR-ALERTS-KEY', key);
      const file = path.join(folder, 'calls.sql');
      await writeFile(file, statement, { mode: 0o600 });
      await cli(['db', 'query', withDatabase, '--file', file]);
      return 'the database calls it with each alert, and every 30 seconds.';
    },
  );

  await step('5. Retention', 'Is pg_cron still there? Dashboard, Database, Extensions.', async () => {
    await cli(['db', 'query', withDatabase, `select private.keep_retaining(${own.retentionMonths})`]);
    return own.retentionMonths > 0
      ? `after ${own.retentionMonths} months without a word quotes are blocked, three later erased.`
      : 'nothing goes by itself (RETENTION_MONTHS is 0).';
  });

  console.log('6. Test, to nobody:');
  const api = await openAlerts(own, given.SUPABASE_SECRET_KEY);
  // Whoever has turned alerts on already shall not be woken by it.
  const ended = await testAlerts(
    { staff: randomUUID(), devices: [] },
    { api, say: (line) => console.log(`   ${line}`), patience: PATIENCE },
  );
  if (ended !== 'nobody') throw new Error('The road ends there. When it is put right: npm run hosted -- setup');
  console.log(
    'Alerts are sent. Turn them on in the desk ("Avisos"), then: aeropuente alerts test\n' +
      'Accounts, and the site itself: docs/operating.md',
  );
}

async function step(name: string, advice: string, work: () => Promise<string>): Promise<void> {
  try {
    console.log(`${name}: ${await work()}`);
  } catch (error) {
    throw new Error(`${name} FAILED.\n${(error as Error).message.trim()}\n\n${advice}`, { cause: error });
  }
}

type Cli = (parameters: readonly string[]) => Promise<string>;

/** The Supabase CLI: an installed one of the same major, otherwise the one that is tested, from npm. */
async function findCli(given: Given, made: readonly string[]): Promise<Cli> {
  const installed = findOnPath('supabase');
  const isKnown = installed && (await call([installed], ['--version'], process.env)).trim().startsWith(`${CLI.major}.`);
  const program = isKnown ? [installed] : ['npx', '--yes', `supabase@${CLI.version}`];
  const env = {
    ...process.env,
    SUPABASE_ACCESS_TOKEN: given.SUPABASE_ACCESS_TOKEN,
    PGPASSWORD: passwordIn(given.SUPABASE_DB_URL),
  };
  const { SUPABASE_ACCESS_TOKEN, SUPABASE_SECRET_KEY, SUPABASE_DB_URL } = given;
  const all = [SUPABASE_ACCESS_TOKEN, SUPABASE_SECRET_KEY, SUPABASE_DB_URL, env.PGPASSWORD, ...made];
  const secrets = all.filter(Boolean);
  return (parameters) => call(program, [...parameters, '--workdir', process.cwd(), '--yes'], env, secrets);
}

function passwordIn(address: string): string {
  const { password } = new URL(address);
  try {
    return decodeURIComponent(password);
  } catch {
    // With a bare % in it: the password itself was put there.
    return password;
  }
}

/** What it said, without the secrets that it may have quoted. */
function call(
  [program, ...first]: readonly string[],
  more: readonly string[],
  env: NodeJS.ProcessEnv,
  secrets: readonly string[] = [],
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program!, [...first, ...more], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += text));
    child.stderr.on('data', (text: Buffer) => (said += text));
    child.once('error', reject);
    child.once('close', (code) => {
      const shown = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), said);
      if (code === 0) resolve(shown);
      else reject(new Error(shown || `The Supabase CLI ended with ${code}.`));
    });
  });
}

/** As dotenv reads it: between single quotes nothing has a meaning. */
function asLine([name, value]: readonly [string, string]): string {
  if (/[\n\r]/.test(value) || (value.includes("'") && /["\\$]/.test(value)))
    throw new Error(
      `${name} has characters that cannot be handed on: set it in the dashboard, Edge Functions, Secrets.`,
    );
  return value.includes("'") ? `${name}="${value}"\n` : `${name}='${value}'\n`;
}

function projectRef({ SUPABASE_PROJECT_REF, VITE_SUPABASE_URL = '' }: NodeJS.ProcessEnv): string | undefined {
  return SUPABASE_PROJECT_REF || /^https:\/\/([a-z]{20})\.supabase\.co\/?$/.exec(VITE_SUPABASE_URL)?.[1];
}

await runCommand(() => run(process.argv.slice(2)));
