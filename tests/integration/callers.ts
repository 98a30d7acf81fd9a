import { randomUUID } from 'node:crypto';
import type { Engine, Session } from './engines.ts';
import { sampleQuote } from './sample-quote.ts';

/** Tables of the REST interface, except those of quotes and alerts. */
export const DESK_TABLES = [
  'desk_leads',
  'quote_desk',
  'quote_answers',
  'quote_words',
  'quote_offers',
  'offer_moves',
  'shipment_flights',
  'shipment_steps',
  'desk_shipments',
  'quote_replies',
  'quote_seen',
  'quote_notes',
  'quote_events',
];

export const ALERT_TABLES = ['push_keys', 'push_devices', 'desk_alerts', 'alert_shown'];

/** Caller of a transaction, with the settings that PostgREST makes in the database. */
export interface Caller {
  readonly role: 'anon' | 'authenticated' | 'service_role';
  readonly headers?: Record<string, string>;
  readonly claims?: object;
}

export const visitor: Caller = { role: 'anon' };
export const stranger: Caller = { role: 'authenticated', claims: { sub: randomUUID(), app_metadata: {} } };
export const service: Caller = { role: 'service_role' };
export const presenting = (...ids: string[]): Caller => ({
  role: 'anon',
  headers: { 'x-submission-id': ids.join(',') },
});

/** Returns a colleague signed in with a second factor. `about` changes the colleague’s metadata. */
export function staffMember(name: string, about: object = {}) {
  const sub = randomUUID();
  const app_metadata = { role: 'staff', name, ...about };
  return {
    role: 'authenticated',
    sub,
    claims: { sub, email: `${name}@aeropuente.mx`, aal: 'aal2', app_metadata },
  } as const;
}

export async function introduce(session: Session, { role, headers = {}, claims = {} }: Caller): Promise<void> {
  await session.query(
    `select set_config('search_path', 'public', true), set_config('role', $1, true),
            set_config('request.headers', $2, true), set_config('request.jwt.claims', $3, true)`,
    [role, JSON.stringify(headers), JSON.stringify({ role, ...claims })],
  );
}

/** Returns a function that runs a statement in its own transaction. */
export const asking =
  (engine: Engine) =>
  <Row extends object = Record<string, unknown>>(caller: Caller, statement: string, parameters: unknown[] = []) =>
    engine.transaction(async (session) => {
      await introduce(session, caller);
      return session.query<Row>(statement, parameters);
    });

/** Returns a function that stores a quote, by default as a visitor, and returns the sent values. */
export const quoting =
  (engine: Engine) =>
  async <Changes extends object>(changes?: Changes, caller: Caller = visitor) => {
    const quote = sampleQuote(changes);
    await asking(engine)(caller, ...insertion('quotes', quote, 'on conflict (id) do nothing', ''));
    return quote;
  };

export function insertion(
  table: string,
  row: object,
  conflict: string,
  returning = 'returning *',
): [statement: string, values: unknown[]] {
  const places = Object.keys(row).map((_, at) => `$${at + 1}`);
  return [
    `insert into public.${table} (${Object.keys(row).join(', ')}) values (${places.join(', ')}) ${conflict} ${returning}`,
    Object.values(row),
  ];
}

/**
 * SQL that deletes all quotes and all rows that refer to quotes. DELETE takes a tenth of the time of TRUNCATE, but
 * needs the right to skip triggers. The server’s role on the operator’s own PostgreSQL lacks this right.
 */
export const EMPTIED = `
  do $$ declare emptied regclass; begin
    if not exists (select from public.quotes) and not exists (select from private.quote_sends) then return; end if;
    perform set_config('session_replication_role', 'replica', true);
    for emptied in with recursive related as (
      select 'public.quotes'::regclass::oid as id
      union select conrelid from pg_constraint, related where contype = 'f' and confrelid = id
    ) select id::regclass from related loop
      execute 'delete from ' || emptied;
    end loop;
    delete from private.quote_sends;
  exception when insufficient_privilege then
    truncate public.quotes, private.quote_sends cascade;
  end $$;
  update private.quote_limits set per_address = 60, overall = 2000`;

/** SQL that turns off triggers and foreign keys for the rest of the transaction. */
export const UNGUARDED = 'set local session_replication_role = replica;';

/** Keys of a device, which a push service would accept. */
export const DEVICE_KEYS = { p256dh: `B${'x'.repeat(86)}`, auth: 'x'.repeat(22) };

export async function asOwner(engine: Engine, script: string): Promise<void> {
  await engine.transaction((session) => session.run(script));
}

export async function askAsOwner<Row extends object>(
  engine: Engine,
  statement: string,
  parameters: unknown[] = [],
): Promise<Row[]> {
  return engine.transaction((session) => session.query<Row>(statement, parameters));
}
