import type { Database, Session } from '../database.ts';
import type { Gate, Identity } from './identity.ts';
import { readPayload } from './payload.ts';
import { readQuery } from './query.ts';
import { isDatabaseError, Refusal, refusalFor } from './refusal.ts';
import { insert, nameOf, remove, select, update, type Statement, type Table } from './statement.ts';
import { answerAsPreferred, isReading, readPreferences, type Answer, type Preferences } from './preferences.ts';

/** The tables a client may speak of, as the API schema of a hosted project has them. */
const TABLES = new Set(['quotes']);

/** Answers one request as PostgREST would; `address` is who the server saw asking. */
export type Rest = (request: Request, address: string) => Promise<Response>;

export function createRest(database: Database, gate: Gate): Rest {
  const describe = rememberTables();

  const carryOut = async (request: Request, address: string, identity: Identity): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const name = tableIn(pathname);
    const preferences = readPreferences(request);
    const { statementFor, offset } = await plan(request, searchParams, name, preferences);
    const answer = await database.transaction(
      async (session) => {
        const table = await describe(session, name);
        await session.query(
          `select set_config('search_path', '"public", "extensions"', true), set_config('role', $1, true),
                set_config('request.jwt.claims', $2, true), set_config('request.method', $3, true),
                set_config('request.path', $4, true), set_config('request.headers', $5, true)`,
          [
            identity.role,
            JSON.stringify(identity.claims),
            request.method,
            `/${name}`,
            JSON.stringify(headersSeen(request, address)),
          ],
        );
        const { sql, parameters } = statementFor(table);
        const [result] = await session.query<Answer>(sql, parameters);
        if (!result) throw new Error('an answering statement always has one row');
        if (preferences.single && preferences.representation && result.rows !== 1) {
          throw new Refusal(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
            details: `The result contains ${result.rows} rows`,
          });
        }
        return result;
      },
      isReading(request) ? 'read' : 'write',
    );
    return answerAsPreferred(request, answer, preferences, offset);
  };

  return async (request, address) => {
    let role = 'anon';
    const answer = async () => {
      if (request.method === 'OPTIONS') return new Response(null, { status: 200 });
      const identity = await gate.identify(request);
      role = identity.role;
      return carryOut(request, address, identity);
    };
    const response = await answer().catch((error: unknown) => {
      if (!(error instanceof Refusal) && !isDatabaseError(error)) reportFault(error);
      return refuse(request, refusalFor(error, role));
    });
    return allowOtherOrigins(request, response);
  };
}

function tableIn(pathname: string): string {
  const name = /^\/rest\/v1\/(\w+)$/.exec(pathname)?.[1];
  if (!name) throw new Refusal(404, 'PGRST125', 'Invalid path specified in request URL');
  if (!TABLES.has(name))
    throw new Refusal(404, 'PGRST205', `Could not find the table 'public.${name}' in the schema cache`);
  return name;
}

interface Plan {
  readonly statementFor: (table: Table) => Statement;
  readonly offset: number;
}

async function plan(request: Request, search: URLSearchParams, name: string, preferences: Preferences): Promise<Plan> {
  const query = readQuery(name, search, request.headers.get('range'));
  const { offset } = query;
  const returning = preferences.representation;
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return { offset, statementFor: (table) => select(table, query, preferences.counted) };
    case 'POST': {
      const payload = await readPayload(request, search.get('columns'));
      const target = search.get('on_conflict') ?? 'id';
      const conflict =
        preferences.duplicates === 'refuse' ? undefined : { target, merge: preferences.duplicates === 'merge' };
      return {
        offset,
        statementFor: (table) => insert(table, payload, { columns: query.columns, conflict, returning }),
      };
    }
    case 'PATCH': {
      const payload = await readPayload(request, search.get('columns'));
      return { offset, statementFor: (table) => update(table, query, payload, returning) };
    }
    case 'DELETE':
      return { offset, statementFor: (table) => remove(table, query, returning) };
    default:
      throw new Refusal(405, 'PGRST117', `Unsupported HTTP method: ${request.method}`);
  }
}

/** A table is looked up once: migrations run only before the server answers. */
function rememberTables(): (session: Session, name: string) => Promise<Table> {
  const tables = new Map<string, Table>();
  return async (session, name) => {
    const known = tables.get(name);
    if (known) return known;
    const columns = await session.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
       where attrelid = $1::text::regclass and attnum > 0 and not attisdropped`,
      [nameOf({ name })],
    );
    const table = { name, types: new Map(columns.map((column) => [column.name, column.type])) };
    tables.set(name, table);
    return table;
  };
}

/** What policies and triggers see. The address is ours to say: a client could write anything there. */
function headersSeen(request: Request, address: string): Record<string, string> {
  const { 'cf-connecting-ip': _claimed, ...headers } = Object.fromEntries(request.headers);
  return { ...headers, 'x-forwarded-for': address };
}

function refuse(request: Request, refusal: Refusal): Response {
  return new Response(request.method === 'HEAD' ? null : refusal.body, {
    status: refusal.status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'proxy-status': `PostgREST; error=${refusal.code}`,
      ...refusal.headers,
    },
  });
}

function allowOtherOrigins(request: Request, response: Response): Response {
  const { headers } = response;
  headers.set('access-control-allow-origin', '*');
  headers.set(
    'access-control-expose-headers',
    'Content-Range, Content-Type, Date, Location, Proxy-Status, Retry-After',
  );
  if (request.method !== 'OPTIONS') return response;
  headers.set('access-control-allow-methods', 'GET, POST, PATCH, DELETE, OPTIONS, HEAD');
  headers.set('access-control-allow-headers', request.headers.get('access-control-request-headers') ?? 'authorization');
  headers.set('access-control-max-age', '86400');
  return response;
}

/** Where it broke, not with what: messages and properties of an error may hold a visitor's data. */
function reportFault(error: unknown): void {
  const { name, stack = '' } = error instanceof Error ? error : new Error();
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  console.error([`${name} while answering`, ...frames].join('\n'));
}
