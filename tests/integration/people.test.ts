import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { databaseFolderIn } from '../../server/database/data-directory.ts';
import { carryOut, openPglite } from '../../server/database/pglite.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { insertion, presenting, service, visitor, type Caller } from './callers.ts';
import { actsOn, fails } from './lead-acts.ts';
import { engineOfFile, ON_POSTGRES, ownDatabase, startPostgres } from './engines.ts';
import { dataDirectory, runProcess, runQuotes, runScript, send, startServer, temporaryDirectory } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

/** Tables that a later release could add: documents of a quote and their pages. */
const PAPERS = `
  create table public.quote_papers (paper uuid primary key, quote_id uuid not null references public.quotes on delete cascade, name text);
  create table public.quote_paper_pages (paper uuid references public.quote_papers on delete cascade, page bytea);`;

const engine = await engineOfFile();

const { owner, asOwner, ask, put, block } = actsOn(engine);
const about = (person: string): Caller => ({ ...service, headers: { 'x-person': person } });
const insert = (quote: object, caller: Caller = visitor) => put(caller, 'quotes', quote);
const theirs = async (person: string) =>
  (await ask<{ quote_id: string }>(about(person), 'select * from person_quotes'))
    .map(({ quote_id: id }) => id)
    .toSorted();
const staff: Caller = {
  role: 'authenticated',
  claims: { sub: randomUUID(), app_metadata: { role: 'staff', supervisor: true } },
};

test('the search for a person finds quotes by e-mail or phone, even blocked quotes', async () => {
  const [one, other, stranger] = [
    sampleQuote({ email: 'josé@carga.mx', telefono: '+52 1 664 700 0001' }),
    sampleQuote({ email: 'josé@carga.mx', telefono: '664-700-0002', peso: 7 }),
    sampleQuote({ telefono: '+52 664 700 9999' }),
  ];
  for (const quote of [one, other, stranger]) await insert(quote);
  await block(one);
  expect(await theirs('JOS\\u00e9@Carga.mx')).toEqual([one.id, other.id].toSorted());
  expect(await theirs('(664) 7000001')).toEqual([one.id]);
  expect(await theirs(`${one.id},${stranger.id}`)).toEqual([one.id, stranger.id].toSorted());
  for (const nobody of ['nadie@carga.mx', '664', '%@%', '']) expect(await theirs(nobody)).toEqual([]);
});

test('the operator finds all rows about a person, even in tables of later releases', async () => {
  await asOwner(PAPERS);
  const quote = sampleQuote({ email: 'papeles@carga.mx' });
  await insert(quote);
  const paper = randomUUID();
  await owner('insert into quote_papers values ($1, $2, $3)', [paper, quote.id, 'factura.pdf']);
  await owner('insert into quote_paper_pages values ($1, $2)', [paper, Buffer.from('Factura')]);
  const sql = 'select * from person_rows order by number';
  const rows = await ask<{ place: string; contents: object }>(about('papeles@carga.mx'), sql);
  const kept = new Map(rows.map((row) => [row.place, row.contents]));
  for (const name of ['quotes', 'quote_desk', 'quote_events', 'alerts', 'quote_papers', 'quote_paper_pages'])
    expect([...kept.keys()]).toContain(`public.${name}`);
  expect([...kept.keys()]).toContain('private.quote_keys');
  expect(kept.get('public.quote_paper_pages')).toMatchObject({ page: '\\x46616374757261' });
  for (const caller of [visitor, staff, presenting(quote.id)])
    for (const view of ['person_rows', 'person_quotes', 'promotion_consents'])
      await fails(
        ask({ ...caller, headers: { ...caller.headers, 'x-person': 'papeles@carga.mx' } }, `select * from ${view}`),
      );
  await asOwner('drop table quote_paper_pages, quote_papers');
});

test('a quote stores the version of the privacy notice from the request’s header', async () => {
  const noticeOf = async (headers: Record<string, string>) => {
    const quote = sampleQuote();
    await insert(quote, { ...visitor, headers });
    return owner('select aviso from quotes where id = $1', [quote.id]);
  };
  expect(await noticeOf({ 'x-aviso': '3f9a1c2b' })).toEqual([{ aviso: '3f9a1c2b' }]);
  for (const none of [{}, { 'x-aviso': "3f9a1c2b'; --" }]) expect(await noticeOf(none)).toEqual([{ aviso: null }]);
  await fails(insert({ ...sampleQuote(), aviso: '00000000' }));
});

test('a withdrawn consent applies to all quotes with the same e-mail and phone', async () => {
  const promociones = true;
  const email = 'sin@carga.mx';
  const telefono = '+52 664 700 1234';
  const [one, other, shown, ...strangers] = [
    sampleQuote({ email, telefono, promociones }),
    sampleQuote({ email: 'Sin@carga.mx', telefono: '664 700 1234', promociones, peso: 9 }),
    sampleQuote({ promociones }),
    // The next two quotes share only the e-mail or only the phone with the withdrawn ones. A stranger may have typed
    // either, so the withdrawal must not apply to them.
    sampleQuote({ email, promociones, peso: 8 }),
    sampleQuote({ telefono, promociones }),
  ] as const;
  for (const quote of [one, other, shown, ...strangers]) await insert(quote);
  const withdraw = (caller: Caller, quote_id: string, id = randomUUID()) =>
    ask(
      caller,
      ...insertion('promotion_withdrawals', { id, quote_id }, 'on conflict (id) do nothing', 'returning created_at'),
    );
  await fails(withdraw(visitor, shown.id));
  const id = randomUUID();
  const caller = presenting(one.id, shown.id);
  expect(await withdraw(caller, one.id, id)).toHaveLength(1);
  expect(await withdraw(caller, one.id, id)).toEqual([]);
  const consents = await ask(
    service,
    'select quote_id as id, withdrawn_at from promotion_consents order by withdrawn_at',
  );
  const { withdrawn_at } = consents[0]!;
  expect(withdrawn_at).toBeInstanceOf(Date);
  for (const each of [one, other, shown]) expect(consents).toContainEqual({ id: each.id, withdrawn_at });
  for (const each of strangers) expect(consents).toContainEqual({ id: each.id, withdrawn_at: null });
  const leads = 'select promociones from desk_leads where quote_id = $1';
  expect(await ask(staff, leads, [other.id])).toEqual([{ promociones: false }]);
  // The server knows the withdrawal, so the phone does not send it again.
  expect(await ask(presenting(id, one.id), 'select * from unknown_submissions')).toEqual([]);
});

/** Returns a unique word, so random that it can be found even in compressed files. */
const word = () => randomBytes(9).toString('hex');

interface Place {
  readonly environment: Readonly<Record<string, string>>;
  readonly person: string;
  readonly said: readonly string[];
}

const run = (environment: Readonly<Record<string, string>>, ...words: string[]) =>
  runScript('personas', environment, words);

/**
 * Sends `count` quotes of other people, then three quotes of one person, each with another phone number. The second of
 * the three corrects the first. Name, company and e-mail of the person are random, so that a search finds no other
 * quotes.
 */
async function told(address: string, count: number): Promise<Omit<Place, 'environment'> & { ids: string[] }> {
  const [name, company, account] = [word(), word(), word()];
  const email = `${account}@carga.mx`;
  const values = { nombre: name, empresa: company, email, promociones: true };
  const first = sampleQuote(values);
  const second = sampleQuote({ ...values, telefono: '+52 664 555 0176', reemplaza: folioOf(first.id) });
  const own = [first, second, sampleQuote({ ...values, telefono: '+52 664 555 0177' })];
  const others = Array.from({ length: count }, () => sampleQuote({ telefono: '+52 55 1234 5678' }));
  for (const quote of [...others, ...own]) expect((await send(address, quote)).status).toBe(201);
  const closed = await fetch(`${address}/rest/v1/quote_link_closings`, {
    method: 'POST',
    headers: { apikey: 'aeropuente-public', 'content-type': 'application/json', 'x-submission-id': first.id },
    body: JSON.stringify({ id: randomUUID(), quote_id: first.id }),
  });
  expect(closed.status).toBe(201);
  return { person: email, said: [name, company, account], ids: own.map(({ id }) => id) };
}

async function exercised({ environment, person, said }: Place, ids: readonly string[]) {
  const found = await run(environment, 'find', person.toUpperCase());
  expect(found, found.errors).toMatchObject({ code: 0, output: expect.stringContaining('3 quotes; rows: ') });
  expect(found.output).toContain(
    'These quotes have other contact data. Search with them too: +52 (664) 555-0175, +52 664 555 0176',
  );
  const access = path.join(temporaryDirectory(), 'acceso.txt');
  const exported = JSON.parse((await run(environment, 'export', person, '--receipt', access)).output) as {
    tablas: Record<string, { id?: string; email?: string; nombre?: string }[]>;
  };
  expect(readFileSync(access, 'utf8')).toContain('Acto: Acceso');
  expect(new Set(exported.tablas['public.quotes']!.map(({ id }) => id))).toEqual(new Set(ids));
  const file = path.join(temporaryDirectory(), 'constancia.txt');
  const values = ['--name', 'Otro Nombre', '--phone', '+52 664 555 0178'];
  const corrected = await run(environment, 'correct', person, ...values, '--receipt', file);
  // The third quote is not corrected, because the correction would make this quote equal to the first.
  const [, , third] = ids.map(folioOf);
  expect(corrected).toMatchObject({ code: 1, errors: expect.stringContaining(`${third} was not corrected`) });
  const receipt = readFileSync(file, 'utf8');
  expect(receipt).toContain(`Se corrigió: nombre, telefono; no en ${third}, que quedaría igual a otra del mismo día.`);
  expect(receipt).toMatch(/^CONSTANCIA [0-9a-f]{8}\nActo: Rectificación\n/);
  expect(receipt).toContain(folioOf(ids[0]!));
  for (const each of [...said, 'Otro Nombre']) expect(receipt).not.toContain(each);
  const now = JSON.parse((await run(environment, 'export', person)).output) as typeof exported;
  expect(now.tablas['public.quotes']!.filter(({ nombre }) => nombre === 'Otro Nombre')).toHaveLength(2);
  const refused = await run(environment, 'erase', person);
  expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('the law asks to block first') });
  // The disk refuses this file name, so the command prints the receipt instead.
  const tooLong = path.join(temporaryDirectory(), 'x'.repeat(300));
  expect(await run(environment, 'block', person, '--receipt', tooLong)).toMatchObject({
    code: 1,
    output: expect.stringContaining('Acto: Bloqueo'),
    errors: expect.stringContaining('The receipt is above'),
  });
  const erased = await run(environment, 'erase', person);
  expect(erased, erased.errors).toMatchObject({ code: 0, output: expect.stringContaining('Se suprimió todo.') });
  expect(erased.output).toMatch(/sin datos de nadie \(quote_events \d+, quote_link_closings 1\)/);
  expect(await run(environment, 'find', person)).toMatchObject({
    code: 1,
    errors: 'Nothing is stored of this e-mail or phone.\n',
  });
  return erased;
}

const found = (bytes: Buffer, said: readonly string[]) => said.filter((each) => bytes.includes(each));

/** Returns the words that occur in the files of a folder, each with the name of the file. */
function foundIn(folder: string, said: readonly string[]): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap(({ parentPath, name }) =>
    found(readFileSync(path.join(parentPath, name)), said).map((each) => `${each} in ${name}`),
  );
}

test.skipIf(ON_POSTGRES)('`aeropuente personas` exports, corrects and erases personal data in every file', async () => {
  const dataDir = await dataDirectory();
  const quotes = (...words: string[]) => runQuotes({ DATA_DIR: dataDir }, ...words);
  const { server, address } = await startServer(dataDir);
  const { ids, ...person } = await told(address, 5);
  const [name, company, answer, reply, note, long] = [word(), word(), word(), word(), word(), word()];
  const quote = sampleQuote({ nombre: name, empresa: company });
  expect((await send(address, quote)).status).toBe(201);
  const folio = folioOf(quote.id);
  expect(await quotes('answer', folio, '--text', answer)).toMatchObject({ code: 0 });
  await server.end('SIGTERM');
  const pglite = await openPglite(databaseFolderIn(dataDir));
  const store = (sql: string, ...parameters: string[]) => carryOut(pglite, [{ sql, parameters }], 'write');
  await pglite.exec(PAPERS);
  await store(
    "insert into quote_replies (id, quote_id, kind, body) values (gen_random_uuid(), $1, 'pregunta', $2)",
    quote.id,
    reply,
  );
  // PostgreSQL stores the longest text in a separate table for long values (TOAST).
  const paper = word();
  for (const [id, body] of [
    [ids[0]!, paper],
    [quote.id, note],
    [quote.id, `${long} ${randomBytes(1900).toString('hex')}`],
  ] as const)
    await store('insert into quote_notes (quote_id, body, author) values ($1, $2, gen_random_uuid())', id, body);
  await store('insert into quote_papers values ($1, $1, $2)', ids[1]!, paper);
  await store("insert into quote_paper_pages values ($1, convert_to($2, 'UTF8'))", ids[1]!, paper);
  await pglite.exec('analyze');
  await pglite.close();
  const [ofQuote, ofPerson] = [
    [name, company, answer, reply, note, long],
    [...person.said, paper],
  ];
  const said = [...ofQuote, ...ofPerson];
  expect(new Set(foundIn(dataDir, said).map((each) => each.split(' ')[0]))).toEqual(new Set(said));

  const restarted = await startServer(dataDir);
  const folder = temporaryDirectory();
  const [older, newer] = [path.join(folder, 'before.tar.gz'), path.join(folder, 'after.tar.gz')];
  const backUp = (file: string) => runScript('backup', { DATA_DIR: dataDir }, ['backup', file]);
  expect(await backUp(older)).toMatchObject({ code: 0 });
  expect(await quotes('block', folio)).toMatchObject({ code: 0 });
  expect(await quotes('purge', folio)).toMatchObject({ code: 0, output: expect.stringContaining('is erased') });
  expect(foundIn(dataDir, ofQuote)).toEqual([]);
  expect(await quotes('export', folio)).toMatchObject({ code: 1 });
  await exercised({ environment: { DATA_DIR: dataDir }, person: person.person, said: ofPerson }, ids);
  const gone = [...said, 'Otro Nombre'];
  expect(foundIn(dataDir, gone)).toEqual([]);
  expect(await backUp(newer)).toMatchObject({ code: 0 });
  expect(found(gunzipSync(readFileSync(newer)), gone)).toEqual([]);
  expect(found(gunzipSync(readFileSync(older)), said)).not.toEqual([]);
  const ledger = readFileSync(path.join(dataDir, 'erased'), 'utf8');
  expect(ledger.trimEnd().split('\n').toSorted()).toEqual([quote.id, ...ids].toSorted());
  await restarted.server.end('SIGTERM');
  expect(foundIn(dataDir, gone)).toEqual([]);
  expect(found(Buffer.from(restarted.server.output + restarted.server.errors), gone)).toEqual([]);
});

test.runIf(ON_POSTGRES)('`aeropuente personas` works on the operator’s own PostgreSQL', async () => {
  const server = (await startPostgres('postgres', ['fsync=on']))!;
  try {
    const environment = { DATABASE_URL: await ownDatabase(server, 'people'), DATA_DIR: temporaryDirectory() };
    const running = await startServer(environment.DATA_DIR, environment);
    const { ids, ...person } = await told(running.address, 2);
    const erased = await exercised({ environment, ...person }, ids);
    expect(erased.output).toContain('los depura su administrador');
    const consents = await run(environment, 'consents');
    expect(consents).toMatchObject({ code: 0, output: 'Nobody has agreed to promotions.\n' });
    await running.server.end('SIGTERM');
  } finally {
    await server.stop();
  }
});

test.skipIf(ON_POSTGRES)('`aeropuente personas` explains which arguments are wrong', async () => {
  const environment = { DATA_DIR: temporaryDirectory() };
  for (const [words, says] of [
    [['find', 'maria'], 'Name the person'],
    [['correct', 'maria@berries.mx'], 'Name the correction'],
    [['correct', 'maria@berries.mx', '--email', 'maria'], '--email cannot be'],
    [['erase', 'maria@berries.mx', '--name', 'Ana'], '--name goes only with "correct"'],
    [['erase', 'maria@berries.mx', '--receipt', 'no-folder/maria.txt'], 'There is no folder'],
    [['export', 'maria@berries.mx', '--to', 'maria', '--receipt', './maria'], '--to and --receipt name the same file'],
    [['find', 'maria@berries.mx', '--to', 'maria.json'], '--to goes only with "export"'],
    [['find', 'maria@berries.mx', '--receipt', 'maria.txt'], '"find" has no receipt'],
  ] as const)
    expect(await run(environment, ...words)).toMatchObject({ code: 2, errors: expect.stringContaining(says) });
  expect(await runProcess('personas', environment, ['find'])).toMatchObject({ code: 2, output: '' });
});
