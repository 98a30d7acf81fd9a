import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase, type Database, type Statement } from '../server/database/database.ts';
import { migrationsFolder } from '../server/database/migrate.ts';
import { typedHeader } from '../src/desk/typed-header.ts';
import { postgresEngines } from '../tests/integration/engines.ts';
import { rounded, type Measured, type Size } from './results.ts';

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

/** Names and companies as often as people have them: a few are common, most are not. */
const FILLED = `
  with drawn as (
    select n, random() * random() as a, random() * random() as b, random() * random() as c, random() as d
    from generate_series($1::integer, $2::integer) as n
  )
  insert into public.quotes (id, nombre, empresa, email, telefono, peso, tipo_carga, created_at)
  select gen_random_uuid(),
         initcap(private.bench_word((a * 2000)::integer)) || ' ' || initcap(private.bench_word(5000 + (b * 5000)::integer)),
         'Exportadora ' || initcap(private.bench_word(20000 + (c * 60000)::integer)),
         private.bench_word((a * 2000)::integer) || n || (array['@gmail.com', '@hotmail.com', '@empresa.mx'])[1 + n % 3],
         '+52 ' || (array['664', '646', '686', '55'])[1 + n % 4] || (1000000 + d * 8999999)::integer, 1 + n % 9000, 'general',
         now() - ($3 - n) * interval '2 minutes'
  from drawn`;
const WORDS = `
  create function private.bench_word(n integer) returns text language sql immutable as $$
    select string_agg((array['ma', 're', 'lo', 'si', 'tu', 'ran', 'gon', 'vel', 'chi', 'qua', 'des', 'por', 'ñi', 'bal', 'zu', 'fe'])
                        [1 + ((('x' || substr(md5(n::text), 2 * i + 1, 2))::bit(8)::integer) & 15)], '')
    from generate_series(0, 2 + n % 2) as i $$;
  alter table public.quotes disable trigger user;
  drop index private.quote_keys_words;`;
const DESK = `
  alter table public.quotes enable trigger user;
  alter table public.quote_desk disable trigger user;
  insert into public.quote_desk (quote_id, asked_at, updated_at, status, assignee)
    select id, created_at, created_at, 'perdida', gen_random_uuid() from public.quotes;
  alter table public.quote_desk enable trigger user;`;
const KEYS = `
  insert into private.quote_keys select k.* from public.quotes as q cross join lateral private.quote_keys_of(q) as k;`;
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
  await ask({ sql: DESK });
  figures['the keys of all, once'] = Math.round(await took(() => ask({ sql: KEYS })));
  figures['their index, once'] = Math.round(await took(() => ask({ sql: INDEX })));
  await ask({ sql: 'analyze', parameters: [] });
  const [sizes] = await ask<{ table: number; index: number }>({
    sql: `select pg_total_relation_size('private.quote_keys')::float8 / 1e6 as "table",
                 pg_relation_size('private.quote_keys_words')::float8 / 1e6 as "index"`,
    parameters: [],
  });
  figures['table and indexes, MB'] = Math.round(sizes!.table);
  figures['of which the trigrams, MB'] = Math.round(sizes!.index);

  const samples = await ask<{ id: string; nombre: string; empresa: string; email: string; telefono: string }>({
    sql: `select id, nombre, empresa, email, telefono from public.quotes where peso % 37 = 5 limit ${TIMES}`,
    parameters: [],
  });
  const asStaff = (typed: string): Statement => ({
    sql: `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true),
                 set_config('request.headers', $2, true)`,
    parameters: [CLAIMS, JSON.stringify({ 'x-search': typedHeader(typed) })],
  });
  const timed = async (what: string, statements: (sample: (typeof samples)[number]) => Statement[]) => {
    const times: number[] = [];
    for (const sample of samples) times.push(await took(() => ask(...statements(sample))));
    times.sort((one, other) => one - other);
    figures[`${what}, p50`] = rounded(times[Math.floor(times.length / 2)]!, 1);
    figures[`${what}, p95`] = rounded(times[Math.ceil(times.length * 0.95) - 1]!, 1);
  };
  const search = (what: string, typed: (sample: (typeof samples)[number]) => string) =>
    timed(what, (sample) => [
      asStaff(typed(sample)),
      { sql: 'select quote_id from public.desk_search', parameters: [] },
    ]);
  await search('a name', ({ nombre }) => nombre);
  await search('a surname', ({ nombre }) => nombre.split(' ')[1]!);
  await search('part of a company', ({ empresa }) => empresa.slice(12, 17));
  await search('a phone', ({ telefono }) => telefono);
  await search('six of its digits', ({ telefono }) => telefono.slice(-6));
  await search('an e-mail', ({ email }) => email);
  await search('what a third have', () => 'gmail');
  await search('nobody’s name', ({ nombre }) => `${nombre} nadie`);
  await search('the worst: two signs that many have, and nobody both', () => 'a@e exportadora-x');
  await timed('a history', ({ id }) => [
    asStaff(''),
    {
      sql: 'select * from public.desk_history where of_quote = $1 order by created_at desc limit 50',
      parameters: [id],
    },
  ]);
  const fresh = (email: string): Statement => ({
    sql: `insert into public.quotes (nombre, empresa, email, telefono, peso, tipo_carga)
          values ('María Núñez', 'Berries del Valle', $1, '664 555 0175', 7, 'general')`,
    parameters: [email],
  });
  await timed('a new quote is stored', () => [fresh(`${randomUUID()}@b.mx`)]);
  return figures;
}
