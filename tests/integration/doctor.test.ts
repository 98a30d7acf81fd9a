import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import path from 'node:path';
import { SignJWT } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { examine } from '../../server/doctor/examine.ts';
import type { Check, Finding, Machine } from '../../server/doctor/finding.ts';
import { clock, disk, measureDisk, memory, memoryHere, node, traces } from '../../server/doctor/machine.ts';
import { backup, mail, newer, push, settingsIn, webhooks, whatsApp } from '../../server/doctor/service.ts';
import { certificate, domain, notice, port, proxy } from '../../server/doctor/site.ts';
import { plainFetch, type Fetch } from '../../server/plain-fetch.ts';
import { readSettings } from '../../server/settings.ts';
import { createGate } from '../../server/rest/identity.ts';
import { createSystemStatus } from '../../server/system-status.ts';
import { findOnPath } from '../../build/on-path.ts';
import { listening } from '../listening.ts';
import { openGraphServer } from './graph-server.ts';
import { mailServer } from './mail-server.ts';
import { ran, VERSION } from './releases.ts';
import { tryBackup } from '../../server/cli/backup-file.ts';
import { dataDirectory, runProcess, serving, startServer, temporaryDirectory } from './processes.ts';
import { storedDirectory } from './stored.ts';

// Each test causes faults. `aeropuente doctor` must report each fault with a remedy.

function machineWith(environment: Readonly<Record<string, string>> = {}, means: Partial<Machine> = {}): Machine {
  return {
    settings: readSettings(environment),
    environment,
    address: `http://127.0.0.1:${environment['PORT']}`,
    fetch: plainFetch,
    now: Date.now,
    disk: measureDisk,
    memory: memoryHere,
    node: '24.22.3',
    devices: async () => 0,
    asideWebhooks: async () => 0,
    stuckHooks: async () => 0,
    tryBackup,
    sends: false,
    ...means,
  };
}

const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): Fetch =>
  async () =>
    new Response(body, { status, headers });

async function isFault(check: Check, machine: Machine, says: string, cure: string) {
  const {
    kind,
    says: { en },
    cure: remedy,
    detail = '',
  } = await check(machine);
  expect({ kind, says: `${en} (${detail})`, cure: remedy?.en }).toEqual({
    kind: 'fault',
    says: expect.stringContaining(says) as string,
    cure: expect.stringContaining(cure) as string,
  });
}
const isWell = async (check: Check, machine: Machine) => expect(await check(machine)).toMatchObject({ kind: 'well' });

test('`aeropuente doctor` finds a wrong clock, and push services that cannot be reached', async () => {
  const date = new Date().toUTCString();
  await isWell(clock, machineWith({}, { fetch: answering(200, { date }) }));
  const late = { fetch: answering(200, { date }), now: () => Date.parse(date) - 300_000 };
  await isFault(clock, machineWith({}, late), '-300 s off', 'timedatectl set-ntp true');
  const offline: Fetch = () => Promise.reject(new Error('no way'));
  await isFault(clock, machineWith({}, { fetch: offline }), 'none answers', 'port 443');
});

test('`aeropuente doctor` finds a full or slow disk, and too little memory', async () => {
  const { dataDir } = await storedDirectory();
  const environment = { DATA_DIR: dataDir };
  const measured = (free: number, syncMs: number) => machineWith(environment, { disk: async () => ({ free, syncMs }) });
  await isWell(disk, measured(9e9, 2));
  expect((await measureDisk(dataDir)).syncMs).toBeGreaterThan(0);
  await isFault(disk, measured(5e8, 2), '477 MB free', 'apt-get');
  await isFault(disk, measured(9e9, 80), 'slow, 80 ms', 'local one');
  await isWell(memory, machineWith(environment, { memory: () => 2 ** 31 }));
  await isFault(memory, machineWith(environment, { memory: () => 2 ** 30 }), '1024 MB; ', 'install --memory 2G');
  const unit = path.join(temporaryDirectory(), 'unit');
  writeFileSync(unit, '[Service]\nMemoryMax=512M\n');
  expect(memoryHere(unit)).toBe(512 * 1024 * 1024);
});

test('`aeropuente doctor` finds a vulnerable Node, an npm log and a misspelled setting', async () => {
  await isWell(node, machineWith());
  await isFault(node, machineWith({}, { node: '24.2.0' }), 'CVE-', 'Install Node 24.22.3');
  const dataDir = temporaryDirectory();
  await isWell(traces, machineWith({ DATA_DIR: dataDir }));
  mkdirSync(path.join(dataDir, '.npm'));
  await isFault(traces, machineWith({ DATA_DIR: dataDir }), 'personal data', `rm -r ${dataDir}/.npm`);
  const file = path.join(temporaryDirectory(), 'settings.env');
  writeFileSync(file, 'PORT=4173\nSMTP_URL=\nRATE_LIMIT_OVERALL=9\nNODE_ENV=production\n');
  await isWell(settingsIn(file), machineWith());
  writeFileSync(file, 'SMTP_ULR=smtps://mail.example.com\n');
  await isFault(settingsIn(file), machineWith(), 'AeroPuente does not know SMTP_ULR', 'Correct the name');
});

test('`aeropuente doctor` finds a server that does not answer, or runs with older settings', async () => {
  const dataDir = await dataDirectory();
  const { server, address } = await startServer(dataDir);
  const environment = { DATA_DIR: dataDir, PORT: new URL(address).port };
  const here = machineWith(environment);
  await isWell(port, here);
  await isWell(notice, here);
  const changed = machineWith({ ...environment, RETENTION_MONTHS: '12' });
  await isFault(notice, changed, 'settings changed', 'systemctl restart');
  await isFault(push, here, 'turned on on no device', 'In the desk');
  const aside = machineWith({}, { asideWebhooks: async () => 3 });
  await isFault(webhooks, aside, '3 did not arrive within a day', 'aeropuente webhooks log --aside says why');
  await server.end('SIGTERM');
  await isFault(port, here, 'it does not answer. (http', 'El servicio no arranca');
  expect(await notice(here)).toMatchObject({ kind: 'unknown' });
});

test('`aeropuente doctor` finds an unknown domain, and a bad certificate', async () => {
  const at = (address: string, means = {}) => machineWith({ VITE_SITE_URL: address }, means);
  await isWell(domain, at('https://localhost'));
  await isFault(domain, at('https://cotiza.invalid'), 'points to no address', 'set an A record');
  if (!findOnPath('openssl')) return;
  const folder = temporaryDirectory();
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', '/CN=localhost'];
  const files = ['-keyout', path.join(folder, 'key'), '-out', path.join(folder, 'certificate')];
  expect(spawnSync('openssl', [...words, ...files, '-addext', 'subjectAltName=DNS:localhost']).status).toBe(0);
  const cert = readFileSync(path.join(folder, 'certificate'));
  const secure = createSecureServer({ cert, key: readFileSync(path.join(folder, 'key')) });
  onTestFinished(() => void secure.close());
  const address = (await listening(secure)).replace('http://127.0.0.1', 'https://localhost');
  await isFault(certificate, at(address), 'self-signed certificate', 'journalctl -u caddy');
  // The check runs in a new process, because Node reads the trusted certificate authorities only when it starts.
  const asked = (days: number) => `
    import { certificate } from './server/doctor/site.ts';
    const now = () => Date.now() + ${days} * 86_400_000;
    console.log(JSON.stringify(await certificate({ settings: { siteUrl: '${address}' }, now })));`;
  const judged = async (days: number) => {
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: path.join(folder, 'certificate') };
    const { stdout } = await ran('.', process.execPath, ['--input-type=module', '--eval', asked(days)], env);
    return JSON.parse(stdout) as Finding;
  };
  expect(await judged(0)).toMatchObject({ kind: 'well' });
  expect(await judged(20)).toMatchObject({
    kind: 'fault',
    says: { en: expect.stringMatching(/ends in \d days/) as string },
  });
});

test('`aeropuente doctor` finds a proxy that hides visitors’ IP addresses or exposes /backup', async () => {
  const at = (means: Record<string, number | object>, trusted = '1') => {
    const fetch: Fetch = async (input) => {
      const answer = means[new URL(new Request(input).url).pathname];
      return typeof answer === 'number' ? new Response('', { status: answer }) : Response.json(answer);
    };
    return machineWith({ VITE_SITE_URL: 'https://cotiza.ejemplo.mx', TRUST_PROXY: trusted }, { fetch });
  };
  const right = { '/healthz': { database: 'ok' }, '/cotizar': 415, '/backup': 404 };
  await isWell(proxy, at(right));
  await isFault(proxy, at(right, '0'), 'TRUST_PROXY is 0', 'TRUST_PROXY=1');
  await isFault(proxy, at({ ...right, '/healthz': { node: {} } }), 'does not pass on the address', 'header_up');
  await isFault(proxy, at({ ...right, '/cotizar': 404 }), 'answers 404', 'Let POST /cotizar through');
  await isFault(proxy, at({ ...right, '/backup': 401 }), 'visible from the internet', 'respond /backup 404');
});

test('`aeropuente doctor` finds a mail server that refuses mails', async () => {
  const { mails, url } = await mailServer();
  const settings = { SMTP_URL: url, ALERT_MAIL: 'mesa@carga.example', MAIL_FROM: 'avisos@carga.example' };
  await isWell(mail, machineWith(settings));
  expect(mails).toEqual([]);
  await isWell(mail, machineWith(settings, { sends: true }));
  expect(mails).toEqual([expect.stringContaining('From: avisos@carga.example')]);
  await isFault(mail, machineWith({ ...settings, SMTP_URL: 'smtp://127.0.0.1:9' }), 'cannot be sent', 'Check SMTP_URL');
  const refusing = await mailServer(550);
  const refused = machineWith({ ...settings, SMTP_URL: refusing.url }, { sends: true });
  await isFault(mail, refused, 'cannot be sent', 'ALERT_MAIL');
});

test('`aeropuente doctor` finds an expired token of WhatsApp, and WhatsApp’s messages that were not stored', async () => {
  const graph = await openGraphServer();
  onTestFinished(async () => void (await graph.close()));
  const machine = (changes: object) => machineWith({ ...graph.environment, ...changes }, { fetch: plainFetch });
  await isWell(whatsApp, machine({}));
  await isFault(whatsApp, machine({ WHATSAPP_TOKEN: 'expired' }), 'cannot send', 'Check WHATSAPP_TOKEN');
  const stuck = { ...machine({}), stuckHooks: async () => 2 };
  await isFault(whatsApp, stuck, '2 received webhooks could not be stored', 'Update AeroPuente');
  await isFault(whatsApp, machine({ WHATSAPP_API_URL: 'http://127.0.0.1:9' }), 'cannot send', 'Check WHATSAPP_TOKEN');
});

test('`aeropuente doctor` finds a missing, old or unusable backup', async () => {
  const BACKUP_DIR = temporaryDirectory();
  const { file } = await storedDirectory();
  await isFault(backup, machineWith(), 'BACKUP_DIR is not set', 'on another disk');
  await isFault(backup, machineWith({ BACKUP_DIR }), 'there is none', 'NO BACKUP');
  const made = path.join(BACKUP_DIR, 'aeropuente-2026-11-20T080000.tar.gz');
  renameSync(file, made);
  const on = (day: string) => machineWith({ BACKUP_DIR }, { now: () => Date.parse(day) });
  await isFault(backup, on('2026-11-23T08:00:00Z'), 'the newest is 72 h old', 'aeropuente backup');
  expect(await backup(on('2026-11-20T10:00:00Z'))).toMatchObject({
    kind: 'well',
    says: { en: 'Backups: the one of 2 h ago can be restored (3 quotes).' },
  });
  truncateSync(made, 100_000);
  await isFault(backup, on('2026-11-20T10:00:00Z'), 'is not a complete backup', 'Make another now');
});

test('`aeropuente doctor` finds a newer release, if the settings name a URL for releases', async () => {
  expect(await newer(machineWith())).toMatchObject({ kind: 'unknown' });
  let version = VERSION;
  const site = await serving((_, response) => response.end(JSON.stringify({ version })));
  const machine = machineWith({ RELEASE_URL: site });
  await isWell(newer, machine);
  version = '1.0.10';
  await isFault(newer, machine, `this is ${VERSION}; the newest is 1.0.10`, 'Una versión nueva');
});

test('the system status at the desk contains no secrets, and only supervisors can read it', async () => {
  const secret = randomBytes(32);
  const apikey = 'aeropuente-public';
  const { url } = await mailServer();
  const DATABASE_URL = 'postgresql://mesa:secret-of-database@127.0.0.1:9/mesa';
  let runs = 0;
  const machine = machineWith(
    {
      SMTP_URL: url.replace('//', '//mesa:secret-of-mail@'),
      ALERT_MAIL: 'mesa@carga.example',
      DATABASE_URL,
      DATA_DIR: await dataDirectory(),
      PORT: '9',
    },
    {
      node: '24.2.0',
      fetch: answering(503),
      devices: async () => {
        runs += 1;
        throw new Error(`no password for ${DATABASE_URL}`);
      },
    },
  );
  const status = createSystemStatus(createGate({ publishableKey: apikey, secret }), () => machine);
  const ask = async (about?: object, aal = 'aal2') => {
    const token = new SignJWT({ role: 'authenticated', aal, app_metadata: about }).setProtectedHeader({ alg: 'HS256' });
    const bearer = about && { authorization: `Bearer ${await token.sign(secret)}` };
    return status(new Request('http://localhost/doctor', { headers: { apikey, ...bearer } }));
  };
  expect((await status(new Request('http://localhost/doctor'))).status).toBe(401);
  expect((await ask()).status).toBe(401);
  expect((await ask({ role: 'staff', supervisor: false })).status).toBe(403);
  expect((await ask({ supervisor: true })).status).toBe(403);
  const supervisor = { role: 'staff', supervisor: true };
  expect((await ask(supervisor, 'aal1')).status).toBe(403);
  expect(runs).toBe(0);
  const [body] = await Promise.all([ask(supervisor).then((response) => response.text()), ask(supervisor)]);
  expect(runs).toBe(1);
  const results = JSON.parse(body) as Finding[];
  expect(results.filter(({ kind }) => kind === 'fault').map(({ says }) => says.en)).toEqual([
    'Server: it does not answer.',
    expect.stringContaining('Push services: none'),
    expect.stringContaining('Node 24.2.0: known'),
    'Mail: cannot be sent.',
  ]);
  expect(results.find(({ says }) => says.es.startsWith('Node'))!.cure!.es).toContain('Instale Node');
  expect(body).not.toMatch(/secret-of|carga\.example|postgresql:|smtp:/);
});

test('a check that fails or never ends does not stop the other checks of `aeropuente doctor`', async () => {
  const name = { es: 'Correo', en: 'Mail' };
  const checks = [
    { name, check: () => new Promise<Finding>(() => undefined) },
    { name, check: () => Promise.reject(new Error('secret')) },
    { name, check: node },
  ];
  expect(await examine(machineWith(), checks, 20)).toMatchObject([
    { kind: 'unknown', says: { en: 'Mail: no answer in time.' } },
    { kind: 'fault', says: { en: 'Mail: it could not be checked.' } },
    { kind: 'well' },
  ]);
});

test('`aeropuente doctor` exits with 1 after a fault, and speaks the terminal’s language', async () => {
  const environment = { DATA_DIR: await dataDirectory(), PORT: '9', LANG: 'es_MX.UTF-8' };
  const { code, output } = await runProcess('doctor', environment);
  expect(code).toBe(1);
  expect(output).toMatch(/^✗ Servidor: no responde\. \(http:\/\/127\.0\.0\.1:9: .*\n {2}→ systemctl status/m);
  expect(output).toMatch(/^Fallas: \d\.\n$/m);
});
