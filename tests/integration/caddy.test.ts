import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { connect as secure } from 'node:tls';
import { parseEnv } from 'node:util';
import { chromium } from '@playwright/test';
import { expect, onTestFinished, test } from 'vitest';
import { findHeadlessShell } from '../../build/browser.ts';
import { settingsFile, type Installation } from '../../server/service/files.ts';
import { freePort } from '../free-port.ts';
import { startCaddy, whyNoCaddy } from './behind-caddy.ts';
import { dataDirectory, temporaryDirectory } from './processes.ts';
import { installedRelease, startInstalled } from './releases.ts';
import { asInsert, INSERT, sampleQuote } from './sample-quote.ts';

// Tests the result of `aeropuente install`: a release with its settings, behind Debian’s Caddy with the Caddyfile that
// the installation writes.

const installationOn = async (folder: string): Promise<Installation> => ({
  domain: 'cotiza.aeropuente.test',
  folder,
  node: process.execPath,
  user: 'aeropuente',
  dataDir: await dataDirectory(),
  backupDir: undefined,
  port: await freePort(),
  memory: '1G',
});

async function place(settings: Readonly<Record<string, string>> = {}) {
  const folder = await installedRelease();
  const installation = await installationOn(folder);
  const start = () =>
    startInstalled(folder, { ...(parseEnv(settingsFile(installation)) as Record<string, string>), ...settings });
  const server = await start();
  return { ...(await startCaddy(temporaryDirectory(), installation)), server, start, port: installation.port };
}

test.skipIf(whyNoCaddy)(`a phone loads the page through Caddy over TLS, and sends a quote ${whyNoCaddy}`, async () => {
  const { origin, spki } = await place();
  const executablePath = (await findHeadlessShell())!;
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--host-resolver-rules=MAP cotiza.aeropuente.test 127.0.0.1'].concat(
      `--ignore-certificate-errors-spki-list=${spki}`,
    ),
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const answer = await page.goto(origin);
  expect(answer!.headers()['strict-transport-security']).toMatch(/^max-age=\d+$/);
  expect((await answer!.securityDetails())!.issuer).toContain('Caddy Local Authority');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const found = await page.evaluate(async () => {
    const { scope, pushManager } = await navigator.serviceWorker.ready;
    const keys = await fetch('/rest/v1/push_keys?select=public_key', { headers: { apikey: 'aeropuente-public' } });
    return { isSecureContext, scope, push: typeof pushManager.subscribe, keys: (await keys.json()) as object[] };
  });
  expect(found).toMatchObject({ isSecureContext: true, scope: `${origin}/`, push: 'function' });
  expect(found.keys).toHaveLength(1);

  const { nombre, empresa, email, telefono, peso } = sampleQuote();
  const form = page.locator('#reservar-espacio');
  for (const [name, value] of Object.entries({ nombre, empresa, email, telefono, peso }))
    await form.locator(`[name="${name}"]`).fill(String(value));
  await form.locator('[name="tipo_carga"]').selectOption('perecederos');
  await form.locator('button[type=submit]').click();
  await page
    .getByRole('article', { name: /^Su solicitud AP-/ })
    .getByText('entregada')
    .first()
    .waitFor();
});

test.skipIf(whyNoCaddy)(`Caddy forwards IP addresses, and holds requests during a restart ${whyNoCaddy}`, async () => {
  const { ask, server, start } = await place({ RATE_LIMIT_PER_ADDRESS: '2' });
  const sent = async (from: string, said?: string) =>
    (await ask(INSERT, { ...asInsert(sampleQuote(), said ? { 'x-forwarded-for': said } : {}), from })).status;
  expect([await sent('127.0.0.1'), await sent('127.0.0.1'), await sent('127.0.0.1')]).toEqual([201, 201, 429]);
  expect(await sent('127.0.0.1', '203.0.113.7')).toBe(429);
  expect(await sent('127.0.0.1', '203.0.113.8, 203.0.113.9')).toBe(429);
  expect(await sent('127.0.0.2')).toBe(201);
  expect(server.said()).not.toContain('TRUST_PROXY is 0');

  expect((await ask('/backup', { headers: { apikey: 'aeropuente-public' } })).status).toBe(404);
  expect((await ask('/healthz')).status).toBe(200);
  await server.stop();
  const asked = [ask('/'), ask('/healthz')];
  await start();
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await sent('127.0.0.3')).toBe(201);
});

test.skipIf(whyNoCaddy)(`Caddy collects slow bodies, which then use no server connection ${whyNoCaddy}`, async () => {
  const { ask, origin, port } = await place();
  const { hostname: servername, port: tls } = new URL(origin);
  const words = `POST ${INSERT} HTTP/1.1\r\nhost: ${servername}\r\napikey: aeropuente-public\r\ncontent-length: 900\r\n\r\n{`;
  for (let opened = 0; opened < 500; opened += 1) {
    const wire = connect({ port: Number(tls), host: '127.0.0.1', localAddress: '127.0.0.9' });
    const socket = secure({ socket: wire, servername, rejectUnauthorized: false });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'secureConnect');
    socket.write(words);
  }
  expect((await ask(INSERT, { ...asInsert(sampleQuote()), from: '127.0.0.1' })).status).toBe(201);
  expect(connectionsTo(port)).toBeLessThan(20);
});

/** Returns the number of established connections to a port, from /proc/net/tcp. */
function connectionsTo(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  return rows.filter(
    (row) => row.includes(local) && row.trim().split(/\s+/)[1]?.endsWith(local.trim()) && row.includes(' 01 '),
  ).length;
}
