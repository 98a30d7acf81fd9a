import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openBackend } from '../../server/backend.ts';
import { openLeads } from '../../server/cli/leads.ts';
import { databaseFolderIn } from '../../server/database/data-directory.ts';
import { nodeHealth, nodeWarning } from '../../server/node-version.ts';
import { readSettings } from '../../server/settings.ts';
import {
  dataDirectory,
  exchange,
  runProcess,
  runQuotes,
  send,
  serving,
  sooner,
  startServer,
  temporaryDirectory,
} from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

describe('the server after npm start', () => {
  test('the server serves site and data at one URL, and logs no personal data', async () => {
    const dataDir = await dataDirectory();
    const { server, address } = await startServer(dataDir);
    expect(server.output).toContain(`AeroPuente is at ${address} · quotes are stored in ${dataDir}`);
    const page = await fetch(address);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect((await send(address, sampleQuote())).status).toBe(201);
    // A visitor (behind a proxy) gets fewer fields of /healthz than a request from this machine.
    const health = async (headers = {}) => (await fetch(`${address}/healthz?at=1`, { headers })).json();
    expect(await health()).toMatchObject({ database: 'ok', node: nodeHealth(), staff: expect.anything() });
    expect(await health({ 'x-forwarded-for': '203.0.113.1' })).toEqual({ database: 'ok' });
    expect(server.output).toContain(nodeWarning()?.en ?? '');

    // A missing file must not be cached. The file `_headers` is for static hosts, and is not served.
    const gone = await fetch(`${address}/assets/not-there-0123abcd.js`);
    expect([gone.status, gone.headers.get('cache-control')]).toEqual([404, 'no-store']);
    for (const place of ['/_headers', '/_headers?x', '/%5fheaders', '//_headers', '/x/../_headers', '/_head%65rs'])
      expect((await fetch(address + place)).status).toBe(404);

    // The log leaves out queries and unknown paths, because these may contain personal data.
    await fetch(`${address}/privacidad?utm_source=maria@berries.mx`);
    await fetch(`${address}/maria@berries.mx`, { method: 'PUT' });
    const ofPages = () => [...server.output.matchAll(/^\w+-\w+ (\w+ \S+ \d+) \d+ ms$/gm)].map(([, line]) => line);
    await expect.poll(ofPages).toEqual(expect.arrayContaining(['GET /index.html 200', 'GET … 404', 'PUT … 405']));
    expect(ofPages()).toContain('GET /privacidad.html 200');
    expect(server.output).not.toContain('berries');

    const quote = sampleQuote();
    await send(address, quote);
    await send(address, { ...quote, id: 'no-uuid' });
    await send(address, { ...quote, id: sampleQuote().id });
    await send(address, sampleQuote({ ...quote, peso: 'mucho', id: sampleQuote().id }));
    const headers = { apikey: 'aeropuente-public', 'x-submission-id': quote.id };
    await fetch(`${address}/rest/v1/quotes?email=eq.${quote.email}`, { headers });
    await fetch(`${address}/rest/v1/${quote.email}`, { headers });
    await server.end('SIGTERM');
    const lines = server.output.split('\n').slice(-7);
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/^\w+-\w+ .* \d+ ms$/);
    expect(new Set(lines.map((line) => line.split(' ')[0])).size).toBe(7);
    expect(lines.map((line) => line.replace(/^\S+ /, '').replace(/ \d+ ms$/, ''))).toEqual([
      'POST /rest/v1/quotes 201',
      'POST /rest/v1/quotes 400 22P02',
      'POST /rest/v1/quotes 409 23505',
      'POST /rest/v1/quotes 400 22P02',
      'GET /rest/v1/quotes 200',
      'GET /rest/v1/… 404 PGRST125',
      '',
    ]);
    for (const personal of [quote.id, quote.nombre, quote.empresa, quote.email, quote.telefono, 'mucho']) {
      expect(server.output + server.errors).not.toContain(personal);
    }
  });

  test('the server serves the privacy notice that fits its present settings', async () => {
    const dataDir = await dataDirectory();
    const settings = { RETENTION_MONTHS: '24', SMTP_URL: 'smtp://localhost:9', ALERT_MAIL: 'mesa@carga.example' };
    const { address } = await startServer(dataDir, { ...settings, VITE_DATA_PLACE: 'Tijuana, México' });
    for (const coding of ['br', 'gzip', 'identity']) {
      const response = await fetch(`${address}/privacidad`, { headers: { 'accept-encoding': coding } });
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      const text = await response.text();
      for (const says of ['se bloquea 24 meses', 'responsable (Tijuana, México).', 'el correo del equipo de ventas'])
        expect(text).toContain(says);
    }
    expect(readFileSync(path.join(dataDir, 'notices'), 'utf8')).toContain('"retentionMonths":24');
  });

  test('the server answers running requests before it stops, even if nobody reads its log', async () => {
    const dataDir = await dataDirectory();
    const { server, address } = await startServer(dataDir, { LOG_FORMAT: 'json' });
    server.hangUp();
    const answered: string[] = [];
    const phones = Array.from({ length: 8 }, () => sendUntilRefused(address, answered));
    await expect.poll(() => answered.length).toBeGreaterThan(10);
    expect(await server.end('SIGTERM')).toBe(0);
    await Promise.all(phones);
    expect((await storedIds(dataDir)).toSorted()).toEqual(answered.toSorted());
    expect(existsSync(path.join(dataDir, 'address'))).toBe(false);
  });

  test('the start fails if another program uses the port, and unlocks the data directory', async () => {
    const { port } = new URL(await serving(() => undefined));
    const dataDir = await dataDirectory();
    const errors = `Another program uses port ${port}, or AeroPuente is already running. Set PORT to a free one.\n`;
    expect(await runProcess('main', { PORT: port, DATA_DIR: dataDir })).toMatchObject({ code: 1, errors });
    // The start must fail before the server creates a database.
    const empty = temporaryDirectory();
    expect(await runProcess('main', { PORT: port, DATA_DIR: empty })).toMatchObject({ code: 1, output: '' });
    expect(readdirSync(empty)).toEqual([]);
    expect(await storedIds(dataDir)).toEqual([]);
  });

  test('the server exits with 78 on a wrong setting, so that systemd does not restart it', async () => {
    const wrong = await runProcess('main', { PORT: '0', BACKUP_EVERY: 'daily' });
    expect(wrong).toMatchObject({ code: 78, output: '' });
    expect(wrong.errors).toBe('BACKUP_EVERY must be hours or days, such as 12h or 1d; it is "daily".\n');
  });

  describe('the server when the database cannot be opened', () => {
    /** Returns hashes of all files, except those that every start writes: lock, privacy notices, earlier sites. */
    const contents = (dataDir: string) =>
      readdirSync(dataDir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !['lock', 'notices'].includes(entry.name))
        .map(({ parentPath, name }) => path.join(parentPath, name))
        .filter((file) => !file.startsWith(path.join(dataDir, 'releases')))
        .map((file) => `${file} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`)
        .toSorted();

    test('the server prints the reason, serves pages, and answers quotes with 503', async () => {
      const dataDir = await dataDirectory();
      writeFileSync(path.join(dataDir, 'jwt-secret'), '');
      const before = contents(dataDir);
      const { server, address } = await startServer(dataDir);
      expect(server.errors).toMatch(/jwt-secret is empty or damaged/);
      expect(server.errors).toContain('The pages are served; quotes stay on the phones until this is corrected.');
      expect(server.output).toContain(`AeroPuente is at ${address} · quotes stay on the phones for now`);
      expect((await fetch(address)).status).toBe(200);
      const answer = await send(address, sampleQuote());
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
      expect(answer.headers.get('content-type')).toContain('application/json');
      expect((await fetch(`${address}/healthz`)).status).toBe(503);
      expect(await server.end('SIGTERM')).toBe(0);
      expect(contents(dataDir)).toEqual(before);
    });

    test.each<[string, (database: string) => void, RegExp]>([
      ['has no version', (database) => rmSync(path.join(database, 'PG_VERSION')), /PG_VERSION is missing/],
      ['is of another version', (database) => writeFileSync(`${database}/PG_VERSION`, '19\n'), /of PostgreSQL "19"/],
      ['is damaged', (database) => writeFileSync(`${database}/global/pg_control`, randomBytes(8192)), /does not open/],
    ])('a database that %s is not changed, and the error names the reason', async (_, damage, why) => {
      const dataDir = await dataDirectory();
      damage(databaseFolderIn(dataDir));
      const before = contents(dataDir);
      await expect(openBackend(readSettings({ DATA_DIR: dataDir }))).rejects.toThrow(why);
      expect(contents(dataDir)).toEqual(before);
    });

    test('the server opens the database by itself as soon as DATA_DIR becomes writable', async () => {
      const folder = temporaryDirectory();
      const [disk, file] = [path.join(folder, 'disk'), path.join(folder, 'file')];
      const dataDir = path.join(disk, 'data');
      // The test replaces a symbolic link in one step, because the server may read it at any moment.
      const becomes = (what: string) => {
        symlinkSync(what, `${disk}.next`);
        renameSync(`${disk}.next`, disk);
      };
      writeFileSync(file, '');
      becomes(file);
      const { server, address } = await startServer(dataDir, { NODE_OPTIONS: sooner(10_000, 300) });
      expect(server.errors).toMatch(/^\S+data cannot be written to \(.+\)\. Set DATA_DIR to a directory that can\.\n/);
      expect(server.errors).toContain('Trying again every 10 s.');
      expect((await send(address, sampleQuote())).status).toBe(503);
      const [damaged, well] = [temporaryDirectory(), temporaryDirectory()];
      renameSync(await dataDirectory(), path.join(well, 'data'));
      mkdirSync(path.join(damaged, 'data'));
      writeFileSync(path.join(damaged, 'data/jwt-secret'), '');
      becomes(damaged);
      await expect.poll(() => server.errors).toMatch(/jwt-secret is empty or damaged/);
      becomes(well);
      await server.says(/Quotes are stored in .*data now/);
      expect((await send(address, sampleQuote())).status).toBe(201);
      expect((await fetch(`${address}/healthz`)).status).toBe(200);
      expect((await runQuotes({ DATA_DIR: dataDir })).output).toContain('María');
    });
  });

  test('the server limits the quotes of each IP address, and of all IP addresses together', async () => {
    const limited = { TRUST_PROXY: '1', RATE_LIMIT_PER_ADDRESS: '2', RATE_LIMIT_OVERALL: '3' };
    const { server, address } = await startServer(await dataDirectory(), limited);
    expect(server.output).toContain('Changed limits: RATE_LIMIT_PER_ADDRESS=2, RATE_LIMIT_OVERALL=3');
    const forwarded = (host: number) => ({ 'x-forwarded-for': `198.51.100.1, 203.0.113.${host}` });
    const statuses: number[] = [];
    for (const host of [1, 1, 1, 2, 3]) statuses.push((await send(address, sampleQuote(), forwarded(host))).status);
    expect(statuses).toEqual([201, 201, 429, 201, 429]);
    expect((await fetch(address, { headers: forwarded(1) })).status).toBe(200);
  });

  test('a connection that sends too fast or too slowly does not delay other connections', async () => {
    const { address } = await startServer(await dataDirectory());
    const ask = 'GET /rest/v1/quotes HTTP/1.1\r\nhost: x\r\napikey: aeropuente-public\r\n\r\n';
    const heard = await exchange(address, ask.repeat(1000), () => false);
    const statuses = [...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses.length).toBeLessThan(100);
    expect(statuses.at(-1)).toBe('503');

    const slow =
      'POST /rest/v1/quotes HTTP/1.1\r\nhost: x\r\napikey: aeropuente-public\r\ncontent-length: 900\r\n\r\n{';
    for (let opened = 0; opened < 1500; opened += 1) {
      // 127.0.0.9 is also this machine, but counts as another visitor.
      const socket = connect({ port: Number(new URL(address).port), host: '127.0.0.1', localAddress: '127.0.0.9' });
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => {}).once('connect', () => socket.write(slow));
    }
    expect((await send(address, sampleQuote())).status).toBe(201);
  });
});

/** Sends quote after quote until the server no longer answers. */
async function sendUntilRefused(address: string, answered: string[]): Promise<void> {
  for (;;) {
    const quote = sampleQuote();
    try {
      const response = await send(address, quote);
      if (response.status === 201) answered.push(quote.id);
    } catch {
      return;
    }
  }
}

/** Reads the ids of the stored quotes from the data directory, which no process may use. */
async function storedIds(dataDir: string): Promise<string[]> {
  const leads = await openLeads(readSettings({ DATA_DIR: dataDir }), undefined);
  try {
    expect(leads.isLive).toBe(false);
    return (await leads.list({})).map(({ id }) => id);
  } finally {
    await leads.close();
  }
}
