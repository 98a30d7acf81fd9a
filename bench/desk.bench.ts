import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { migrate } from '../server/database/migrate.ts';
import {
  asOwner,
  askAsOwner,
  insertion,
  introduce,
  presenting,
  visitor,
  type Caller,
} from '../tests/integration/callers.ts';
import { migrationsBefore, pgliteEngine, postgresEngines, type Engine } from '../tests/integration/engines.ts';
import { median, rounded, type Measured, type Size } from './results.ts';

const LEADS = { whole: 100_000, smoke: 1000 };
const TIMES = 5;

export const title = 'The desk’s questions to the database';

const sub = randomUUID();
const staff: Caller = { role: 'authenticated', claims: { sub, app_metadata: { role: 'staff', name: 'Ana' } } };
const stranger: Caller = { role: 'authenticated', claims: { sub } };

export async function measure(size: Size): Promise<Measured> {
  const folder = await migrationsBefore('desk');
  const figures: Record<string, Record<string, number>> = {};
  try {
    const embedded = await pgliteEngine(folder);
    figures[embedded.name] = await measureOn(embedded, LEADS[size]);
    await embedded.close();
    // A smoke run has not the seconds that a second server takes to start.
    const [server, other] = (size === 'whole' && (await postgresEngines(folder))) || [];
    if (server) figures[server.name] = await measureOn(server, LEADS[size]);
    await other?.close();
    await server?.close();
  } finally {
    await rm(folder, { recursive: true });
  }
  const many = LEADS[size].toLocaleString('en');
  return { tables: [{ title: `Over ${many} leads: median of ${TIMES}, milliseconds`, figures }] };
}

async function measureOn(engine: Engine, leads: number): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  const timed = async (what: string, caller: Caller, sql: string, parameters: () => unknown[] = () => []) => {
    const took: number[] = [];
    for (let turn = 0; turn < TIMES; turn += 1) {
      await engine.transaction(async (session) => {
        await introduce(session, caller);
        const began = performance.now();
        await session.query(sql, parameters());
        took.push(performance.now() - began);
      });
    }
    figures[what] = rounded(median(took), 1);
  };

  // With its triggers each row would take a lock and be counted.
  await asOwner(
    engine,
    `alter table public.quotes disable trigger user;
     insert into public.quotes (nombre, empresa, email, telefono, peso, tipo_carga, created_at)
       select 'María ' || n, 'Empresa ' || n, 'm' || n || '@b.mx', '6645550175', 1 + n % 900, 'general',
              now() - n * interval '1 minute' from generate_series(1, ${leads}) as n;
     alter table public.quotes enable trigger user;`,
  );
  await askAsOwner(engine, 'analyze');
  const began = performance.now();
  await migrate(engine.database);
  figures['the migration, with the quotes of before'] = Math.round(performance.now() - began);
  await asOwner(
    engine,
    `alter table public.quote_desk disable trigger user;
     update public.quote_desk set before_desk = false, updated_at = asked_at;
     alter table public.quote_desk enable trigger user;`,
  );
  const tidy = () => askAsOwner(engine, 'analyze public.quote_desk');
  await tidy();

  const list = (order: string) =>
    `select * from public.desk_leads where open is true order by ${order}, quote_id limit 50`;
  await timed('open, as listed, all open', staff, list('backlog, asked_at'));
  await timed('open, by due_at, all open', staff, list('due_at'));
  // The open ones are the newest: the worst order for whoever looks through all by date.
  await asOwner(
    engine,
    `alter table public.quote_desk disable trigger user;
     alter table public.quote_answers disable trigger user;
     update public.quote_desk set status = 'perdida', assignee = '${sub}'
       where asked_at < now() - interval '1 minute' * ${leads / 50};
     insert into public.quote_answers (quote_id, body) select id, 'Sale el jueves.' from public.quotes;
     alter table public.quote_answers enable trigger user;
     alter table public.quote_desk enable trigger user;`,
  );
  await tidy();
  await askAsOwner(engine, 'analyze public.quote_answers');
  await timed('open, as listed, 2 % open', staff, list('backlog, asked_at'));
  await timed('open, by due_at, 2 % open', staff, list('due_at'));
  await timed('mine and open', staff, list('backlog, asked_at').replace('where', `where assignee = '${sub}' and`));
  await timed(
    'changed since half an hour',
    staff,
    "select * from public.desk_leads where updated_at >= now() - interval '30 minutes' order by updated_at, quote_id limit 500",
  );
  const ids = await askAsOwner<{ id: string }>(
    engine,
    `select id from public.quotes order by created_at desc limit 20`,
  );
  const next = ids.map(({ id }) => id);
  const claimed = [...next];
  await timed('claim', staff, "update public.quote_desk set status = 'tomada' where quote_id = $1 returning *", () => [
    claimed.pop(),
  ]);
  const answered = next.slice(-TIMES);
  await timed('answer', staff, insertion('quote_answers', { quote_id: '', body: '' }, '')[0], () => [
    answered.pop(),
    'Sale el viernes.',
  ]);
  const read =
    'select id, quote_id, created_at, body, price, price_for, currency, valid_until from public.quote_answers order by created_at';
  await timed('a phone’s answers, of 20 quotes', presenting(...next), read);
  await timed('a visitor’s answers, none presented', visitor, read);
  await timed('a visitor’s quotes, none presented', visitor, 'select * from public.quotes');
  await timed('somebody without the claim, the list', stranger, list('backlog, asked_at'));
  await timed('somebody without the claim, all quotes', stranger, 'select * from public.quotes');
  await timed('staff, all quotes', staff, 'select count(*) from public.quotes');
  return figures;
}
