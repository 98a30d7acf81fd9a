import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase, type Database, type Statement } from '../server/database/database.ts';
import { migrationsFolder } from '../server/database/migrate.ts';
import { typedHeader } from '../src/lead/typed-header.ts';
import { postgresEngines } from '../tests/integration/engines.ts';
import { percentile, rounded, type Measured, type Size } from './results.ts';

const LEADS = { whole: 1_000_000, smoke: 2000 };
const AT_ONCE = 50_000;
const TIMES = 20;

export const title = 'The desk’s search of all time';

const CLAIMS = JSON.stringify({ sub: randomUUID(), role: 'authenticated', app_metadata: { role: 'staff' } });

export async function measure(size: Size): Promise<Measured> {
  const leads = LEADS[size];
  const folder = await mkdtemp(path.join(tmpdir(), 'aeropuente-search-'));
  const figures: Record<string, Record<string, number>> = {};
  try {
    const embedded = await openDatabase({
      folder: path.join(folder, 'database'),
      migrations: migrationsFolder,
      afterwards: [],
    });
    figures['PGlite, on disk'] = await measureOn(embedded, leads).finally(() => embedded.close());
    const [server, other] = (size === 'whole' && (await postgresEngines())) || [];
    await other?.close();
    if (server) figures[server.name] = await measureOn(server.database, leads).finally(() => server.close());
  } finally {
    await rm(folder, { recursive: true });
  }
  const many = leads.toLocaleString('en');
  return { tables: [{ title: `Over ${many} leads: ${TIMES} of each, milliseconds`, figures }] };
}

/** What leads are found by, as if a million had come: names and companies of which a few are common and most are not. */
const FILLED = `
  with drawn as materialized (
    select n, (2000 * random() * random())::integer as a, 5000 + (5000 * random() * random())::integer as b,
           20000 + (60000 * random() * random())::integer as c,
           (array['664', '646', '686', '555'])[1 + n % 4] || (1000000 + random() * 8999999)::integer as phone
    from generate_series($1::integer, $2::integer) as n
  )
  insert into private.quote_keys (quote_id, created_at, phone, email, words)
  select id, now() - ($3 - drawn.n) * interval '2 minutes', phone, mail,
         concat_ws(' ', one.word, two.word, 'exportadora', three.word, mail, '52' || phone, lower(folio), lower(replace(folio, '-', '')))
  from drawn
    join private.bench_words as one on one.n = a
    join private.bench_words as two on two.n = b
    join private.bench_words as three on three.n = c
    cross join lateral (select one.word || drawn.n || (array['@gmail.com', '@hotmail.com', '@empresa.mx'])[1 + drawn.n % 3] as mail) as m
    cross join lateral (select gen_random_uuid() as id, drawn.n) as i
    cross join lateral (select 'AP-' || upper(substr(md5(id::text), 1, 4)) || '-' || upper(substr(md5(id::text), 5, 4)) as folio) as f`;
const WORDS = `
  create table private.bench_words as
    select n, string_agg((array['ma', 're', 'lo', 'si', 'tu', 'ran', 'gon', 'vel', 'chi', 'qua', 'des', 'por', 'ni', 'bal', 'zu', 'fe'])
                           [1 + floor(16 * random())::integer], '') as word
    from generate_series(0, 80000) as n cross join generate_series(1, 3 + n % 2) group by n;
  analyze private.bench_words;
  alter table private.quote_keys drop constraint quote_keys_quote;
  drop index private.quote_keys_words;
  update private.quote_limits set per_address = 0, overall = 0;`;
const INDEX =
  'create index quote_keys_words on private.quote_keys using gin (words extensions.gin_trgm_ops) with (fastupdate = off);';

async function measureOn(database: Database, leads: number): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  const ask = <Row extends object>(...statements: Statement[]) =>
    database.transaction<Row>(statements, { within: 1_800_000 });
  const took = async (work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };

  await ask({ sql: WORDS });
  for (let first = 1; first <= leads; first += AT_ONCE)
    await ask({ sql: FILLED, parameters: [first, Math.min(leads, first + AT_ONCE - 1), leads] });
  figures['the index of trigrams, made once'] = Math.round(await took(() => ask({ sql: INDEX })));
  await ask({ sql: 'analyze', parameters: [] });
  const [sizes] = await ask<{ table: number; index: number }>({
    sql: `select pg_total_relation_size('private.quote_keys')::float8 / 1e6 as "table",
                 pg_relation_size('private.quote_keys_words')::float8 / 1e6 as "index"`,
    parameters: [],
  });
  figures['table and indexes, MB'] = Math.round(sizes!.table);
  figures['of which the trigrams, MB'] = Math.round(sizes!.index);

  const samples = await ask<{ words: string; phone: string; email: string }>({
    sql: 'select words, phone, email from private.quote_keys where created_at <= now() order by quote_id limit $1',
    parameters: [TIMES],
  });
  const part = ({ words }: { words: string }, at: number) => words.split(' ')[at]!;
  const asStaff = (typed: string): Statement => ({
    sql: `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true),
                 set_config('request.headers', $2, true)`,
    parameters: [CLAIMS, JSON.stringify({ 'x-search': typedHeader(typed) })],
  });
  const timed = async (what: string, statements: (sample: (typeof samples)[number]) => Statement[]) => {
    const times: number[] = [];
    for (const sample of samples) times.push(await took(() => ask(...statements(sample))));
    figures[`${what}, p50`] = rounded(percentile(times, 0.5), 1);
    figures[`${what}, p95`] = rounded(percentile(times, 0.95), 1);
  };
  const search = (what: string, typed: (sample: (typeof samples)[number]) => string) =>
    timed(what, (sample) => [
      asStaff(typed(sample)),
      { sql: 'select quote_id from public.desk_search', parameters: [] },
    ]);
  await search('a name', (sample) => `${part(sample, 0)} ${part(sample, 1)}`);
  await search('a surname', (sample) => part(sample, 1));
  await search('part of a company', (sample) => part(sample, 3).slice(0, 5));
  await search('a phone', ({ phone }) => `+52 1 ${phone}`);
  await search('six of its digits', ({ phone }) => phone.slice(-6));
  await search('an e-mail', ({ email }) => email);
  await search('what a third have', () => 'gmail');
  await search('nobody’s name', (sample) => `${part(sample, 0)} ${part(sample, 1)} nadie`);
  await search('the worst: what many have, and nobody both', () => '@gmail @hotmail');

  let asked = '';
  const store = (phone: string): Statement => ({
    sql: `insert into public.quotes (id, nombre, empresa, email, telefono, peso, tipo_carga)
          values ($1, 'María Núñez', 'Berries del Valle', $2, $3, 7, 'general')`,
    parameters: [(asked = randomUUID()), `${asked}@b.mx`, phone],
  });
  await timed('a new quote is stored', ({ phone }) => [store(phone)]);
  // Of one phone there are thirty by now.
  for (let each = 0; each < 30; each += 1) await ask(store('664 555 0175'));
  await timed('a history of thirty', () => [
    asStaff(''),
    {
      sql: 'select * from public.desk_history where of_quote = $1 order by created_at desc limit 50',
      parameters: [asked],
    },
  ]);
  return figures;
}
