import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hasText } from '../../src/lead/bounds.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { insertion, introduce, presenting, service, staffMember, UNGUARDED, visitor, type Caller } from './callers.ts';
import { actsOn, OFFER, fails, ONCE } from './lead-acts.ts';
import { engineOfFile, ON_POSTGRES } from './engines.ts';
import { sampleQuote } from './sample-quote.ts';

const [ana, beto] = [staffMember('Ana'), staffMember('Beto')];
const stranger = staffMember('Otra', { role: undefined, name: undefined, provider: 'email' });
const notStaff: readonly (readonly [who: string, Caller])[] = [
  ['without the staff claim', stranger],
  ['with a self-written claim', { ...stranger, claims: { ...stranger.claims, user_metadata: { role: 'staff' } } }],
  ['without any claim', { role: 'authenticated' }],
];

const WHAT_A_PHONE_READS = 'id, quote_id, body, price';
const STAFF_ONLY = ['quote_desk', 'quote_notes', 'quote_events', 'desk_leads'];
const SAID = ['quote_answers', 'quote_replies', 'quote_seen', 'quote_notes'];
const INVALID = { code: '23514' };

const engine = await engineOfFile();

const acts = actsOn(engine);
const { asOwner, ask, owner, put, quoted, take, takenBy, answer, answeredBy, reply, accept, change } = acts;
const { saw, refused, lead, codes } = acts;

describe('requests of the phone that sent a quote', () => {
  test('a repeatedly sent quote appears at the desk as one new lead without owner', async () => {
    const quote = sampleQuote();
    for (let attempt = 0; attempt < 3; attempt++) await ask(visitor, ...insertion('quotes', quote, ONCE));
    const found = await lead(quote);
    expect(found).toMatchObject({ status: 'nueva', assignee: null, open: true, version: 1 });
    expect(found['asked_at']).toEqual(found['created_at']);
    expect(await codes(quote)).toEqual(['creada']);
    // The desk does not show the version of the privacy notice (`aviso`); `aeropuente personas` lists it.
    const [stored] = await owner('select * from public.quotes where id = $1', [quote.id]);
    const columns = Object.keys(stored!).filter((name) => !['id', 'aviso'].includes(name));
    expect(Object.keys(found)).toEqual(expect.arrayContaining(columns));
  });

  test('a visitor’s token that names the role `staff` still gives only a visitor’s rights', async () => {
    const posing: Caller = { ...ana, role: 'anon' };
    await answeredBy(ana);
    await refused(posing, 'select * from public.quote_desk');
    expect(await ask(posing, 'select id from public.quotes')).toEqual([]);
    expect(await ask(posing, `select ${WHAT_A_PHONE_READS} from public.quote_answers`)).toEqual([]);
  });

  test.each(notStaff)('an account %s reads and changes nothing, even with a quote’s id', async (_, caller) => {
    const { id, answer_id } = await answeredBy(ana);
    await reply(id);
    await saw(id, answer_id);
    const knowing: Caller = { ...caller, headers: { 'x-submission-id': id } };
    expect(await ask(caller, 'select * from public.quotes')).toEqual([]);
    for (const table of [...STAFF_ONLY, ...SAID])
      for (const each of [caller, knowing]) expect(await ask(each, `select * from public.${table}`), table).toEqual([]);
    const { version } = await lead(id);
    expect(await change(caller, id, { status: 'perdida' })).toEqual([]);
    // An update without WHERE and RETURNING reads no rows, so only the policy for updates protects the leads.
    await ask(caller, 'update public.quote_desk set assignee = auth.uid()');
    expect((await lead(id))['version']).toBe(version);
    for (const table of ['quote_notes', 'quote_answers'])
      await refused(caller, ...insertion(table, { quote_id: id, body: 'x' }, '', ''));
    const question = { id: randomUUID(), quote_id: id, kind: 'pregunta', body: 'x' };
    await refused(knowing, ...insertion('quote_replies', question, '', ''));
    await refused(knowing, ...insertion('quote_seen', { answer_id, quote_id: id }, '', ''));
  });

  test('a phone reads only answers to quotes whose ids it has', async () => {
    const [mine, other] = [await answeredBy(ana, { ...OFFER, price: '1234.50' }), await answeredBy(ana, OFFER)];
    const read = (caller: Caller, more = '') =>
      ask(caller, `select ${WHAT_A_PHONE_READS} from public.quote_answers ${more}`);
    expect(await read(presenting(mine.id))).toMatchObject([{ quote_id: mine.id, price: '1234.50' }]);
    expect(await read(presenting(mine.id, other.id))).toHaveLength(2);
    expect(await read(presenting(mine.id), `where quote_id = '${other.id}'`)).toEqual([]);
    for (const caller of [visitor, presenting(randomUUID()), presenting('junk')])
      expect(await read(caller)).toEqual([]);
    expect(await ask(visitor, 'select count(*)::int as n from public.quote_answers')).toEqual([{ n: 0 }]);
  });

  test('a phone’s reply is refused before its quote is stored, and stored once afterwards', async () => {
    const quote = sampleQuote();
    const word = { id: randomUUID(), body: '¿Llega el lunes?' };
    await fails(reply(quote, word), '23503');
    await quoted(quote);
    expect(await reply(quote, word)).toHaveLength(1);
    for (let attempt = 0; attempt < 3; attempt++) expect(await reply(quote, { ...word, body: 'x' })).toEqual([]);
    expect(await ask(presenting(quote.id), 'select body from public.quote_replies')).toEqual([{ body: word.body }]);
    expect(await ask(visitor, 'select body from public.quote_replies')).toEqual([]);
    expect(await ask(ana, 'select body from public.quote_replies where quote_id = $1', [quote.id])).toHaveLength(1);
    expect(await codes(quote)).toEqual(['creada', 'contestada']);
  });

  test('a phone cannot reply to another phone’s quote, nor find or change that phone’s reply', async () => {
    const [mine, other] = [await quoted(), await quoted()];
    const id = randomUUID();
    const word = { id, quote_id: other, kind: 'pregunta', body: 'x' };
    for (const caller of [visitor, presenting(mine)])
      for (const returning of ['returning *', ''])
        await refused(caller, ...insertion('quote_replies', word, '', returning));
    expect(await codes(other)).toEqual(['creada']);
    await reply(other, { id });
    expect(await reply(mine, { id })).toEqual([]);
    expect(await ask(presenting(mine), 'select id from public.quote_replies')).toEqual([]);
    const overwriting = 'on conflict (id) do update set body = excluded.body';
    await refused(presenting(mine), ...insertion('quote_replies', { ...word, quote_id: mine }, overwriting, ''));
  });

  test('a phone can accept only an answer to its own quote', async () => {
    const [mine, other] = [await answeredBy(ana), await answeredBy(ana)];
    await fails(accept(mine.id, other.answer_id), '23503');
    await fails(reply(mine.id, { kind: 'aceptada', body: '', answer_id: null }), '23514');
    await fails(reply(mine.id, { body: '' }), '23514');
    await fails(reply(mine.id, { kind: 'correccion' }), '23514');
    expect(await accept(mine.id, mine.answer_id)).toBeDefined();
    expect(await codes(other.id)).toEqual(['creada', 'tomada', 'respondida']);
  });

  test('a phone may send twenty replies an hour about a quote; the next gets Retry-After', async () => {
    const id = await quoted();
    // The phone claims that it delivered these replies two hours ago (`entregada`). They must still count towards the
    // limit of this hour.
    const word = { id: randomUUID(), entregada: new Date(Date.now() - 7_200_000) };
    for (let count = 0; count < 20; count++) await reply(id, { ...word, ...(count > 0 && { id: randomUUID() }) });
    await expect(reply(id)).rejects.toMatchObject({
      code: 'PGRST',
      message: expect.stringContaining('PT429'),
      detail: expect.stringMatching(/429.*Retry-After.*300/),
    });
    expect(await reply(id, word)).toEqual([]);
    expect(await reply(await quoted())).toHaveLength(1);
  });

  test('a phone can report a seen answer only for a quote whose id it has', async () => {
    const [mine, other] = [await answeredBy(ana), await answeredBy(ana)];
    // An insert without ON CONFLICT and RETURNING reads no rows, so only the policy for inserts can refuse it.
    const plainly = insertion('quote_seen', { answer_id: other.answer_id, quote_id: other.id }, '', '');
    for (const caller of [visitor, presenting(mine.id)]) {
      await fails(saw(other.id, other.answer_id, caller));
      await refused(caller, ...plainly);
    }
    await fails(saw(mine.id, other.answer_id), '23503');
    expect((await lead(mine.id))['seen_at']).toBeNull();
    await saw(mine.id, mine.answer_id);
    const { seen_at } = await lead(mine.id);
    expect(seen_at).toBeInstanceOf(Date);
    await saw(mine.id, mine.answer_id);
    expect((await lead(mine.id))['seen_at']).toEqual(seen_at);
    expect(await codes(mine.id)).toEqual(['creada', 'tomada', 'respondida', 'vista']);
    // A newer answer empties `seen_at`, because the phone has not shown the newer answer yet.
    await answer(ana, mine.id);
    expect((await lead(mine.id))['seen_at']).toBeNull();
  });

  test('database and page agree which Unicode characters are invisible', async () => {
    const [unseen] = await owner<{
      codes: number[];
    }>(`select array_agg(code order by code) as codes from generate_series(1, 921599) as code
       where code not between 55296 and 57343 and code not between 131072 and 917503
         and not private.is_seen(chr(code))`);
    const planes = Array.from({ length: 0xe0fff }, (_, at) => at + 1).filter(
      (code) => !(code >= 0xd800 && code <= 0xdfff) && !(code >= 0x20000 && code <= 0xdffff),
    );
    expect(unseen!.codes).toEqual(planes.filter((code) => !hasText(String.fromCodePoint(code))));
  });

  test('a text without visible characters is refused in questions, answers, notes and quotes', async () => {
    const words = '\u200b\r\n\u00a0\u2060\u2800\ufe0f';
    const id = await quoted();
    const written = await Promise.allSettled([
      reply(id, { body: words }),
      put(ana, 'quote_notes', { quote_id: id, body: words }),
      answer(service, id, { body: words }),
      answer(service, id, { author_name: words }),
      quoted({ nombre: words }),
      quoted({ empresa: words }),
      quoted({ telefono: '\u200b'.repeat(7) }),
    ]);
    expect(written).toMatchObject(written.map(() => ({ status: 'rejected', reason: INVALID })));
  });
});

describe('a lead, its owner and its answers', () => {
  const authorOf = async (answer_id: string) =>
    (await ask(ana, 'select author, author_name from public.quote_answers where id = $1', [answer_id]))[0];

  test('a reply reopens an answered lead with a new deadline, which a second reply keeps', async () => {
    const { id, answer_id } = await answeredBy(ana);
    const promised = await lead(id);
    expect(promised).toMatchObject({ status: 'respondida', open: false });
    await accept(id, answer_id);
    const reopened = await lead(id);
    expect(reopened).toMatchObject({ status: 'respondida', open: true, reply_waiting: true, assignee: ana.sub });
    expect(Number(reopened['asked_at'])).toBeGreaterThan(Number(promised['asked_at']));
    expect(reopened['promised_at']).toEqual(promised['promised_at']);
    await reply(id);
    const { due_at, version } = await lead(id);
    expect(due_at).toEqual(reopened['due_at']);
    expect((await change(ana, id, { status: 'ganada' }, Number(version)))[0]).toMatchObject({ open: false });
    expect(await codes(id)).toEqual(['creada', 'tomada', 'respondida', 'contestada', 'contestada', 'ganada']);
  });

  test('a reply still waits for an answer after another colleague took the lead over', async () => {
    const { id } = await answeredBy(ana);
    await reply(id);
    expect((await change(beto, id, { assignee: beto.sub }))[0]).toMatchObject({ reply_waiting: true, open: true });
    await answer(beto, id);
    expect(await lead(id)).toMatchObject({ reply_waiting: false, open: false });
  });

  test('a lead has one owner, whom another colleague can replace only explicitly', async () => {
    const id = await quoted();
    const claim = (caller: Caller, version?: number) => change(caller, id, { status: 'tomada' }, version);
    expect(await claim(ana, 1)).toMatchObject([{ status: 'tomada', assignee_name: 'Ana', version: 2 }]);
    expect(await claim(beto, 1)).toEqual([]);
    for (const version of [undefined, 2]) await fails(claim(beto, version), 'PT409', 'owned');
    for (const changes of [{ status: 'perdida' }, { status: 'nueva' }, { assignee: beto.sub, status: 'perdida' }])
      await fails(change(beto, id, changes, 2), 'PT409', 'owned');
    await fails(answer(beto, id), 'PT409', 'owned');
    const [taken] = await change(beto, id, { assignee: beto.sub }, 2);
    expect(taken).toMatchObject({ assignee: beto.sub, assignee_name: 'Beto', status: 'tomada' });
    await fails(change(ana, id, { status: 'perdida' }), 'PT409', 'owned');
    const [free] = await change(beto, id, { status: 'nueva' }, 3);
    expect(free).toMatchObject({ assignee: null, assignee_name: null, version: 4 });
    expect(await codes(id)).toEqual(['creada', 'tomada', 'relevada', 'soltada']);
    const event = "select actor, ref from public.quote_events where quote_id = $1 and code = 'relevada'";
    expect(await ask(ana, event, [id])).toEqual([{ actor: beto.sub, ref: ana.sub }]);
  });

  test('a colleague cannot take or release a lead in another colleague’s name', async () => {
    const id = await quoted();
    for (const assignee of [beto.sub, randomUUID()]) await fails(change(ana, id, { status: 'tomada', assignee }));
    await take(ana, id);
    // A lead can be given only to a present colleague (cover.test.ts). This random id belongs to nobody.
    await fails(change(ana, id, { assignee: randomUUID() }), 'PT409', 'away');
    await fails(change(beto, id, { assignee: null }));
  });

  test('a lead without owner cannot be answered or closed', async () => {
    const id = await quoted();
    for (const status of ['respondida', 'ganada', 'perdida', 'nueva'])
      await fails(change(ana, id, { status }), 'PT409', 'unowned');
    await fails(answer(ana, id), 'PT409', 'unowned');
    await take(ana, id);
    await fails(change(ana, id, { status: 'respondida' }), 'PT409', 'unanswered');
    await fails(change(ana, id, { status: 'archivada' }), '23514');
    expect(await ask(ana, 'select id from public.quote_answers where quote_id = $1', [id])).toEqual([]);
  });

  test('a lead’s `updated_at` never decreases, even if the server’s clock is set back', async () => {
    const id = await takenBy(ana);
    await asOwner(
      `${UNGUARDED} update public.quote_desk set updated_at = now() + interval '1 minute' where quote_id = '${id}'`,
    );
    const earlier = await lead(id);
    await reply(id);
    expect(Number((await lead(id))['updated_at'])).toBeGreaterThanOrEqual(Number(earlier['updated_at']));
  });

  test('an answer names the signed-in colleague as its author, and is stored once', async () => {
    const id = await takenBy(ana);
    const offer = { ...OFFER, id: randomUUID() };
    await answer(ana, id, offer);
    expect(await authorOf(offer.id)).toEqual({ author: ana.sub, author_name: 'Ana' });
    const { first_answer_at, version } = await lead(id);
    await answer(ana, id, offer);
    expect((await lead(id))['version']).toBe(version);
    await change(beto, id, { assignee: beto.sub });
    await answer(ana, id, offer);
    expect(await authorOf(offer.id)).toEqual({ author: ana.sub, author_name: 'Ana' });
    await answer(beto, id);
    expect((await lead(id))['first_answer_at']).toEqual(first_answer_at);
  });

  test.each([
    ['is replaced by the e-mail address if it is invisible', '\u200b', 'x@aeropuente.mx'],
    ['is replaced by the e-mail address if it is empty', '', 'x@aeropuente.mx'],
    ['is cut to the length of its column, without a space at the end', `${'x'.repeat(99)} y`, 'x'.repeat(99)],
  ])('a colleague’s name %s', async (_, name, shown) => {
    const { answer_id } = await answeredBy(staffMember('x', { name }));
    expect(await authorOf(answer_id)).toMatchObject({ author_name: shown });
  });

  test('an answer is refused if its text, price, currency or last day is outside the bounds', async () => {
    const id = await takenBy(ana);
    const { price: _price, currency: _currency, price_for: _unit, ...unpriced } = OFFER;
    for (const bad of [
      { body: '' },
      { body: ' x' },
      { body: 'x'.repeat(4001) },
      { currency: 'USD' },
      { price_for: 'kilo' },
      { ...unpriced, price: 1 },
      { ...unpriced, price: 1, currency: 'USD' },
      { ...unpriced, price: 1, price_for: 'kilo' },
      { ...OFFER, price_for: 'tonelada' },
      { ...OFFER, currency: 'EUR' },
      ...['2020-01-01', 'infinity', '10000-01-01'].map((valid_until) => ({ ...OFFER, valid_until })),
      ...[0, 'NaN', 'Infinity', '0.005', '0.001', '4.105', '1000000000', '1e300'].map((price) => ({ ...OFFER, price })),
    ])
      await expect(answer(ana, id, bad), JSON.stringify(bad)).rejects.toMatchObject(INVALID);
    for (const good of [
      { body: '🥭'.repeat(4000) },
      { body: '\n\u200b.' },
      { ...OFFER, kilos: 100, price: '0.01', valid_until: '9999-12-31' },
      { ...OFFER, kilos: 1, price: '999999999.99' },
      { ...OFFER, kilos: 100, price: '0.01', currency: 'CNY' },
    ])
      expect(await authorOf(await answer(ana, id, good)), JSON.stringify(good)).toBeDefined();
  });

  test('a lead without owner that the command line answered stays answered when a colleague takes it', async () => {
    const id = await quoted();
    const answer_id = await answer(service, id, { author_name: 'Ana' });
    expect(await authorOf(answer_id)).toEqual({ author: null, author_name: 'Ana' });
    const answered = await lead(id);
    expect(answered).toMatchObject({ status: 'respondida', assignee: null, open: false });
    expect(answered['first_answer_at']).toBeInstanceOf(Date);
    await take(beto, id);
    expect(await lead(id)).toMatchObject({ status: 'respondida', assignee: beto.sub, open: false });
    expect(await codes(id)).toEqual(['creada', 'respondida', 'tomada']);

    const asked = await quoted();
    await answer(service, asked);
    await reply(asked);
    await take(beto, asked);
    expect(await lead(asked)).toMatchObject({ status: 'tomada', assignee: beto.sub });
    await answer(beto, asked);
    expect(await codes(asked)).toEqual(['creada', 'respondida', 'contestada', 'tomada', 'respondida']);
  });

  test('a lead answered from the command line keeps its owner', async () => {
    const { id } = await answeredBy(ana);
    await reply(id);
    expect(await authorOf(await answer(service, id))).toEqual({ author: null, author_name: null });
    expect(await lead(id)).toMatchObject({
      status: 'respondida',
      assignee: ana.sub,
      assignee_name: 'Ana',
      open: false,
    });
  });

  test('a note shows colleagues the name from its author’s token', async () => {
    const id = await quoted();
    await put(ana, 'quote_notes', { quote_id: id, body: 'Llamar el lunes' });
    const notes = await ask(beto, 'select author_name from public.quote_notes where quote_id = $1', [id]);
    expect(notes).toEqual([{ author_name: 'Ana' }]);
  });

  test.each([
    ...SAID.map((table) => `update public.${table} set quote_id = quote_id`),
    "update public.quote_events set code = 'ganada'",
    'delete from public.quote_events',
    'truncate public.quote_events',
  ])('the desk’s records cannot be changed even by the database owner: %s', async (statement) => {
    const { id, answer_id } = await answeredBy(ana);
    await reply(id);
    await saw(id, answer_id);
    await put(ana, 'quote_notes', { quote_id: id, body: 'Llamar el lunes' });
    await fails(asOwner(statement));
  });

  describe('a correction', () => {
    const correct = (old: string, caller: (id: string) => Caller) => {
      const quote = sampleQuote({ reemplaza: folioOf(old) });
      return quoted(quote, caller(quote.id));
    };

    test.each<[string, (id: string, old: string) => Caller]>([
      ['a phone that has the ids of both quotes', (id, old) => presenting(id, old)],
      ['the service key', () => service],
    ])('a correction by %s closes the corrected quote', async (_, caller) => {
      const old = await quoted();
      const corrected = await correct(old, (id) => caller(id, old));
      expect(await lead(old)).toMatchObject({ open: false, replaced_by: corrected, status: 'nueva' });
      expect(await lead(corrected)).toMatchObject({ open: true, reemplaza: folioOf(old), replaced_by: null });
      const events = ask(ana, 'select code, ref from public.quote_events where quote_id = $1 order by id', [old]);
      expect(await events).toMatchObject([{ code: 'creada' }, { code: 'reemplazada', ref: corrected }]);
    });

    test.each<[string, (id: string) => Caller]>([
      ['who knows only the folio', () => visitor],
      ['who sends a wrong id', (id) => presenting(id, randomUUID())],
      ['who is signed in, but not as staff', () => stranger],
      ['who is staff', () => ana],
    ])('a correction by somebody %s does not close the corrected quote', async (_, caller) => {
      const old = await quoted();
      await correct(old, caller);
      expect(await lead(old)).toMatchObject({ open: true, replaced_by: null, version: 1 });
    });

    test('a correction that names itself or an unknown quote changes no other quote', async () => {
      const old = await quoted();
      const quote = sampleQuote({ reemplaza: folioOf(old) });
      for (let attempt = 0; attempt < 2; attempt++) await quoted(quote, presenting(quote.id, old));
      expect((await lead(old))['version']).toBe(2);
      const own = sampleQuote();
      await quoted({ ...own, reemplaza: folioOf(own.id) }, presenting(own.id));
      expect(await lead(own)).toMatchObject({ open: true, replaced_by: null });
      await quoted({ reemplaza: 'AP-0000-0000' }, presenting(randomUUID()));
    });

    test('a corrected quote still accepts replies, which reopen it', async () => {
      const { id, answer_id } = await answeredBy(ana);
      await reply(id);
      await correct(id, (own) => presenting(own, id));
      expect(await lead(id)).toMatchObject({ open: false, reply_waiting: false });
      await accept(id, answer_id);
      expect(await lead(id)).toMatchObject({ open: true, reply_waiting: true });
    });
  });

  describe.runIf(ON_POSTGRES)('concurrent transactions', () => {
    test.each([1, undefined])('two colleagues who take a lead at once get one owner (version %s)', async (version) => {
      const ids: string[] = [];
      for (let count = 0; count < 100; count++) ids.push(await quoted());
      let conflicts = 0;
      const attempt = async (caller: Caller, id: string) => {
        const won = await change(caller, id, { status: 'tomada' }, version).catch((error: { code: string }) => {
          expect(error.code).toBe('PT409');
          return [];
        });
        if (won.length === 0) conflicts += 1;
      };
      for (const id of ids) await Promise.all([attempt(ana, id), attempt(beto, id)]);
      expect(conflicts).toBe(100);
      const owned = 'select from public.quote_desk where quote_id = any($1) and assignee = any($2)';
      expect(await ask(ana, owned, [ids, [ana.sub, beto.sub]])).toHaveLength(100);
      const taken = "select from public.quote_events where quote_id = any($1) and code = 'tomada'";
      expect(await ask(ana, taken, [ids])).toHaveLength(100);
    });

    test('an answer is refused if another colleague takes the lead over at the same time', async () => {
      const id = await takenBy(ana);
      const answering = await engine.transaction(async (session) => {
        await introduce(session, beto);
        await session.query('update public.quote_desk set assignee = $2 where quote_id = $1', [id, beto.sub]);
        const outcomeCode = answer(ana, id).catch((error: { code: string }) => error.code);
        await expect
          .poll(() => owner("select from pg_locks where not granted and locktype = 'transactionid'"))
          .toHaveLength(1);
        return { outcomeCode };
      });
      expect(await answering.outcomeCode).toBe('PT409');
      expect(await lead(id)).toMatchObject({ assignee: beto.sub, last_answer: null });
    });

    test('a reply that arrives eight times at once is stored once', async () => {
      const id = await quoted();
      const word = { id: randomUUID() };
      expect((await Promise.all(Array.from({ length: 8 }, () => reply(id, word)))).flat()).toHaveLength(1);
      const many = await Promise.allSettled(Array.from({ length: 29 }, () => reply(id)));
      expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(19);
    });
  });

  test('each version of a lead has exactly one event', async () => {
    const id = await takenBy(ana);
    await put(ana, 'quote_notes', { quote_id: id, body: 'Llamar el lunes' });
    await reply(id);
    const uneven = await ask(
      service,
      `select quote_id from public.quote_events as e join public.quote_desk as d using (quote_id)
       group by quote_id, d.version
       having array_agg(e.version order by e.id) <> (select array_agg(n) from generate_series(1, d.version) as n)`,
    );
    expect(uneven).toEqual([]);
    expect(await codes(id)).toHaveLength(Number((await lead(id))['version']));
  });
});
