import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import about from '../package.json' with { type: 'json' };
import { Service } from '../tests/e2e/service.ts';
import { askAsOwner, asOwner, insertion, introduce, visitor, type Caller } from '../tests/integration/callers.ts';
import { pgliteEngine, postgresEngines, type Engine } from '../tests/integration/engines.ts';
import { sampleQuote } from '../tests/integration/sample-quote.ts';
import { insert as insertOverHttp } from './asking.ts';
import { median, percentile, rounded, type Cell, type Measured, type Size } from './results.ts';

export const title = 'Server: what embedding the database costs';

const SIZES = {
  whole: { leads: [1000, 10_000, 100_000, 1_000_000], lasts: 4000, turns: 9, clients: [1, 10, 100] },
  smoke: { leads: [100], lasts: 100, turns: 1, clients: [2] },
};

const sub = randomUUID();
const staff: Caller = { role: 'authenticated', claims: { sub, app_metadata: { role: 'staff', name: 'Ana' } } };

export async function measure(size: Size): Promise<Measured> {
  const { lasts, clients } = SIZES[size];
  const embedded = await pgliteEngine();
  const [server, other] = (size === 'whole' && (await postgresEngines())) || [];
  const served: Record<string, Cell> = {};
  const inserts: Record<string, Record<string, Cell>> = {};
  const growth: Record<string, Record<string, Cell>> = {};
  try {
    Object.assign(served, await overHttp(size));
    for (const engine of [embedded, server]) {
      if (!engine) continue;
      await asOwner(engine, 'update private.quote_limits set per_address = 0, overall = 0');
      inserts[engine.name] = await insertsBy(size, () => insert(engine));
      growth[engine.name] = await byLeads(engine, size);
    }
  } finally {
    await embedded.close();
    await other?.close();
    await server?.close();
  }
  if (!server) inserts['PostgreSQL'] = growth['PostgreSQL'] = {};
  const more = clients.map(perSecond);
  return {
    tables: [
      {
        title: 'Inserts into the same schema, with its triggers and rules',
        note: `Each measurement takes ${lasts / 1000} s; every insert is a transaction. PGlite runs in the process of the benchmark with its data in memory, one transaction at a time; PostgreSQL is a server with 20 connections and without \`fsync\`.`,
        figures: inserts,
        more,
        plot: { file: 'server', measures: more },
      },
      {
        title: 'Requests by number of stored leads, medians in ms',
        figures: growth,
      },
      {
        title: 'npm start, over HTTP',
        note: 'Clients on the same machine send requests to the whole embedded server: its queue, limits, request handler and database. A start ends when the server prints its address.',
        figures: { ours: served },
        more,
      },
    ],
  };
}

const perSecond = (clients: number) => `${clients} at once, a second`;

/** Measures the inserts per second with each number of parallel clients. */
async function insertsBy(size: Size, work: () => Promise<unknown>): Promise<Record<string, Cell>> {
  const { lasts, clients: counts } = SIZES[size];
  const figures: Record<string, Cell> = {};
  for (const clients of counts) {
    const took: number[] = [];
    const began = performance.now();
    const client = async () => {
      while (performance.now() - began < lasts) {
        const start = performance.now();
        await work();
        took.push(performance.now() - start);
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    figures[perSecond(clients)] = rounded((took.length * 1000) / (performance.now() - began));
    figures[`${clients} at once, p99 in ms`] = rounded(percentile(took, 0.99), 1);
  }
  return figures;
}

const insert = (engine: Engine) =>
  engine.transaction(async (session) => {
    await introduce(session, visitor);
    return session.query(...insertion('quotes', sampleQuote(), 'on conflict (id) do nothing', ''));
  });

/**
 * Returns SQL that inserts rows with the triggers turned off. The triggers would take a lock and count rows for each of
 * a million rows.
 */
const filling = (from: number, to: number) => `
  set session_replication_role = replica;
  insert into public.quotes (nombre, empresa, email, telefono, peso, tipo_carga, created_at)
    select 'María ' || n, 'Empresa ' || n, 'm' || n || '@b.mx', '6645550175', 1 + n % 900, 'general',
           now() - n * interval '1 minute' from generate_series(${from + 1}, ${to}) as n;
  insert into public.quote_desk (quote_id, asked_at, status, assignee, updated_at)
    select id, created_at, case when created_at > now() - interval '1 day' then 'nueva' else 'perdida' end,
           case when created_at > now() - interval '1 day' then null else '${sub}'::uuid end, created_at
      from public.quotes on conflict do nothing;
  set session_replication_role = origin;`;

async function byLeads(engine: Engine, size: Size): Promise<Record<string, Cell>> {
  const { leads, turns } = SIZES[size];
  const figures: Record<string, Cell> = {};
  await asOwner(engine, 'truncate public.quotes cascade');
  let there = 0;
  for (const count of leads) {
    await asOwner(engine, filling(there, count));
    await askAsOwner(engine, 'analyze');
    there = count;
    const [{ folio }] = (await askAsOwner<{ folio: string }>(
      engine,
      'select folio from public.quotes order by id limit 1',
    )) as [{ folio: string }];
    const questions: Record<string, () => Promise<unknown>> = {
      list: () => asked('where open is true order by asked_at, quote_id limit 50'),
      'changed since half an hour': () =>
        asked("where updated_at >= now() - interval '30 minutes' order by updated_at, quote_id limit 500"),
      folio: () => asked(`where folio = '${folio}'`),
      insert: () => insert(engine),
    };
    const asked = (what: string) =>
      engine.transaction(async (session) => {
        await introduce(session, staff);
        return session.query(`select * from public.desk_leads ${what}`);
      });
    for (const [name, question] of Object.entries(questions)) {
      const took: number[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        const began = performance.now();
        await question();
        took.push(performance.now() - began);
      }
      figures[`${name}, ${count.toLocaleString('en')}`] = rounded(median(took), 1);
    }
  }
  return figures;
}

async function overHttp(size: Size): Promise<Record<string, Cell>> {
  const leads = SIZES[size].leads.at(-1)!;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'aeropuente-'));
  const figures: Record<string, Cell> = {};
  // The other flags of `npm start` are not used, because they would load the settings of this machine.
  const flags = about.scripts.start.split(' ').filter((word) => word.startsWith('--max-semi-space-size='));
  const started = async (what: string) => {
    const began = performance.now();
    const service = await Service.start(dataDir, { RATE_LIMIT_OVERALL: '0' }, flags);
    figures[what] = rounded((performance.now() - began) / 1000, 1);
    return service;
  };
  const first = await started('first start, s');
  await first.lineDown();
  await first.kill();
  const service = await started('start on no leads, after a kill, s');
  try {
    const agent = new Agent({ keepAlive: true, maxSockets: 100 });
    Object.assign(figures, await insertsBy(size, () => insertOverHttp(service.origin, agent)));
    agent.destroy();
    await service.lineDown();
    await service.kill();
    const database = await PGlite.create(path.join(dataDir, 'database'));
    await database.exec(filling(0, leads));
    await database.close();
    const large = await started(`start on ${leads.toLocaleString('en')} leads, s`);
    await large.lineDown();
    await large.kill();
    return figures;
  } finally {
    await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}
