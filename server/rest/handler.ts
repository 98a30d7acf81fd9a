import { setTimeout as wait } from 'node:timers/promises';
import { REFUSAL_DELAY, createRefusalCounter, createAdmission, networksOf, TOO_BUSY, type Kind } from '../admission.ts';
import { faultIn, readQuote } from '../../src/lead/quote.ts';
import { SCHEMA_HEADER } from '../../src/lead/schema-version.ts';
import type { Database, Statement } from '../database/database.ts';
import { reportError } from '../report-error.ts';
import type { Erasure } from '../quote-store.ts';
import type { Limits } from '../limits.ts';
import type { Gate, Identity } from './identity.ts';
import { readPayload, requirePlainValues, type Payload } from './payload.ts';
import { readQuery, type Query, type Table } from './query.ts';
import { asResponse, isDatabaseError, Refusal, refusalFor } from './refusal.ts';
import { erase, insert, nameOf, select, update } from './statement.ts';

/** Tables of the API with their allowed methods, the same as in a hosted Supabase project. */
export const TABLES: ReadonlyMap<string, readonly string[]> = new Map([
  ['quotes', ['GET', 'POST']],
  ['desk_leads', ['GET']],
  ['quote_desk', ['GET', 'PATCH']],
  ['quote_answers', ['GET', 'POST']],
  ['quote_words', ['GET']],
  ['quote_offers', ['GET']],
  ['offer_moves', ['GET', 'POST']],
  ['shipment_flights', ['GET', 'POST']],
  ['shipment_steps', ['GET', 'POST']],
  ['desk_shipments', ['GET']],
  ['quote_replies', ['GET', 'POST']],
  ['quote_seen', ['GET', 'POST']],
  ['quote_notes', ['GET', 'POST']],
  ['quote_events', ['GET']],
  ['schema_version', ['GET']],
  ['unknown_submissions', ['GET']],
  ['quote_links', ['GET']],
  ['quote_link_closings', ['GET', 'POST']],
  ['quote_details', ['GET', 'POST']],
  ['shipment_papers', ['GET', 'POST']],
  ['quote_files', ['GET', 'POST']],
  ['quote_file_parts', ['GET', 'POST']],
  ['promotion_withdrawals', ['GET', 'POST']],
  ['promotion_consents', ['GET']],
  ['mail_stops', ['GET', 'POST']],
  ['received_messages', ['GET', 'PATCH']],
  ['received_suggestions', ['GET']],
  ['received_files', ['GET']],
  ['person_messages', ['GET']],
  ['whatsapp_choices', ['GET', 'POST']],
  ['customer_ways', ['GET']],
  ['desk_whatsapp', ['GET']],
  ['whatsapp_hooks', ['GET']],
  ['person_quotes', ['GET']],
  ['person_rows', ['GET']],
  ['push_keys', ['GET']],
  ['push_devices', ['GET', 'POST']],
  ['desk_alerts', ['GET']],
  ['desk_mails', ['GET']],
  ['alert_shown', ['POST']],
  ['staff_signs', ['POST']],
  ['desk_acts', ['GET', 'POST']],
  ['desk_reach', ['GET']],
  ['desk_watches', ['POST']],
  ['desk_watch', ['GET']],
  ['desk_templates', ['GET', 'POST', 'PATCH', 'DELETE']],
  ['exchange_rates', ['GET', 'POST']],
  ['desk_reminders', ['GET', 'POST', 'PATCH', 'DELETE']],
  ['desk_search', ['GET']],
  ['desk_history', ['GET']],
  ['quote_joins', ['POST']],
  ['lead_imports', ['POST']],
  ['step_imports', ['POST']],
  ['alert_sender', ['GET']],
  ['alert_tests', ['POST']],
  ['alert_test_messages', ['GET']],
  ['webhooks', ['GET', 'POST']],
  ['webhook_deliveries', ['GET', 'PATCH']],
]);
/** Tables of files, whose requests have the lowest priority. */
const FILES = new Set(['quote_files', 'quote_file_parts']);
const ERASING = 'DELETE';
/** Tables from which only the service key deletes. */
const ERASABLE = ['quotes', 'received_messages', 'push_devices', 'alert_tests', 'webhooks'];
/** Tables of personal data. The server answers a DELETE after the rows are removed from all database files. */
const ERASED_FOR_GOOD = ['quotes', 'received_messages'];
/** Tables that only the service key corrects, at a person's request. */
const CORRECTABLE = ['quotes'];
/** Maximum number of milliseconds for a statement of staff, whose lists are long. */
const STAFF_TIMEOUT = 15_000;

/** Answers requests like PostgREST, as far as our clients need. `address`: IP address of the visitor. */
export interface Rest {
  (request: Request, address: string): Promise<Response>;
  readonly waiting: () => number;
}

interface StatementResult {
  readonly body: string;
  readonly rows: number;
}

export function createRest(database: Database, gate: Gate, limits: Limits, erasing?: Erasure): Rest {
  const schemaVersion = rememberSchemaVersion(database);
  const inTurn = createAdmission({
    waiting: limits.LIMIT_WAITING,
    atOnce: database.atOnce,
    perAddress: {
      insert: limits.LIMIT_INSERTS_PER_ADDRESS,
      read: limits.LIMIT_READS_PER_ADDRESS,
      file: limits.LIMIT_FILES_PER_ADDRESS,
    },
  });
  const services = { database, describe: rememberTables(database), inTurn, limits, erasing };
  const refusals = createRefusalCounter(limits.LIMIT_REFUSED_PER_ADDRESS);

  const tryToAnswer = async (request: Request, address: string): Promise<Response> => {
    let role: string | undefined;
    const networks = networksOf(address);
    try {
      const identity = await gate.identify(request);
      role = identity.role;
      const requireFewRefusals = () => role === 'anon' && refusals.check(networks);
      if (!bringsQuote(request)) requireFewRefusals();
      return await carryOut(request, { address, identity, requireFewRefusals }, services);
    } catch (error) {
      if (!(error instanceof Refusal) && !isDatabaseError(error)) reportError(error, 'answering');
      const refusal = refusalFor(error, role ?? 'anon');
      // Refused requests without a valid key are not counted, because another site can make a visitor's browser send
      // them.
      if (role === 'anon' && refusal.status < 500) refusals.count(networks);
      if (refusal.code === TOO_BUSY) await wait(REFUSAL_DELAY);
      return asResponse(refusal);
    }
  };
  const answer = async (request: Request, address: string): Promise<Response> => {
    const response = await tryToAnswer(request, address);
    const version = await schemaVersion();
    if (version) response.headers.set(SCHEMA_HEADER, version);
    return response;
  };
  return Object.assign(answer, { waiting: inTurn.waiting });
}

interface Caller {
  readonly address: string;
  readonly identity: Identity;
  readonly requireFewRefusals: () => void;
}

interface Services {
  readonly database: Database;
  readonly describe: (name: string) => Promise<Table>;
  readonly inTurn: ReturnType<typeof createAdmission>;
  readonly limits: Limits;
  readonly erasing: Erasure | undefined;
}

async function carryOut(
  request: Request,
  { address, identity, requireFewRefusals }: Caller,
  { database, describe, inTurn, limits, erasing }: Services,
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const name = tableIn(pathname);
  requireAllowedMethod(request, name, identity);
  const table = await describe(name);
  const query = readQuery(table, searchParams, limits.LIMIT_ROWS);
  const preferences = readPreferences(request);
  const mostBytes = name === 'quote_file_parts' ? limits.LIMIT_PART_BYTES : limits.LIMIT_BODY_BYTES;
  const payload = bringsRow(request) ? await readPayload(request, mostBytes) : undefined;
  // A valid quote is accepted even from a network with many refused requests, because many phones of a carrier share
  // one address.
  if (bringsQuote(request) && !isGoodQuote(payload!.values)) requireFewRefusals();
  const statement = statementFor(request, table, query, preferences, payload);
  const reads = request.method === 'GET';
  const erases = request.method === ERASING && ERASED_FOR_GOOD.includes(name);
  if (erases) erasing?.requireSpace();
  const isVisitor = identity.role === 'anon';
  const kind: Kind = !isVisitor ? 'staff' : reads ? 'read' : FILES.has(name) ? 'file' : 'insert';
  const [result] = await inTurn(kind, isVisitor ? networksOf(address).network : '', (passOn) =>
    database.transaction<StatementResult>([requestContext(request, table, address, identity), statement], {
      access: reads ? 'read' : 'write',
      within: isVisitor ? limits.LIMIT_STATEMENT_MS : STAFF_TIMEOUT,
      onBegun: passOn,
    }),
  );
  if (erases) await erasing?.finish();
  return responseFor(request, result!, query, preferences);
}

function tableIn(pathname: string): string {
  const name = /^\/rest\/v1\/(\w+)$/.exec(pathname)?.[1];
  if (!name) throw new Refusal(404, 'PGRST125', 'Invalid path specified in request URL');
  if (!TABLES.has(name))
    throw new Refusal(404, 'PGRST205', `Could not find the table 'public.${name}' in the schema cache`);
  return name;
}

function requireAllowedMethod({ method }: Request, name: string, { role }: Identity): void {
  const allowed = TABLES.get(name)!;
  const ofService = { [ERASING]: ERASABLE, PATCH: CORRECTABLE }[method] ?? [];
  if (allowed.includes(method) || (role === 'service_role' && ofService.includes(name))) return;
  throw new Refusal(405, 'PGRST117', `Unsupported HTTP method: ${method}`, { headers: { allow: allowed.join(', ') } });
}

interface Preferences {
  readonly representation: boolean;
  readonly ignoreDuplicates: boolean;
  /** Applied preferences in PostgREST's order. */
  readonly applied: string;
}

const PREFERENCES: readonly (readonly [methods: string, values: readonly string[]])[] = [
  ['POST', ['resolution=ignore-duplicates']],
  ['POST PATCH DELETE', ['return=representation', 'return=minimal']],
];

/**
 * Reads the header Prefer (https://docs.postgrest.org/en/stable/references/api/preferences.html). Throws a refusal that
 * names the first unsupported preference.
 */
function readPreferences({ method, headers }: Request): Preferences {
  const profile = headers.get('content-profile') ?? headers.get('accept-profile') ?? 'public';
  if (profile !== 'public') throw new Refusal(406, 'PGRST106', `Invalid schema: ${profile.slice(0, 100)}`);
  if (headers.get('accept')?.includes('vnd.pgrst')) throw new Refusal(406, 'PGRST107', 'Only lists are answered');
  if (headers.has('range')) throw unsupported('Range: use limit and offset');
  const prefer = (headers.get('prefer') ?? '').split(',').map((part) => part.trim());
  for (const preference of prefer)
    if (/^(count=|tx=|resolution=merge|return=headers)/.test(preference))
      throw unsupported(`Prefer: ${preference.slice(0, 100)}`);
  // If two preferences contradict each other, the first one applies.
  const applied = PREFERENCES.flatMap(([methods, values]) =>
    methods.includes(method) ? (prefer.find((preference) => values.includes(preference)) ?? []) : [],
  );
  return {
    representation: applied.includes('return=representation'),
    ignoreDuplicates: applied.includes('resolution=ignore-duplicates'),
    applied: applied.join(', '),
  };
}

function isGoodQuote(values: object): boolean {
  const quote = readQuote(values);
  return quote !== null && faultIn(quote) === undefined;
}

const bringsRow = ({ method }: Request) => method === 'POST' || method === 'PATCH';

const bringsQuote = ({ method, url }: Request) => method === 'POST' && new URL(url).pathname === '/rest/v1/quotes';

function statementFor(
  request: Request,
  table: Table,
  query: Query,
  { representation, ignoreDuplicates }: Preferences,
  payload: Payload | undefined,
): Statement {
  if (request.method === 'GET') return select(table, query);
  const columns = representation ? query.columns : '1';
  if (request.method !== 'POST' && !query.where) throw unsupported(`${request.method} without a filter`);
  if (!payload) return erase(table, { ...query, columns });
  requirePlainValues(table, payload);
  if (request.method === 'PATCH') return update(table, payload, { ...query, columns });
  const target = new URL(request.url).searchParams.get('on_conflict')?.split(',') ?? table.key;
  return insert(table, payload, { columns, unlessThere: ignoreDuplicates ? target : undefined });
}

function responseFor(
  { method }: Request,
  { body, rows }: StatementResult,
  query: Query,
  preferences: Preferences,
): Response {
  const shown = method === 'GET' || preferences.representation;
  const counted = method === 'GET' || method === 'PATCH';
  const offset = method === 'GET' ? query.offset : 0;
  const status = method === 'POST' ? 201 : shown ? 200 : 204;
  return new Response(shown ? body : null, {
    status,
    headers: {
      ...(shown ? { 'content-type': 'application/json; charset=utf-8' } : {}),
      'content-range': counted && rows > 0 ? `${offset}-${offset + rows - 1}/*` : '*/*',
      ...(preferences.applied ? { 'preference-applied': preferences.applied } : {}),
      'cache-control': 'no-store',
    },
  });
}

/** Caches the version of the newest migration, which is undefined while the database does not answer. */
function rememberSchemaVersion(database: Database): () => Promise<string | undefined> {
  const sql = 'select max(version) as version from supabase_migrations.schema_migrations';
  let look: Promise<string | undefined> | undefined;
  return () =>
    (look ??= database
      .transaction<{ version: string }>([{ sql, parameters: [] }], { access: 'read' })
      .then(([row]) => row?.version)
      .catch(() => (look = undefined)));
}

/** Caches the descriptions of tables. Only migrations change tables, and they run before the server answers. */
function rememberTables(database: Database): (name: string) => Promise<Table> {
  const tables = new Map<string, Table>();
  return async (name) => {
    const known = tables.get(name);
    if (known) return known;
    const columns = await database.transaction<{ name: string; type: string; key: boolean }>(
      [
        {
          sql: `select attname as name, format_type(atttypid, atttypmod) as type,
                       coalesce(attnum = any (indkey), false) as key
                from pg_attribute left join pg_index on indrelid = attrelid and indisprimary
                where attrelid = $1::text::regclass and attnum > 0 and not attisdropped`,
          parameters: [nameOf({ name })],
        },
      ],
      { access: 'read' },
    );
    const table = {
      name,
      key: columns.filter(({ key }) => key).map((column) => column.name),
      types: new Map(columns.map((column) => [column.name, column.type])),
    };
    tables.set(name, table);
    return table;
  };
}

/**
 * Sets role, claims and headers for policies and triggers. `x-forwarded-for` becomes the address that the server has
 * determined, because the header of the request may be forged.
 */
function requestContext(request: Request, { name }: Table, address: string, { role, claims }: Identity): Statement {
  const { 'cf-connecting-ip': _claimed, ...headers } = Object.fromEntries(request.headers);
  return {
    sql: `select set_config('search_path', '"public", "extensions"', true), set_config('role', $1, true),
                 set_config('request.jwt.claims', $2, true), set_config('request.method', $3, true),
                 set_config('request.path', $4, true), set_config('request.headers', $5, true)`,
    parameters: [
      role,
      JSON.stringify(claims),
      request.method,
      `/${name}`,
      JSON.stringify({ ...headers, 'x-forwarded-for': address }),
    ],
  };
}

function unsupported(what: string): Refusal {
  return new Refusal(400, 'PGRST100', `This server does not support ${what}`);
}
