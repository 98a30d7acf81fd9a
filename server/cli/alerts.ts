import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { folioOf } from '../../src/lead/folio.ts';
import { startAlerts } from '../alerts/embedded.ts';
import type { Message, Outcome } from '../alerts/message.ts';
import type { PushKeys } from '../alerts/web-push.ts';
import { openDatabase, type Database } from '../database/database.ts';
import { migrationsFolder } from '../database/migrate.ts';
import { createRest } from '../rest/handler.ts';
import { createGate } from '../rest/identity.ts';
import { findRunning } from './running.ts';
import { readLimits, readSettings, type Settings } from '../settings.ts';

const HELP = `npm run alerts -- test

Sends one alert along the whole road that a real one takes, and says what happened at each step: a quote is stored in
a directory that is thrown away afterwards, and from there told to every device on which a colleague has turned alerts
on, and to ALERT_MAIL. Devices and keys are those of the running server or, with VITE_SUPABASE_URL and
SUPABASE_SERVICE_ROLE_KEY, of the hosted project. It says 'Prueba' on their screens.
`;

const PATIENCE = 30_000;
const ANON_KEY = 'rehearsal';

interface Device {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly staff: string | null;
}

async function run([action, ...more]: readonly string[]): Promise<void> {
  if (action === '--help') return console.log(HELP);
  if (action !== 'test' || more.length > 0) throw new Error(HELP);
  const settings = readSettings(process.env);
  const { keys, devices } = await readDevices(settings);
  const { mail } = settings.alerts;
  console.log(
    `1. ${devices.length} devices have alerts turned on; ${mail ? `mail goes to ${mail.to}` : 'mail is off'}.`,
  );
  if (devices.length === 0 && !mail)
    throw new Error('Nobody would be told. Turn alerts on in the desk ("Avisos"), or set SMTP_URL and ALERT_MAIL.');
  const folder = await mkdtemp(path.join(tmpdir(), 'aeropuente-alerts-'));
  try {
    await rehearse(path.join(folder, 'database'), settings, keys, devices);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function rehearse(folder: string, settings: Settings, keys: PushKeys, devices: readonly Device[]): Promise<void> {
  const database = await openDatabase({ folder, migrations: migrationsFolder, afterwards: [] });
  try {
    await database.transaction([
      {
        sql: 'insert into public.push_keys (public_key, private_key) values ($1, $2)',
        parameters: [keys.public_key, keys.private_key],
      },
      ...devices.map(({ endpoint, p256dh, auth, staff }) => ({
        sql: 'insert into public.push_devices (endpoint, p256dh, auth, staff) values ($1, $2, $3, $4)',
        parameters: [endpoint, p256dh, auth, staff],
      })),
    ]);
    const id = await sendQuote(database);
    console.log(`2. A quote was stored: ${folioOf(id)}.`);
    const [written] = await database.transaction<{ count: number }>([
      {
        sql: "select count(*)::int as count from public.alerts where quote_id = $1 and kind = 'nueva'",
        parameters: [id],
      },
    ]);
    console.log(`3. Its alert was written with it: ${written!.count === 1 ? 'yes' : 'NO'}.`);
    await tell(database, settings, devices.length + (settings.alerts.mail ? 1 : 0));
  } finally {
    await database.close();
  }
}

/** By the handler that answers phones. */
async function sendQuote(database: Database): Promise<string> {
  const rest = createRest(database, createGate({ anonKey: ANON_KEY, secret: randomBytes(32) }), readLimits({}));
  const id = randomUUID();
  const quote = {
    id,
    nombre: 'Prueba de avisos',
    empresa: 'AeroPuente',
    email: 'prueba@aeropuente.example',
    telefono: '+52 664 555 0100',
    peso: 1,
    tipo_carga: 'general',
  };
  const request = new Request('http://localhost/rest/v1/quotes', {
    method: 'POST',
    headers: { apikey: ANON_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(quote),
  });
  const response = await rest(request, '');
  if (response.status !== 201) throw new Error(`The quote was not stored: ${await response.text()}`);
  return id;
}

async function tell(database: Database, settings: Settings, expected: number): Promise<void> {
  const ended: Outcome[] = [];
  const heard = (message: Message, outcome: Outcome) => {
    ended.push(outcome);
    const to = message.way === 'push' ? new URL(message.endpoint!).host : 'mail';
    console.log(`4. ${to}: ${WORDS[outcome.kind]}${outcome.why ? ` (${outcome.why})` : ''}.`);
  };
  const site = () => settings.siteUrl ?? `http://localhost:${settings.port}`;
  const alerts = startAlerts({ database, settings: settings.alerts, site, heard, isRehearsal: true });
  const end = performance.now() + PATIENCE;
  while (ended.length < expected && performance.now() < end) await wait(100);
  await alerts.stop();
  const sent = ended.filter(({ kind }) => kind === 'sent').length;
  console.log(`5. ${sent} of ${expected} were taken. What was taken is on a screen as soon as its device is reached.`);
  if (sent < expected) process.exitCode = 1;
}

const WORDS: Record<Outcome['kind'], string> = {
  sent: 'taken',
  gone: 'the device is gone; the next alert removes it',
  again: 'not taken now; a real alert would be tried again',
  failed: 'not taken',
};

async function readDevices(settings: Settings): Promise<{ keys: PushKeys; devices: Device[] }> {
  const { url, key } = await whereFrom(settings);
  const read = async <Row>(query: string): Promise<Row[]> => {
    const response = await fetch(`${url}/rest/v1/${query}`, {
      headers: { apikey: key, authorization: `Bearer ${key}` },
    });
    if (!response.ok) throw new Error(`The devices could not be read (${response.status}).`);
    return (await response.json()) as Row[];
  };
  const [keys] = await read<PushKeys>('push_keys?select=public_key,private_key');
  if (!keys) throw new Error('There is no key for alerts yet: it is made with the first start.');
  const all = await read<Device>('push_devices?select=endpoint,p256dh,auth,staff&quote_id=is.null');
  return { keys, devices: all };
}

async function whereFrom(settings: Settings): Promise<{ url: string; key: string }> {
  const { hosted } = settings;
  if (!hosted) {
    const { address: url, key } = await findRunning(settings, { patience: 0 }).catch((error: Error) => {
      throw new Error(`${error.message} Start AeroPuente first: it is the running server that sends alerts.`);
    });
    return { url, key };
  }
  const key = process.env['SUPABASE_SERVICE_ROLE_KEY'];
  if (!key) throw new Error('Alerts are sent by hosted Supabase: set SUPABASE_SERVICE_ROLE_KEY to read its devices.');
  return { url: hosted, key };
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
