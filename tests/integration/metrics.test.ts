import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openBackend } from '../../server/backend.ts';
import { dumpState } from '../../server/database/backups.ts';
import { createMeter, METRICS } from '../../server/metrics.ts';
import { readSettings } from '../../server/settings.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { dataDirectory, send, startServer, temporaryDirectory } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

const TOKEN = 'a-token-of-the-tests-own';

async function scrape(address: string) {
  const response = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await response.text();
  const values = new Map(
    [...text.matchAll(/^(\w+(?:\{[^}]*\})?) (\S+)$/gm)].map(([, name, value]) => [name!, Number(value)]),
  );
  return { text, values };
}

test('metrics are served only to clients that have METRICS_TOKEN', async () => {
  const opened = async (environment: Readonly<Record<string, string>>) => {
    const backend = await openBackend(readSettings({ DATA_DIR: await dataDirectory(), ...environment }));
    onTestFinished(() => backend.close());
    return async (authorization?: string, method = 'GET') => {
      const headers: Record<string, string> = authorization ? { authorization } : {};
      return backend.answer(new Request('http://localhost/metrics', { method, headers }), '');
    };
  };
  const off = await opened({});
  for (const given of [undefined, 'Bearer undefined', `Bearer ${TOKEN}`]) expect((await off(given)).status).toBe(404);
  const on = await opened({ METRICS_TOKEN: TOKEN });
  for (const wrong of [undefined, 'Bearer', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`])
    expect((await on(wrong)).status, wrong).toBe(401);
  expect((await on(`Bearer ${TOKEN}`, 'POST')).status).toBe(404);
  const scraped = await on(`Bearer ${TOKEN}`);
  expect(scraped.status).toBe(200);
  // The metric for the oldest open lead is zero when no lead is open.
  expect(await scraped.text()).toContain('aeropuente_oldest_open_lead_seconds 0\n');
  expect(() => readSettings({ METRICS_TOKEN: 'short' })).toThrow(/^METRICS_TOKEN must be 16 characters/);
});

test('the metrics and the JSON log contain no personal data', async () => {
  const backups = temporaryDirectory();
  const { server, address } = await startServer(await dataDirectory(), {
    METRICS_TOKEN: TOKEN,
    LOG_FORMAT: 'json',
    BACKUP_DIR: backups,
    RATE_LIMIT_PER_ADDRESS: '3',
    SMTP_URL: 'smtp://127.0.0.1:9',
    ALERT_MAIL: 'ventas@carga.example',
  });
  const quotes = [sampleQuote(), sampleQuote(), sampleQuote()];
  for (const quote of quotes) expect((await send(address, quote)).status).toBe(201);
  expect((await send(address, quotes[0]!)).status).toBe(201);
  expect((await send(address, sampleQuote())).status).toBe(429);
  expect((await fetch(address)).status).toBe(200);
  await expect.poll(async () => (await scrape(address)).values.get('aeropuente_alerts_total{outcome="again"}')).toBe(3);
  await expect.poll(async () => (await scrape(address)).values.has('aeropuente_backup_age_seconds')).toBe(true);
  const { text, values } = await scrape(address);
  const missing = Object.keys(METRICS).filter((name) => !text.includes(`# TYPE ${name} `));
  expect(missing).toEqual([]);
  expect(values.get('aeropuente_open_leads')).toBe(3);
  expect(values.get('aeropuente_leads_late')).toBe(0);
  expect(values.get('aeropuente_leads_due_soon')).toBe(0);
  expect(values.get('aeropuente_inserts_total')).toBe(4);
  expect(values.get('aeropuente_refusals_total{code="PT429"}')).toBe(1);
  expect(values.get('aeropuente_request_seconds_count{kind="insert"}')).toBe(4);
  expect(values.get('aeropuente_request_seconds_count{kind="page"}')).toBe(1);
  const median = values.get('aeropuente_request_seconds{kind="insert",quantile="0.5"}')!;
  expect(median).toBeGreaterThan(0);
  expect(values.get('aeropuente_request_seconds{kind="insert",quantile="0.95"}')).toBeGreaterThanOrEqual(median);
  expect(values.get('aeropuente_oldest_open_lead_seconds')).toBeLessThan(120);
  expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(1e7);
  expect(values.get('aeropuente_disk_free_bytes')).toBeGreaterThan(1e6);
  for (const { nombre, email, telefono, id } of quotes)
    for (const secret of [nombre, email, telefono, id, folioOf(id)]) expect(text).not.toContain(secret);
  // Format: https://prometheus.io/docs/instrumenting/exposition_formats/
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(
      /^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"\\]*"(,\w+="[^"\\]*")*\})? (NaN|-?[\d.]+(e[+-]?\d+)?))$/,
    );

  await server.end('SIGTERM');
  const lines = `${server.output}${server.errors}`.trimEnd().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const each of entries) expect(each).toMatchObject({ time: expect.any(String), level: expect.any(String) });
  expect(entries).toContainEqual(
    expect.objectContaining({ what: 'request', method: 'POST', path: '/rest/v1/quotes', status: 429, code: 'PT429' }),
  );
  expect(entries).toContainEqual(expect.objectContaining({ what: 'alert', kind: 'nueva', to: 'mail', ended: 'again' }));
});

test('each rule of docs/alarms.yml uses only existing metrics, and names a remedy', () => {
  const rules = readFileSync('docs/alarms.yml', 'utf8').split('- alert: ').slice(1);
  expect(rules).toHaveLength(5);
  const words = new Set(['or', 'and', 'absent', 'increase', 'outcome', 'h']);
  for (const rule of rules) {
    const [, expression = ''] = /^\s+expr: (.*)$/m.exec(rule) ?? [];
    const names = [...expression.replaceAll(/"[^"]*"/g, '').matchAll(/[a-z_]+/gi)].map(([name]) => name);
    const unknown = names.filter((name) => !words.has(name) && name !== 'e' && !(name in METRICS));
    expect(unknown, rule).toEqual([]);
    expect(names.some((name) => name in METRICS)).toBe(true);
    expect(rule).toMatch(/^\s+summary: .{20,}$/m);
    expect(rule).toMatch(/^\s+wants: From (whoever runs the server|the sales team)/m);
  }
});

test('the metrics have fewer than a hundred lines, however many error codes occurred', () => {
  const meter = createMeter();
  for (let count = 0; count < 10_000; count += 1) {
    meter.request({ isInsert: true, status: 201, code: undefined, ms: count });
    meter.request({ isInsert: false, status: 400, code: `X${count}`, ms: 1 });
  }
  const lines = meter.lines();
  expect(lines.length).toBeLessThan(100);
  expect(lines).toContain('aeropuente_refusals_total{code="other"} 9940');
  // The median counts the last thousand requests, which took 9.0 to 10.0 s. Requests older than ten minutes do not
  // count.
  expect(lines.find((line) => line.includes('insert",quantile="0.5"'))).toMatch(/ 9\.4\d+$/);
  expect(meter.lines(performance.now() + 11 * 60_000)).toContain(
    'aeropuente_request_seconds{kind="insert",quantile="0.5"} NaN',
  );
});

test('the newest dump in BACKUP_DIR counts as backup of the operator’s own PostgreSQL', () => {
  const folder = path.join(temporaryDirectory(), 'dumps');
  const settings = { folder, everyMs: 86_400_000 };
  expect(dumpState(settings)).toEqual({ at: null, ok: false });
  mkdirSync(folder);
  const at = new Date('2026-11-20T10:00:00Z');
  writeFileSync(path.join(folder, 'aeropuente-old.dump'), 'dump');
  utimesSync(path.join(folder, 'aeropuente-old.dump'), at, at);
  writeFileSync(path.join(folder, 'aeropuente-broken.dump'), '');
  const inADay = at.getTime() + 86_400_000;
  expect(dumpState(settings, inADay)).toEqual({ at: at.toISOString(), ok: true });
  expect(dumpState(settings, inADay * 2)).toMatchObject({ ok: false });
});
