import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import path from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startAlerts } from '../../server/alerts/embedded.ts';
import { createMailer } from '../../server/alerts/mail.ts';
import { readAlertSettings } from '../../server/alerts/settings.ts';
import { teamMail } from '../../server/alerts/team-mail.ts';
import type { AlertMessage } from '../../server/alerts/message.ts';
import { findRunningServer } from '../../server/cli/running-server.ts';
import { readSecret } from '../../server/database/data-directory.ts';
import { readSettings } from '../../server/settings.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { CERTIFICATE, PushService } from '../push/service.ts';
import { staffMember } from './callers.ts';
import { mailServer } from './mail-server.ts';
import { dataDirectory, runProcess, runScript, send, sooner, startServer } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

// Tests of alerts by mail, from a running server, and with the command `aeropuente alerts`. alerts.test.ts tests the
// SQL rules for alerts.

const SITE = 'https://carga.example';
const [ana, beto] = [staffMember('Ana'), staffMember('Beto')];
const newLead = {
  message_id: randomUUID(),
  way: 'mail',
  kind: 'nueva',
  folio: 'AP-5D7E-JYAM',
  attempts: 1,
  leads: 1,
} as AlertMessage;
const mailTo = (url: string) => {
  const mailer = createMailer({ url, from: 'cotizaciones@carga.example' });
  return teamMail(mailer, 'mesa@carga.example, guardia@carga.example', () => SITE)(newLead, Date.now());
};

const pushes = await PushService.start();
afterAll(() => pushes.stop());

test('a server that cannot send alerts logs the reason, and can still be stopped', async () => {
  const said: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((line: string) => void said.push(line));
  const database = { transaction: () => Promise.reject(new Error('The disk is nearly full')) };
  const alerts = startAlerts({ database, settings: readAlertSettings({}), site: () => SITE });
  await expect.poll(() => said).toEqual(['Alerts could not be sent: The disk is nearly full. Trying again.']);
  await alerts.stop();
});

test('an alert mail to the team has the folio and the link to the lead', async () => {
  const { mails, url } = await mailServer();
  expect(await mailTo(url)).toMatchObject({ kind: 'sent' });
  expect(mails).toHaveLength(1);
  expect(mails[0]).toContain('https://carga.example/mesa.html#AP-5D7E-JYAM');
  expect(mails[0]).toContain('New request AP-5D7E-JYAM');
});

test('an alert mail to two addresses counts as sent if only one address is refused', async () => {
  const { mails, url } = await mailServer(550, 'guardia');
  const outcome = await mailTo(url);
  expect(outcome).toEqual({ kind: 'sent', why: 'mailed; 1 of 2 refused' });
  expect(mails).toHaveLength(1);
});

test('the alert sender waits for a mail server that answers after eleven seconds', async () => {
  // The test makes socket timeouts twenty times shorter, so a delay of 550 ms counts as eleven seconds.
  const later = Object.getOwnPropertyDescriptor(Socket.prototype, 'setTimeout')!.value as Socket['setTimeout'];
  vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms, done) {
    return later.call(this, ms / 20, done);
  });
  const { mails, url } = await mailServer(undefined, '', 550);
  expect(await mailTo(url)).toMatchObject({ kind: 'sent' });
  expect(mails).toHaveLength(1);
});

test('an alert mail is sent later if no mail server can be reached', async () => {
  expect(await mailTo('smtp://127.0.0.1:1')).toMatchObject({ kind: 'again' });
});

describe('npm start', () => {
  const environment = () => ({ NODE_EXTRA_CA_CERTS: CERTIFICATE, PUSH_SERVICES: pushes.host });
  const ANYBODY = { apikey: 'aeropuente-public', 'content-type': 'application/json' };

  /** Turns alerts on for a colleague’s device. Returns the request headers of that colleague. */
  async function turnOn(
    address: string,
    dataDir: string,
    { sub, claims }: { sub: string; claims: object },
    device: string,
  ) {
    const token = await new SignJWT({ role: 'authenticated', ...claims, sub })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('5 minutes')
      .sign(readSecret(dataDir)!);
    const headers = { ...ANYBODY, authorization: `Bearer ${token}` };
    const body = JSON.stringify(pushes.subscribe(device));
    expect((await fetch(`${address}/rest/v1/push_devices`, { method: 'POST', headers, body })).status).toBe(201);
    return headers;
  }

  /** Starts a server on which a colleague has turned alerts on. */
  async function withDevice(more: Record<string, string> = {}) {
    const dataDir = await dataDirectory();
    const started = await startServer(dataDir, { ...environment(), ...more });
    const device = `process-${randomUUID()}`;
    const headers = await turnOn(started.address, dataDir, ana, device);
    const keys = await fetch(`${started.address}/rest/v1/push_keys?select=public_key`, { headers });
    [{ public_key: pushes.publicKey }] = (await keys.json()) as [{ public_key: string }];
    return { ...started, dataDir, device };
  }
  const toldTo = (device: string) =>
    pushes.pushed.filter((each) => each.device === device).map(({ payload }) => payload.notification['title']);

  beforeEach(() => {
    pushes.answers = () => ({ status: 201 });
    pushes.pushed.length = 0;
  });

  test('an alert is sent once if the server is killed after it stored the quote', async () => {
    const { server, address, dataDir, device } = await withDevice();
    const quote = sampleQuote();
    expect((await send(address, quote)).status).toBe(201);
    await server.end('SIGKILL');
    const again = await startServer(dataDir, environment());
    await expect.poll(() => toldTo(device)).toEqual([`Solicitud nueva ${folioOf(quote.id)}`]);
    const next = sampleQuote();
    expect((await send(again.address, next)).status).toBe(201);
    // The second quote makes the server send all due alerts, so a second alert for the first quote would show up here.
    await expect.poll(() => toldTo(device)).toEqual([quote, next].map(({ id }) => `Solicitud nueva ${folioOf(id)}`));
  });

  test('a push service that never answers does not delay quotes', async () => {
    // An unanswered push ends after ten seconds; the test shortens this to three.
    const { server, address, device } = await withDevice({ NODE_OPTIONS: sooner(10_000, 3000) });
    const untilItHangs = () => new Promise<void>((asked) => (pushes.answers = () => (asked(), 'hang')));
    const unreached = () => server.output.match(/again \(not reached\)/g)?.length ?? 0;
    let hangs = untilItHangs();
    const first = sampleQuote();
    await send(address, first);
    await hangs;
    expect((await send(address, sampleQuote())).status).toBe(201);
    expect(unreached()).toBe(0);
    pushes.answers = () => ({ status: 201 });
    await server.says(new RegExp(`alert nueva ${folioOf(first.id)} localhost:\\d+ again \\(not reached\\)`));
    expect(toldTo(device)).not.toContain(`Solicitud nueva ${folioOf(first.id)}`);

    hangs = untilItHangs();
    await send(address, sampleQuote());
    await hangs;
    const before = unreached();
    expect(await server.end('SIGTERM')).toBe(0);
    expect(unreached()).toBe(before);
    for (const secret of [first.nombre, first.email, first.telefono, first.id, device])
      expect(server.output + server.errors).not.toContain(secret);
  });

  const runAlerts = (more: Record<string, string>, ...parameters: string[]) => runScript('alerts', more, parameters);

  test('`aeropuente alerts test` sends a test alert, and reports each step until the device shows it', async () => {
    const { mails, url } = await mailServer();
    const { dataDir, device, address } = await withDevice({ SMTP_URL: url, ALERT_MAIL: 'mesa@carga.example' });
    const run = (...words: string[]) => runAlerts({ DATA_DIR: dataDir }, ...words);
    /**
     * Runs `aeropuente alerts` and waits until the device `shows` gets the alert. Then reports, in place of that
     * device, that the alert was shown.
     */
    const runShowing = async (shows: string, ...words: string[]) => {
      pushes.pushed.length = 0;
      const running = run(...words);
      await expect.poll(() => toldTo(shows)).toHaveLength(1);
      const { payload } = pushes.pushed.find((each) => each.device === shows)!;
      const { message: message_id } = payload.notification['data'] as { message: string };
      const shown = { method: 'POST', headers: ANYBODY, body: JSON.stringify({ message_id }) };
      expect((await fetch(`${address}/rest/v1/alert_shown`, shown)).status).toBe(201);
      return running;
    };
    const own = await run('test');
    expect(own.code, own.errors).toBe(0);
    expect(own.output.split('\n').map((line) => line.replace(/localhost:\d+/, 'host'))).toEqual([
      '1. A test was stored, with its alert.',
      '2. The server looked for alerts.',
      '3. Messages of the alert: 1.',
      '4. host: accepted (201).',
      '5. 1 of 1 were accepted; no device has shown it yet: it may be off or asleep.',
      '',
    ]);
    expect(toldTo(device)).toEqual(['Prueba: los avisos llegan a este dispositivo']);
    expect(mails).toEqual([]);
    const all = await runShowing(device, 'test', '--all');
    expect(all.code, all.errors).toBe(0);
    expect(all.output).toContain('5. 2 of 2 were accepted; shown by 1.');
    expect(mails).toHaveLength(1);
    const headers = { apikey: (await findRunningServer(readSettings({ DATA_DIR: dataDir }))).key };
    const rowsOf = async (table: string) => (await fetch(`${address}/rest/v1/${table}`, { headers })).json();
    for (const left of ['alert_test_messages', 'desk_alerts', 'desk_leads'])
      expect(await rowsOf(left), left).toEqual([]);

    const status = await run('status');
    expect(status.code, status.errors).toBe(0);
    expect(status.output).toMatch(/The sender last looked for due alerts \d+ s ago/);
    expect(status.output).toContain('1 devices of 1 colleagues are alerted.');

    // Two colleagues have turned alerts on, so the command must name one of them with `--to`.
    const betosDevice = `${device}-of-beto`;
    await turnOn(address, dataDir, beto, betosDevice);
    const unsaid = await run('test');
    expect([unsaid.code, unsaid.errors]).toEqual([2, expect.stringContaining('Choose whose devices: --to')]);
    const other = await run('test', '--to', 'nobody@aeropuente.mx');
    expect(other.errors).toMatch(/^There is no account nobody@aeropuente\.mx\. Accounts: none\.\n$/);
    const betos = await runShowing(betosDevice, 'test', '--to', beto.sub);
    expect(betos.code, betos.errors).toBe(0);
    expect([toldTo(device).length, toldTo(betosDevice).length]).toEqual([0, 1]);

    // A push service that answers 503 is busy; the server removes the device only after 410 (gone).
    pushes.answers = () => ({ status: 503 });
    const busy = await run('test', '--to', beto.sub);
    expect(busy.code).toBe(1);
    expect(busy.output).toContain('NOT accepted now; a real alert would be sent again (503)');
    pushes.answers = () => ({ status: 410 });
    const gone = await run('test', '--all');
    expect(gone.code).toBe(1);
    expect(gone.output).toContain('NOT accepted (410): the device is gone, and was removed.');
    expect((await run('test')).errors).toContain('Nobody would be alerted: ');
    const toNobody = await run('status');
    expect([toNobody.code, toNobody.output]).toEqual([1, expect.stringContaining('Nobody would be alerted: ')]);
  });

  test('`aeropuente alerts` explains each failure in one sentence', async () => {
    const dataDir = await dataDirectory();
    const isNotRunning = async (action: string) => {
      const stopped = await runAlerts({ DATA_DIR: dataDir }, action);
      expect([stopped.code, stopped.errors]).toEqual([
        1,
        expect.stringContaining('The AeroPuente server is not running. Start AeroPuente first'),
      ]);
    };
    await isNotRunning('test');
    // A killed server leaves its `address` file behind, so the command finds no server at that address.
    writeFileSync(path.join(dataDir, 'address'), 'http://localhost:9');
    await isNotRunning('status');
    expect((await runProcess('alerts', { DATA_DIR: dataDir }, ['rehearse'])).errors).toContain(
      'aeropuente alerts <action>',
    );
  });
});
