import { ERASABLE, ERASING, TABLES } from '../../server/rest/handler.ts';
import { ANA, BETO, CALLERS, type Asked, type Caller } from './both.ts';
import type { Chance } from './chances.ts';

// Requests that are sent to our server and to a hosted Supabase project, to compare the responses.

const PHONE = 'id,quote_id,created_at,body,price,price_for,currency,valid_until';

/** Returns the requests that phone, desk and command line make about an existing quote. */
export function writtenRequests(quote: string): Asked[] {
  const reads = [
    'quotes',
    `quotes?select=id&id=eq.${quote}`,
    'quotes?select=*&order=peso.desc,id&limit=1000',
    'quotes?order=peso,id&limit=5&offset=3',
    'quotes?order=peso,id&offset=100000',
    'quotes?limit=0',
    `quotes?select=id,folio,entregada&id=in.(${quote},${ANA})`,
    'quotes?nombre=eq.Mar%C3%ADa%20N%C3%BA%C3%B1ez&select=nombre',
    'quotes?nombre=in.("a,b","O\'Neill","una (1)","con \\"comillas\\"")&select=nombre',
    'quotes?id=in.()',
    'quotes?peso=gte.4000&peso=eq.4999',
    'quotes?peso=eq.abc',
    'quotes?peso=is.true',
    'quotes?id=eq.not-a-uuid',
    'quotes?entregada=is.null&select=id&order=id&limit=3',
    `desk_leads?select=*&quote_id=eq.${quote}`,
    'desk_leads?select=*&open=is.true&order=asked_at,quote_id&offset=0&limit=500',
    'desk_leads?select=*&updated_at=gte.2020-01-01T00:00:00.000Z&order=updated_at,quote_id&limit=500',
    'desk_leads?select=*&folio=eq.AP-0000-0000&order=created_at.desc&limit=1',
    `quote_desk?quote_id=eq.${quote}`,
    `quote_answers?quote_id=eq.${quote}&order=created_at`,
    `quote_answers?select=${PHONE}&order=created_at`,
    `quote_replies?quote_id=eq.${quote}&order=created_at`,
    'quote_seen?select=answer_id',
    `quote_notes?quote_id=eq.${quote}`,
    `quote_events?quote_id=eq.${quote}&order=id.desc&limit=20`,
    'unknown_submissions?select=id',
    'quote_links?select=*',
    `quote_link_closings?quote_id=eq.${quote}&order=created_at`,
    `quote_details?quote_id=eq.${quote}&order=pressed_at`,
    `quote_files?quote_id=eq.${quote}&order=created_at`,
    `quote_file_parts?select=parte&file_id=eq.${quote}&order=parte`,
    'push_keys?select=public_key',
    'push_keys',
    'push_devices?select=endpoint&order=endpoint,quote_id',
    'desk_alerts?select=sent_at,shown_at,taken_at&sent_at=gte.2020-01-01&order=sent_at,quote_id&offset=0&limit=500',
    'alert_sender?select=ran_at,called_at,answered',
    'desk_reach?select=*&order=name',
    'desk_watch?select=open,late,newest',
    `desk_history?select=*&of_quote=eq.${quote}&order=created_at.desc&limit=50`,
    'desk_search?select=quote_id',
    `alert_test_messages?select=spread_at,message_id,way,sent_at,result&test_id=eq.${quote}`,
  ];
  const requests = reads.map((path) => ({ method: 'GET', path }));
  const presenting = requests.map((each) => ({ ...each, headers: { 'x-submission-id': quote } }));
  const searching = SEARCHED.map((typed) => ({
    method: 'GET',
    path: 'desk_search?select=quote_id',
    headers: { 'x-search': typed },
  }));
  return CALLERS.flatMap((as) => [...requests, ...presenting, ...searching].map((each) => ({ ...each, as })));
}

/** Search texts as the desk sends them in a header, and hostile texts. */
const SEARCHED = [
  'maria nunez',
  'Mar\\u00eda N\\u00fa\\u00f1ez',
  '+52 664 555 0175',
  '0175',
  'compras 6645550175',
  'empresa 1',
  'AP-',
  'zz',
  '%%%',
  'a_e\\\\%',
  "o'neill",
  '%1$s \\"',
  '\\',
  '\\u0000x',
  '"]',
];

/** Unique columns of each table. Rows that are ordered by these columns last have the same order on both servers. */
const KEYS: Readonly<Record<string, string>> = {
  quote_offers: 'answer_id',
  desk_shipments: 'answer_id',
  quote_events: 'quote_id,version',
  quote_file_parts: 'file_id,parte',
  person_rows: 'number',
  quote_seen: 'answer_id',
  alert_shown: 'message_id',
  push_keys: 'public_key',
  push_devices: 'endpoint,quote_id',
  alert_sender: 'only_one',
  desk_reach: 'staff',
  desk_watches: 'secret',
  desk_watch: 'newest',
  alert_test_messages: 'test_id,message_id',
  desk_history: 'of_quote,quote_id',
};
const keyOf = (table: string, columns: ReadonlyMap<string, string>) =>
  KEYS[table] ?? (columns.has('id') ? 'id' : 'quote_id');

const BY_TYPE: Readonly<Record<string, readonly unknown[]>> = {
  uuid: [ANA, BETO, 'not-a-uuid', ''],
  text: [
    'general',
    'nueva',
    'tomada',
    'María Núñez',
    "O'Neill",
    '王伟',
    '🥭',
    ' x ',
    '',
    'a,b',
    'null',
    '\\',
    '"',
    '*',
  ],
  integer: [0, 1, 1200, 4999, -1, 1_000_000, 1_000_001, 2_147_483_648, 1.5, '12', '-7'],
  bigint: [0, 1, 20, -1, '12'],
  numeric: [0, 4.1, 16, 0.01, 0.001, 999_999_999.99, -1, '4.10'],
  boolean: [true, false, 'true', 'f', 'maybe'],
  'timestamp with time zone': ['2020-01-01T00:00:00Z', '2999-12-31', 'infinity', '2020-13-01', 'yesterdayish'],
  date: ['2020-01-01', '2999-12-31', 'infinity', '2020-02-30'],
  interval: ['02:00:00', '1 day', 'soon'],
};
const ANY = [null, true, 7, 'x', ''];

export interface Known {
  /** Columns of each table, with their types. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly ids: readonly string[];
}

const ROLES: readonly Caller[] = [
  ...Array<Caller>(8).fill('visitor'),
  ...Array<Caller>(2).fill('visitor with the older key'),
  ...Array<Caller>(5).fill('ana'),
  ...Array<Caller>(2).fill('beto'),
  ...Array<Caller>(3).fill('service key'),
  ...CALLERS,
];
const READABLE = [...TABLES].flatMap(([table, methods]) => (methods.includes('GET') ? table : []));
const WRITABLE = [...TABLES].flatMap(([table, methods]) => (methods.includes('POST') ? table : []));
const PREFERENCES = [
  '',
  'return=minimal',
  'return=representation',
  'resolution=ignore-duplicates',
  'resolution=ignore-duplicates,return=representation',
  'return=representation, resolution=ignore-duplicates',
];

export function createRequests({ oneOf, sometimes, whole, mint }: Chance, { columns, ids }: Known): () => Asked {
  const someOf = <Item>(items: readonly Item[], most: number) =>
    Array.from({ length: 1 + whole(most) }, () => oneOf(items));
  const namesOf = (table: string) => [...columns.get(table)!.keys()];
  const knownId = () => (sometimes(0.9) ? oneOf(ids) : mint());
  const valueOf = (type: string): unknown =>
    type === 'uuid' && sometimes(0.8) ? knownId() : oneOf(sometimes(0.95) ? (BY_TYPE[type] ?? ANY) : ANY);

  function filter(table: string): string {
    // Each server makes its own device ids, so a filter by them would differ.
    const filterable = [...columns.get(table)!].filter(([each]) => table !== 'push_devices' || each !== 'id');
    const [name, type] = oneOf(filterable);
    const value = () => String(valueOf(type));
    const quoted = () => `"${value().replaceAll(/["\\]/g, String.raw`\$&`)}"`;
    const member = () => {
      const text = value();
      return /^[^"\\,()]*$/.test(text) && sometimes(0.5) ? text : quoted();
    };
    const condition = oneOf([
      () => `eq.${value()}`,
      () => `eq.${value()}`,
      () => `gte.${value()}`,
      () => `in.(${Array.from({ length: 1 + whole(4) }, member).join(',')})`,
      () => `is.${oneOf(['null', 'true', 'false'])}`,
    ])();
    return `${name}=${encodeURIComponent(condition)}`;
  }

  function query(table: string, filters: number): string[] {
    const select = sometimes(0.6) ? [`select=${sometimes(0.2) ? '*' : someOf(namesOf(table), 4).join(',')}`] : [];
    return [...select, ...Array.from({ length: filters }, () => filter(table))];
  }

  function read(): Omit<Asked, 'as'> {
    const table = oneOf(READABLE);
    const parts = query(table, whole(3));
    if (sometimes(0.4)) {
      // Times differ between the servers, so rows ordered by times would differ too.
      const plain = [...columns.get(table)!].filter(([, type]) => !type.startsWith('timestamp') && type !== 'uuid');
      const by = plain.length > 0 ? someOf(plain, 2).map(([name]) => name + oneOf(['', '.asc', '.desc'])) : [];
      parts.push(`order=${[...by, keyOf(table, columns.get(table)!)].join(',')}`);
      if (sometimes(0.5)) parts.push(`limit=${oneOf([1, 3, 20, 5000])}`);
      if (sometimes(0.3)) parts.push(`offset=${oneOf([0, 1, 5, 10_000])}`);
    }
    return { method: 'GET', path: pathOf(table, parts), headers: presenting() };
  }

  const pathOf = (table: string, parts: readonly string[]) =>
    parts.length > 0 ? `${table}?${parts.join('&')}` : table;
  const presenting = (): Record<string, string> =>
    sometimes(0.6) ? { 'x-submission-id': sometimes(0.9) ? someOf(ids, 3).join() : oneOf(['junk', '', 'a,b']) } : {};
  const preferring = () => {
    const prefer = oneOf(PREFERENCES);
    return { ...presenting(), ...(prefer ? { prefer } : {}) };
  };

  /** Returns a random row of the table, usually valid, sometimes with wrong values. */
  function row(table: string): Record<string, unknown> {
    const made = usualRow(table);
    if (sometimes(0.4)) return made;
    for (const name of someOf([...Object.keys(made), ...namesOf(table)], 2))
      made[name] = valueOf(columns.get(table)!.get(name)!);
    // The id is never removed: each server would then make its own id, and the folios would differ.
    if (sometimes(0.2)) delete made[oneOf(Object.keys(made).filter((name) => name !== 'id'))];
    if (sometimes(0.05)) made['color'] = 'rojo';
    return Object.keys(made).length > 0 ? made : usualRow(table);
  }

  function usualRow(table: string): Record<string, unknown> {
    const id = sometimes(0.8) ? mint() : knownId();
    const quote_id = knownId();
    switch (table) {
      case 'quotes':
        return {
          id,
          nombre: oneOf(['María Núñez', '王伟']),
          empresa: `Empresa ${whole(1e9)}`,
          email: `compras${whole(1e9)}@ejemplo.mx`,
          telefono: '6645550175',
          peso: 1 + whole(5000),
          tipo_carga: oneOf(['general', 'perecederos', 'especial']),
        };
      case 'quote_answers':
        return { id, quote_id, kind: oneOf(['mensaje', 'pregunta', null]), body: 'Sale.' };
      case 'quote_replies':
        return { id, quote_id, kind: 'pregunta', body: '¿Cuándo?' };
      case 'quote_seen':
        return { answer_id: knownId(), quote_id };
      case 'push_devices':
        return {
          endpoint: `https://push.example.com/${whole(5)}`,
          p256dh: `B${'A'.repeat(86)}`,
          auth: 'A'.repeat(22),
          ...(sometimes(0.5) ? { quote_id } : {}),
        };
      case 'alert_shown':
        return { message_id: id };
      case 'quote_joins':
        return { id, quote_id, into_quote: knownId(), word: 'Junto con la otra.' };
      case 'staff_signs':
        return { id, kind: oneOf(['estoy', 'mevoy', 'conservo']) };
      case 'alert_tests':
        return { id, staff: oneOf([ANA, BETO, null]) };
      default:
        return { id, quote_id, body: 'Llamar el lunes.' };
    }
  }

  function insertion(): Omit<Asked, 'as'> {
    const table = oneOf(WRITABLE);
    const parts = query(table, 0);
    if (sometimes(0.6))
      parts.push(`on_conflict=${sometimes(0.9) ? keyOf(table, columns.get(table)!) : oneOf(namesOf(table))}`);
    return { method: 'POST', path: pathOf(table, parts), headers: preferring(), body: row(table) };
  }

  function change(): Omit<Asked, 'as'> {
    const body: Record<string, unknown> = {
      status: oneOf(['nueva', 'tomada', 'respondida', 'ganada', 'perdida', 'volada']),
      ...(sometimes(0.4) ? { assignee: oneOf([ANA, BETO, null]) } : {}),
    };
    if (sometimes(0.2)) body[oneOf(namesOf('quote_desk'))] = oneOf(ANY);
    const parts = [`quote_id=eq.${knownId()}`, ...query('quote_desk', whole(2))];
    return {
      method: 'PATCH',
      path: pathOf('quote_desk', parts),
      headers: preferring(),
      body: sometimes(0.2) ? { blocked_at: oneOf(['2026-01-01T00:00:00Z', null, 'soon']) } : body,
    };
  }

  function erasure(): Asked {
    const table = oneOf(ERASABLE);
    const filters =
      table !== 'push_devices' ? [`id=eq.${knownId()}`] : [`endpoint=eq.https://push.example.com/${whole(5)}`];
    const parts = [...query(table, 0), ...filters];
    return { as: 'service key', method: ERASING, path: pathOf(table, parts), headers: preferring() };
  }

  const kinds = [read, read, read, read, read, insertion, insertion, insertion, change];
  return () => (sometimes(0.02) ? erasure() : { as: oneOf(ROLES), ...oneOf(kinds)() });
}
