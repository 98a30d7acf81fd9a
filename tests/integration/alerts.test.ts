import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { keysOf, storeIn } from '../../server/alerts/embedded.ts';
import type { Message, Outcome } from '../../server/alerts/message.ts';
import { sendDue } from '../../server/alerts/send-due.ts';
import { push } from '../../server/alerts/web-push.ts';
import { plainFetch } from '../../server/plain-fetch.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { quoteTag } from '../../src/lead/quote-tag.ts';
import { CERTIFICATE, PushService, type Device } from '../push/service.ts';
import {
  askAsOwner,
  asking,
  asOwner,
  insertion,
  presenting,
  quoting,
  service,
  staffMember,
  visitor,
  type Caller,
} from './callers.ts';
import { eachEngine } from './engines.ts';
import type { SampleQuote } from './sample-quote.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SITE = 'https://carga.example';

const [ana, beto] = [staffMember('Ana'), staffMember('Beto')];

let pushes: PushService;
beforeAll(async () => {
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(CERTIFICATE, 'utf8')]);
  pushes = await PushService.start();
});
afterAll(() => pushes.stop());

const engines = await eachEngine();

const OFFER = {
  kind: 'oferta',
  price: '4.10',
  price_for: 'kilo',
  currency: 'USD',
  kilos: 1200,
  valid_until: '2999-11-28',
};

describe.each(engines)('on $name', (engine) => {
  let names = 0;
  let mails: string[] | undefined;
  let keys: Awaited<ReturnType<typeof keysOf>>;
  /** Milliseconds that the clock of the sender is ahead of the database's. */
  let ahead = 0;
  // Its times have microseconds, and these have none.
  const now = () => Date.now() + 1 + ahead;

  const ask = asking(engine);
  const refused = (caller: Caller, statement: string, parameters: unknown[] = [], code = '42501') =>
    expect(ask(caller, statement, parameters), statement).rejects.toMatchObject({ code });
  const send = quoting(engine);
  const claim = (caller: Caller, { id }: SampleQuote) =>
    ask(caller, "update public.quote_desk set status = 'tomada' where quote_id = $1 returning quote_id", [id]);
  const answer = async (caller: Caller, { id: quote_id }: SampleQuote, more: object = { kind: 'mensaje' }) => {
    const said = { id: randomUUID(), quote_id, body: 'Sale el jueves.', ...more };
    await ask(caller, ...insertion('quote_answers', said, 'on conflict (id) do nothing'));
    return said.id;
  };
  const reply = (quote_id: string, more: object = {}) => {
    const said = { id: randomUUID(), quote_id, kind: 'pregunta', body: '¿Y el viernes?', ...more };
    return ask(presenting(quote_id), ...insertion('quote_replies', said, 'on conflict (id) do nothing'));
  };
  const saw = (quote_id: string, answer_id: string) =>
    ask(
      presenting(quote_id),
      ...insertion('quote_seen', { answer_id, quote_id }, 'on conflict (answer_id) do nothing', ''),
    );
  const listen = (caller: Caller, device: Device, more: object = {}) =>
    ask(caller, ...insertion('push_devices', { ...device, ...more }, '', ''));
  const deviceOf = async (caller: Caller, more: object = {}) => {
    const name = `${engine.name.length}-${(names += 1)}`;
    await listen(caller, pushes.subscribe(name), more);
    return name;
  };
  const phoneOf = ({ id }: SampleQuote) => deviceOf(presenting(id), { quote_id: id });
  const look = async () => {
    const ended: (readonly [Message, Outcome])[] = [];
    await sendDue({
      store: storeIn(engine.database),
      push: (message, time) =>
        push(
          message,
          { keys, contact: 'mailto:a@b.example', services: [pushes.host], site: SITE, fetch: plainFetch },
          time,
        ),
      mail: mails && (async ({ kind, folio }) => (mails!.push(`${kind} ${folio}`), { kind: 'sent' })),
      now,
      heard: (message, outcome) => ended.push([message, outcome]),
    });
    return ended;
  };
  /** What each device was shown since the test began, in its order. */
  const told = (device: string) =>
    pushes.pushed.filter((each) => each.device === device).map(({ payload }) => payload.notification['title']);

  beforeAll(async () => {
    keys = await keysOf(engine.database);
  });
  beforeEach(async () => {
    ahead = 0;
    mails = undefined;
    pushes.answers = () => ({ status: 201 });
    pushes.pushed.length = 0;
    pushes.publicKey = keys.public_key;
    await asOwner(engine, 'delete from public.push_devices; delete from public.alerts');
  });
  test('the key is made once and stays', async () => {
    expect(await keysOf(engine.database)).toEqual(keys);
    expect(Buffer.from(keys.public_key, 'base64url')).toHaveLength(65);
    expect(Buffer.from(keys.private_key, 'base64url')).toHaveLength(32);
  });

  test('a quote is told to everybody at once, then at 60, 30 and 10 minutes before its time, then as late: each once, whoever looks how often', async () => {
    const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
    const quote = await send();
    const folio = folioOf(quote.id);
    const expected = [
      [0, `Solicitud nueva ${folio}`],
      [60, `${folio} espera respuesta: queda una hora`],
      [90, `${folio} espera respuesta: quedan 30 minutos`],
      [110, `${folio} espera respuesta: quedan 10 minutos`],
      [120, `${folio} sin respuesta: el plazo ya pasó`],
    ] as const;
    for (const [at, [minutes, title]] of expected.entries()) {
      ahead = minutes * MINUTE - 5000;
      if (minutes > 0) await look();
      expect(told(anas)).toHaveLength(at);
      ahead = minutes * MINUTE + 5000;
      await Promise.all([look(), look()]);
      await look();
      expect(told(anas).slice(at)).toEqual([title]);
    }
    expect(told(betos)).toEqual(told(anas));
    ahead = 26 * HOUR;
    expect(await look()).toEqual([]);
  });

  test('who has taken it is told alone, and nobody once it is answered', async () => {
    const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
    const quote = await send();
    await look();
    await claim(ana, quote);
    ahead = 60 * MINUTE + 1000;
    await look();
    expect([told(anas).length, told(betos).length]).toEqual([2, 1]);
    await answer(ana, quote);
    ahead = 3 * HOUR;
    await look();
    expect([told(anas).length, told(betos).length]).toEqual([2, 1]);
  });

  test('taken before anybody was told, it is told to nobody', async () => {
    const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
    await claim(beto, await send());
    await look();
    expect([...told(anas), ...told(betos)]).toEqual([]);
  });

  test('leads share one true alert after a pause of the server', async () => {
    const anas = await deviceOf(ana);
    for (let each = 0; each < 2; each += 1) await send();
    ahead = 95 * MINUTE;
    await look();
    expect(told(anas)).toEqual(['2 cotizaciones sin tomar: la primera vence en 30 minutos']);
  });

  test('a question and an acceptance are told to the owner, with two hours of their own; to all where there is none', async () => {
    const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
    const quote = await send();
    await claim(ana, quote);
    const answer_id = await answer(ana, quote, OFFER);
    await look();
    await reply(quote.id, { answer_id });
    expect(await look()).toMatchObject([[{ kind: 'pregunta', leads: 1, attempts: 1 }, { kind: 'sent' }]]);
    expect(told(anas)).toEqual([`Pregunta sobre ${folioOf(quote.id)}`]);
    ahead = 61 * MINUTE;
    await look();
    expect(told(anas).at(-1)).toMatch(/queda una hora/);
    await answer(ana, quote);
    ahead = 0;
    await reply(quote.id, { answer_id, kind: 'aceptada', body: '' });
    await look();
    expect(told(anas).at(-1)).toBe(`${folioOf(quote.id)} aceptada`);
    expect(told(betos)).toEqual([]);
  });

  test('of three questions within a minute one is told, and an acceptance among them a minute after', async () => {
    const anas = await deviceOf(ana);
    const quote = await send();
    await claim(ana, quote);
    const answer_id = await answer(ana, quote, OFFER);
    await look();
    const question = `Pregunta sobre ${folioOf(quote.id)}`;
    for (let count = 0; count < 3; count += 1) {
      await reply(quote.id, { answer_id });
      await look();
    }
    expect(told(anas)).toEqual([question]);
    await reply(quote.id, { answer_id, kind: 'aceptada', body: '' });
    await reply(quote.id, { answer_id });
    await look();
    expect(told(anas)).toEqual([question]);
    ahead = MINUTE + 1000;
    await look();
    expect(told(anas)).toEqual([question, `${folioOf(quote.id)} aceptada`]);
    ahead = 5 * MINUTE;
    expect(await look()).toEqual([]);
  });

  test('two answers within a minute are told to their phone within that minute once, and the second after it', async () => {
    const quote = await send();
    const phone = await phoneOf(quote);
    await claim(ana, quote);
    for (let count = 0; count < 3; count += 1) {
      await answer(ana, quote);
      await look();
    }
    expect(told(phone)).toHaveLength(1);
    ahead = MINUTE + 1000;
    await look();
    expect(told(phone)).toHaveLength(2);
  });

  test('a new quote that is asked about at once is told as new, and as asked about', async () => {
    const anas = await deviceOf(ana);
    const quote = await send();
    await reply(quote.id);
    await look();
    expect(new Set(told(anas))).toEqual(
      new Set([`Pregunta sobre ${folioOf(quote.id)}`, `Solicitud nueva ${folioOf(quote.id)}`]),
    );
  });

  test('a phone that asked for it hears of each answer once, unless it has shown it; no colleague does', async () => {
    const quote = await send();
    const [phone, anas] = [await phoneOf(quote), await deviceOf(ana)];
    await claim(ana, quote);
    await answer(ana, quote);
    await look();
    await look();
    expect(told(phone)).toEqual([`Respuesta lista: cotización ${folioOf(quote.id)}`]);
    await saw(quote.id, await answer(ana, quote));
    await look();
    expect(told(phone)).toHaveLength(1);
    expect(told(anas)).toEqual([]);
  });

  test('what is pushed holds folio and kind, in the shape that an iPhone shows by itself, and nothing of the person', async () => {
    const anas = await deviceOf(ana);
    const quote = await send();
    const phone = await phoneOf(quote);
    await look();
    await claim(ana, quote);
    await answer(ana, quote);
    await look();
    const folio = folioOf(quote.id);
    expect(pushes.pushed.map(({ payload }) => payload)).toEqual([
      {
        web_push: 8030,
        notification: {
          title: `Solicitud nueva ${folio}`,
          body: `New request ${folio}`,
          lang: 'es-MX',
          tag: await quoteTag(quote.id),
          navigate: `${SITE}/mesa.html#${folio}`,
          data: { message: expect.stringMatching(/^[0-9a-f-]{36}$/) as string },
          mutable: true,
          app_badge: expect.any(Number) as number,
        },
        mutable: true,
        app_badge: expect.any(Number) as number,
      },
      {
        web_push: 8030,
        mutable: true,
        app_badge: 1,
        notification: expect.objectContaining({
          navigate: `${SITE}/#mis-cotizaciones`,
          tag: await quoteTag(quote.id),
        }) as object,
      },
    ]);
    const all = JSON.stringify(pushes.pushed);
    for (const personal of [quote.nombre, quote.empresa, quote.email, quote.telefono, quote.id, ana.claims.email])
      expect(all).not.toContain(personal);
    expect([anas, phone]).toEqual(pushes.pushed.map(({ device }) => device));
  });

  test('an alert counts the leads without an answer that are its owner’s or nobody’s', async () => {
    const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
    const badges = async () => {
      pushes.pushed.length = 0;
      // More than five new leads within ten minutes would share a later alert.
      await askAsOwner(engine, "update public.alerts set asked_at = asked_at - interval '11 minutes'");
      await send();
      await look();
      return [anas, betos].map((name) => pushes.pushed.find(({ device }) => device === name)!.payload.app_badge!);
    };
    // Other tests leave leads behind.
    const before = await badges();
    const [taken, answered] = [await send(), await send()];
    await claim(beto, taken);
    await claim(ana, answered);
    await answer(ana, answered);
    expect(await badges()).toEqual([before[0]! + 1, before[1]! + 2]);
  });

  test('an answer counts the quotes of its phone with an answer that it has not shown', async () => {
    const phone = pushes.subscribe('counted');
    const answered = async (times = 1) => {
      const quote = await send();
      await listen(presenting(quote.id), phone, { quote_id: quote.id });
      await claim(ana, quote);
      let said = '';
      for (let nth = 0; nth < times; nth += 1) said = await answer(ana, quote);
      pushes.pushed.length = 0;
      await look();
      return { id: quote.id, said, badge: pushes.pushed[0]!.payload.app_badge };
    };
    const [twice, second] = [await answered(2), await answered()];
    expect([twice.badge, second.badge]).toEqual([1, 2]);
    await reply(second.id, { answer_id: second.said });
    const third = await answered();
    expect(third.badge).toBe(2);
    await saw(third.id, third.said);
    expect((await answered()).badge).toBe(2);
  });

  test('of two quotes with one folio each is told: neither takes the place of the other, here or at the push service', async () => {
    const id = randomUUID();
    const twins = [await send({ id }), await send({ id: id.slice(0, 10) + randomUUID().slice(10) })];
    expect(folioOf(twins[0]!.id)).toBe(folioOf(twins[1]!.id));
    const anas = await deviceOf(ana);
    const phones = [await phoneOf(twins[0]!), await phoneOf(twins[1]!)];
    await look();
    for (const twin of twins) {
      await claim(ana, twin);
      await answer(ana, twin);
    }
    await look();
    const marksOf = (device: string) => pushes.pushed.filter((each) => each.device === device);
    const marks = [...marksOf(anas), ...phones.flatMap(marksOf)];
    expect(marks).toHaveLength(4);
    expect(new Set(marks.map(({ topic }) => topic)).size).toBe(4);
    expect(new Set(marks.slice(0, 2).map(({ payload }) => payload.notification['tag'])).size).toBe(2);
    // What a push service sees, and what a device keeps, opens no quote and names none.
    for (const { topic, payload } of marks)
      for (const secret of [...twins.map((twin) => twin.id), ...twins.map((twin) => folioOf(twin.id))]) {
        expect(topic).not.toContain(secret);
        expect(String(payload.notification['tag'])).not.toContain(secret);
      }
  });

  test.each([404, 410])('a device that is gone (%s) is removed and asked no more', async (status) => {
    const anas = await deviceOf(ana);
    pushes.answers = () => ({ status });
    await send();
    await look();
    await send();
    await look();
    expect(pushes.asked.get(anas)).toBe(1);
    expect(await askAsOwner(engine, 'select id from public.push_devices')).toEqual([]);
  });

  describe('a flood', () => {
    const flood = async (count: number) => {
      const quotes: SampleQuote[] = [];
      for (let at = 0; at < count; at += 1) quotes.push(await send());
      return quotes;
    };
    const titlesOf = (quotes: readonly SampleQuote[]) =>
      new Set(quotes.map(({ id }) => `Solicitud nueva ${folioOf(id)}`));
    const lookUntil = async (minutes: number) => {
      for (; ahead < minutes * MINUTE; ahead += MINUTE) await look();
    };

    test('makes ten alerts of sixty quotes on each road, and leaves no lead out', async () => {
      const anas = await deviceOf(ana);
      mails = [];
      const first = (await flood(60)).slice(0, 5);
      await lookUntil(130);
      expect(told(anas)).toHaveLength(10);
      expect(new Set(told(anas).slice(0, 5))).toEqual(titlesOf(first));
      expect(told(anas).slice(5)).toEqual([
        '55 cotizaciones nuevas',
        '60 cotizaciones sin tomar: la primera vence en una hora',
        '60 cotizaciones sin tomar: la primera vence en 30 minutos',
        '60 cotizaciones sin tomar: la primera vence en 10 minutos',
        '60 cotizaciones sin tomar: el plazo de la primera ya pasó',
      ]);
      expect(mails).toHaveLength(10);
      const [figures] = await ask<object>(
        ana,
        'select count(*)::integer as leads, count(sent_at)::integer as sent from public.desk_alerts',
      );
      expect(figures).toEqual({ leads: 60, sent: 60 });
    });

    test.each([
      { count: 9, purged: 0, blocked: 1, taken: 1, says: () => '2 cotizaciones nuevas' },
      {
        count: 8,
        purged: 1,
        blocked: 0,
        taken: 1,
        says: ([left]: SampleQuote[]) => `Solicitud nueva ${folioOf(left!.id)}`,
      },
      { count: 7, purged: 0, blocked: 0, taken: 7, says: () => undefined },
    ])('is counted again for each try: %o', async ({ count, purged, blocked, taken, says }) => {
      const anas = await deviceOf(ana);
      const quotes = await flood(count);
      pushes.answers = () => ({ status: 503 });
      await lookUntil(6);
      const collected = quotes.slice(taken > 2 ? 0 : 5);
      for (const { id } of collected.splice(0, purged + blocked))
        await ask(service, 'update public.quote_desk set blocked_at = now() where quote_id = $1', [id]);
      if (purged > 0) await ask(service, 'delete from public.quotes where id = $1', [quotes[5]!.id]);
      for (const quote of collected.splice(0, taken)) await claim(beto, quote);
      pushes.answers = () => ({ status: 201 });
      ahead += 20 * MINUTE;
      const ended = await look();
      const single = taken > 2 ? [] : [...titlesOf(quotes.slice(0, 5))];
      const last = says(collected);
      expect(new Set(told(anas))).toEqual(new Set(last ? [...single, last] : single));
      expect(ended.length).toBe(told(anas).length);
      if (!last)
        expect(await askAsOwner(engine, 'select from public.alert_messages where next_at is not null')).toEqual([]);
      // Payload of a collected alert: no lead is named.
      const shared = pushes.pushed.find(({ payload }) => payload.notification['title'] === '2 cotizaciones nuevas');
      if (shared) expect(shared.payload.notification['navigate']).toBe(`${SITE}/mesa.html#`);
      for (const { id, empresa } of collected)
        for (const secret of [id, folioOf(id), empresa])
          expect(JSON.stringify(shared?.payload ?? '')).not.toContain(secret);
    });

    test('takes along reminders that fall due within five minutes, and no later ones', async () => {
      const anas = await deviceOf(ana);
      const [, soon, later] = await flood(3);
      await look();
      pushes.pushed.length = 0;
      const delay = (quote: SampleQuote, minutes: number) =>
        askAsOwner(
          engine,
          `update public.alerts set due_at = due_at + interval '${minutes} minutes' where quote_id = $1 and spread_at is null`,
          [quote.id],
        );
      await delay(soon!, 4);
      await delay(later!, 6);
      ahead = 60 * MINUTE + 5000;
      await look();
      const collected = '2 cotizaciones sin tomar: la primera vence en una hora';
      expect(told(anas)).toEqual([collected]);
      ahead = 67 * MINUTE;
      await look();
      expect(told(anas)).toEqual([collected, `${folioOf(later!.id)} espera respuesta: queda una hora`]);
    });

    test('leaves the reminders of taken leads to their owners', async () => {
      const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
      const [mine, ...others] = await flood(3);
      await look();
      await claim(ana, mine!);
      pushes.pushed.length = 0;
      ahead = 60 * MINUTE + 5000;
      await look();
      const collected = '2 cotizaciones sin tomar: la primera vence en una hora';
      expect(others).toHaveLength(2);
      expect(new Set(told(anas))).toEqual(
        new Set([collected, `${folioOf(mine!.id)} espera respuesta: queda una hora`]),
      );
      expect(told(betos)).toEqual([collected]);
    });
  });

  test('a push service that fails is asked seven times, ever later, and delays nobody else', async () => {
    const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
    pushes.answers = (device) => ({ status: device === anas ? 503 : 201 });
    const quote = await send();
    // Nothing but this one alert.
    await askAsOwner(engine, "delete from public.alerts where quote_id = $1 and kind <> 'nueva'", [quote.id]);
    await look();
    for (let wait = MINUTE; wait <= 32 * MINUTE; wait *= 2) {
      const tried = ahead;
      ahead = tried + 0.75 * wait - 1000;
      expect(await look()).toEqual([]);
      ahead = tried + 1.25 * wait + 1000;
      expect(await look()).toHaveLength(1);
    }
    ahead += 5 * HOUR;
    expect(await look()).toEqual([]);
    expect(pushes.asked.get(anas)).toBe(7);
    expect(told(betos)).toHaveLength(1);
  });

  test('what is tried again goes no further once a later one, or an answer, has come', async () => {
    const anas = await deviceOf(ana);
    pushes.answers = () => ({ status: 503 });
    const quote = await send();
    await claim(ana, quote);
    for (; ahead < 125 * MINUTE; ahead += 5 * MINUTE) await look();
    pushes.answers = () => ({ status: 201 });
    pushes.pushed.length = 0;
    for (; ahead < 240 * MINUTE; ahead += 10 * MINUTE) await look();
    expect(told(anas)).toEqual([expect.stringContaining('plazo ya pasó')]);

    const other = await send();
    await claim(ana, other);
    ahead += 65 * MINUTE;
    pushes.answers = () => ({ status: 503 });
    await look();
    await answer(ana, other);
    pushes.answers = () => ({ status: 201 });
    pushes.pushed.length = 0;
    ahead += 10 * MINUTE;
    await look();
    expect(told(anas)).toEqual([]);
  });

  test('Retry-After is obeyed, up to an hour', async () => {
    const anas = await deviceOf(ana);
    pushes.answers = (_device, nth) =>
      nth === 1 ? { status: 429, headers: { 'retry-after': '600' } } : { status: 201 };
    await send();
    await look();
    ahead = 9 * MINUTE;
    await look();
    expect(pushes.asked.get(anas)).toBe(1);
    ahead = 11 * MINUTE;
    await look();
    expect(told(anas)).toHaveLength(1);
  });

  test('an answer in Brotli is not decoded, and the alert is sent again', async () => {
    const anas = await deviceOf(ana);
    pushes.answers = (_device, nth) =>
      nth === 1 ? { status: 200, headers: { 'content-encoding': 'br' } } : { status: 201 };
    await send();
    const why = `${pushes.host} answered in br, which is not decoded here.`;
    expect((await look()).map(([, outcome]) => outcome)).toEqual([{ kind: 'again', why }]);
    ahead = 2 * MINUTE;
    await look();
    expect(told(anas)).toHaveLength(1);
  });

  test('one whose answer was lost is sent once more, and takes the place of the first on the device', async () => {
    const anas = await deviceOf(ana);
    pushes.answers = (_device, nth) => (nth === 1 ? 'drop' : { status: 201 });
    await send();
    await look();
    ahead = 2 * MINUTE;
    await look();
    const [one, other, ...more] = pushes.pushed;
    expect(more).toEqual([]);
    expect(other!.topic).toBe(one!.topic);
    expect(other!.payload).toEqual(one!.payload);
    expect(told(anas)).toHaveLength(2);
  });

  test('what was claimed by a sender that died is sent by the next, two minutes later', async () => {
    const anas = await deviceOf(ana);
    await send();
    expect(await storeIn(engine.database).claim(new Date(), false)).toHaveLength(1);
    ahead = MINUTE;
    expect(await look()).toEqual([]);
    ahead = 2 * MINUTE + 1000;
    await look();
    expect(told(anas)).toHaveLength(1);
  });

  test('a mailbox gets the same alerts as the team, and no answer that is for a phone', async () => {
    mails = [];
    await deviceOf(ana);
    const quote = await send();
    await look();
    ahead = 60 * MINUTE + 1000;
    await look();
    await claim(ana, quote);
    await answer(ana, quote);
    await look();
    const folio = folioOf(quote.id);
    expect(mails).toEqual([`nueva ${folio}`, `quedan60 ${folio}`]);
  });

  // Of 2026: in the night of 8 March Tijuana has no 2:30, in that of 1 November it has two.
  test.each(['2026-03-08T09:30:00Z', '2026-11-01T07:30:00Z', '2026-11-01T08:30:00Z'])(
    'two hours are 120 minutes on a night of Tijuana when its clocks change (%s)',
    async (asked) => {
      const { id } = await send();
      await askAsOwner(engine, 'delete from public.alerts where quote_id = $1', [id]);
      // As the trigger of a new row writes it.
      await asOwner(engine, 'alter table public.quote_desk disable trigger quote_desk_rules');
      await askAsOwner(engine, 'update public.quote_desk set asked_at = $2 where quote_id = $1', [id, asked]);
      await asOwner(engine, 'alter table public.quote_desk enable trigger quote_desk_rules');
      const due = await askAsOwner<{ kind: string; due_at: Date }>(
        engine,
        'select kind, due_at from public.alerts where quote_id = $1 order by due_at',
        [id],
      );
      expect(due.map(({ kind, due_at }) => [kind, (due_at.getTime() - Date.parse(asked)) / MINUTE])).toEqual([
        ['quedan60', 60],
        ['quedan30', 90],
        ['quedan10', 110],
        ['tarde', 120],
      ]);
    },
  );

  test('a word that could not be told is told, though another one came within its minute', async () => {
    const anas = await deviceOf(ana);
    for (const [kind, title] of [
      ['pregunta', 'Pregunta sobre'],
      ['aceptada', 'aceptada'],
    ] as const) {
      ahead = 0;
      const quote = await send();
      await claim(ana, quote);
      const answer_id = await answer(ana, quote, OFFER);
      await look();
      pushes.answers = () => ({ status: 503 });
      await reply(quote.id, kind === 'aceptada' ? { answer_id, kind, body: '' } : { answer_id });
      await look();
      await reply(quote.id, { answer_id });
      pushes.answers = () => ({ status: 201 });
      pushes.pushed.length = 0;
      for (; ahead < 5 * MINUTE; ahead += 30_000) await look();
      expect(told(anas).filter((each) => String(each).includes(title))).toHaveLength(1);
    }
  });

  test('what is blocked no more is told of what fell due meanwhile, by the last of it', async () => {
    const anas = await deviceOf(ana);
    const quote = await send();
    await look();
    pushes.pushed.length = 0;
    await ask(service, 'update public.quote_desk set blocked_at = now() where quote_id = $1', [quote.id]);
    ahead = 3 * HOUR;
    await look();
    expect(told(anas)).toEqual([]);
    await ask(service, 'update public.quote_desk set blocked_at = null where quote_id = $1', [quote.id]);
    await look();
    await look();
    expect(told(anas)).toEqual([expect.stringContaining('plazo ya pasó')]);
  });

  test('what is blocked is told to nobody, and what is erased leaves no device and no alert', async () => {
    const anas = await deviceOf(ana);
    const quote = await send();
    await phoneOf(quote);
    await ask(service, 'update public.quote_desk set blocked_at = now() where quote_id = $1 returning quote_id', [
      quote.id,
    ]);
    await look();
    expect(told(anas)).toEqual([]);
    await refused(
      presenting(quote.id),
      ...insertion('push_devices', { ...pushes.subscribe('x'), quote_id: quote.id }, '', ''),
      '23503',
    );
    await ask(service, 'delete from public.quotes where id = $1 returning id', [quote.id]);
    expect(await askAsOwner(engine, 'select id from public.alerts where quote_id = $1', [quote.id])).toEqual([]);
    expect(await askAsOwner(engine, 'select id from public.push_devices where quote_id = $1', [quote.id])).toEqual([]);
  });

  test('a hosted project that cannot call the function which sends alerts refuses no quote', async () => {
    // Here is no pg_net, as where somebody switched it off.
    await asOwner(
      engine,
      `create trigger alerts_call after insert on public.alerts
         for each statement execute function private.alerts_call_function()`,
    );
    onTestFinished(() => asOwner(engine, 'drop trigger alerts_call on public.alerts'));
    const { id } = await send();
    expect(
      await askAsOwner(engine, "select kind from public.alerts where quote_id = $1 and kind = 'nueva'", [id]),
    ).toEqual([{ kind: 'nueva' }]);
  });

  test('a device has the name of who sat down at it last', async () => {
    const device = pushes.subscribe('shared');
    await listen(ana, device);
    await listen(ana, device);
    await listen(beto, device);
    expect(await askAsOwner(engine, 'select staff from public.push_devices')).toEqual([{ staff: beto.sub }]);
  });

  test('a quote has five devices at most, and whoever opens its link ends not the first', async () => {
    const quote = await send();
    const phones: string[] = [];
    for (let each = 0; each < 8; each += 1) phones.push(await phoneOf(quote));
    const devices = await askAsOwner<{ endpoint: string }>(
      engine,
      'select endpoint from public.push_devices where quote_id = $1 order by created_at, id',
      [quote.id],
    );
    const [first, ...others] = devices.map(({ endpoint }) => endpoint.split('/').at(-1)!);
    expect(first).toContain(phones[0]);
    expect(others.map((each, at) => each.includes(phones.slice(-4)[at]!))).toEqual([true, true, true, true]);
  });

  test('the eleventh device of a colleague takes the place of the one silent for longest', async () => {
    const device = await deviceOf(ana);
    await asOwner(engine, "update public.push_devices set created_at = now() - interval '1 year'");
    for (let each = 0; each < 9; each += 1) await deviceOf(ana);
    const endpoints = async () =>
      (await askAsOwner<{ endpoint: string }>(engine, 'select endpoint from public.push_devices')).map(
        ({ endpoint }) => endpoint,
      );
    const silent = (await endpoints()).find((endpoint) => !endpoint.endsWith(device))!;
    await askAsOwner(
      engine,
      "update public.push_devices set answered_at = now() - interval '1 day' where endpoint = $1",
      [silent],
    );
    const betos = await deviceOf(beto);
    const added = await deviceOf(ana);
    const left = await endpoints();
    expect(left).toHaveLength(11);
    expect(left).not.toContain(silent);
    for (const name of [device, added, betos]) expect(left.some((each) => each.endsWith(`/${name}`))).toBe(true);
  });

  test('a device says that it has shown an alert, and the desk counts what was sent, shown and taken', async () => {
    await deviceOf(ana);
    const [quote, other] = [await send(), await send()];
    await look();
    const tag = await quoteTag(quote.id);
    const shown = pushes.pushed.find(({ payload }) => payload.notification['tag'] === tag)!;
    const { message } = shown.payload.notification['data'] as { message: string };
    const say = (message_id: string) => ask(visitor, ...insertion('alert_shown', { message_id }, '', ''));
    await say(message);
    await expect(say(message)).rejects.toMatchObject({ code: '23505' });
    await expect(say(randomUUID())).rejects.toMatchObject({ code: '23503' });
    await claim(beto, quote);
    const rows = await ask(ana, 'select * from public.desk_alerts order by shown_at nulls last');
    const at = expect.any(Date) as Date;
    expect(rows).toEqual([
      { quote_id: quote.id, sent_at: at, shown_at: at, taken_at: at },
      { quote_id: other.id, sent_at: at, shown_at: null, taken_at: null },
    ]);
    expect(await ask({ ...ana, claims: {} }, 'select * from public.desk_alerts')).toEqual([]);
  });

  describe('a test of the road', () => {
    const store = async (staff: string | null = null) => {
      const [stored] = await ask<{ id: string }>(service, ...insertion('alert_tests', { staff }, '', 'returning id'));
      return stored!.id;
    };
    const messagesOf = (id: string) =>
      ask<{ said: string | null; sent_at: Date | null; way: string }>(
        service,
        'select * from public.alert_test_messages where test_id = $1 order by way',
        [id],
      );

    test('is told as an alert is, to whom it is for, and is in no figure of the desk', async () => {
      const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
      mails = [];
      const own = await store(ana.sub);
      expect(await messagesOf(own)).toEqual([expect.objectContaining({ message_id: null, spread_at: null })]);
      await look();
      expect([told(anas), told(betos), mails]).toEqual([['Prueba: los avisos llegan a este equipo'], [], []]);
      expect(await messagesOf(own)).toEqual([
        expect.objectContaining({ way: 'push', said: '201', sent_at: expect.any(Date) as Date }),
      ]);
      const { message } = pushes.pushed[0]!.payload.notification['data'] as { message: string };
      await ask(visitor, ...insertion('alert_shown', { message_id: message }, '', ''));
      expect(await messagesOf(own)).toEqual([expect.objectContaining({ shown_at: expect.any(Date) as Date })]);
      await store();
      await look();
      expect([told(anas).length, told(betos).length, mails]).toEqual([2, 1, ['prueba ']]);
      expect(await ask(ana, 'select * from public.desk_alerts')).toEqual([]);
      await ask(service, 'delete from public.alert_tests');
      expect(await askAsOwner(engine, "select id from public.alerts where kind = 'prueba'")).toEqual([]);
    });

    test('says what a push service answered that did not take it', async () => {
      await deviceOf(ana);
      pushes.answers = () => ({ status: 410 });
      const rehearsal = await store();
      await look();
      expect(await messagesOf(rehearsal)).toEqual([
        expect.objectContaining({ said: '410', sent_at: null, next_at: null, device_id: null }),
      ]);
      await ask(service, 'delete from public.alert_tests');
    });

    test('is not given to a sender that has no words for it', async () => {
      const anas = await deviceOf(ana);
      const rehearsal = await store();
      const earlier = () =>
        ask<Message>(service, "select * from public.claim_alerts($1, false, '{nueva}')", [new Date(now())]);
      expect(await earlier()).toEqual([]);
      const { id } = await send();
      expect(await earlier()).toMatchObject([{ kind: 'nueva', folio: folioOf(id) }]);
      // As it said how a message ended.
      const [sent] = await askAsOwner<{ id: string }>(engine, 'select id from public.alert_messages');
      await ask(service, "select public.settle_alert($1, now(), 'sent', null)", [sent!.id]);
      expect(told(anas)).toEqual([]);
      await look();
      expect(told(anas)).toEqual(['Prueba: los avisos llegan a este equipo']);
      expect(await messagesOf(rehearsal)).toHaveLength(1);
      await ask(service, 'delete from public.alert_tests');
    });

    test('and whether alerts are sent are read and written by nobody whom they do not concern', async () => {
      await store();
      for (const caller of [visitor, ana]) {
        await refused(caller, 'select * from public.alert_tests');
        await refused(caller, 'select * from public.alert_test_messages');
        await refused(caller, ...insertion('alert_tests', { staff: null }, '', ''));
        await refused(caller, 'update public.alert_sender set ran_at = now()');
      }
      await refused(visitor, 'select * from public.alert_sender');
      expect(await ask({ ...ana, claims: { sub: ana.sub } }, 'select * from public.alert_sender')).toEqual([]);
      await ask(service, 'delete from public.alert_tests');
    });
  });

  test('staff read when alerts were last looked for, also where nothing was due', async () => {
    await asOwner(engine, 'update public.alert_sender set ran_at = null');
    const ranAt = async () => (await ask<{ ran_at: Date | null }>(ana, 'select ran_at from public.alert_sender'))[0]!;
    expect(await ranAt()).toEqual({ ran_at: null });
    expect(await look()).toEqual([]);
    expect(Date.now() - (await ranAt()).ran_at!.getTime()).toBeLessThan(60_000);
  });

  describe('a stranger', () => {
    const outside: readonly (readonly [string, Caller])[] = [
      ['who is anonymous', visitor],
      ['who signed in without the claim', { role: 'authenticated', claims: { sub: randomUUID() } }],
    ];
    test.each(outside)('%s reads no device, no alert and no private key, and sends nothing', async (_who, caller) => {
      const quote = await send();
      await deviceOf(ana);
      await phoneOf(quote);
      await refused(caller, 'select * from public.push_devices');
      await refused(caller, 'select private_key from public.push_keys');
      await refused(caller, 'delete from public.push_devices');
      await refused(caller, "update public.push_devices set endpoint = 'https://fcm.googleapis.com/x'");
      await refused(caller, "select * from public.claim_alerts(now(), false, '{nueva}')");
      await refused(caller, "select public.settle_alert(gen_random_uuid(), now(), 'gone', null)");
      await refused(
        caller,
        "insert into public.alerts (quote_id, kind, asked_at, due_at) values (gen_random_uuid(), 'nueva', now(), now())",
      );
      await refused(caller, ...insertion('push_devices', { ...pushes.subscribe('s'), quote_id: quote.id }, '', ''));
      await refused(caller, ...insertion('push_devices', { ...pushes.subscribe('s'), staff: ana.sub }, '', ''));
      for (const table of ['alerts', 'alert_messages', 'desk_alerts'])
        expect(await ask(caller, `select * from public.${table}`).catch(() => [])).toEqual([]);
      expect(await ask(caller, 'select public_key from public.push_keys')).toEqual([{ public_key: keys.public_key }]);
    });

    test('who presents one quote is not told about another, and a colleague subscribes nobody else', async () => {
      const [mine, other] = [await send(), await send()];
      const device = pushes.subscribe('mine');
      await refused(presenting(mine.id), ...insertion('push_devices', { ...device, quote_id: other.id }, '', ''));
      await refused(visitor, ...insertion('push_devices', device, '', ''));
      await refused(ana, ...insertion('push_devices', { ...device, staff: beto.sub }, '', ''));
      await refused({ ...ana, claims: { sub: ana.sub } }, ...insertion('push_devices', device, '', ''));
    });

    test.each([
      ['endpoint', 'http://fcm.googleapis.com/send/x'],
      ['endpoint', `https://fcm.googleapis.com/${'x'.repeat(1000)}`],
      ['endpoint', 'https://fcm.googleapis.com/a b'],
      ['endpoint', 'https://fcm.googleapis.com/\u0000'],
      ['p256dh', 'short'],
      ['auth', 'short'],
    ])('with a crooked %s (%s) is turned away', async (field, value) => {
      const { id } = await send();
      const device = { ...pushes.subscribe('crooked'), [field]: value, quote_id: id };
      await expect(ask(presenting(id), ...insertion('push_devices', device, '', ''))).rejects.toMatchObject({
        code: expect.stringMatching(/23514|22021/) as string,
      });
    });

    test('makes the server knock at no other door: what is no push service is dropped unasked', async () => {
      const quote = await send();
      await look();
      const inside = { ...pushes.subscribe('inside'), endpoint: 'https://169.254.169.254/latest' };
      await listen(presenting(quote.id), inside, { quote_id: quote.id });
      await listen(
        presenting(quote.id),
        { ...inside, endpoint: 'https://fcm.googleapis.com.evil.example/x' },
        { quote_id: quote.id },
      );
      await claim(ana, quote);
      await answer(ana, quote);
      const ended = await look();
      expect(ended.map(([, outcome]) => outcome)).toEqual([
        { kind: 'gone', why: 'no push service' },
        { kind: 'gone', why: 'no push service' },
      ]);
      expect(await askAsOwner(engine, 'select id from public.push_devices')).toEqual([]);
    });

    test('with a key that is no point of the curve stops nobody else', async () => {
      const quote = await send();
      const phone = await phoneOf(quote);
      await listen(
        presenting(quote.id),
        { ...pushes.subscribe('odd'), p256dh: `B${'A'.repeat(86)}` },
        { quote_id: quote.id },
      );
      await claim(ana, quote);
      await answer(ana, quote);
      await look();
      expect(told(phone)).toHaveLength(1);
    });
  });
});
