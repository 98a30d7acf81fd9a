import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findOnPath } from '../../build/on-path.ts';
import { readRenamed } from '../../build/setting-names.ts';
import { readAlertSettings } from '../alerts/settings.ts';
import { KEEP_PROMISE } from '../database/promise.ts';
import { OperatorError } from '../language.ts';
import { readSettings, type Settings } from '../settings.ts';
import { eachLanguage, englishWords, mainWords, type Bilingual } from '../../src/content/bilingual.ts';
import { testAlerts } from './alert-test.ts';
import { openAlerts } from './alerts-api.ts';
import { askFor, type Question } from './ask-for.ts';
import { messageOf, print, runCommand, UsageError } from './command.ts';

const HELP = {
  es: `npm run hosted -- setup

Actualiza un proyecto de Supabase alojado a esta versión: su base de datos, la función que envía los avisos, y lo que la
llama. Se puede repetir cuantas veces haga falta; cada vez la función recibe una ALERTS_KEY nueva. Lo que necesita lo toma
del ambiente o de .env, o lo pregunta en una terminal; no lo guarda en esta máquina.

  SUPABASE_PROJECT_REF         el identificador del proyecto, como en https://<id>.supabase.co; o VITE_SUPABASE_URL
  SUPABASE_ACCESS_TOKEN        de su cuenta: https://supabase.com/dashboard/account/tokens
  SUPABASE_DB_URL              en el panel del proyecto: Connect, Session pooler; con la contraseña de la base de datos
  SUPABASE_SECRET_KEY          en el panel del proyecto: API Keys; una llave secreta
  VITE_SITE_URL                dirección del sitio, a la que llevan los avisos
  RETENTION_MONTHS             meses sin actividad tras los que se bloquea una cotización; tres después se borra. 0: nunca
  VITE_COMPANY_NAME, VITE_COMPANY_EMAIL, SMTP_URL, ALERT_MAIL, MAIL_FROM, PUSH_SERVICES, WHATSAPP_…    como en docs/operating.md, si están puestas`,
  en: `npm run hosted -- setup

Upgrades a project of hosted Supabase to this release: its database, the function that sends alerts, and the calls of the
function. It can be repeated at any time; each time the function gets a new ALERTS_KEY. Settings come from the environment
or .env, and are asked for at a terminal; none is stored on this machine.

  SUPABASE_PROJECT_REF         id of the project, as in https://<id>.supabase.co; or VITE_SUPABASE_URL
  SUPABASE_ACCESS_TOKEN        of your account: https://supabase.com/dashboard/account/tokens
  SUPABASE_DB_URL              from the project's dashboard: Connect, Session pooler; with the database's password
  SUPABASE_SECRET_KEY          from the project's dashboard: API Keys; a secret key
  VITE_SITE_URL                address of the site, to which alerts link
  RETENTION_MONTHS             months without activity after which a quote is blocked; three later it is erased. 0: never
  VITE_COMPANY_NAME, VITE_COMPANY_EMAIL, SMTP_URL, ALERT_MAIL, MAIL_FROM, PUSH_SERVICES, WHATSAPP_…    as in docs/operating.md, if set`,
};

/** Version of the Supabase CLI with which this command was tested. Other major versions have other options. */
const CLI = { version: '3.1.0', major: '3' };
const REF = /^[a-z]{20}$/;
/**
 * Seconds to wait for each step of the test. A project calls its function every 30 seconds, and the first call may fail
 * because the function does not have its settings yet.
 */
const STEP_SECONDS = 100;

const QUESTIONS = [
  {
    name: 'SUPABASE_PROJECT_REF',
    asks: {
      es: 'El identificador del proyecto, como en https://<id>.supabase.co',
      en: 'The id of the project, as in https://<id>.supabase.co',
    },
    isValid: (value) => REF.test(value),
  },
  {
    name: 'SUPABASE_ACCESS_TOKEN',
    asks: {
      es: 'Un token de acceso de su cuenta (https://supabase.com/dashboard/account/tokens)',
      en: 'An access token of your account (https://supabase.com/dashboard/account/tokens)',
    },
    isSecret: true,
    isValid: (value) => /^sbp_\w+$/.test(value),
  },
  {
    name: 'SUPABASE_DB_URL',
    asks: {
      es: 'La dirección de su base de datos, con la contraseña (panel, Connect, Session pooler)',
      en: 'The address of its database, with the password in it (dashboard, Connect, Session pooler)',
    },
    isSecret: true,
    isValid: (value) =>
      /^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? '') && Boolean(URL.parse(value)?.password),
  },
  {
    name: 'SUPABASE_SECRET_KEY',
    asks: {
      es: 'Una llave secreta del proyecto (panel, API Keys)',
      en: 'A secret key of the project (dashboard, API Keys)',
    },
    isSecret: true,
    isValid: (value) => /^\S{20,}$/.test(value),
  },
  {
    name: 'VITE_SITE_URL',
    asks: {
      es: 'La dirección del sitio, como https://carga.example',
      en: 'The address of the site, such as https://carga.example',
    },
    isValid: (value) => URL.canParse(value),
  },
] as const satisfies readonly Question[];
type Answers = Readonly<Record<(typeof QUESTIONS)[number]['name'], string>>;

/** Settings that the command copies to the Edge Functions, if they are set. */
const PASSED_ON = [
  'VITE_COMPANY_NAME',
  'VITE_COMPANY_EMAIL',
  'SMTP_URL',
  'ALERT_MAIL',
  'MAIL_FROM',
  'PUSH_SERVICES',
  'WHATSAPP_TOKEN',
  'WHATSAPP_PHONE_ID',
  'WHATSAPP_APP_SECRET',
  'WHATSAPP_VERIFY_TOKEN',
  'WHATSAPP_API_URL',
  'WHATSAPP_MEDIA_HOSTS',
  'WHATSAPP_TEMPLATE_ANSWER',
  'WHATSAPP_TEMPLATE_NEWS',
] as const;

async function run(words: readonly string[]): Promise<void> {
  if (words.includes('--help')) return print(HELP);
  if (words.length !== 1 || words[0] !== 'setup') throw new UsageError(HELP);
  // Wrong settings stop the command before it asks or changes anything.
  readAlertSettings(process.env);
  readSettings(process.env);
  const answers: Answers = await askFor(QUESTIONS, {
    ...process.env,
    SUPABASE_PROJECT_REF: projectRef(process.env),
    SUPABASE_SECRET_KEY: readRenamed('SUPABASE_SECRET_KEY', process.env),
  });
  const folder = await mkdtemp(path.join(tmpdir(), 'aeropuente-hosted-'));
  try {
    await setUp(answers, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function setUp(answers: Answers, folder: string): Promise<void> {
  const { SUPABASE_PROJECT_REF: ref, SUPABASE_DB_URL, VITE_SITE_URL } = answers;
  const key = randomBytes(32).toString('base64url');
  const url = process.env['VITE_SUPABASE_URL'] || `https://${ref}.supabase.co`;
  const settings = readSettings({ ...process.env, VITE_SUPABASE_URL: url });
  const { SMTP_URL = '', WHATSAPP_TOKEN = '', WHATSAPP_APP_SECRET = '', WHATSAPP_VERIFY_TOKEN = '' } = process.env;
  const cli = await findCli(answers, [key, SMTP_URL, WHATSAPP_TOKEN, WHATSAPP_APP_SECRET, WHATSAPP_VERIFY_TOKEN]);
  const project = `--remote=${ref}`;
  // The password is passed in PGPASSWORD, because every user of a machine can read the arguments of a process.
  const address = new URL(SUPABASE_DB_URL);
  address.password = '';
  const database = `--remote=${address.href}`;

  await step({ es: '1. Base de datos', en: '1. Database' }, DATABASE_ADVICE, () => migrateProject(cli, database));
  await step({ es: '2. Función', en: '2. Function' }, FUNCTION_ADVICE, async () => {
    await cli(['functions', 'deploy', 'alert', project, '--use-api']);
    if (!settings.alerts.whatsapp) return { es: 'alert está instalada.', en: 'alert is deployed.' };
    await cli(['functions', 'deploy', 'whatsapp', project, '--use-api']);
    const webhook = `${url.replace(/\/$/, '')}/functions/v1/whatsapp`;
    return {
      es: `alert y whatsapp están instaladas. Webhook de WhatsApp: ${webhook}`,
      en: `alert and whatsapp are deployed. Webhook of WhatsApp: ${webhook}`,
    };
  });
  await step({ es: '3. Secretos', en: '3. Secrets' }, SECRETS_ADVICE, async () => {
    const passedOn = PASSED_ON.map((name) => [name, process.env[name] ?? ''] as const).filter(([, value]) => value);
    const secrets = Object.fromEntries([...passedOn, ['VITE_SITE_URL', VITE_SITE_URL], ['ALERTS_KEY', key]]);
    const file = path.join(folder, 'secrets.env');
    await writeFile(file, Object.entries(secrets).map(asLine).join(''), { mode: 0o600 });
    await cli(['secrets', 'set', project, '--env-file', file]);
    const names = Object.keys(secrets).toSorted().join(', ');
    return { es: `la función tiene ${names}.`, en: `the function has ${names}.` };
  });
  // The database gets the new key directly after the function has it, because calls with the old key are refused and
  // send no alerts.
  await step({ es: '4. Llamadas', en: '4. Calls' }, CALLS_ADVICE, async () => {
    const template = await readFile('supabase/functions/alert/calls.sql', 'utf8');
    const statement = template
      .replace('https://YOUR-PROJECT.supabase.co', () => url.replace(/\/$/, '').replaceAll("'", "''"))
      .replace('YOUR-ALERTS-KEY', key);
    const file = path.join(folder, 'calls.sql');
    await writeFile(file, statement, { mode: 0o600 });
    await cli(['db', 'query', database, '--file', file]);
    return {
      es: 'la base de datos la llama con cada aviso, y cada 30 segundos.',
      en: 'the database calls it with each alert, and every 30 seconds.',
    };
  });
  await step({ es: '5. Conservación', en: '5. Retention' }, RETENTION_ADVICE, async () => {
    const months = settings.retentionMonths;
    await cli(['db', 'query', database, `select private.keep_retaining(${months})`]);
    return months > 0
      ? {
          es: `tras ${months} meses sin actividad las cotizaciones se bloquean; tres después se borran.`,
          en: `after ${months} months without activity quotes are blocked; three later they are erased.`,
        }
      : {
          es: 'nada se borra solo (RETENTION_MONTHS es 0).',
          en: 'nothing is erased by itself (RETENTION_MONTHS is 0).',
        };
  });
  await testProject(settings, answers.SUPABASE_SECRET_KEY);
}

async function migrateProject(cli: Cli, database: string): Promise<Bilingual> {
  const output = await cli(['db', 'push', database, '--skip-vault']);
  const applied = output.match(/Applying migration \S+/g)?.length ?? 0;
  await cli(['db', 'query', database, KEEP_PROMISE.sql]);
  if (applied === 0) return { es: 'ya estaba al día.', en: 'it was up to date.' };
  return {
    es: `${applied} ${applied === 1 ? 'migración aplicada' : 'migraciones aplicadas'}.`,
    en: `${applied} ${applied === 1 ? 'migration was' : 'migrations were'} applied.`,
  };
}

/** Tests the alerts without sending any to a person, so that nobody is disturbed. */
async function testProject(settings: Settings, secretKey: string): Promise<void> {
  print({ es: '6. Prueba, sin destinatarios:', en: '6. Test, without recipients:' });
  const end = await testAlerts(
    { staff: randomUUID(), devices: [] },
    {
      api: await openAlerts(settings, secretKey),
      say: (line) => print(eachLanguage(line, (words) => `   ${words}`)),
      stepSeconds: STEP_SECONDS,
    },
  );
  if (end !== 'nobody')
    throw new OperatorError({
      es: 'Los avisos no funcionan todavía. Después de corregirlo: npm run hosted -- setup',
      en: 'Alerts do not work yet. After correcting that: npm run hosted -- setup',
    });
  print({
    es: 'Los avisos funcionan. Actívelos en la mesa ("Avisos"), y después: aeropuente alerts test\nCuentas y sitio: docs/operating.md',
    en: 'Alerts work. Turn them on in the desk ("Avisos"), then: aeropuente alerts test\nAccounts and site: docs/operating.md',
  });
}

const DATABASE_ADVICE = {
  es: '¿Es correcta SUPABASE_DB_URL, también su contraseña? "npx supabase db push" dice más.',
  en: 'Is SUPABASE_DB_URL right, its password too? "npx supabase db push" says more.',
};
const FUNCTION_ADVICE = {
  es: 'La respuesta del proyecto está arriba. La orden se puede repetir.',
  en: 'The answer of the project is above. The command can be repeated.',
};
const SECRETS_ADVICE = {
  es: '¿Puede este token cambiar el proyecto? "npx supabase projects list" lo muestra.',
  en: 'May this access token change the project? "npx supabase projects list" shows it.',
};
const CALLS_ADVICE = {
  es: '¿Tiene el proyecto las extensiones pg_net, pg_cron y vault? Panel, Database, Extensions. Hasta que esta orden termine bien no se envían avisos: la función tiene su llave nueva, y la base de datos no.',
  en: 'Does the project have the extensions pg_net, pg_cron and vault? Dashboard, Database, Extensions. No alerts are sent until this command succeeds: the function has its new key, the database does not.',
};
const RETENTION_ADVICE = {
  es: '¿Sigue ahí pg_cron? Panel, Database, Extensions.',
  en: 'Is pg_cron still there? Dashboard, Database, Extensions.',
};

async function step(name: Bilingual, advice: Bilingual, work: () => Promise<Bilingual>): Promise<void> {
  try {
    const result = await work();
    print({
      es: `${mainWords(name)}: ${mainWords(result)}`,
      en: `${englishWords(name)}: ${englishWords(result)}`,
    });
  } catch (error) {
    const reason = messageOf(error).trim();
    throw new OperatorError(
      {
        es: `${mainWords(name)} FALLÓ.\n${reason}\n\n${mainWords(advice)}`,
        en: `${englishWords(name)} FAILED.\n${reason}\n\n${englishWords(advice)}`,
      },
      { cause: error },
    );
  }
}

type Cli = (parameters: readonly string[]) => Promise<string>;

/** Finds an installed Supabase CLI of the tested major version, or takes the tested one from npm. */
async function findCli(answers: Answers, newSecrets: readonly string[]): Promise<Cli> {
  const installed = findOnPath('supabase');
  const isKnown = installed && (await call([installed], ['--version'], process.env)).trim().startsWith(`${CLI.major}.`);
  const program = isKnown ? [installed] : ['npx', '--yes', `supabase@${CLI.version}`];
  const env = {
    ...process.env,
    SUPABASE_ACCESS_TOKEN: answers.SUPABASE_ACCESS_TOKEN,
    PGPASSWORD: passwordIn(answers.SUPABASE_DB_URL),
  };
  const { SUPABASE_ACCESS_TOKEN, SUPABASE_SECRET_KEY, SUPABASE_DB_URL } = answers;
  const all = [SUPABASE_ACCESS_TOKEN, SUPABASE_SECRET_KEY, SUPABASE_DB_URL, env.PGPASSWORD, ...newSecrets];
  const secrets = all.filter(Boolean);
  return (parameters) => call(program, [...parameters, '--workdir', process.cwd(), '--yes'], env, secrets);
}

function passwordIn(address: string): string {
  const { password } = new URL(address);
  try {
    return decodeURIComponent(password);
  } catch {
    // A % without two hexadecimal digits shows that the password is not URL-encoded: use the password as written.
    return password;
  }
}

/** Runs a program. Resolves with its output, in which secrets are masked. */
function call(
  [program, ...first]: readonly string[],
  more: readonly string[],
  env: NodeJS.ProcessEnv,
  secrets: readonly string[] = [],
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program!, [...first, ...more], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text));
    child.stderr.on('data', (text: Buffer) => (output += text));
    child.once('error', reject);
    child.once('close', (code) => {
      const shown = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), output);
      if (code === 0) resolve(shown);
      else
        reject(
          new OperatorError({
            es: shown || `El CLI de Supabase terminó con ${code}.`,
            en: shown || `The Supabase CLI ended with ${code}.`,
          }),
        );
    });
  });
}

/** Writes a line for dotenv, which reads a value in single quotes literally. */
function asLine([name, value]: readonly [string, string]): string {
  if (/[\n\r]/.test(value) || (value.includes("'") && /["\\$]/.test(value)))
    throw new OperatorError({
      es: `${name} tiene caracteres que no se pueden pasar: póngalo en el panel, Edge Functions, Secrets.`,
      en: `${name} has characters that cannot be passed on: set it in the dashboard, Edge Functions, Secrets.`,
    });
  return value.includes("'") ? `${name}="${value}"\n` : `${name}='${value}'\n`;
}

function projectRef({ SUPABASE_PROJECT_REF, VITE_SUPABASE_URL = '' }: NodeJS.ProcessEnv): string | undefined {
  return SUPABASE_PROJECT_REF || /^https:\/\/([a-z]{20})\.supabase\.co\/?$/.exec(VITE_SUPABASE_URL)?.[1];
}

await runCommand(() => run(process.argv.slice(2)));
