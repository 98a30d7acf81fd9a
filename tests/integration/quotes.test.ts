import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findRunningServer } from '../../server/cli/running-server.ts';
import { databaseFolderIn } from '../../server/database/data-directory.ts';
import { openPglite } from '../../server/database/pglite.ts';
import { readSettings } from '../../server/settings.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { readQuote } from '../../src/lead/quote.ts';
import { handOffText } from '../../src/content/hand-off.ts';
import { freshDataDirectory } from '../run-folder.ts';
import {
  dataDirectory,
  runProcess,
  runQuotes,
  runScript,
  Script,
  send,
  serverOfFile,
  startServer,
  temporaryDirectory,
} from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

const HOUR = 3_600_000;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();
const beside = { more: { llamada: true }, promociones: true, reemplaza: 'AP-0000-0000' };
const older = sampleQuote({ nombre: 'Ana Ríos', peso: 250, created_at: ago(26 * HOUR) });
const newer = sampleQuote({ nombre: 'Luis Peña', empresa: 'Mariscos, S.A.', created_at: ago(HOUR), ...beside });
const FOLIO = folioOf(newer.id);
const hostile = sampleQuote({
  nombre: '=HYPERLINK("http://evil.mx","x")',
  empresa: '\u001b[2J\u009b31m\u202egro.live\nLínea 2',
  created_at: ago(2 * HOUR),
});

describe('the command "aeropuente quotes" without a running server', () => {
  // Tests that only read quotes share a data directory, because making a directory takes long.
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
  /** Checks that the output has no control characters, with which a visitor’s text could control the terminal. */
  const expectHarmless = (output: string) => {
    expect(output.replaceAll(/\r?\n/g, '')).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(output).toContain('gro.live');
  };

  test('the command prints a table of quotes, the newest first', async () => {
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

  test('the command prints the quotes as JSON, even if two commands run at once', async () => {
    const stored = await holding(some);
    const twice = [1, 2].map(() => runProcess('quotes', stored, ['--json']));
    for (const { output } of await Promise.all(twice)) {
      expectHarmless(output);
      const rows = JSON.parse(output) as { id: string; empresa: string }[];
      expect(rows.map(({ id }) => id)).toEqual([newer.id, hostile.id, older.id]);
      expect(rows[1]!.empresa).toBe(hostile.empresa);
    }
  });

  test('the command prints CSV in which no value is a formula for a spreadsheet', async () => {
    const { output } = await runQuotes(await holding(some), '--csv');
    expectHarmless(output);
    const [heading, first, second, third, end] = output.split('\r\n');
    expect(heading).toMatch(/^folio,created_at,nombre,.*,id,status,.*,servicio$/);
    expect(first).toContain(
      `,Luis Peña,"Mariscos, S.A.",${newer.email},'+52 (664) 555-0175,1200,perecederos,sí,sí,AP-0000-0000,${newer.id},nueva,,2`,
    );
    expect(second).toContain(`,"'=HYPERLINK(""http://evil.mx"",""x"")",`);
    expect(third).toContain(`,Ana Ríos,`);
    expect(end).toBe('');
  });

  test('the command finds a quote by its folio in any notation', async () => {
    const stored = await holding(some);
    const folio = folioOf(older.id);
    const { output } = await runQuotes(stored, '--json', ...folio.toLowerCase().split('-'));
    expect(JSON.parse(output)).toMatchObject([{ folio, nombre: 'Ana Ríos' }]);
    const errors = expect.stringContaining('No quote has the folio');
    expect(await runQuotes(stored, folioOf(sampleQuote().id))).toMatchObject({ code: 1, errors });
  });

  test('the command lists all quotes although the server returns them in several pages', async () => {
    const many = Array.from({ length: 12 }, (_, at) => sampleQuote({ created_at: ago(60_000 - Math.floor(at / 2)) }));
    const { output } = await runQuotes({ ...(await holding(many)), LIMIT_ROWS: '3' }, '--json');
    const ids = (JSON.parse(output) as { id: string }[]).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(many.map(({ id }) => id).toSorted());
  });

  test('the command says that no quote is stored yet', async () => {
    const empty = await holding(none);
    expect(await runQuotes(empty)).toEqual({ code: 0, output: 'No quote is stored yet.\n', errors: '' });
    expect((await runQuotes(empty, '--csv')).output).toMatch(/^folio,.*\r\n$/);
    const errors = expect.stringContaining('Nothing can arrive while AeroPuente is not running');
    expect(await runQuotes(empty, '--follow')).toMatchObject({ code: 1, errors });
  });

  test.each([['quotes'], ['staff', 'list']] as const)(
    '%s reports a missing DATA_DIR, and does not create it',
    async (script, ...words) => {
      const nowhere = path.join(temporaryDirectory(), 'nowhere');
      const errors = expect.stringMatching(
        `^There are no (quotes|accounts) in ${nowhere}: nothing was ever stored there.`,
      );
      expect(await runScript(script, { DATA_DIR: nowhere }, words)).toEqual({ code: 1, output: '', errors });
      expect(existsSync(nowhere)).toBe(false);
    },
  );

  test('the command reports a data directory that it cannot read', async () => {
    const closed = path.join(temporaryDirectory(), 'closed');
    // Root can read every directory, so this path is a symbolic link to itself, which not even root can open.
    symlinkSync(closed, closed);
    for (const [script, ...words] of [['quotes'], ['staff', 'list'], ['backup', 'backup'], ['upgrade']] as const) {
      const { code, errors } = await runScript(script, { DATA_DIR: closed }, words);
      expect([script, code]).toEqual([script, 1]);
      expect(errors).toMatch(/closed cannot be read \(ELOOP.*Run this command as the user of/);
    }
  });

  test.skipIf(!existsSync('/dev/full'))('a command’s help is printed also by npm, and a full disk is an error', () => {
    const env = { ...process.env, NODE_OPTIONS: '' };
    const help = (command: string, to = '') =>
      spawnSync(`${command} --help ${to}`, { shell: true, encoding: 'utf8', env });
    const { status, stdout, stderr } = help('npm run --silent quotes --');
    expect([status, stderr, stdout]).toEqual([0, '', expect.stringContaining('--follow')]);
    const command = `${process.execPath} server/cli/quotes.ts`;
    expect(help(command, '> /dev/full')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^The output could not be written: ENOSPC.*\n$/),
    });
    expect(help(command, '| true')).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('the command "aeropuente quotes" with a running server', () => {
  const shared = serverOfFile({}, (dataDir) => store(dataDir, [older, newer]));
  const here = () => ({ DATA_DIR: shared.dataDir });
  const run = (...words: string[]) => runQuotes(here(), ...words);
  const stored = async () => {
    const quote = sampleQuote({ promociones: true });
    expect((await send(shared.address, quote)).status).toBe(201);
    return { quote, folio: folioOf(quote.id) };
  };

  test('the command lists the running server’s quotes, all or only those after a given time', async () => {
    const { quote } = await stored();
    const printed = async (...words: string[]) => JSON.parse((await run('--json', ...words)).output) as object[];
    expect(await printed('--since', '2d')).toMatchObject([quote, { id: newer.id }, { id: older.id }]);
    expect(await printed('--since', '90m')).toMatchObject([quote, { id: newer.id }]);
    expect(shared.server().output).toContain('GET /rest/v1/desk_leads 200');

    const elsewhere = temporaryDirectory();
    for (const address of ['http://203.0.113.7:4173', 'http://localhost.evil.example:4173', 'nonsense']) {
      writeFileSync(path.join(elsewhere, 'address'), address);
      await expect(findRunningServer(readSettings({ DATA_DIR: elsewhere }))).rejects.toThrow(
        `The address in ${elsewhere} is not of this machine: "${address}". Start AeroPuente again.`,
      );
    }
  });

  test('the command answers a lead, and exports all data about the lead', async () => {
    const priced = ['--price', '4.10', '--for', 'kilo', '--currency', 'usd', '--until', '2999-11-28'];
    const text = 'Sale el jueves.\n=1+1 \u001b[2J';
    const said = expect.stringMatching(
      `^${FOLIO} is answered \\(5\\d min left\\)\\. The customer's phone shows the answer`,
    );
    const answered = await run('answer', FOLIO.toLowerCase(), '--text', text, ...priced, '--as', 'Ana');
    expect(answered).toEqual({ code: 0, output: said, errors: '' });
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
    // The export finds the tables by their foreign keys to `quotes`, and so also finds alerts.
    expect(tablas['public.alerts']).toContainEqual(expect.objectContaining({ kind: 'respuesta' }));
  });

  test('the command sends an offer, and lists the customer’s acceptance', async () => {
    const { quote, folio } = await stored();
    const answer = (...words: string[]) => run('answer', folio, '--text', 'Sale.', '--currency', 'USD', ...words);
    const total = ['--until', '2999-11-28', '--price', '900', '--for', 'total'];
    const errors = `${folio} does not say the kilos of one shipment and nothing was stored: add --kilos.\n`;
    expect(await answer(...total)).toEqual({ code: 1, output: '', errors });
    expect(await answer(...total, '--kilos', '250')).toMatchObject({ code: 0, errors: '' });
    const headers = { apikey: 'aeropuente-public', 'content-type': 'application/json', 'x-submission-id': quote.id };
    const words = await fetch(`${shared.address}/rest/v1/quote_words?select=id`, { headers });
    const [offer] = (await words.json()) as { id: string }[];
    const accepted = { id: randomUUID(), quote_id: quote.id, answer_id: offer!.id, kind: 'aceptada' };
    const replied = { method: 'POST', headers, body: JSON.stringify(accepted) };
    expect((await fetch(`${shared.address}/rest/v1/quote_replies`, replied)).status).toBe(201);
    expect(JSON.parse((await run(folio, '--json')).output)).toMatchObject([
      { accepted_state: 'aceptada', accepted_price: 900, accepted_kilos: 250 },
    ]);
    const graph = JSON.parse((await run('--one-record', folio)).output)['@graph'] as Record<string, unknown>[];
    expect(graph).toContainEqual(expect.objectContaining({ '@type': 'cargo:Booking', 'cargo:shippingRefNo': folio }));
    const other = folioOf(older.id);
    const none = `${other} has no accepted offer.\n`;
    expect(await run('--one-record', other)).toEqual({ code: 1, output: '', errors: none });
  });

  test('the command erases only a quote that is blocked', async () => {
    const { quote, folio } = await stored();
    for (const [words, code, sentence] of [
      [['unblock', folio], 0, `${folio} is not blocked.`],
      [['purge', folio], 1, `${folio} is not blocked and nothing was erased`],
      [['block', folio], 0, `${folio} is blocked now: only this command sees it.`],
      [['block', quote.id], 0, `${folio} has been blocked since 20`],
      [[folio], 1, `${folio} has been blocked since 20`],
      [['answer', folio, '--text', 'x'], 1, `${folio} is blocked and nothing was stored.`],
      [['export', folio], 0, '"bloqueada"'],
      [['unblock', folio], 0, `${folio} is not blocked any more.`],
      [[folio, '--since', '2999-01-01'], 1, `${folio} is stored, but not within that time.`],
      [['block', folio], 0, `${folio} is blocked now: only this command sees it.`],
      [['purge', folio], 0, `${folio} is erased, with its answers, messages and files.`],
      [['export', folio], 1, `No quote has the folio ${folio}.`],
    ] as const) {
      const { code: ended, output, errors } = await run(...words);
      expect([ended, output + errors], words.join(' ')).toEqual([code, expect.stringContaining(sentence)]);
    }
  });

  test('the command stores a quote pasted as a message once, even if the phone delivers it', async () => {
    const paste = async (text: string, runs: typeof runScript = runScript) => {
      const { code, output, errors } = await runs('quotes', here(), ['--paste'], text);
      return { code, said: output + errors };
    };
    const row = sampleQuote({ more: { llamada: true } });
    const quote = readQuote(row)!;
    expect(await paste(handOffText(quote), runProcess)).toEqual({ code: 0, said: `${folioOf(quote.id)} is stored.\n` });
    expect(await (await send(shared.address, row)).json()).toEqual([]);
    const delivered = sampleQuote({ tipo_carga: 'general' as const });
    expect((await send(shared.address, delivered)).status).toBe(201);
    const already = `${folioOf(delivered.id)} was stored already.\n`;
    expect(await paste(`> ${handOffText(delivered)}`)).toEqual({ code: 0, said: already });
    const identical = 'An identical request of today is stored under another folio. Nothing was stored.\n';
    const copy = { ...delivered, id: sampleQuote().id };
    expect(await paste(handOffText(copy))).toEqual({ code: 1, said: identical });
    const changed = await paste(handOffText(sampleQuote({ tipo_carga: 'general' as const })).replace('1200', '120'));
    expect(changed).toMatchObject({ code: 1, said: expect.stringContaining('Nothing was stored.') });
    expect(JSON.parse((await run('--json')).output)).toContainEqual(expect.objectContaining(quote));
  });

  test('the command reads and changes the quotes of a hosted project', async () => {
    const { key } = await findRunningServer(readSettings(here()));
    const { quote, folio } = await stored();
    const project = { DATA_DIR: '/nowhere', SUPABASE_URL: shared.address, VITE_SUPABASE_URL: '' };
    const hosted = (SUPABASE_SECRET_KEY: string, ...words: string[]) =>
      runQuotes({ ...project, SUPABASE_SECRET_KEY }, ...words);
    expect(JSON.parse((await hosted(key, '--json')).output)).toContainEqual(expect.objectContaining(quote));
    expect(await hosted('')).toMatchObject({ code: 1, errors: expect.stringContaining('SUPABASE_SECRET_KEY') });
    expect(await hosted('wrong')).toMatchObject({ code: 1, errors: 'The quotes could not be read: Invalid API key\n' });
    for (const words of [`answer ${folio} --text Sale.`, `block ${folio}`, `purge ${folio}`])
      expect(await hosted(key, ...words.split(' ')), words).toMatchObject({ code: 0, errors: '' });
  });
});

test('the option --follow prints each new quote once, even after a restart of the server', async () => {
  const DATA_DIR = await dataDirectory();
  const first = await startServer(DATA_DIR);
  const before = sampleQuote();
  await send(first.address, before);
  const follower = new Script('quotes', { DATA_DIR }, ['--follow', '--json']);
  const recently = new Script('quotes', { DATA_DIR }, ['--follow', '--json', '--since', '30m']);
  for (const each of [follower, recently]) await each.says(new RegExp(before.id));
  const during = [sampleQuote(), sampleQuote(), sampleQuote()];
  for (const quote of during) await send(first.address, quote);
  await follower.says(new RegExp(during[2]!.id));
  await first.server.end('SIGKILL');
  const second = await startServer(DATA_DIR);
  // The phone sends this quote again, as after a restore that lost it.
  const recovered = sampleQuote({ entregada: ago(5 * HOUR) });
  const after = sampleQuote();
  for (const quote of [recovered, after]) {
    await send(second.address, quote);
    for (const each of [follower, recently]) await each.says(new RegExp(quote.id));
  }
  await follower.end('SIGTERM');
  const lines = follower.output.trim().split('\n');
  const followed = lines.map((line) => (JSON.parse(line) as { id: string }).id);
  expect(followed).toEqual([before, ...during, recovered, after].map(({ id }) => id));
  // Each printed quote counts as exported, and supervisors see this at the desk.
  const { key } = await findRunningServer(readSettings({ DATA_DIR }));
  const acts = await fetch(`${second.address}/rest/v1/desk_acts?kind=eq.exporte`, { headers: { apikey: key } });
  const noted = (await acts.json()) as { rows: number; what: string }[];
  expect(noted.map(({ what }) => what)).toContain('terminal');
  expect(noted.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThanOrEqual(followed.length);
});

/** Stores quotes with one SQL statement, because a request for each quote would be slow. */
async function store(dataDir: string, quotes: readonly object[]): Promise<void> {
  const database = await openPglite(databaseFolderIn(dataDir));
  const columns = [...new Set(quotes.flatMap((quote) => Object.keys(quote)))].join(', ');
  const rows = quotes.map((quote) => ({ more: {}, promociones: false, ...quote }));
  await database.query(
    `insert into public.quotes (${columns}) select ${columns} from json_populate_recordset(null::public.quotes, $1)`,
    [JSON.stringify(rows)],
  );
  await database.close();
}
