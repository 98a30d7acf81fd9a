import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openBackend } from '../../server/backend.ts';
import { readLimits } from '../../server/settings.ts';
import { folioOf } from '../../src/quote/folio.ts';
import { handOffText } from '../../src/quote/hand-off-text.ts';
import { freshDataDirectory } from '../run-folder.ts';
import { dataDirectory, runQuotes, Script, send, startServer, temporaryDirectory } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

const HOUR = 3_600_000;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();
const beside = { llamada: true, promociones: true, reemplaza: 'AP-0000-0000' };
const older = sampleQuote({ nombre: 'Ana Ríos', peso: 250, created_at: ago(26 * HOUR) });
const newer = sampleQuote({ nombre: 'Luis Peña', empresa: 'Mariscos, S.A.', created_at: ago(HOUR), ...beside });
const hostile = sampleQuote({
  nombre: '=HYPERLINK("http://evil.mx","x")',
  empresa: '\u001b[2J\u009b31m\u202egro.live\nLínea 2',
  created_at: ago(2 * HOUR),
});

describe('npm run quotes, while nothing runs', () => {
  // It only reads: tests that store the same share a directory, for to copy and to open one takes long.
  const directories = new Map<readonly object[], string>();
  const holding = async (quotes: readonly object[]) => {
    const DATA_DIR = directories.get(quotes) ?? (await freshDataDirectory());
    if (!directories.has(quotes) && quotes.length > 0) await store(DATA_DIR, quotes);
    directories.set(quotes, DATA_DIR);
    return { DATA_DIR };
  };
  afterAll(() => directories.forEach((directory) => rmSync(directory, { recursive: true })));
  const two = [older, newer];
  const three = [older, hostile, newer];
  const none: readonly object[] = [];

  test('prints a table, the newest first', async () => {
    const { code, output } = await runQuotes(await holding(two));
    expect(code).toBe(0);
    const when = newer.created_at.slice(0, 16).replace('T', ' ');
    const lines = output.split('\n');
    expect(lines[0]).toMatch(/^folio +when +name +company +e-mail +phone +kg +type +also$/);
    expect(lines[1]!.split(/ {2,}/)).toEqual([
      folioOf(newer.id),
      when,
      newer.nombre,
      newer.empresa,
      newer.email,
      newer.telefono,
      '1200',
      'perecederos',
      'call, promotions, replaces AP-0000-0000',
    ]);
    expect(lines[2]).toContain(folioOf(older.id));
    expect(lines).toHaveLength(4);
  });

  test('prints JSON that is the rows themselves', async () => {
    const { output } = await runQuotes(await holding(three), '--json');
    const rows = JSON.parse(output) as { id: string; empresa: string }[];
    expect(rows.map(({ id }) => id)).toEqual([newer.id, hostile.id, older.id]);
    expect(rows[1]!.empresa).toBe(hostile.empresa);
  });

  test('prints CSV that a spreadsheet reads as text', async () => {
    const { output } = await runQuotes(await holding(three), '--csv');
    const [heading, first, second, third, end] = output.split('\r\n');
    expect(heading).toBe(
      'folio,created_at,nombre,empresa,email,telefono,peso,tipo_carga,llamada,promociones,reemplaza,id',
    );
    expect(first).toContain(
      `,Luis Peña,"Mariscos, S.A.",${newer.email},'+52 (664) 555-0175,1200,perecederos,sí,sí,AP-0000-0000,${newer.id}`,
    );
    expect(second).toContain(`,"'=HYPERLINK(""http://evil.mx"",""x"")",`);
    expect(third).toContain(`,Ana Ríos,`);
    expect(end).toBe('');
  });

  test.each([[], ['--json'], ['--csv']])('lets no visitor write to the terminal (%s)', async (...options) => {
    const { output } = await runQuotes(await holding(three), ...options);
    expect(output.replaceAll(/\r?\n/g, '')).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(output).toContain('gro.live');
  });

  test('prints only newer ones with --since', async () => {
    const stored = await holding(two);
    const printed = async (since: string) =>
      (JSON.parse((await runQuotes(stored, '--json', '--since', since)).output) as unknown[]).length;
    expect(await printed('90m')).toBe(1);
    expect(await printed('2h')).toBe(1);
    expect(await printed('2d')).toBe(2);
    expect(await printed(ago(27 * HOUR))).toBe(2);
    expect(await printed('2099-01-01')).toBe(0);
  });

  test('finds one by its folio, however it was typed', async () => {
    const stored = await holding(two);
    const folio = folioOf(older.id);
    const { output } = await runQuotes(stored, '--json', ...folio.toLowerCase().split('-'));
    expect(JSON.parse(output)).toMatchObject([{ folio, nombre: 'Ana Ríos' }]);
    expect(await runQuotes(stored, folioOf(sampleQuote().id))).toMatchObject({
      code: 1,
      errors: expect.stringContaining('No quote has the folio'),
    });
  });

  test('leaves none out when there are more than one answer holds', async () => {
    const many = Array.from({ length: 1050 }, (_, at) => sampleQuote({ created_at: ago(60_000 - Math.floor(at / 2)) }));
    const ids = (JSON.parse((await runQuotes(await holding(many), '--json')).output) as { id: string }[]).map(
      ({ id }) => id,
    );
    expect(new Set(ids).size).toBe(1050);
    expect(ids).toHaveLength(1050);
  });

  test('says that nothing is stored yet', async () => {
    expect(await runQuotes(await holding(none))).toEqual({ code: 0, output: 'No quote is stored yet.\n', errors: '' });
    expect(await runQuotes(await holding(none), '--csv')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^folio,.*\r\n$/),
    });
  });

  test('says so when there is no such directory, and makes none', async () => {
    const nowhere = path.join(temporaryDirectory(), 'nowhere');
    const { code, errors } = await runQuotes({ DATA_DIR: nowhere });
    expect(code).toBe(1);
    expect(errors).toBe(`There are no quotes in ${nowhere}: nothing was ever stored there. Is DATA_DIR right?\n`);
    expect(existsSync(nowhere)).toBe(false);
  });

  test('has nothing to follow', async () => {
    expect(await runQuotes(await holding(none), '--follow')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('npm start'),
    });
  });

  test.each([
    [['--folow'], "Unknown option '--folow'"],
    [['--since', 'yesterday'], '--since takes 30m, 2h, 3d or a date such as 2026-11-21, not "yesterday".'],
    [['--json', '--csv'], 'Choose one of --json and --csv.'],
    [['AP-1234-5678'], '"AP-1234-5678" is not a folio'],
  ])('does not guess what %j means', async (words, sentence) => {
    const { code, errors, output } = await runQuotes({ DATA_DIR: '/nowhere' }, ...words);
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toContain(sentence);
  });

  test('explains itself', async () => {
    expect(await runQuotes({ DATA_DIR: '/nowhere' }, '--help')).toMatchObject({
      code: 0,
      output: expect.stringContaining('--follow'),
    });
  });
});

describe('npm run quotes, while AeroPuente runs', () => {
  let DATA_DIR: string;
  beforeEach(async () => {
    DATA_DIR = await dataDirectory();
  });

  test('asks the running server', async () => {
    const { server, address } = await startServer(DATA_DIR);
    const quote = sampleQuote();
    await send(address, quote);
    expect(JSON.parse((await runQuotes({ DATA_DIR }, '--json')).output)).toMatchObject([quote]);
    expect(server.output).toContain('GET /rest/v1/quotes 200');
  });

  test.each(['http://203.0.113.7:4173', 'http://localhost.evil.example:4173', 'https://evil.example', 'nonsense'])(
    'sends the key that reads everything to this machine alone, not to %s',
    async (elsewhere) => {
      await startServer(DATA_DIR);
      writeFileSync(path.join(DATA_DIR, 'address'), elsewhere);
      expect(await runQuotes({ DATA_DIR })).toMatchObject({
        code: 1,
        output: '',
        errors: `The address in ${DATA_DIR} is not of this machine: "${elsewhere}". Start AeroPuente again.\n`,
      });
    },
  );

  test('stores a pasted message under its own id, once, whether the phone delivers before or after', async () => {
    const paste = async (text: string) => {
      const script = new Script('quotes', { DATA_DIR }, ['--paste'], text);
      const code = await script.ended();
      return { code, said: script.output + script.errors };
    };
    const { address } = await startServer(DATA_DIR);
    const quote = sampleQuote({ llamada: true, tipo_carga: 'perecederos' as const });
    expect(await paste(handOffText(quote))).toEqual({ code: 0, said: `${folioOf(quote.id)} is stored.\n` });
    expect(await (await send(address, quote)).json()).toEqual([]);
    const delivered = sampleQuote({ tipo_carga: 'general' as const });
    expect((await send(address, delivered)).status).toBe(201);
    expect(await paste(`> ${handOffText(delivered)}`)).toEqual({
      code: 0,
      said: `${folioOf(delivered.id)} was here already.\n`,
    });
    const changed = await paste(handOffText(sampleQuote({ tipo_carga: 'general' as const })).replace('1200', '120'));
    expect(changed).toMatchObject({ code: 1, said: expect.stringContaining('Nothing was stored.') });
    const rows = JSON.parse((await runQuotes({ DATA_DIR }, '--json')).output) as object[];
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual(expect.objectContaining(quote));
  });

  test('follows: each new quote once, none missed, over a restart too', async () => {
    const first = await startServer(DATA_DIR);
    const before = sampleQuote();
    await send(first.address, before);
    const follower = new Script('quotes', { DATA_DIR }, ['--follow', '--json']);
    await follower.says(new RegExp(before.id));
    const during = [sampleQuote(), sampleQuote(), sampleQuote()];
    for (const quote of during) await send(first.address, quote);
    await follower.says(new RegExp(during[2]!.id));
    await first.server.end('SIGKILL');
    const second = await startServer(DATA_DIR);
    const after = sampleQuote();
    await send(second.address, after);
    await follower.says(new RegExp(after.id));
    await follower.end('SIGTERM');
    const followed = follower.output
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(followed).toEqual([before, ...during, after].map(({ id }) => id));
  });

  test('reads a hosted project with its address and service key', async () => {
    const backend = await openBackend({
      dataDir: DATA_DIR,
      limits: readLimits({ RATE_LIMIT_PER_ADDRESS: '0' }),
      anonKey: 'aeropuente-public',
    });
    await backend.close();
    const { address } = await startServer(DATA_DIR);
    const quote = sampleQuote();
    await send(address, quote);
    const hosted = { DATA_DIR: '/nowhere', SUPABASE_URL: address, VITE_SUPABASE_URL: '' };
    const { output } = await runQuotes({ ...hosted, SUPABASE_SERVICE_ROLE_KEY: await backend.serviceKey() }, '--json');
    expect(JSON.parse(output)).toMatchObject([quote]);
    expect(await runQuotes({ ...hosted, SUPABASE_SERVICE_ROLE_KEY: '' })).toMatchObject({
      code: 1,
      errors: expect.stringContaining('SUPABASE_SERVICE_ROLE_KEY'),
    });
    expect(await runQuotes({ ...hosted, SUPABASE_SERVICE_ROLE_KEY: 'wrong' })).toMatchObject({
      code: 1,
      errors: 'The quotes could not be read: Invalid API key\n',
    });
  });
});

async function store(dataDir: string, quotes: readonly object[]): Promise<void> {
  const backend = await openBackend({
    dataDir,
    limits: readLimits({ RATE_LIMIT_PER_ADDRESS: '0' }),
    anonKey: 'aeropuente-public',
  });
  const headers = { apikey: await backend.serviceKey(), 'content-type': 'application/json' };
  for (const quote of quotes) {
    const body = JSON.stringify(quote);
    const request = new Request('http://localhost/rest/v1/quotes', { method: 'POST', headers, body });
    expect((await backend.answer(request, '')).status).toBe(201);
  }
  await backend.close();
}
