import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { folioOf } from '../../src/lead/folio.ts';
import {
  DEVICE_KEYS,
  EMPTIED,
  insertion,
  introduce,
  presenting,
  service,
  UNGUARDED,
  visitor,
  type Caller,
} from './callers.ts';
import { actsOn, fails } from './lead-acts.ts';
import { engineOfFile, ON_POSTGRES } from './engines.ts';
import { sampleQuote, type SampleQuote } from './sample-quote.ts';

const from = (address: string): Caller => ({ role: 'anon', headers: { 'x-forwarded-for': address } });

const repeats = (key: string) => ({ code: '23505', message: expect.stringContaining(`"${key}"`) as string });

const engine = await engineOfFile();
beforeEach(() => asOwner(EMPTIED));
const { owner, asOwner, ask } = actsOn(engine);
const send = (quote: object, caller = visitor) =>
  ask<SampleQuote>(caller, ...insertion('quotes', quote, 'on conflict (id) do nothing'));
const stored = () => ask(service, 'select * from public.quotes order by created_at');

describe('quotes', () => {
  const insertPlainly = (quote: object) => ask<SampleQuote>(visitor, ...insertion('quotes', quote, ''));

  describe('a visitor', () => {
    test('a visitor sends a quote, and reads back the stored row with its folio', async () => {
      const quote = sampleQuote();
      const [row] = await insertPlainly(quote);
      expect(row).toMatchObject({ ...quote, folio: folioOf(quote.id) });
    });

    test('a visitor may send a quote without an id; the database then creates the id', async () => {
      const { id: _, ...quote } = sampleQuote();
      const [row] = await insertPlainly(quote);
      expect(row!.id).toMatch(/^[0-9a-f-]{36}$/);
    });

    test('a visitor sees only the quote whose id is in the request’s header', async () => {
      const [mine, other] = [sampleQuote(), sampleQuote()];
      for (const quote of [mine, other]) await send(quote);
      for (const caller of [visitor, ...['junk', '', '%', "' or true --"].map((id) => presenting(id))]) {
        expect(await ask(caller, 'select * from public.quotes')).toEqual([]);
        expect(await ask(caller, 'select * from public.quotes where id = $1', [mine.id])).toEqual([]);
        expect(await ask(caller, 'select count(*)::int as n from public.quotes')).toEqual([{ n: 0 }]);
      }
      expect(await ask(presenting(mine.id), 'select id from public.quotes')).toEqual([{ id: mine.id }]);
      expect(await ask(presenting(mine.id.toUpperCase()), 'select id from public.quotes')).toEqual([{ id: mine.id }]);
      expect(await ask(presenting(mine.id), 'select id from public.quotes where id = $1', [other.id])).toEqual([]);
    });

    test('a visitor sees up to twenty quotes whose ids are in the request’s header', async () => {
      const mine = Array.from({ length: 21 }, () => sampleQuote());
      for (const quote of mine) await send(quote);
      const ids = mine.map(({ id }) => id);
      const shown = await ask<{ id: string }>(presenting(ids.join(', ')), 'select id from public.quotes');
      expect(new Set(shown.map(({ id }) => id))).toEqual(new Set(ids.slice(0, 20)));
      const some = `junk, ${ids[0]}, , ${ids[1]!.toUpperCase()}`;
      expect(await ask(presenting(some), 'select id from public.quotes')).toHaveLength(2);
    });

    test('a visitor’s request for all quotes does not make the database read all rows', async () => {
      await asOwner(`${UNGUARDED} insert into public.quotes (nombre, empresa, email, telefono, peso, tipo_carga)
         select 'N', 'E', 'e' || n || '@x.mx', '6641234567', 1, 'general' from generate_series(1, 2000) as n;
         analyze public.quotes`);
      for (const caller of [visitor, presenting(randomUUID())]) {
        const plan = await ask<{ 'QUERY PLAN': string }>(caller, 'explain select * from public.quotes');
        const text = plan.map((row) => row['QUERY PLAN']).join('\n');
        expect(text).toContain('quotes_pkey');
        expect(text).not.toMatch(/Seq Scan on quotes/);
      }
    });
  });

  describe('a quote', () => {
    const each = (values: Readonly<Record<string, readonly unknown[]>>) =>
      Object.entries(values).flatMap(([field, some]) => some.map((value) => [field, value] as const));

    test.each(
      each({
        nombre: ['', ' María', 'x'.repeat(101)],
        empresa: ['', 'x'.repeat(101)],
        email: ['nobody', 'a b@c.mx', `${'x'.repeat(96)}@y.mx`],
        telefono: ['123456', '1234567890123456', '(664) 555-0175        '],
        peso: [0, 1_000_001],
        tipo_carga: ['peligrosa'],
      }),
    )('a quote with %s = "%s" is refused by the check of that column', async (field, value) => {
      await expect(send(sampleQuote({ [field]: value }))).rejects.toMatchObject({
        code: '23514',
        message: expect.stringContaining(`quotes_${field}_check`),
      });
    });

    test.each(
      each({
        nombre: ['x'.repeat(100), '王小明 Ñandú'],
        telefono: ['(123) 456-789-01.234', '+52\u00a0664\u00a0555\u00a00175'],
        peso: [1_000_000, 1],
      }),
    )('a quote with %s = "%s" is accepted', async (field, value) => {
      expect(await send(sampleQuote({ [field]: value }))).toHaveLength(1);
    });

    test('a quote’s e-mail is stored trimmed and in lower case', async () => {
      const [row] = await send(sampleQuote({ email: '  Maria@Berries.MX ' }));
      expect(row!.email).toBe('maria@berries.mx');
    });

    test('a quote without one of the form’s fields is refused', async () => {
      await fails(send({ ...sampleQuote(), nombre: null }), '23502');
    });
  });

  describe('a field of the form', () => {
    test('a quote may contain optional fields, and the folio of the quote that it corrects', async () => {
      const plain = sampleQuote();
      await send(plain);
      const more = { llamada: true, puerto_de_salida: 'Ensenada', embarque: 480.5 };
      const corrected = sampleQuote({ more, promociones: true, reemplaza: folioOf(plain.id) });
      await send(corrected);
      expect(await stored()).toMatchObject([{ more: {}, promociones: false, reemplaza: null }, corrected]);
      for (const reemplaza of ['', 'AP-OOOO-0000', 'AP-0000-0000 ', '<b>'])
        await fails(send(sampleQuote({ reemplaza })), '23514');
    });

    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));
    test.each([
      ['is a list', []],
      ['is a text', 'Ensenada'],
      ['has 21 keys', keys(21)],
      ['has a key with a space', { 'a b': 1 }],
      ['has a key in capitals', { Puerto: 1 }],
      ['has a key of 41 letters', { ['k'.repeat(41)]: 1 }],
      ['has a text of 501 characters', { puerto: 'x'.repeat(501) }],
      ['has an invisible text', { puerto: ' \u200b' }],
      ['has a number of 21 digits', { kilos: 1e20 }],
      ['holds a list', { puertos: ['Ensenada'] }],
      ['holds an object', { puerto: { name: 'Ensenada' } }],
      ['holds null', { puerto: null }],
    ])('a quote is refused if its JSON of optional fields %s', async (_, more) => {
      await fails(send(sampleQuote({ more: JSON.stringify(more) })), '23514');
    });

    test('a quote may have 20 optional fields, each with 500 characters', async () => {
      const more = Object.fromEntries(Object.keys(keys(20)).map((key) => [key, 'ñ'.repeat(500)]));
      await send(sampleQuote({ more: JSON.stringify(more) }));
      expect(await stored()).toMatchObject([{ more }]);
    });
  });

  describe('a repeated quote', () => {
    test('a quote that is sent again with the same id does not change the stored quote', async () => {
      const quote = sampleQuote();
      expect(await send(quote)).toHaveLength(1);
      expect(await send(quote)).toEqual([]);
      expect(await send({ ...quote, nombre: 'Otro', email: 'otro@berries.mx' })).toEqual([]);
      expect(await stored()).toMatchObject([quote]);
      await expect(insertPlainly(quote)).rejects.toMatchObject(repeats('quotes_pkey'));
    });

    test('a copy with a new id is stored only if its field `igual` names the original', async () => {
      const quote = sampleQuote();
      await send(quote);
      const copy = { ...quote, id: randomUUID(), igual: folioOf(quote.id) };
      expect(await send(copy)).toHaveLength(1);
      // The phone sends the second quote again with the same id, as after a lost response.
      expect(await send(copy)).toEqual([]);
      await expect(send({ ...copy, id: randomUUID() })).rejects.toMatchObject(repeats('quotes_request_key'));
      // A third equal quote is stored if it names the second one.
      expect(await send({ ...quote, id: randomUUID(), igual: folioOf(copy.id) })).toHaveLength(1);
      expect(await stored()).toMatchObject([{ igual: null }, { igual: copy.igual }, { igual: folioOf(copy.id) }]);
      for (const igual of ['', 'AP-OOOO-0000', 'AP-0000-0000 ', '<b>'])
        await fails(send(sampleQuote({ igual })), '23514');
    });

    test('a second correction may restore the quote’s first contents once on the same day', async () => {
      const first = sampleQuote();
      await send(first);
      const wrong = { ...first, id: randomUUID(), peso: 7, reemplaza: folioOf(first.id) };
      await send(wrong);
      const back = { ...first, id: randomUUID(), reemplaza: folioOf(wrong.id) };
      expect(await send(back, presenting(back.id, wrong.id))).toHaveLength(1);
      const [lead] = await ask(service, 'select replaced_by from public.quote_desk where quote_id = $1', [wrong.id]);
      expect(lead).toEqual({ replaced_by: back.id });
      await expect(send({ ...back, id: randomUUID() })).rejects.toMatchObject(repeats('quotes_request_key'));
    });

    test('an equal quote on the same day is refused, and the error contains no data', async () => {
      const quote = sampleQuote();
      await send(quote);
      for (const email of [quote.email, ` ${quote.email.toUpperCase()} `]) {
        const error = await send({ ...quote, id: randomUUID(), email }).catch((reason: unknown) => reason);
        expect(error).toMatchObject(repeats('quotes_request_key'));
        expect((error as { detail?: string }).detail ?? null).toBeNull();
      }
    });

    // The database refuses a quote only if it equals another in all fields. If fewer fields were compared, a stranger
    // could find out who sent a quote today, or block a real quote by sending a similar one first.
    test.each([
      { peso: 7 },
      { tipo_carga: 'general' },
      { email: 'otra@berries.mx' },
      { telefono: '664 000 0000' },
      { nombre: 'Otra Persona' },
      { empresa: 'Otra Empresa' },
    ])('a quote that differs from another only in %o is a new quote', async (change) => {
      const quote = sampleQuote();
      await send(quote);
      expect(await send({ ...quote, id: randomUUID(), ...change })).toHaveLength(1);
    });

    test('a visitor’s request with several quotes is refused', async () => {
      const several = (caller: Caller) =>
        engine.transaction(async (session) => {
          await introduce(session, caller);
          const [statement, values] = insertion('quotes', sampleQuote(), 'on conflict (id) do nothing');
          const second = Object.values(sampleQuote());
          const places = values.map((_, at) => `$${values.length + at + 1}`).join(', ');
          const both = statement.replace(' on conflict', `, (${places}) on conflict`);
          return session.query(both, [...values, ...second]);
        });
      await fails(several(visitor), 'PT400');
      expect(await stored()).toEqual([]);
      expect(await several(service)).toHaveLength(2);
    });

    test('a refused quote leaves no bytes in the database, so that nobody can fill the disk', async () => {
      const quote = sampleQuote();
      await send(quote, from('203.0.113.7'));
      await asOwner('update private.quote_limits set per_address = 1');
      const size = () =>
        owner(`select relname, pg_relation_size(oid) from pg_class
           where relnamespace in ('public'::regnamespace, 'private'::regnamespace) and relkind in ('r', 'i') order by oid`);
      const sizes = await size();
      for (let attempt = 0; attempt < 20; attempt++) {
        await fails(send({ ...quote, id: randomUUID() }, from('203.0.113.9')), '23505');
        await fails(send(sampleQuote(), from('203.0.113.7')), 'PGRST');
        await fails(send({ ...sampleQuote(), peso: -1 }, from('203.0.113.9')), '23514');
      }
      expect(await size()).toEqual(sizes);
    });

    test('an equal quote on another day in Tijuana time counts as a new quote', async () => {
      const quote = sampleQuote();
      const at = async (time: string) => {
        const id = randomUUID();
        await ask(service, ...insertion('quotes', { ...quote, id, created_at: time }, ''));
      };
      await at('2026-03-01T07:59:00Z');
      await at('2026-03-01T08:01:00Z');
      await fails(at('2026-03-02T07:59:00Z'), '23505');
    });
  });

  test('database and phone compute the same folio for each of ten thousand ids', async () => {
    const ids = Array.from({ length: 10_000 }, () => randomUUID());
    const rows = await owner<{ folio: string }>(
      'select private.quote_folio(id) as folio from unnest($1::uuid[]) with ordinality as _(id, at) order by at',
      [ids],
    );
    const different = rows.findIndex(({ folio }, at) => folio !== folioOf(ids[at]!));
    expect(different).toBe(-1);
    expect(rows).toHaveLength(ids.length);
  });
});

describe('the limit of quotes in an hour', () => {
  const limits = (perAddress: number, overall: number) =>
    asOwner(`update private.quote_limits set per_address = ${perAddress}, overall = ${overall}`);
  const tooMany = {
    code: 'PGRST',
    message: expect.stringContaining('PT429'),
    detail: expect.stringMatching(/429.*Retry-After/),
  };

  test('the default limit is 60 quotes from an IP address, and 2,000 in all', async () => {
    await asOwner('update private.quote_limits set per_address = default, overall = default');
    expect(await owner('select per_address, overall from private.quote_limits')).toEqual([
      { per_address: 60, overall: 2000 },
    ]);
  });

  const [one, other] = ['203.0.113.7', '203.0.113.8'];
  const six = (rest: string) => `2001:db8:${rest}`;
  test.each([
    ['each IP address separately', 3, [one, one, one], one, other],
    ['an IPv6 /64 network as one IP address', 2, [six('1:2::1'), six('1:2:f::9')], six('1:2::3'), six('1:3::1')],
    ['an IPv6 /48 network as four', 1, [1, 2, 3, 4].map((part) => six(`1:${part}::1`)), six('1:5::1'), six('2:5::1')],
    ['an IPv4 address in IPv6 notation as that IPv4 address', 1, [`::ffff:${one}`], one, `::ffff:${other}`],
  ])('the limit counts %s', async (_, most, accepted, refused, unaffected) => {
    await limits(most, 0);
    for (const address of accepted) await send(sampleQuote(), from(address));
    await expect(send(sampleQuote(), from(refused))).rejects.toMatchObject(tooMany);
    expect(await send(sampleQuote(), from(unaffected))).toHaveLength(1);
    expect(await stored()).toHaveLength(accepted.length + 1);
  });

  test('a quote above the limit gets Retry-After: the seconds until the next quote is accepted', async () => {
    await limits(1, 0);
    await send(sampleQuote(), from('203.0.113.7'));
    await asOwner("update private.quote_sends set at = at - interval '50 minutes'");
    const wait = async () => {
      const error: unknown = await send(sampleQuote(), from('203.0.113.7')).catch((reason: unknown) => reason);
      const { headers } = JSON.parse((error as { detail: string }).detail) as { headers: { 'Retry-After': string } };
      return Number(headers['Retry-After']);
    };
    // A wait of more than five minutes is stated as five minutes, a shorter wait to the second.
    expect(await wait()).toBe(300);
    await asOwner("update private.quote_sends set at = at - interval '8 minutes'");
    expect(await wait()).toBeGreaterThan(110);
    expect(await wait()).toBeLessThanOrEqual(120);
    await asOwner("update private.quote_sends set at = at - interval '3 minutes'");
    expect(await send(sampleQuote(), from('203.0.113.7'))).toHaveLength(1);
  });

  test('a stored quote that is sent again is accepted above the limit', async () => {
    await limits(2, 0);
    const quote = sampleQuote();
    await send(quote, from('203.0.113.7'));
    await send(sampleQuote(), from('203.0.113.7'));
    for (let attempt = 0; attempt < 5; attempt++) expect(await send(quote, from('203.0.113.7'))).toEqual([]);
  });

  test('the total limit counts all quotes, even those whose IP address is unknown', async () => {
    await limits(0, 3);
    await send(sampleQuote());
    await send(sampleQuote(), from('203.0.113.7'));
    await send(sampleQuote(), from('not an address'));
    await expect(send(sampleQuote(), from('203.0.113.9'))).rejects.toMatchObject(tooMany);
  });

  test('the limit uses the IP address from the hosted gateway, not one that a visitor claims', async () => {
    await limits(1, 0);
    const through = (claimed: string): Caller => ({
      role: 'anon',
      headers: { 'cf-connecting-ip': '203.0.113.7', 'x-forwarded-for': claimed },
    });
    await send(sampleQuote(), through('1.1.1.1'));
    await expect(send(sampleQuote(), through('2.2.2.2'))).rejects.toMatchObject(tooMany);
  });

  describe.each<readonly [kind: string, row: () => object]>([
    ['quote_replies', () => ({ id: randomUUID(), kind: 'pregunta', body: '¿Y el viernes?' })],
    ['push_devices', () => ({ endpoint: `https://fcm.googleapis.com/${randomUUID()}`, ...DEVICE_KEYS })],
  ])('the hourly limit of rows in %s', (table, row) => {
    const key = table === 'quote_replies' ? 'on conflict (id) do nothing' : '';
    const say = (quote_id: string, address: string, words = row()) =>
      ask(
        { role: 'anon', headers: { 'x-forwarded-for': address, 'x-submission-id': quote_id } },
        ...insertion(table, { ...words, quote_id }, key, ''),
      );
    const count = async () => (await owner(`select from public.${table}`)).length;
    const sendSome = async (many: number) => {
      const quotes = Array.from({ length: many }, () => sampleQuote());
      for (const quote of quotes) await send(quote, from('198.51.100.1'));
      return quotes.map(({ id }) => id);
    };

    test('the limits for each IP address and for all addresses count repeated rows once', async () => {
      const ids = await sendSome(4);
      await limits(3, 0);
      const first = row();
      await say(ids[0]!, '203.0.113.7', first);
      for (const id of ids.slice(1, 3)) await say(id, '203.0.113.7');
      await expect(say(ids[3]!, '203.0.113.7')).rejects.toMatchObject(tooMany);
      await say(ids[0]!, '203.0.113.7', first);
      expect(await count()).toBe(3);
      await say(ids[3]!, '203.0.113.8');
      // Quotes have their own limit, so this IP address may still send a quote.
      expect(await send(sampleQuote(), from('203.0.113.7'))).toHaveLength(1);
      await limits(0, 5);
      await say(ids[0]!, '203.0.113.9');
      await expect(say(ids[1]!, '203.0.113.10')).rejects.toMatchObject(tooMany);
    });

    test('a refused row leaves no bytes in the database', async () => {
      const [id] = await sendSome(1);
      await limits(1, 0);
      await say(id!, '203.0.113.7');
      const size = () =>
        owner(
          `select pg_relation_size('public.${table}') as words, pg_relation_size('private.quote_sends') as counted`,
        );
      const sizes = await size();
      for (let attempt = 0; attempt < 40; attempt++)
        await expect(say(id!, '203.0.113.7')).rejects.toMatchObject(tooMany);
      expect(await size()).toEqual(sizes);
    });
  });

  test('a visitor’s request with several rows is refused', async () => {
    const { id: quote_id } = sampleQuote();
    await send({ ...sampleQuote(), id: quote_id }, from('203.0.113.7'));
    const rows = [1, 2].map((number) => `('${randomUUID()}', '${quote_id}', 'pregunta', '¿${number}?')`);
    await fails(
      ask(
        { role: 'anon', headers: { 'x-submission-id': quote_id } },
        `insert into public.quote_replies (id, quote_id, kind, body) values ${rows.join()}`,
      ),
      'PT400',
    );
  });

  test('IP addresses are stored only as hashes, and deleted after an hour', async () => {
    await send(sampleQuote(), from('203.0.113.7'));
    await asOwner("update private.quote_sends set at = at - interval '2 hours'");
    await send(sampleQuote(), from('203.0.113.8'));
    const addresses = await owner<{ address: Uint8Array }>('select address from private.quote_sends');
    expect(addresses).toHaveLength(1);
    expect(addresses[0]!.address.byteLength).toBe(32);
  });
});

describe.runIf(ON_POSTGRES)('concurrent transactions on PostgreSQL', () => {
  test('a quote that arrives twenty times at once is stored as one row', async () => {
    for (let round = 0; round < 25; round++) {
      const statement = insertion('quotes', sampleQuote(), 'on conflict (id) do nothing');
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(visitor, ...statement)));
      expect(answers.filter((rows) => rows.length === 1)).toHaveLength(1);
      expect(answers.filter((rows) => rows.length === 0)).toHaveLength(19);
    }
    expect(await owner('select from public.quotes')).toHaveLength(25);
  });

  test('a second request with the same quote waits for the end of the first transaction', async () => {
    const quote = sampleQuote();
    const second = await engine.transaction(async (first) => {
      await introduce(first, visitor);
      await first.query(...insertion('quotes', quote, 'on conflict (id) do nothing'));
      const sending = engine.transaction(async (session) => {
        await introduce(session, visitor);
        return session.query(...insertion('quotes', quote, 'on conflict (id) do nothing'));
      });
      await expect
        .poll(() => owner("select from pg_locks where locktype = 'advisory' and not granted"))
        .toHaveLength(1);
      return { sending };
    });
    expect(await second.sending).toEqual([]);
  });
});
