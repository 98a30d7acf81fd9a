import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLeads } from '../../server/leads.ts';
import { readSettings } from '../../server/settings.ts';
import { dataDirectory, Script, send, startServer, temporaryDirectory } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

describe('npm start', () => {
  test('serves the site and the backend at one address, and says where the quotes are', async () => {
    const dataDir = temporaryDirectory();
    const { server, address } = await startServer(dataDir);
    expect(server.output).toContain(`AeroPuente is at ${address} · quotes are kept in ${dataDir}`);
    const page = await fetch(address);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect((await send(address, sampleQuote())).status).toBe(201);
  });

  test('loses nothing it answered when it is killed in the middle of a stream of quotes', async () => {
    const dataDir = await dataDirectory();
    const answered: string[] = [];
    for (const more of [5, 10, 20]) {
      const { server, address } = await startServer(dataDir);
      const phones = Array.from({ length: 8 }, () => sendUntilRefused(address, answered));
      const before = answered.length;
      await expect.poll(() => answered.length, { interval: 5 }).toBeGreaterThanOrEqual(before + more);
      await server.end('SIGKILL');
      await Promise.all(phones);
    }
    expect(answered.length).toBeGreaterThan(20);
    expect(await storedIds(dataDir)).toEqual(expect.arrayContaining(answered));
  });

  test('answers what is under way and ends cleanly when it is asked to stop', async () => {
    const dataDir = await dataDirectory();
    const { server, address } = await startServer(dataDir);
    const answered: string[] = [];
    const phones = Array.from({ length: 8 }, () => sendUntilRefused(address, answered));
    await expect.poll(() => answered.length).toBeGreaterThan(10);
    expect(await server.end('SIGTERM')).toBe(0);
    await Promise.all(phones);
    expect((await storedIds(dataDir)).toSorted()).toEqual(answered.toSorted());
    expect(existsSync(path.join(dataDir, 'address'))).toBe(false);
  });

  test('is refused on a directory that another one uses, which goes on undisturbed', async () => {
    const dataDir = await dataDirectory();
    const { address } = await startServer(dataDir);
    const second = new Script('main', { PORT: '0', DATA_DIR: dataDir });
    expect(await second.ended()).toBe(1);
    expect(second.errors).toBe(
      `Another AeroPuente process is using ${dataDir}. Stop it first, or set DATA_DIR to another directory.\n`,
    );
    expect((await send(address, sampleQuote())).status).toBe(201);
  });

  test('is refused on a port that is taken, and leaves the directory free', async () => {
    const { address } = await startServer(await dataDirectory());
    const { port } = new URL(address);
    const dataDir = await dataDirectory();
    const second = new Script('main', { PORT: port, DATA_DIR: dataDir });
    expect(await second.ended()).toBe(1);
    expect(second.errors).toBe(`Port ${port} is taken by another program. Set PORT to a free one.\n`);
    await startServer(dataDir);
  });

  test('is refused where nothing can be written', async () => {
    const file = path.join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    const script = new Script('main', { PORT: '0', DATA_DIR: path.join(file, 'data') });
    expect(await script.ended()).toBe(1);
    expect(script.errors).toMatch(/^\S+data cannot be written to \(.+\)\. Set DATA_DIR to a directory that can\.\n$/);
  });

  test.each(['PORT', 'RATE_LIMIT_PER_ADDRESS', 'TRUST_PROXY'])(
    'is refused with a %s that is no number',
    async (name) => {
      const dataDir = path.join(temporaryDirectory(), 'data');
      const script = new Script('main', { DATA_DIR: dataDir, [name]: 'many' });
      expect(await script.ended()).toBe(1);
      expect(script.errors).toMatch(new RegExp(`^${name} must be a whole number from 0 to \\d+; it is "many"\\.\n$`));
      expect(existsSync(dataDir)).toBe(false);
    },
  );

  test('limits each address, and believes a proxy only when told that there is one', async () => {
    const limited = { RATE_LIMIT_PER_ADDRESS: '2' };
    const statuses = async (environment: Record<string, string>) => {
      const { address } = await startServer(await dataDirectory(), environment);
      const sent: number[] = [];
      for (const visitor of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
        sent.push((await send(address, sampleQuote(), { 'x-forwarded-for': `198.51.100.1, ${visitor}` })).status);
      }
      return sent;
    };
    expect(await statuses(limited)).toEqual([201, 201, 429]);
    expect(await statuses({ ...limited, TRUST_PROXY: '1' })).toEqual([201, 201, 201]);
  });

  test('writes a line for each request, and nothing of the person in it', async () => {
    const { server, address } = await startServer(await dataDirectory());
    const quote = sampleQuote();
    await send(address, quote);
    await send(address, { ...quote, id: 'no-uuid' });
    await send(address, { ...quote, id: sampleQuote().id });
    await send(address, sampleQuote({ ...quote, peso: 'mucho', id: sampleQuote().id }));
    await fetch(`${address}/rest/v1/quotes?email=eq.${quote.email}&apikey=aeropuente-public`, {
      headers: { 'x-submission-id': quote.id },
    });
    await server.end('SIGTERM');
    expect(server.output.split('\n').slice(-6)).toEqual([
      'POST /rest/v1/quotes 201',
      'POST /rest/v1/quotes 400 22P02',
      'POST /rest/v1/quotes 409 23505',
      'POST /rest/v1/quotes 400 22P02',
      'GET /rest/v1/quotes 200',
      '',
    ]);
    for (const personal of [quote.id, quote.nombre, quote.empresa, quote.email, quote.telefono, 'mucho']) {
      expect(server.output + server.errors).not.toContain(personal);
    }
  });
});

/** One phone after another, each with one quote, until nobody answers any more. */
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

/** Read without a server: nobody may hold the directory any more. */
async function storedIds(dataDir: string): Promise<string[]> {
  const leads = await openLeads(readSettings({ DATA_DIR: dataDir }), undefined);
  try {
    expect(leads.live).toBe(false);
    return (await leads.list({})).map(({ id }) => id);
  } finally {
    await leads.close();
  }
}
