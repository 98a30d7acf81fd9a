import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { findRunning } from '../../server/cli/running.ts';
import { databaseFolderIn } from '../../server/database/data-directory.ts';
import { openPglite } from '../../server/database/pglite.ts';
import { readSettings } from '../../server/settings.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { handOffText } from '../../src/content/hand-off.ts';
import { freshDataDirectory } from '../run-folder.ts';
import { dataDirectory, runQuotes, Script, send, startServer, temporaryDirectory } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

const HOUR = 3_600_000;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();
const beside = { llamada: true, promociones: true, reemplaza: 'AP-0000-0000' };
const older = sampleQuote({ nombre: 'Ana Ríos', peso: 250, created_at: ago(26 * HOUR) });
const newer = sampleQuote({ nombre: 'Luis Peña', empresa: 'Mariscos, S.A.', created_at: ago(HOUR), ...beside });
const FOLIO = folioOf(newer.id);
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
  const some = [older, hostile, newer];
  const none: readonly object[] = [];
  /** No visitor writes to the terminal. */
  const expectHarmless = (output: string) => {
    expect(output.replaceAll(/\r?\n/g, '')).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(output).toContain('gro.live');
  };

  test('prints a table, the newest first', async () => {
    const { code, output } = await runQuotes(await holding(some));
    expect(code).toBe(0);
    expectHarmless(output);
    const when = new Date(newer.created_at).toLocaleString('sv-SE', { timeZone: 'America/Tijuana' }).slice(0, 16);
    const lines = output.split('\n');
    expect(lines[0]).toMatch(
      /^folio +when \(Tijuana\) +status +owner +answer +name +company +e-mail +phone +kg\/month +type +also$/,
    );
    expect(lines[1]!.split(/ {2,}/)).toEqual([
      folioOf(newer.id),
      when,
      'nueva',
      expect.stringMatching(/^5\d min left$/),
      newer.nombre,
      newer.empresa,
      newer.email,
      newer.telefono,
      '1200',
      'perecederos',
      'call, promotions, replaces AP-0000-0000',
    ]);
    expect(lines[2]).toMatch(new RegExp(`^${folioOf(hostile.id)} `));
    expect(lines[3]).toMatch(new RegExp(`^${folioOf(older.id)} .* nueva +late by 1 d 0 h +Ana Ríos`));
    expect(lines).toHaveLength(5);
  });

  test('prints JSON that is the rows themselves, also once another command has left the directory', async () => {
    const stored = await holding(some);
    for (const { output } of await Promise.all([runQuotes(stored, '--json'), runQuotes(stored, '--json')])) {
      expectHarmless(output);
      const rows = JSON.parse(output) as { id: string; empresa: string }[];
      expect(rows.map(({ id }) => id)).toEqual([newer.id, hostile.id, older.id]);
      expect(rows[1]!.empresa).toBe(hostile.empresa);
    }
  });

  test('prints CSV that a spreadsheet reads as text', async () => {
    const { output } = await runQuotes(await holding(some), '--csv');
    expectHarmless(output);
    const [heading, first, second, third, end] = output.split('\r\n');
    expect(heading).toBe(
      'folio,created_at,nombre,empresa,email,telefono,peso,tipo_carga,llamada,promociones,reemplaza,id,status,assignee_name,due_at,first_answer_at,seen_at,replaced_by,accepted_price,accepted_price_for,accepted_currency,accepted_kilos,accepted_valid_until,accepted_state,accepted_reference,lost_reason,embarque,origen',
    );
    expect(first).toContain(
      `,Luis Peña,"Mariscos, S.A.",${newer.email},'+52 (664) 555-0175,1200,perecederos,sí,sí,AP-0000-0000,${newer.id},nueva,,2`,
    );
    expect(second).toContain(`,"'=HYPERLINK(""http://evil.mx"",""x"")",`);
    expect(third).toContain(`,Ana Ríos,`);
    expect(end).toBe('');
  });

  test('finds one by its folio, however it was typed', async () => {
    const stored = await holding(some);
    const folio = folioOf(older.id);
    const { output } = await runQuotes(stored, '--json', ...folio.toLowerCase().split('-'));
    expect(JSON.parse(output)).toMatchObject([{ folio, nombre: 'Ana Ríos' }]);
    expect(await runQuotes(stored, folioOf(sampleQuote().id))).toMatchObject({
      code: 1,
      errors: expect.stringContaining('No quote has the folio'),
    });
  });

  test('leaves none out when there are more than one answer holds, two of each moment', async () => {
    const many = Array.from({ length: 12 }, (_, at) => sampleQuote({ created_at: ago(60_000 - Math.floor(at / 2)) }));
    const { output } = await runQuotes({ ...(await holding(many)), LIMIT_ROWS: '3' }, '--json');
    const ids = (JSON.parse(output) as { id: string }[]).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(many.map(({ id }) => id).toSorted());
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

  test('does not take a directory that it cannot look into for an empty one', async () => {
    const closed = path.join(temporaryDirectory(), 'closed');
    // Root may look into any other.
    symlinkSync(closed, closed);
    for (const [script, ...words] of [['quotes'], ['staff', 'list'], ['backup', 'backup'], ['upgrade']] as const) {
      const command = new Script(script, { DATA_DIR: closed }, words);
      expect(await command.ended()).toBe(1);
      expect(command.errors).toMatch(/closed cannot be looked into \(ELOOP.*Give this command as the user that/);
    }
  });

  test('has nothing to follow', async () => {
    expect(await runQuotes(await holding(none), '--follow')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('npm start'),
    });
  });

  test('does not guess what an option means', async () => {
    expect(await runQuotes({ DATA_DIR: '/nowhere' }, '--folow')).toEqual({
      code: 2,
      output: '',
      errors: expect.stringContaining("Unknown option '--folow'"),
    });
  });

  test.skipIf(!existsSync('/dev/full'))(
    'says that a full disk took nothing; a reader that has had enough is none',
    () => {
      const written = (to: string) =>
        spawnSync(`npm run --silent quotes -- --help ${to}`, { shell: true, encoding: 'utf8' });
      expect(written('> /dev/full')).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^What was asked for could not be written: ENOSPC.*\n$/),
      });
      expect(written('| true')).toMatchObject({ status: 0, stderr: '' });
    },
  );

  test('explains itself, and says nothing else, where there is no .env', () => {
    const { status, stdout, stderr } = spawnSync('npm run --silent quotes -- --help', {
      shell: true,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('--follow');
  });
});

describe('what npm run quotes does with one lead', () => {
  test('answers it, tells so in the table, and exports all of it', async () => {
    const DATA_DIR = await dataDirectory();
    await store(DATA_DIR, [newer, older]);
    const run = (...words: string[]) => runQuotes({ DATA_DIR }, ...words);
    const priced = ['--price', '4.10', '--for', 'kilo', '--currency', 'usd', '--until', '2999-11-28'];
    const text = 'Sale el jueves.\n=1+1 \u001b[2J';
    expect(await run('answer', FOLIO.toLowerCase(), '--text', text, ...priced, '--as', 'Ana')).toEqual({
      code: 0,
      output: expect.stringMatching(`^${FOLIO} is answered \\(5\\d min left\\)\\. Its phone shows the answer`),
      errors: '',
    });
    await startServer(DATA_DIR);
    expect((await run('answer', folioOf(older.id), '--text', 'Tarde')).output).toContain('(late by 1 d 0 h)');
    const { output } = await run();
    expect(output).toMatch(new RegExp(`${FOLIO}  .*  respondida +after 1 h \\d min +Luis Peña`));
    expect(output).toMatch(/ respondida +after 1 d 2 h, late +Ana Ríos/);
    const exported = await run('export', FOLIO);
    expect(exported.output).not.toContain('\u001b');
    const { tablas } = JSON.parse(exported.output) as { tablas: Record<string, object[]> };
    expect(tablas).toMatchObject({
      'public.quotes': [{ id: newer.id, nombre: newer.nombre, ...beside }],
      'public.quote_desk': [{ status: 'respondida', assignee: null }],
      'public.quote_answers': [
        { kind: 'oferta', body: text, price: 4.1, price_for: 'kilo', currency: 'USD', kilos: 1200, author_name: 'Ana' },
      ],
      'public.quote_events': [{ code: 'creada' }, { code: 'respondida' }],
    });
    // Of every table that has something of it, without anybody's listing them.
    expect(tablas['public.alerts']).toContainEqual(expect.objectContaining({ kind: 'respuesta' }));
  });

  test('answers with offers: the newer binds when its phone accepts it, the older binds nobody', async () => {
    const DATA_DIR = await dataDirectory();
    await store(DATA_DIR, [newer]);
    const { address } = await startServer(DATA_DIR);
    const run = (...words: string[]) => runQuotes({ DATA_DIR }, 'answer', FOLIO, '--text', 'Sale.', ...words);
    const until = ['--currency', 'USD', '--until', '2999-11-28'];
    expect(await run('--price', '4.10', '--for', 'kilo', ...until)).toMatchObject({ code: 0, errors: '' });
    // The quote has no weight of one shipment.
    expect(await run('--price', '900', '--for', 'total', ...until)).toEqual({
      code: 1,
      output: '',
      errors: `${FOLIO} does not say its weight in whole kilos: nothing was stored. Add --kilos.\n`,
    });
    const total = ['--price', '900', '--for', 'total', '--kilos', '250'];
    expect(await run(...total, ...until)).toMatchObject({ code: 0, errors: '' });
    expect(await run()).toMatchObject({ code: 0, errors: '' });

    const headers = { apikey: 'aeropuente-public', 'x-submission-id': newer.id };
    const ask = async (where: string, row?: object): Promise<Record<string, unknown>[]> => {
      const prefer = 'resolution=ignore-duplicates,return=representation';
      const sent = row && { method: 'POST', body: JSON.stringify(row) };
      const asked = { headers: { ...headers, 'content-type': 'application/json', prefer }, ...sent };
      return (await fetch(`${address}/rest/v1/${where}`, asked)).json();
    };
    const words = await ask('quote_words?select=id,kind,kilos,state&order=created_at');
    expect(words).toMatchObject([
      { kind: 'oferta', kilos: 1200, state: 'reemplazada' },
      { kind: 'oferta', kilos: 250, state: 'vigente' },
      { kind: 'mensaje', kilos: null, state: null },
    ]);
    for (const [at, verdict] of ['reemplazada', 'vale', 'sinoferta'].entries()) {
      const row = { id: randomUUID(), quote_id: newer.id, answer_id: words[at]!['id'], kind: 'aceptada' };
      expect(await ask('quote_replies?on_conflict=id', row)).toMatchObject([{ verdict }]);
    }
    const [lead] = JSON.parse((await runQuotes({ DATA_DIR }, FOLIO, '--json')).output) as object[];
    expect(lead).toMatchObject({ accepted_state: 'aceptada', accepted_price: 900, accepted_kilos: 250 });
  });

  test('blocks, brings back, and erases only what is blocked', async () => {
    const DATA_DIR = await dataDirectory();
    await store(DATA_DIR, [newer]);
    await startServer(DATA_DIR);
    const run = async (...words: string[]) => {
      const { code, output, errors } = await runQuotes({ DATA_DIR }, ...words);
      return [code, output + errors] as const;
    };
    const said = (code: number, sentence: string) => [code, expect.stringContaining(sentence)];
    expect(await run('unblock', FOLIO)).toEqual(said(0, `${FOLIO} is not blocked.`));
    expect(await run('purge', FOLIO)).toEqual(said(1, `${FOLIO} is not blocked, and nothing was erased.`));
    expect(await run('block', FOLIO)).toEqual(said(0, `${FOLIO} is blocked: nobody sees it but this command.`));
    expect(await run('block', newer.id)).toEqual(said(0, `${FOLIO} is blocked since 20`));
    expect(await run()).toEqual(said(0, 'No quote is stored yet.'));
    expect(await run(FOLIO)).toEqual(said(1, `${FOLIO} is blocked since 20`));
    expect(await run('answer', FOLIO, '--text', 'x')).toEqual(said(1, `${FOLIO} is blocked: nothing was stored.`));
    expect(await run('export', FOLIO)).toEqual(said(0, '"bloqueada"'));
    expect(await run('unblock', FOLIO)).toEqual(said(0, `${FOLIO} is not blocked any more.`));
    expect(await run(FOLIO, '--since', '1m')).toEqual(said(1, `${FOLIO} is there, but not within that time.`));
    await run('block', FOLIO);
    expect(await run('purge', FOLIO)).toEqual(said(0, `${FOLIO} is erased, with all that was said about it.`));
    expect(await run('export', FOLIO)).toEqual(said(1, `No quote has the folio ${FOLIO}.`));
  });
});

describe('npm run quotes, while AeroPuente runs', () => {
  let DATA_DIR: string;
  beforeEach(async () => {
    DATA_DIR = await dataDirectory();
  });

  test('asks the running server, also for the newer ones alone, and no other machine', async () => {
    await store(DATA_DIR, [older, newer]);
    const { server, address } = await startServer(DATA_DIR);
    const quote = sampleQuote();
    await send(address, quote);
    const printed = async (...words: string[]) =>
      JSON.parse((await runQuotes({ DATA_DIR }, '--json', ...words)).output) as object[];
    expect(await printed('--since', '2d')).toMatchObject([quote, { id: newer.id }, { id: older.id }]);
    expect(await printed('--since', '90m')).toMatchObject([quote, { id: newer.id }]);
    expect(server.output).toContain('GET /rest/v1/desk_leads 200');

    const announce = (elsewhere: string) => {
      writeFileSync(path.join(DATA_DIR, 'address'), elsewhere);
      return `The address in ${DATA_DIR} is not of this machine: "${elsewhere}". Start AeroPuente again.`;
    };
    const refusal = announce('http://203.0.113.7:4173');
    expect(await runQuotes({ DATA_DIR })).toEqual({ code: 1, output: '', errors: `${refusal}\n` });
    for (const elsewhere of ['http://localhost.evil.example:4173', 'https://evil.example', 'nonsense']) {
      const says = announce(elsewhere);
      await expect(findRunning(readSettings({ DATA_DIR }))).rejects.toThrow(says);
    }
  });

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
    const { id } = sampleQuote();
    expect(await paste(handOffText({ ...delivered, id }))).toEqual({
      code: 1,
      said: 'The very same request is here already, under another folio of today. Nothing was stored.\n',
    });
    const changed = await paste(handOffText(sampleQuote({ tipo_carga: 'general' as const })).replace('1200', '120'));
    expect(changed).toMatchObject({ code: 1, said: expect.stringContaining('Nothing was stored.') });
    const rows = JSON.parse((await runQuotes({ DATA_DIR }, '--json')).output) as object[];
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual(expect.objectContaining(quote));
  });

  test('follows: each new quote once, none missed, over a restart too, nor what a phone brings back', async () => {
    const first = await startServer(DATA_DIR);
    const before = sampleQuote();
    await send(first.address, before);
    const follower = new Script('quotes', { DATA_DIR }, ['--follow', '--json']);
    await follower.says(new RegExp(before.id));
    const recently = new Script('quotes', { DATA_DIR }, ['--follow', '--json', '--since', '30m']);
    await recently.says(new RegExp(before.id));
    const during = [sampleQuote(), sampleQuote(), sampleQuote()];
    for (const quote of during) await send(first.address, quote);
    await follower.says(new RegExp(during[2]!.id));
    await first.server.end('SIGKILL');
    const second = await startServer(DATA_DIR);
    // The server had lost it: its phone brings it back.
    const recovered = sampleQuote({ entregada: ago(5 * HOUR) });
    const after = sampleQuote();
    for (const quote of [recovered, after]) {
      await send(second.address, quote);
      for (const each of [follower, recently]) await each.says(new RegExp(quote.id));
    }
    await follower.end('SIGTERM');
    const followed = follower.output
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(followed).toEqual([before, ...during, recovered, after].map(({ id }) => id));
    // Each of them left as a listing does: with a line for whoever supervises the desk.
    const { key } = await findRunning(readSettings({ DATA_DIR }));
    const acts = await fetch(`${second.address}/rest/v1/desk_acts?kind=eq.exporte`, { headers: { apikey: key } });
    const noted = (await acts.json()) as { rows: number; what: string }[];
    expect(noted.map(({ what }) => what)).toContain('terminal');
    expect(noted.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThanOrEqual(followed.length);
  });

  test('reads and changes a hosted project with its address and service key', async () => {
    const { address } = await startServer(DATA_DIR);
    const { key } = await findRunning(readSettings({ DATA_DIR }));
    const quote = sampleQuote();
    await send(address, quote);
    const run = (SUPABASE_SECRET_KEY: string, ...words: string[]) =>
      runQuotes({ DATA_DIR: '/nowhere', SUPABASE_URL: address, VITE_SUPABASE_URL: '', SUPABASE_SECRET_KEY }, ...words);
    expect(JSON.parse((await run(key, '--json')).output)).toMatchObject([quote]);
    const earlier = { SUPABASE_URL: address, VITE_SUPABASE_URL: '', SUPABASE_SERVICE_ROLE_KEY: key };
    expect(JSON.parse((await runQuotes(earlier, '--json')).output)).toMatchObject([quote]);
    expect(await run('')).toMatchObject({ code: 1, errors: expect.stringContaining('SUPABASE_SECRET_KEY') });
    expect(await run('wrong')).toMatchObject({
      code: 1,
      errors: 'The quotes could not be read: Invalid API key\n',
    });
    const folio = folioOf(quote.id);
    expect(await run(key, 'answer', folio, '--text', 'Sale el jueves.')).toMatchObject({ code: 0, errors: '' });
    const read = await fetch(`${address}/rest/v1/quote_answers?select=body`, {
      headers: { apikey: 'aeropuente-public', 'x-submission-id': quote.id },
    });
    expect(await read.json()).toEqual([{ body: 'Sale el jueves.' }]);
    for (const command of ['block', 'purge'])
      expect(await run(key, command, folio)).toMatchObject({ code: 0, errors: '' });
  });
});

/** All at once, as their rows: a thousand requests would take longer than everything that is tried with them. */
async function store(dataDir: string, quotes: readonly object[]): Promise<void> {
  const database = await openPglite(databaseFolderIn(dataDir));
  const columns = [...new Set(quotes.flatMap((quote) => Object.keys(quote)))].join(', ');
  const rows = quotes.map((quote) => ({ llamada: false, promociones: false, ...quote }));
  await database.query(
    `insert into public.quotes (${columns}) select ${columns} from json_populate_recordset(null::public.quotes, $1)`,
    [JSON.stringify(rows)],
  );
  await database.close();
}
