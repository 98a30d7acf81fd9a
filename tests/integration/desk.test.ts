import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hasText } from '../../src/lead/bounds.ts';
import { folioOf } from '../../src/lead/folio.ts';
import {
  askAsOwner,
  asOwner,
  insertion,
  introduce,
  presenting,
  quoting,
  service,
  staffMember,
  visitor,
  type Caller,
} from './callers.ts';
import { actsOn } from './lead-acts.ts';
import { eachEngine } from './engines.ts';
import { sampleQuote } from './sample-quote.ts';

interface DeskRow {
  readonly status: string;
  readonly assignee: string | null;
  readonly assignee_name: string | null;
  readonly asked_at: Date;
  readonly updated_at: Date;
  readonly first_answer_at: Date | null;
  readonly last_answer: string | null;
  readonly reply_waiting: boolean;
  readonly replaced_by: string | null;
  readonly lost_reason: string | null;
  readonly version: number;
  readonly open: boolean;
}
type Lead = DeskRow & { quote_id: string; created_at: Date; due_at: Date; promised_at: Date; seen_at: Date | null };

const [ana, beto] = [staffMember('Ana'), staffMember('Beto')];
const stranger = staffMember('Otra', { role: undefined, name: undefined, provider: 'email' });
const notStaff: readonly (readonly [who: string, Caller])[] = [
  ['without the staff claim', stranger],
  [
    'with a staff claim of its own making',
    { ...stranger, claims: { ...stranger.claims, user_metadata: { role: 'staff' } } },
  ],
  ['without any claim', { role: 'authenticated' }],
];

const ONCE = 'on conflict (id) do nothing';
const WHAT_A_PHONE_READS = 'id, quote_id, created_at, body, price, price_for, currency, valid_until';
const STAFF_ONLY = ['quote_desk', 'quote_notes', 'quote_events', 'desk_leads'];
const SAID = ['quote_answers', 'quote_replies', 'quote_seen', 'quote_notes'];
/** Other tables that phones write to. */
const SENT = [
  'quote_details',
  'shipment_papers',
  'quote_files',
  'quote_file_parts',
  'quote_link_closings',
  'promotion_withdrawals',
];
const OFFER = { kind: 'oferta', kilos: 100, valid_until: '2999-01-01' };
const PRICED = { ...OFFER, price: '1', price_for: 'kilo', currency: 'USD' };
/** Texts without visible characters, which count as empty. */
const NOT_SEEN = Object.entries({
  'a space of no width': '\u200b',
  'ends of lines': '\n\r\n',
  'other spaces': '\t\u00a0\u3164',
  'joiners and marks of order': '\u2060\ufeff\u00ad',
  'empty Braille': '\u2800',
  'the choice of a variant': '\ufe0f',
});

const engines = await eachEngine();

describe.each(engines)('on $name', (engine) => {
  const { ask, put, refused, saw, block } = actsOn(engine);
  const send = async (changes?: object, caller?: Caller) => (await quoting(engine)(changes, caller)).id;
  const row = async (id: string) =>
    (await ask<DeskRow>(ana, 'select * from public.quote_desk where quote_id = $1', [id]))[0]!;
  const lead = async (id: string, caller: Caller = ana) =>
    (await ask<Lead>(caller, 'select * from public.desk_leads where quote_id = $1', [id]))[0]!;
  const patch = (caller: Caller, id: string, changes: object, version?: number) =>
    ask<DeskRow>(
      caller,
      `update public.quote_desk set ${Object.keys(changes)
        .map((name, at) => `${name} = $${at + 2}`)
        .join(', ')}
       where quote_id = $1 ${version === undefined ? '' : `and version = ${version}`} returning *`,
      [id, ...Object.values(changes)],
    );
  const claim = (caller: Caller, id: string, version?: number) => patch(caller, id, { status: 'tomada' }, version);
  const answer = (caller: Caller, quote_id: string, more: object = {}) =>
    ask<{ id: string; author: string | null; author_name: string | null }>(
      caller,
      ...insertion(
        'quote_answers',
        { id: randomUUID(), quote_id, kind: 'mensaje', body: 'Sale el jueves.', ...more },
        ONCE,
      ),
    );
  const answered = async (changes: object = {}) => {
    const id = await send();
    await claim(ana, id);
    const [stored] = await answer(ana, id, changes);
    return { id, answer_id: stored!.id };
  };
  const reply = (quote_id: string, more: object = {}, caller = presenting(quote_id)) => {
    const word = { id: randomUUID(), quote_id, kind: 'pregunta', body: '¿Y el viernes?', ...more };
    return ask(caller, ...insertion('quote_replies', word, ONCE));
  };
  const note = (caller: Caller, quote_id: string) =>
    ask(caller, ...insertion('quote_notes', { quote_id, body: 'Llamar el lunes' }, ''));
  const codes = async (id: string, caller: Caller = ana) =>
    (
      await ask<{ code: string }>(caller, 'select code from public.quote_events where quote_id = $1 order by id', [id])
    ).map(({ code }) => code);

  /** Returns the rows of a statement, or all fields of the error that it causes. */
  const outcome = (caller: Caller, statement: string, parameters: unknown[]) =>
    ask(caller, statement, parameters).catch(
      ({ code, message, detail, hint }: Record<'code' | 'message' | 'detail' | 'hint', string>) => ({
        code,
        message,
        detail: detail ?? '',
        hint: hint ?? '',
      }),
    );
  /** Returns all rows that are stored about a quote. */
  const everything = async (id: string) => {
    const found: Record<string, object[]> = {};
    for (const table of ['quote_desk', ...SAID, 'quote_events', 'push_devices', 'alerts'])
      found[table] = await askAsOwner(engine, `select * from public.${table} where quote_id = $1 order by 1`, [id]);
    found['messages'] = await askAsOwner(
      engine,
      'select m.* from public.alert_messages as m join public.alerts as a on a.id = m.alert_id where a.quote_id = $1',
      [id],
    );
    return found;
  };

  describe('a stored quote', () => {
    test('a stored quote appears at the desk as a new lead without owner', async () => {
      const id = await send();
      const found = await lead(id);
      expect(found).toMatchObject({ status: 'nueva', assignee: null, open: true, version: 1 });
      expect(found.asked_at).toEqual(found.created_at);
      expect(await codes(id)).toEqual(['creada']);
    });

    test('a quote that is sent again is still a single lead at the desk', async () => {
      const quote = sampleQuote();
      for (let attempt = 0; attempt < 3; attempt++) await ask(visitor, ...insertion('quotes', quote, ONCE));
      expect(await codes(quote.id)).toEqual(['creada']);
    });

    test('the comment on the column `peso` says that kilos a month are meant', async () => {
      const [comment] = await askAsOwner<{ text: string }>(
        engine,
        `select col_description('public.quotes'::regclass, attnum) as text from pg_attribute
         where attrelid = 'public.quotes'::regclass and attname = 'peso'`,
      );
      expect(comment!.text).toContain('a month');
    });
  });

  test('the desk’s list of leads has every column of a quote, except the notice’s version', async () => {
    const id = await send();
    const [quote] = await askAsOwner(engine, 'select * from public.quotes where id = $1', [id]);
    // The desk does not show the version of the privacy notice (`aviso`); `aeropuente personas` lists it.
    const columns = Object.keys(quote!).filter((name) => !['id', 'aviso'].includes(name));
    expect(Object.keys(await lead(id))).toEqual(expect.arrayContaining(columns));
  });

  describe('a visitor', () => {
    test.each(STAFF_ONLY)('a visitor cannot read %s', async (table) => {
      const id = await send();
      await refused(visitor, `select * from public.${table}`);
      await refused(presenting(id), `select quote_id from public.${table} where quote_id = $1`, [id]);
      await refused(presenting(id), `select count(*) from public.${table}`);
    });

    test.each([
      "update public.quote_desk set status = 'perdida'",
      'update public.quote_desk set blocked_at = now()',
      'delete from public.quote_desk',
      'truncate public.quote_desk cascade',
      'insert into public.quote_desk (quote_id, asked_at) values (gen_random_uuid(), now())',
      "insert into public.quote_answers (quote_id, body) values (gen_random_uuid(), 'x')",
      "update public.quote_answers set body = 'x'",
      'delete from public.quote_answers',
      "update public.quote_replies set body = 'x'",
      'delete from public.quote_replies',
      'update public.quote_seen set seen_at = now()',
      'insert into public.quote_seen (answer_id, quote_id, seen_at) values (gen_random_uuid(), gen_random_uuid(), now())',
      'select seen_at from public.quote_seen',
      "insert into public.quote_notes (quote_id, body) values (gen_random_uuid(), 'x')",
      "insert into public.quote_events (quote_id, version, code) values (gen_random_uuid(), 1, 'creada')",
      "insert into public.quote_replies (id, quote_id, kind, body, created_at) values (gen_random_uuid(), gen_random_uuid(), 'pregunta', 'x', now())",
      'select private.staff_name()',
      'select private.blocked_quotes()',
      "select nextval('public.quote_events_id_seq')",
    ])('a visitor may not run: %s', (statement) => refused(visitor, statement));

    test('a visitor’s token that names the role `staff` still gives only a visitor’s rights', async () => {
      const posing: Caller = { ...ana, role: 'anon' };
      await answered();
      await refused(posing, 'select * from public.quote_desk');
      expect(await ask(posing, 'select id from public.quotes')).toEqual([]);
      expect(await ask(posing, `select ${WHAT_A_PHONE_READS} from public.quote_answers`)).toEqual([]);
    });
  });

  describe.each(notStaff)('an account %s', (_, caller) => {
    test('an account without the role `staff` reads and changes nothing, even with a quote’s id', async () => {
      const { id, answer_id } = await answered();
      await reply(id);
      await saw(id, answer_id);
      const knowing: Caller = { ...caller, headers: { 'x-submission-id': id } };
      for (const table of [...STAFF_ONLY, ...SAID, 'quotes'])
        expect(await ask(caller, `select * from public.${table}`), table).toEqual([]);
      for (const table of [...STAFF_ONLY, ...SAID])
        expect(await ask(knowing, `select * from public.${table}`), table).toEqual([]);
      const { version } = await row(id);
      expect(await patch(caller, id, { status: 'perdida' })).toEqual([]);
      // An update that returns no rows is checked only by the row-level rule for updates.
      await ask(caller, 'update public.quote_desk set assignee = auth.uid()');
      expect((await row(id)).version).toBe(version);
      for (const table of ['quote_notes', 'quote_answers'])
        await refused(caller, ...insertion(table, { quote_id: id, body: 'x' }, '', ''));
      const question = { id: randomUUID(), quote_id: id, kind: 'pregunta', body: 'x' };
      await refused(knowing, ...insertion('quote_replies', question, '', ''));
      await refused(knowing, ...insertion('quote_seen', { answer_id, quote_id: id }, '', ''));
    });
  });

  describe('a phone', () => {
    test('a phone reads only answers to quotes whose ids it has, without the authors’ names', async () => {
      const priced = { ...PRICED, price: '1234.50' };
      const [mine, other] = [await answered(priced), await answered(priced)];
      const read = (caller: Caller, more = '') =>
        ask<{ quote_id: string; price: string }>(
          caller,
          `select ${WHAT_A_PHONE_READS} from public.quote_answers ${more}`,
        );
      expect(await read(presenting(mine.id))).toMatchObject([{ quote_id: mine.id, price: '1234.50' }]);
      expect(await read(presenting(mine.id, other.id))).toHaveLength(2);
      expect(await read(presenting(mine.id), `where quote_id = '${other.id}'`)).toEqual([]);
      for (const caller of [visitor, presenting(randomUUID()), presenting('junk')])
        expect(await read(caller)).toEqual([]);
      expect(await ask(visitor, 'select count(*)::int as n from public.quote_answers')).toEqual([{ n: 0 }]);
      for (const secret of ['*', 'author', 'author_name'])
        await refused(presenting(mine.id), `select ${secret} from public.quote_answers`);
      await refused(presenting(mine.id), "select id from public.quote_answers where author_name like 'A%'");
      await refused(presenting(mine.id), 'select id from public.quote_answers order by author');
    });

    test('a phone reads the answers to at most twenty quotes in a request', async () => {
      const all = [];
      for (let count = 0; count < 21; count++) all.push((await answered()).id);
      const read = await ask<{ quote_id: string }>(
        presenting(...all),
        `select ${WHAT_A_PHONE_READS} from public.quote_answers`,
      );
      expect(new Set(read.map(({ quote_id }) => quote_id))).toEqual(new Set(all.slice(0, 20)));
    });

    test('a phone’s reply that is sent several times is stored once', async () => {
      const id = await send();
      const word = { id: randomUUID(), body: '¿Llega el lunes?' };
      expect(await reply(id, word)).toHaveLength(1);
      for (let attempt = 0; attempt < 3; attempt++) expect(await reply(id, { ...word, body: 'x' })).toEqual([]);
      expect(await ask(presenting(id), 'select body from public.quote_replies')).toEqual([{ body: word.body }]);
      expect(await ask(visitor, 'select body from public.quote_replies')).toEqual([]);
      expect(await ask(ana, 'select body from public.quote_replies where quote_id = $1', [id])).toHaveLength(1);
      expect(await codes(id)).toEqual(['creada', 'contestada']);
    });

    test('a phone cannot reply to a quote whose id is not in the request’s header', async () => {
      const [mine, other] = [await send(), await send()];
      const word = { id: randomUUID(), quote_id: other, kind: 'pregunta', body: 'x' };
      for (const caller of [visitor, presenting(mine)]) {
        await refused(caller, ...insertion('quote_replies', word, ''));
        await refused(caller, ...insertion('quote_replies', word, '', ''));
      }
      await put(presenting(mine), 'quote_replies', { ...word, quote_id: mine });
      expect(await codes(other)).toEqual(['creada']);
    });

    test('a phone can accept only an answer to its own quote', async () => {
      const [mine, other] = [await answered(), await answered()];
      const accept = (answer_id: string | null) => reply(mine.id, { kind: 'aceptada', body: '', answer_id });
      await expect(accept(other.answer_id)).rejects.toMatchObject({ code: '23503' });
      await expect(accept(null)).rejects.toMatchObject({ code: '23514' });
      await expect(reply(mine.id, { body: '' })).rejects.toMatchObject({ code: '23514' });
      await expect(reply(mine.id, { kind: 'correccion' })).rejects.toMatchObject({ code: '23514' });
      expect(await accept(mine.answer_id)).toHaveLength(1);
      expect(await codes(other.id)).toEqual(['creada', 'tomada', 'respondida']);
    });

    test('a phone cannot find another phone’s reply by the reply’s id', async () => {
      const [mine, other] = [await send(), await send()];
      const id = randomUUID();
      await reply(other, { id });
      expect(await reply(mine, { id })).toEqual([]);
      expect(await ask(presenting(mine), 'select id from public.quote_replies')).toEqual([]);
      const overwriting = insertion('quote_replies', { id, quote_id: mine, kind: 'pregunta', body: 'x' }, '');
      overwriting[0] = overwriting[0].replace(' returning *', ' on conflict (id) do update set body = excluded.body');
      await refused(presenting(mine), ...overwriting);
    });

    test('a reply that arrives before its quote is refused, and accepted after the quote', async () => {
      const quote = sampleQuote();
      const word = { id: randomUUID() };
      await expect(reply(quote.id, word)).rejects.toMatchObject({ code: '23503' });
      await ask(visitor, ...insertion('quotes', quote, ONCE));
      expect(await reply(quote.id, word)).toHaveLength(1);
    });

    test('a phone may send twenty replies an hour about a quote; the next gets Retry-After', async () => {
      const id = await send();
      // A phone may claim an earlier delivery (`entregada`), which must not raise the limit.
      const word = { id: randomUUID(), entregada: new Date(Date.now() - 7_200_000) };
      for (let count = 0; count < 20; count++) await reply(id, { ...word, ...(count > 0 && { id: randomUUID() }) });
      await expect(reply(id)).rejects.toMatchObject({
        code: 'PGRST',
        message: expect.stringContaining('PT429'),
        detail: expect.stringMatching(/429.*Retry-After.*300/),
      });
      expect(await reply(id, word)).toEqual([]);
      expect(await reply(await send())).toHaveLength(1);
    });

    test('a phone can report a seen answer only for a quote whose id it has', async () => {
      const [mine, other] = [await answered(), await answered()];
      await expect(saw(other.id, other.answer_id, visitor)).rejects.toMatchObject({ code: '42501' });
      await expect(saw(other.id, other.answer_id, presenting(mine.id))).rejects.toMatchObject({ code: '42501' });
      // An insert without ON CONFLICT reads no rows, so only the row-level rule for inserts checks it.
      const plainly = insertion('quote_seen', { answer_id: other.answer_id, quote_id: other.id }, '', '');
      for (const caller of [visitor, presenting(mine.id)]) await refused(caller, ...plainly);
      await expect(saw(mine.id, other.answer_id)).rejects.toMatchObject({ code: '23503' });
      expect((await lead(mine.id)).seen_at).toBeNull();
      await saw(mine.id, mine.answer_id);
      const { seen_at } = await lead(mine.id);
      expect(seen_at).toBeInstanceOf(Date);
      await saw(mine.id, mine.answer_id);
      expect((await lead(mine.id)).seen_at).toEqual(seen_at);
      expect(await codes(mine.id)).toEqual(['creada', 'tomada', 'respondida', 'vista']);
      // A newer answer empties `seen_at`, because the phone has not shown the newer answer yet.
      await answer(ana, mine.id);
      expect((await lead(mine.id)).seen_at).toBeNull();
    });
  });

  describe('an invisible text', () => {
    test('database and page agree which Unicode characters are invisible', async () => {
      const [unseen] = await askAsOwner<{ codes: number[] }>(
        engine,
        `select array_agg(code order by code) as codes from generate_series(1, 921599) as code
         where code not between 55296 and 57343 and code not between 131072 and 917503
           and not private.is_seen(chr(code))`,
      );
      const planes = Array.from({ length: 0xe0fff }, (_, at) => at + 1).filter(
        (code) => !(code >= 0xd800 && code <= 0xdfff) && !(code >= 0x20000 && code <= 0xdffff),
      );
      expect(unseen!.codes).toEqual(planes.filter((code) => !hasText(String.fromCodePoint(code))));
    });

    test.each(NOT_SEEN)(
      'a text without visible characters is refused in questions, answers, notes and quotes (%s)',
      async (_, words) => {
        const id = await send();
        await expect(reply(id, { body: words })).rejects.toMatchObject({ code: '23514' });
        await expect(put(ana, 'quote_notes', { quote_id: id, body: words })).rejects.toMatchObject({
          code: '23514',
        });
        for (const hidden of [{ body: words }, { author_name: words }])
          await expect(answer(service, id, hidden)).rejects.toMatchObject({ code: '23514' });
        for (const field of ['nombre', 'empresa'])
          await expect(send({ [field]: words }), field).rejects.toMatchObject({ code: '23514' });
        await expect(send({ telefono: '\u200b'.repeat(7) })).rejects.toMatchObject({ code: '23514' });
      },
    );

    test.each([
      ['becomes the e-mail when invisible', '\u200b', 'x@aeropuente.mx'],
      ['becomes the e-mail when empty', '', 'x@aeropuente.mx'],
      ['is cut to its column and ends with a letter', `${'x'.repeat(99)} y`, 'x'.repeat(99)],
    ])('a colleague’s name %s', async (_, name, shown) => {
      const caller = staffMember('x', { name });
      const id = await send();
      await claim(caller, id);
      expect(await answer(caller, id)).toMatchObject([{ author_name: shown }]);
    });
  });

  describe('a reply', () => {
    test('a reply reopens an answered lead with a new deadline', async () => {
      const { id, answer_id } = await answered();
      const promised = await lead(id);
      expect(promised).toMatchObject({ status: 'respondida', open: false });
      await reply(id, { kind: 'aceptada', body: '', answer_id });
      const reopened = await lead(id);
      expect(reopened).toMatchObject({ status: 'respondida', open: true, reply_waiting: true, assignee: ana.sub });
      expect(reopened.asked_at > promised.asked_at).toBe(true);
      expect(reopened.promised_at).toEqual(promised.promised_at);
      expect((await patch(ana, id, { status: 'ganada' }, reopened.version))[0]).toMatchObject({ open: false });
      expect(await codes(id)).toEqual(['creada', 'tomada', 'respondida', 'contestada', 'ganada']);
    });

    test('a reply does not change the deadline of a lead that still waits for its answer', async () => {
      const id = await send();
      const { due_at } = await lead(id);
      await reply(id);
      expect((await lead(id)).due_at).toEqual(due_at);
    });

    test('a reply still waits for an answer after another colleague took the lead over', async () => {
      const { id } = await answered();
      await reply(id);
      expect((await patch(beto, id, { assignee: beto.sub }))[0]).toMatchObject({ reply_waiting: true, open: true });
      await answer(beto, id);
      expect(await row(id)).toMatchObject({ reply_waiting: false, open: false });
    });
  });

  describe('a lead', () => {
    const conflict = (hint: string) => ({ code: 'PT409', hint });

    test('a lead has one owner, whom another colleague can replace only explicitly', async () => {
      const id = await send();
      expect(await claim(ana, id, 1)).toMatchObject([{ status: 'tomada', assignee_name: 'Ana', version: 2 }]);
      expect(await claim(beto, id, 1)).toEqual([]);
      for (const version of [undefined, 2])
        await expect(claim(beto, id, version)).rejects.toMatchObject(conflict('owned'));
      for (const changes of [{ status: 'perdida' }, { status: 'nueva' }, { assignee: beto.sub, status: 'perdida' }])
        await expect(patch(beto, id, changes, 2)).rejects.toMatchObject(conflict('owned'));
      await expect(answer(beto, id)).rejects.toMatchObject(conflict('owned'));
      const [taken] = await patch(beto, id, { assignee: beto.sub }, 2);
      expect(taken).toMatchObject({ assignee: beto.sub, assignee_name: 'Beto', status: 'tomada' });
      await expect(patch(ana, id, { status: 'perdida' })).rejects.toMatchObject(conflict('owned'));
      const [free] = await patch(beto, id, { status: 'nueva' }, 3);
      expect(free).toMatchObject({ assignee: null, assignee_name: null, version: 4 });
      expect(await codes(id)).toEqual(['creada', 'tomada', 'relevada', 'soltada']);
      const event = ask(ana, "select actor, ref from public.quote_events where quote_id = $1 and code = 'relevada'", [
        id,
      ]);
      expect(await event).toEqual([{ actor: beto.sub, ref: ana.sub }]);
    });

    test('a colleague cannot take or release a lead in another colleague’s name', async () => {
      const id = await send();
      for (const assignee of [beto.sub, randomUUID()])
        await expect(patch(ana, id, { status: 'tomada', assignee })).rejects.toMatchObject({ code: '42501' });
      await claim(ana, id);
      // A lead can be given only to a present colleague (cover.test.ts), and this random id is not one.
      await expect(patch(ana, id, { assignee: randomUUID() })).rejects.toMatchObject(conflict('away'));
      await expect(patch(beto, id, { assignee: null })).rejects.toMatchObject({ code: '42501' });
      const { status: _, assignee: _assignee, lost_reason: _reason, ...others } = await row(id);
      for (const column of Object.keys(others))
        await refused(ana, `update public.quote_desk set ${column} = default where quote_id = $1`, [id]);
      for (const column of ['author', 'author_name', 'created_at'])
        await refused(ana, `insert into public.quote_answers (quote_id, body, ${column}) values ($1, 'x', default)`, [
          id,
        ]);
    });

    test('a lead without owner cannot be answered or closed', async () => {
      const id = await send();
      for (const status of ['respondida', 'ganada', 'perdida', 'nueva'])
        await expect(patch(ana, id, { status })).rejects.toMatchObject(conflict('unowned'));
      await expect(answer(ana, id)).rejects.toMatchObject(conflict('unowned'));
      await claim(ana, id);
      await expect(patch(ana, id, { status: 'respondida' })).rejects.toMatchObject(conflict('unanswered'));
      await expect(patch(ana, id, { status: 'archivada' })).rejects.toMatchObject({ code: '23514' });
      expect(await ask(ana, 'select id from public.quote_answers where quote_id = $1', [id])).toEqual([]);
    });

    test('a lead’s `updated_at` never decreases, even if the server’s clock is set back', async () => {
      const id = await send();
      await claim(ana, id);
      await asOwner(
        engine,
        `alter table public.quote_desk disable trigger user;
         update public.quote_desk set updated_at = now() + interval '1 minute' where quote_id = '${id}';
         alter table public.quote_desk enable trigger user;`,
      );
      const earlier = await row(id);
      await reply(id);
      expect((await row(id)).updated_at >= earlier.updated_at).toBe(true);
    });
  });

  describe('an answer', () => {
    test('an answer names the signed-in colleague as its author, and is stored once', async () => {
      const id = await send();
      await claim(ana, id);
      const offer = { ...PRICED, id: randomUUID(), price: '10', price_for: 'total', currency: 'MXN' };
      expect(await answer(ana, id, offer)).toMatchObject([{ author: ana.sub, author_name: 'Ana' }]);
      expect(await answer(ana, id, offer)).toEqual([]);
      const { first_answer_at } = await row(id);
      await patch(beto, id, { assignee: beto.sub });
      expect(await answer(ana, id, offer)).toEqual([]);
      await answer(beto, id);
      expect((await row(id)).first_answer_at).toEqual(first_answer_at);
    });

    test.each([
      { body: '' },
      { body: ' x' },
      { body: 'x'.repeat(4001) },
      { ...OFFER, price: 1 },
      { currency: 'USD' },
      { price_for: 'kilo' },
      { ...OFFER, price: 1, currency: 'USD' },
      { ...OFFER, price: 1, price_for: 'kilo' },
      { ...PRICED, price: 0 },
      { ...PRICED, price_for: 'tonelada' },
      { ...PRICED, currency: 'EUR' },
      { ...PRICED, valid_until: '2020-01-01' },
      ...['NaN', 'Infinity', '0.005', '0.001', '4.105', '1000000000', '1e300'].map((price) => ({ ...PRICED, price })),
      { ...PRICED, valid_until: 'infinity' },
      { ...PRICED, valid_until: '10000-01-01' },
    ])('an answer with %o is refused', async (bad) => {
      const id = await send();
      await claim(ana, id);
      await expect(answer(ana, id, bad)).rejects.toMatchObject({ code: '23514' });
    });

    test.each([
      { body: '🥭'.repeat(4000) },
      { body: '\n\u200b.' },
      { ...PRICED, price: '0.01', valid_until: '9999-12-31' },
      { ...PRICED, price: '999999999.99' },
      { ...PRICED, price: '0.01', currency: 'CNY' },
    ])('an answer with %o is stored', async (good) => {
      const id = await send();
      await claim(ana, id);
      expect(await answer(ana, id, good)).toHaveLength(1);
    });
  });

  describe('the command line, with the service key', () => {
    test('the command line answers a lead without owner, under a given name', async () => {
      const id = await send();
      expect(await answer(service, id, { author_name: 'Ana' })).toMatchObject([{ author: null, author_name: 'Ana' }]);
      expect(await row(id)).toMatchObject({ status: 'respondida', assignee: null, open: false });
      expect((await row(id)).first_answer_at).toBeInstanceOf(Date);
      await reply(id);
      expect((await claim(beto, id))[0]).toMatchObject({ status: 'tomada', assignee: beto.sub });
      await answer(beto, id);
      expect(await codes(id)).toEqual(['creada', 'respondida', 'contestada', 'tomada', 'respondida']);
    });

    test('a lead answered from the command line is still answered after a colleague takes it', async () => {
      const id = await send();
      await answer(service, id);
      expect((await claim(beto, id))[0]).toMatchObject({ status: 'respondida', assignee: beto.sub, open: false });
      expect(await codes(id)).toEqual(['creada', 'respondida', 'tomada']);
    });

    test('a lead answered from the command line keeps its owner', async () => {
      const { id } = await answered();
      await reply(id);
      expect(await answer(service, id)).toMatchObject([{ author: null, author_name: null }]);
      expect(await row(id)).toMatchObject({
        status: 'respondida',
        assignee: ana.sub,
        assignee_name: 'Ana',
        open: false,
      });
    });

    test.each([
      "update public.quote_desk set status = 'perdida'",
      'update public.quote_desk set assignee = null',
      'update public.quote_desk set replaced_by = gen_random_uuid()',
      'delete from public.quote_desk',
      'delete from public.quote_answers',
      'delete from public.quote_replies',
      'insert into public.quote_answers (quote_id, body, author) values (gen_random_uuid(), $$x$$, gen_random_uuid())',
      "insert into public.quote_replies (id, quote_id, kind, body) values (gen_random_uuid(), gen_random_uuid(), 'pregunta', 'x')",
      "insert into public.quote_notes (quote_id, body) values (gen_random_uuid(), 'x')",
      "update public.quote_events set code = 'ganada'",
      'delete from public.quote_events',
    ])('the service key may not run: %s', (statement) => refused(service, statement));
  });

  describe('a correction', () => {
    const correct = (old: string, caller: (id: string) => Caller) => {
      const quote = sampleQuote({ reemplaza: folioOf(old) });
      return send(quote, caller(quote.id));
    };

    test('a correction closes the corrected quote only if the phone also sends that quote’s id', async () => {
      const old = await send();
      const corrected = await correct(old, (id) => presenting(id, old));
      expect(await lead(old)).toMatchObject({ open: false, replaced_by: corrected, status: 'nueva' });
      expect(await lead(corrected)).toMatchObject({ open: true, reemplaza: folioOf(old), replaced_by: null });
      const events = ask(ana, 'select code, ref from public.quote_events where quote_id = $1 order by id', [old]);
      expect(await events).toMatchObject([{ code: 'creada' }, { code: 'reemplazada', ref: corrected }]);
    });

    test('a correction made with the service key closes the corrected quote', async () => {
      const old = await send();
      const corrected = await correct(old, () => service);
      expect(await row(old)).toMatchObject({ open: false, replaced_by: corrected });
    });

    test.each<[string, (id: string) => Caller]>([
      ['who only knows its folio', () => visitor],
      ['who presents another id', (id) => presenting(id, randomUUID())],
      ['who is signed in', () => stranger],
      ['who is staff', () => ana],
    ])('a correction by somebody %s does not close the corrected quote', async (_, caller) => {
      const old = await send();
      await correct(old, caller);
      expect(await row(old)).toMatchObject({ open: true, replaced_by: null, version: 1 });
    });

    test('a correction that names itself or an unknown quote changes no other quote', async () => {
      const old = await send();
      const quote = sampleQuote({ reemplaza: folioOf(old) });
      for (let attempt = 0; attempt < 2; attempt++) await send(quote, presenting(quote.id, old));
      expect((await row(old)).version).toBe(2);
      const own = sampleQuote();
      await send({ ...own, reemplaza: folioOf(own.id) }, presenting(own.id));
      expect(await row(own.id)).toMatchObject({ open: true, replaced_by: null });
      await send({ reemplaza: 'AP-0000-0000' }, presenting(randomUUID()));
    });

    test('a corrected quote still accepts replies, which reopen it', async () => {
      const { id, answer_id } = await answered();
      await reply(id);
      await correct(id, (own) => presenting(own, id));
      expect(await row(id)).toMatchObject({ open: false, reply_waiting: false });
      await reply(id, { kind: 'aceptada', body: '', answer_id });
      expect(await row(id)).toMatchObject({ open: true, reply_waiting: true });
    });
  });

  describe('a blocked quote', () => {
    test('a blocked quote is visible only to the service key until it is unblocked', async () => {
      const { id, answer_id } = await answered();
      await reply(id);
      await saw(id, answer_id);
      await note(ana, id);
      const pdf = Buffer.from('%PDF-1.7');
      const huella = createHash('sha256').update(pdf).digest('hex');
      for (const [table, sample] of [
        ['quote_details', { id, quote_id: id, producto: 'Fresas' }],
        ['shipment_papers', { id, quote_id: id, papel: 'factura', estado: 'falta' }],
        // The file has the same id as the quote, so the query below also counts the file’s parts.
        ['quote_files', { id, quote_id: id, nombre: 'a.pdf', tipo: 'application/pdf', bytes: pdf.length, huella }],
        ['quote_file_parts', { file_id: id, parte: 0, base64: pdf.toString('base64') }],
        ['quote_link_closings', { id, quote_id: id }],
        ['promotion_withdrawals', { id, quote_id: id }],
      ] as const)
        await ask(presenting(id), ...insertion(table, sample, '', ''));
      const found = async (caller: Caller, tables: readonly string[]) => {
        const counts: Record<string, number> = {};
        for (const table of tables) {
          const key = { quotes: 'id', quote_file_parts: 'file_id' }[table] ?? 'quote_id';
          const columns = table === 'quote_answers' ? WHAT_A_PHONE_READS : key;
          counts[table] = (await ask(caller, `select ${columns} from public.${table} where ${key} = $1`, [id])).length;
        }
        return Object.entries(counts)
          .filter(([, count]) => count > 0)
          .map(([table]) => table);
      };
      const everywhere = [...new Set(['quotes', ...STAFF_ONLY, ...SAID, ...SENT])];
      // The service key reads revoked links only when it exports all data of a person.
      const ofService = everywhere.filter((table) => table !== 'quote_link_closings');
      const phones = ['quotes', 'quote_answers', 'quote_replies'];
      const knowing: Caller = { ...ana, headers: { 'x-submission-id': id } };
      const everybody = async () => [
        await found(ana, everywhere),
        await found(knowing, everywhere),
        await found(presenting(id), phones),
      ];
      expect(await everybody()).toEqual([everywhere, everywhere, phones]);
      expect(await block(id)).toHaveLength(1);
      expect(await everybody()).toEqual([[], [], []]);
      expect(await found(service, ofService)).toEqual(ofService);
      await block(id, null);
      expect(await everybody()).toEqual([everywhere, everywhere, phones]);
      expect((await codes(id)).slice(-2)).toEqual(['bloqueada', 'desbloqueada']);
    });

    test('a blocked quote accepts no owner, answer, note or reply', async () => {
      const id = await send();
      await claim(ana, id);
      await block(id);
      expect(await patch(ana, id, { status: 'perdida' })).toEqual([]);
      for (const write of [answer, note])
        await expect(write(ana, id)).rejects.toMatchObject({ code: expect.stringMatching(/^(PT409|42501)$/) });
      await expect(answer(service, id)).rejects.toMatchObject({ code: 'PT409', hint: 'blocked' });
      // The phone gets the same response as for a missing quote, and keeps the reply.
      await expect(reply(id)).rejects.toMatchObject({ code: '23503' });
      expect(await codes(id, service)).toEqual(['creada', 'tomada', 'bloqueada']);
    });

    test('a colleague’s update that returns no rows does not change a blocked quote', async () => {
      const undone = engine.transaction(async (session) => {
        await session.run('truncate public.quotes cascade');
        await session.query(...insertion('quotes', sampleQuote(), ''));
        await session.run('update public.quote_desk set blocked_at = now()');
        await introduce(session, ana);
        await session.run("update public.quote_desk set status = 'tomada'");
        await introduce(session, service);
        throw Object.assign(new Error('undone'), { rows: await session.query('select status from public.quote_desk') });
      });
      await expect(undone).rejects.toMatchObject({ rows: [{ status: 'nueva' }] });
    });

    const rows = (id: string, answer_id: string) => ({
      quote_replies: { id: randomUUID(), quote_id: id, kind: 'pregunta', body: '¿?' },
      quote_seen: { answer_id, quote_id: id },
      push_devices: {
        quote_id: id,
        endpoint: 'https://fcm.googleapis.com/x',
        p256dh: `B${'x'.repeat(86)}`,
        auth: 'x'.repeat(22),
      },
    });
    type Verb = (id: string, said: Said) => [statement: string, values: unknown[]];
    interface Said {
      readonly answer_id: string;
      readonly reply_id: string;
      readonly message_id: string;
    }
    const verbs: readonly (readonly [name: string, verb: Verb])[] = [
      ...['quotes', 'quote_answers', 'quote_replies', 'quote_seen', 'push_devices', 'alert_shown'].map(
        (table): [string, Verb] => {
          const columns = { quotes: 'id', quote_answers: WHAT_A_PHONE_READS, quote_seen: 'answer_id' }[table] ?? '*';
          return [`read ${table}`, () => [`select ${columns} from public.${table}`, []]];
        },
      ),
      ['reply', (id) => insertion('quote_replies', rows(id, '').quote_replies, ONCE)],
      ['reply without reading back', (id) => insertion('quote_replies', rows(id, '').quote_replies, '', '')],
      [
        'send a reply again',
        (id, { reply_id }) => insertion('quote_replies', { ...rows(id, '').quote_replies, id: reply_id }, ONCE),
      ],
      [
        'accept an answer',
        (id, { answer_id }) =>
          insertion('quote_replies', { id: randomUUID(), quote_id: id, kind: 'aceptada', answer_id }, ONCE),
      ],
      [
        'send a reply with an empty text',
        (id) => insertion('quote_replies', { ...rows(id, '').quote_replies, body: '' }, ONCE),
      ],
      [
        'report an answer as shown',
        (id, { answer_id }) =>
          insertion('quote_seen', rows(id, answer_id).quote_seen, 'on conflict (answer_id) do nothing', ''),
      ],
      [
        'report an answer as shown and read back',
        (id, { answer_id }) => insertion('quote_seen', rows(id, answer_id).quote_seen, '', 'returning answer_id'),
      ],
      ['subscribe to alerts', (id) => insertion('push_devices', rows(id, '').push_devices, '', '')],
      ['report an alert as shown', (_, { message_id }) => insertion('alert_shown', { message_id }, '', '')],
      ['correct', (id) => insertion('quotes', sampleQuote({ reemplaza: folioOf(id) }), ONCE, 'returning nombre, more')],
      ['correct without reading back', (id) => insertion('quotes', sampleQuote({ reemplaza: folioOf(id) }), '', '')],
      ['change the quote', (id) => ["update public.quotes set nombre = 'x' where id = $1", [id]]],
      ['delete the quote', (id) => ['delete from public.quotes where id = $1', [id]]],
    ];

    test.each(verbs)(
      'a phone that sends to a blocked quote gets the response for a missing quote: %s',
      async (_, verb) => {
        const { id, answer_id } = await answered();
        const [stored] = (await reply(id)) as { id: string }[];
        const [message] = await askAsOwner<{ id: string }>(
          engine,
          `insert into public.alert_messages (alert_id, way, next_at)
         select id, 'push', now() from public.alerts where quote_id = $1 limit 1 returning id`,
          [id],
        );
        await block(id);
        const there = { answer_id, reply_id: stored!.id, message_id: message!.id };
        const not = { answer_id: randomUUID(), reply_id: randomUUID(), message_id: randomUUID() };
        const earlier = await everything(id);
        for (const present of [presenting, () => visitor]) {
          const never = randomUUID();
          expect(await outcome(present(id), ...verb(id, there))).toEqual(
            await outcome(present(never), ...verb(never, not)),
          );
        }
        expect(await everything(id)).toEqual(earlier);
      },
    );

    test('a blocked quote that is sent again counts as delivered, so the phone stops sending', async () => {
      const quote = sampleQuote();
      await send(quote);
      await block(quote.id);
      const earlier = await everything(quote.id);
      for (const caller of [visitor, presenting(quote.id)]) {
        expect(await ask(caller, ...insertion('quotes', quote, ONCE))).toEqual([]);
        await expect(ask(caller, ...insertion('quotes', quote, ''))).rejects.toMatchObject({ code: '23505' });
      }
      expect(await everything(quote.id)).toEqual(earlier);
    });

    test('a blocked quote keeps its blocked_at when it is blocked again', async () => {
      const id = await send();
      await block(id);
      expect(await block(id, new Date(0))).toEqual([]);
      expect(await codes(id, service)).toEqual(['creada', 'bloqueada']);
    });

    test('an erased quote leaves only ids and event codes; only a blocked quote can be erased', async () => {
      const { id, answer_id } = await answered();
      await reply(id);
      await saw(id, answer_id);
      await note(ana, id);
      const erase = () => ask(service, 'delete from public.quotes where id = $1 returning id', [id]);
      await expect(erase()).rejects.toMatchObject({ code: 'PT409', hint: 'unblocked' });
      await expect(asOwner(engine, `delete from public.quotes where id = '${id}'`)).rejects.toMatchObject({
        code: 'PT409',
      });
      await block(id);
      expect(await erase()).toHaveLength(1);
      for (const table of ['quote_desk', ...SAID])
        expect(await ask(service, `select quote_id from public.${table} where quote_id = $1`, [id]), table).toEqual([]);
      expect(await codes(id)).toEqual([
        'creada',
        'tomada',
        'respondida',
        'contestada',
        'vista',
        'bloqueada',
        'borrada',
      ]);
      const columns = await askAsOwner<{ name: string }>(
        engine,
        "select column_name as name from information_schema.columns where table_name = 'quote_events' order by 1",
      );
      expect(columns.map(({ name }) => name)).toEqual(['actor', 'at', 'code', 'id', 'quote_id', 'ref', 'version']);
    });
  });

  describe('a record of the desk', () => {
    test('a note shows the name in the author’s token to colleagues', async () => {
      const id = await send();
      await note(ana, id);
      expect(await ask(beto, 'select author_name from public.quote_notes where quote_id = $1', [id])).toEqual([
        { author_name: 'Ana' },
      ]);
    });

    test.each(['quote_desk', 'quote_events', ...SAID])(
      'colleagues cannot change or delete rows of %s',
      async (table) => {
        await refused(ana, `delete from public.${table}`);
        await refused(ana, `truncate public.${table} cascade`);
        await refused(ana, `update public.${table} set quote_id = quote_id`);
      },
    );

    test('colleagues cannot insert an event', () =>
      refused(
        ana,
        "insert into public.quote_events (quote_id, version, code) values (gen_random_uuid(), 1, 'ganada')",
      ));

    test.each([
      ...SAID.map((table) => `update public.${table} set quote_id = quote_id`),
      "update public.quote_events set code = 'ganada'",
      'delete from public.quote_events',
      'truncate public.quote_events',
    ])('even the database owner cannot change the desk’s records: %s', async (statement) => {
      const { id, answer_id } = await answered();
      await reply(id);
      await saw(id, answer_id);
      await note(ana, id);
      await expect(asOwner(engine, statement)).rejects.toMatchObject({ code: '42501' });
    });
  });

  describe.runIf(engine.name !== 'PGlite')('concurrent transactions', () => {
    test.each([1, undefined])(
      'two colleagues who take the same 100 leads at once (version %s) get one owner for each lead',
      { timeout: 120_000 },
      async (version) => {
        const ids: string[] = [];
        for (let count = 0; count < 100; count++) ids.push(await send());
        let conflicts = 0;
        const attempt = async (caller: Caller, id: string) => {
          const won = await claim(caller, id, version).catch((error: { code: string }) => {
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
      },
    );

    test('an answer is refused if another colleague takes the lead over at the same time', async () => {
      const id = await send();
      await claim(ana, id);
      const answering = await engine.transaction(async (session) => {
        await introduce(session, beto);
        await session.query('update public.quote_desk set assignee = $2 where quote_id = $1', [id, beto.sub]);
        const outcomeCode = answer(ana, id).catch((error: { code: string }) => error.code);
        await expect
          .poll(() => askAsOwner(engine, "select from pg_locks where not granted and locktype = 'transactionid'"))
          .toHaveLength(1);
        return { outcomeCode };
      });
      expect(await answering.outcomeCode).toBe('PT409');
      expect(await row(id)).toMatchObject({ assignee: beto.sub, last_answer: null });
    });

    test('a reply that arrives eight times at once is stored once', async () => {
      const id = await send();
      const word = { id: randomUUID() };
      expect((await Promise.all(Array.from({ length: 8 }, () => reply(id, word)))).flat()).toHaveLength(1);
      const many = await Promise.allSettled(Array.from({ length: 29 }, () => reply(id)));
      expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(19);
    });
  });

  test('each version of a lead has exactly one event', async () => {
    const id = await send();
    await claim(ana, id);
    await note(ana, id);
    await reply(id);
    const uneven = await ask(
      service,
      `select quote_id from public.quote_events as e join public.quote_desk as d using (quote_id)
       group by quote_id, d.version
       having array_agg(e.version order by e.id) <> (select array_agg(n) from generate_series(1, d.version) as n)`,
    );
    expect(uneven).toEqual([]);
    expect(await codes(id)).toHaveLength((await row(id)).version);
  });
});
