import { createRest } from '../../server/rest/handler.ts';
import { createGate } from '../../server/rest/identity.ts';
import type { WebHandler } from '../../server/http.ts';
import { readLimits } from '../../server/settings.ts';
import { asOwner } from '../integration/callers.ts';
import { pgliteEngine, type Engine } from '../integration/engines.ts';
import { sign, type Keys } from './gateway.ts';
import { startProject } from './project.ts';

// Sends the same requests to a hosted project and the embedded server.

export const CALLERS = [
  'visitor',
  'visitor with the older key',
  'ana',
  'beto',
  'a customer',
  'service key',
  'older service key',
  'no key',
  'wrong key',
  'expired token',
  'forged token',
] as const;
export type Caller = (typeof CALLERS)[number];

export const ANA = '00000000-0000-4000-8000-00000000000a';
export const BETO = '00000000-0000-4000-8000-00000000000b';

export interface Asked {
  readonly as: Caller;
  readonly method: string;
  /** Path below `/rest/v1/`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, text unchanged. */
  readonly body?: object | string;
}

const HEADERS = [
  'content-range',
  'content-type',
  'preference-applied',
  'location',
  'www-authenticate',
  'retry-after',
] as const;

/** Parts of a response that the tests compare. */
export interface Answered {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body: string;
}

export interface Both {
  readonly embedded: Engine;
  readonly project: { readonly keys: Keys; readonly answer: WebHandler };
  /** Ids that the test gave to both servers. Any other id in an answer was made by that server alone. */
  readonly minted: Set<string>;
  ask(question: Asked): Promise<readonly [hosted: Answered, embedded: Answered]>;
  runOnBoth(script: string): Promise<void>;
  close(): Promise<void>;
}

export async function startBoth(): Promise<Both> {
  const [project, embedded] = await Promise.all([startProject(), pgliteEngine()]);
  const { keys } = project;
  const gate = createGate({ publishableKey: keys.publishable, secret: keys.signedWith });
  const limits = readLimits({ LIMIT_REFUSED_PER_ADDRESS: '0' });
  const rest = createRest(embedded.database, gate, limits);
  const doors = await doorsOf(keys);
  const minted = new Set<string>([ANA, BETO]);
  const began = Date.now();

  const askOne = async (answer: WebHandler, question: Asked, door: Record<string, string>): Promise<Answered> => {
    const { method, path, headers = {}, body } = question;
    const request = new Request(`http://localhost/rest/v1/${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...door, ...headers },
      body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
    });
    const response = await answer(request, '203.0.113.9');
    const text = comparable(await response.text(), began, minted);
    return {
      status: response.status,
      code: codeIn(text),
      headers: Object.fromEntries(HEADERS.map((name) => [name, response.headers.get(name)])),
      body: isInOrder(question) ? text : isCutOff(response) ? 'a thousand of more rows' : sorted(text),
    };
  };

  return {
    embedded,
    project,
    minted,
    ask: (question) =>
      Promise.all([
        askOne(project.answer, question, doors.hosted[question.as]),
        askOne(rest, question, doors.embedded[question.as]),
      ]),
    runOnBoth: async (script) => void (await Promise.all([project.run(script), asOwner(embedded, script)])),
    async close() {
      await Promise.all([project.close(), embedded.close()]);
    },
  };
}

type Doors = Readonly<Record<Caller, Record<string, string>>>;

/**
 * Returns the headers with which each caller sends requests. The embedded server does not know Supabase’s newer secret
 * keys (`sb_secret_…`), so its service key is a signed token.
 */
async function doorsOf(keys: Keys): Promise<{ hosted: Doors; embedded: Doors }> {
  const { publishable: apikey, signedWith } = keys;
  const bearing = (token: string) => ({ apikey, authorization: `Bearer ${token}` });
  const person = (sub: string, app_metadata: object) => ({ role: 'authenticated', sub, app_metadata });
  const ana = person(ANA, { role: 'staff', name: 'Ana' });
  const hosted: Doors = {
    visitor: { apikey },
    'visitor with the older key': { apikey: keys.anon, authorization: `Bearer ${keys.anon}` },
    ana: bearing(await sign(ana, signedWith)),
    beto: bearing(await sign(person(BETO, { role: 'staff', name: 'Beto' }), signedWith)),
    'a customer': bearing(await sign(person(ANA, {}), signedWith)),
    'service key': { apikey: keys.secret },
    'older service key': { apikey: keys.service, authorization: `Bearer ${keys.service}` },
    'no key': {},
    'wrong key': { apikey: 'sb_publishable_of-another-project' },
    'expired token': bearing(await sign(ana, signedWith, new Date(Date.now() - 3_600_000))),
    'forged token': bearing(await sign(ana, Buffer.alloc(32, 'x'))),
  };
  return { hosted, embedded: { ...hosted, 'service key': { apikey: keys.service } } };
}

const MOMENT = /\d{4}-\d\d-\d\d([T ])(\d\d:\d\d:\d\d)(?:\.\d+)?\+00(?::00)?/g;
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/**
 * Number of an event. PostgreSQL may number the events of one statement in any order, so the tests mask the numbers
 * before they compare answers.
 */
const EVENT_ID = /"id":\d+/g;
const HOUR = 3_600_000;
const A_WHILE = 24 * 60;

/** Replaces values that differ on any two servers (recent times, ids made by a server, event numbers). */
function comparable(text: string, began: number, minted: ReadonlySet<string>): string {
  return text
    .replaceAll(MOMENT, (moment, between: string) => {
      const hours = Math.round((Date.parse(moment.replace(/\+00$/, '+00:00')) - began) / HOUR);
      return Math.abs(hours) < A_WHILE ? `now${between}${hours} h` : moment;
    })
    .replaceAll(ID, (id) => (minted.has(id) ? id : 'an id'))
    .replaceAll(EVENT_ID, '"id":"a number"');
}

/**
 * Returns whether both servers must return the rows in the same order. Times and event numbers are not the same on
 * both, so rows sorted by them may differ in order.
 */
const isInOrder = ({ method, path }: Asked) =>
  method !== 'GET' || (/[?&]order=(?!(\w+_)?at\b)/.test(path) && !/^quote_events.*order=id\b/.test(path));

/** Returns whether the answer was cut at 1,000 rows. PostgREST may then return any 1,000 of the rows. */
const isCutOff = ({ headers }: Response) => headers.get('content-range') === '0-999/*';

function sorted(text: string): string {
  const rows = /^\[(.*)\]$/s.exec(text)?.[1]?.split(', \n ');
  return rows ? `[${rows.toSorted().join(', \n ')}]` : text;
}

function codeIn(text: string): string {
  const [, code = ''] = /^\{.*"code":"(\w+)"/s.exec(text) ?? [];
  return code;
}
