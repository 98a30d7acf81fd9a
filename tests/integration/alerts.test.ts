import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { keysOf, storeIn } from '../../server/alerts/embedded.ts';
import type { AlertMessage, Outcome } from '../../server/alerts/message.ts';
import { sendDue } from '../../server/alerts/send-due.ts';
import { push } from '../../server/alerts/web-push.ts';
import { plainFetch } from '../../server/plain-fetch.ts';
import { alertWords, collectedWords } from '../../src/content/alerts.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { quoteTag } from '../../src/lead/quote-tag.ts';
import { CERTIFICATE, PushService, type Device } from '../push/service.ts';
import {
  askAsOwner,
  asOwner,
  insertion,
  presenting,
  quoting,
  service,
  staffMember,
  visitor,
  type Caller,
} from './callers.ts';
import { actsOn, OFFER } from './lead-acts.ts';
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

describe.each(engines)('on $name', (engine) => {
  let names = 0;
  let mails: string[] | undefined;
  let keys: Awaited<ReturnType<typeof keysOf>>;
  /** Milliseconds by which the alert sender’s clock is ahead of the database’s clock. */
  let ahead = 0;
  // Database times have microseconds, which Date.now() lacks, so a millisecond is added.
  const now = () => Date.now() + 1 + ahead;

  const { ask, put, refused, take, answer, reply, saw, block } = actsOn(engine);
  const send = quoting(engine);
  const listen = (caller: Caller, device: Device, more: object = {}) =>
    put(caller, 'push_devices', { ...device, ...more });
  const deviceOf = async (caller: Caller, more: object = {}) => {
    const name = `${engine.name.length}-${(names += 1)}`;
    await listen(caller, pushes.subscribe(name), more);
    return name;
  };
  const phoneOf = ({ id }: SampleQuote) => deviceOf(presenting(id), { quote_id: id });
  const look = async () => {
    const ended: (readonly [AlertMessage, Outcome])[] = [];
    await sendDue({
      store: storeIn(engine.database),
      channels: {
        push: (message, time) =>
          push(
            message,
            { keys, contact: 'mailto:a@b.example', services: [pushes.host], site: SITE, fetch: plainFetch },
            time,
          ),
        ...(mails && { mail: async ({ kind, folio }) => (mails!.push(`${kind} ${folio}`), { kind: 'sent' }) }),
      },
      now,
      onOutcome: (message, outcome) => ended.push([message, outcome]),
    });
    return ended;
  };
  /** Returns the titles of the alerts that a device got in this test, in order. */
  const shownOn = (device: string) =>
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
  test('the server creates its push keys once, and always uses the same keys', async () => {
    expect(await keysOf(engine.database)).toEqual(keys);
    expect(Buffer.from(keys.public_key, 'base64url')).toHaveLength(65);
    expect(Buffer.from(keys.private_key, 'base64url')).toHaveLength(32);
  });

  test('a new lead alerts all colleagues at once, three times before its deadline, and when late', async () => {
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
      ahead = minutes * MINUTE - MINUTE / 2;
      if (minutes > 0) await look();
      expect(shownOn(anas)).toHaveLength(at);
      ahead = minutes * MINUTE + 5000;
      await Promise.all([look(), look()]);
      await look();
      expect(shownOn(anas).slice(at)).toEqual([title]);
    }
    expect(shownOn(betos)).toEqual(shownOn(anas));
    ahead = 26 * HOUR;
    expect(await look()).toEqual([]);
  });

  test('alerts about an owned lead reach only its owner, and end with the answer', async () => {
    const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
    const quote = await send();
    await look();
    await take(ana, quote);
    ahead = 60 * MINUTE + 1000;
    await look();
    expect([shownOn(anas).length, shownOn(betos).length]).toEqual([2, 1]);
    await answer(ana, quote);
    ahead = 3 * HOUR;
    await look();
    expect([shownOn(anas).length, shownOn(betos).length]).toEqual([2, 1]);
  });

  test('a new lead that a colleague takes before alerts are sent alerts nobody', async () => {
    const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
    await take(beto, await send());
    await look();
    expect([...shownOn(anas), ...shownOn(betos)]).toEqual([]);
  });

  test('two leads that arrived while the server was stopped cause one alert', async () => {
    const anas = await deviceOf(ana);
    for (let each = 0; each < 2; each += 1) await send();
    ahead = 95 * MINUTE;
    await look();
    expect(shownOn(anas)).toEqual([collectedWords.quedan30(2).es]);
  });

  test('a question or acceptance alerts the lead’s owner, and sets a new deadline of two hours', async () => {
    const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
    const quote = await send();
    await take(ana, quote);
    const answer_id = await answer(ana, quote, OFFER);
    await look();
    await reply(quote.id, { answer_id });
    expect(await look()).toMatchObject([[{ kind: 'pregunta', leads: 1, attempts: 1 }, { kind: 'sent' }]]);
    expect(shownOn(anas)).toEqual([`Pregunta sobre ${folioOf(quote.id)}`]);
    ahead = 61 * MINUTE;
    await look();
    expect(shownOn(anas).at(-1)).toMatch(/queda una hora/);
    await answer(ana, quote);
    ahead = 0;
    await reply(quote.id, { answer_id, kind: 'aceptada', body: '' });
    await look();
    expect(shownOn(anas).at(-1)).toBe(alertWords.aceptada(folioOf(quote.id)).es);
    expect(shownOn(betos)).toEqual([]);
  });

  test('the alert says whether a customer replied to our question or asked a new question', async () => {
    const anas = await deviceOf(ana);
    const replied = async (...answers: readonly object[]) => {
      const quote = await send();
      await take(ana, quote);
      const answer_id = await answer(ana, quote, { kind: 'pregunta' });
      await look();
      await reply(quote.id, { answer_id });
      for (const more of answers) await reply(quote.id, more);
      await look();
      const [lead] = await ask(ana, 'select reply_to from public.desk_leads where quote_id = $1', [quote.id]);
      return [lead?.['reply_to'], String(shownOn(anas).at(-1)).replace(folioOf(quote.id), '…')];
    };
    expect(await replied()).toEqual(['pregunta', 'Cliente respondió: …']);
    expect(await replied({})).toEqual([null, 'Pregunta sobre …']);
  });

  test('three questions within a minute cause one alert, and an acceptance causes another', async () => {
    const anas = await deviceOf(ana);
    const quote = await send();
    await take(ana, quote);
    const answer_id = await answer(ana, quote, OFFER);
    await look();
    const question = `Pregunta sobre ${folioOf(quote.id)}`;
    for (let count = 0; count < 3; count += 1) {
      await reply(quote.id, { answer_id });
      await look();
    }
    expect(shownOn(anas)).toEqual([question]);
    await reply(quote.id, { answer_id, kind: 'aceptada', body: '' });
    await reply(quote.id, { answer_id });
    await look();
    expect(shownOn(anas)).toEqual([question]);
    ahead = MINUTE + 1000;
    await look();
    expect(shownOn(anas)).toEqual([question, alertWords.aceptada(folioOf(quote.id)).es]);
    ahead = 5 * MINUTE;
    expect(await look()).toEqual([]);
  });

  test('three answers within a minute cause one alert on the customer’s phone', async () => {
    const quote = await send();
    const phone = await phoneOf(quote);
    await take(ana, quote);
    for (let count = 0; count < 3; count += 1) {
      await answer(ana, quote);
      await look();
    }
    expect(shownOn(phone)).toHaveLength(1);
    ahead = MINUTE + 1000;
    await look();
    expect(shownOn(phone)).toHaveLength(2);
  });

  test('a new quote and a question about it cause two alerts', async () => {
    const anas = await deviceOf(ana);
    const quote = await send();
    await reply(quote.id);
    await look();
    expect(new Set(shownOn(anas))).toEqual(
      new Set([`Pregunta sobre ${folioOf(quote.id)}`, `Solicitud nueva ${folioOf(quote.id)}`]),
    );
  });

  test('each answer alerts the customer’s phone once, unless the phone has already shown it', async () => {
    const quote = await send();
    const [phone, anas] = [await phoneOf(quote), await deviceOf(ana)];
    await take(ana, quote);
    await answer(ana, quote);
    await look();
    await look();
    expect(shownOn(phone)).toEqual([`Respuesta lista: ${folioOf(quote.id)}`]);
    await saw(quote.id, await answer(ana, quote));
    await look();
    expect(shownOn(phone)).toHaveLength(1);
    expect(shownOn(anas)).toEqual([]);
  });

  test('a push message contains folio and kind of event, but no personal data', async () => {
    const anas = await deviceOf(ana);
    const quote = await send();
    const phone = await phoneOf(quote);
    await look();
    await take(ana, quote);
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

  test('the badge on a colleague’s app icon counts open leads that are own or unassigned', async () => {
    const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
    const badges = async () => {
      pushes.pushed.length = 0;
      // The alert times are moved back, because more than five new leads within ten minutes would share one alert.
      await askAsOwner(engine, "update public.alerts set asked_at = asked_at - interval '11 minutes'");
      await send();
      await look();
      return [anas, betos].map((name) => pushes.pushed.find(({ device }) => device === name)!.payload.app_badge!);
    };
    // The badge also counts leads that earlier tests left.
    const earlier = await badges();
    const [taken, answered] = [await send(), await send()];
    await take(beto, taken);
    await take(ana, answered);
    await answer(ana, answered);
    expect(await badges()).toEqual([earlier[0]! + 1, earlier[1]! + 2]);
  });

  test('the badge on a customer’s app icon counts quotes with an unseen answer', async () => {
    const phone = pushes.subscribe('counted');
    const answered = async (times = 1) => {
      const quote = await send();
      await listen(presenting(quote.id), phone, { quote_id: quote.id });
      await take(ana, quote);
      let answerId = '';
      for (let nth = 0; nth < times; nth += 1) answerId = await answer(ana, quote);
      pushes.pushed.length = 0;
      await look();
      return { id: quote.id, answerId, badge: pushes.pushed[0]!.payload.app_badge };
    };
    const [twice, second] = [await answered(2), await answered()];
    expect([twice.badge, second.badge]).toEqual([1, 2]);
    await reply(second.id, { answer_id: second.answerId });
    const third = await answered();
    expect(third.badge).toBe(2);
    await saw(third.id, third.answerId);
    expect((await answered()).badge).toBe(2);
  });

  test('the alerts of two quotes with the same folio do not replace each other', async () => {
    const id = randomUUID();
    const twins = [await send({ id }), await send({ id: id.slice(0, 10) + randomUUID().slice(10) })];
    expect(folioOf(twins[0]!.id)).toBe(folioOf(twins[1]!.id));
    const anas = await deviceOf(ana);
    const phones = [await phoneOf(twins[0]!), await phoneOf(twins[1]!)];
    await look();
    for (const twin of twins) {
      await take(ana, twin);
      await answer(ana, twin);
    }
    await look();
    const marksOf = (device: string) => pushes.pushed.filter((each) => each.device === device);
    const marks = [...marksOf(anas), ...phones.flatMap(marksOf)];
    expect(marks).toHaveLength(4);
    expect(new Set(marks.map(({ topic }) => topic)).size).toBe(4);
    expect(new Set(marks.slice(0, 2).map(({ payload }) => payload.notification['tag'])).size).toBe(2);
    // The push service can read topic and tag, so neither may contain an id or a folio.
    for (const { topic, payload } of marks)
      for (const secret of [...twins.map((twin) => twin.id), ...twins.map((twin) => folioOf(twin.id))]) {
        expect(topic).not.toContain(secret);
        expect(String(payload.notification['tag'])).not.toContain(secret);
      }
  });

  test.each([404, 410])('a device is removed when its push service answers that it is gone (%s)', async (status) => {
    const anas = await deviceOf(ana);
    pushes.answers = () => ({ status });
    await send();
    await look();
    await send();
    await look();
    expect(pushes.asked.get(anas)).toBe(1);
    expect(await askAsOwner(engine, 'select id from public.push_devices')).toEqual([]);
  });

  describe('alerts during a flood of quotes', () => {
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

    test('sixty quotes at once cause only ten alerts, which name all leads or their number', async () => {
      const anas = await deviceOf(ana);
      mails = [];
      const first = (await flood(60)).slice(0, 5);
      await lookUntil(130);
      expect(shownOn(anas)).toHaveLength(10);
      expect(new Set(shownOn(anas).slice(0, 5))).toEqual(titlesOf(first));
      expect(shownOn(anas).slice(5)).toEqual([
        collectedWords.nueva(55).es,
        ...[collectedWords.quedan60, collectedWords.quedan30, collectedWords.quedan10, collectedWords.tarde].map(
          (says) => says(60).es,
        ),
      ]);
      expect(mails).toHaveLength(10);
      const [figures] = await ask<object>(
        ana,
        'select count(*)::integer as leads, count(sent_at)::integer as sent from public.desk_alerts',
      );
      expect(figures).toEqual({ leads: 60, sent: 60 });
    });

    test.each([
      { count: 9, purged: 0, blocked: 1, taken: 1, says: () => collectedWords.nueva(2).es },
      {
        count: 8,
        purged: 1,
        blocked: 0,
        taken: 1,
        says: ([left]: SampleQuote[]) => `Solicitud nueva ${folioOf(left!.id)}`,
      },
      { count: 7, purged: 0, blocked: 0, taken: 7, says: () => undefined },
    ])(
      'an alert about several leads counts the leads again at each attempt: %o',
      async ({ count, purged, blocked, taken, says }) => {
        const anas = await deviceOf(ana);
        const quotes = await flood(count);
        pushes.answers = () => ({ status: 503 });
        await lookUntil(6);
        const collected = quotes.slice(taken > 2 ? 0 : 5);
        for (const { id } of collected.splice(0, purged + blocked)) await block(id);
        if (purged > 0) await ask(service, 'delete from public.quotes where id = $1', [quotes[5]!.id]);
        for (const quote of collected.splice(0, taken)) await take(beto, quote);
        pushes.answers = () => ({ status: 201 });
        ahead += 20 * MINUTE;
        const ended = await look();
        const single = taken > 2 ? [] : [...titlesOf(quotes.slice(0, 5))];
        const last = says(collected);
        expect(new Set(shownOn(anas))).toEqual(new Set(last ? [...single, last] : single));
        expect(ended.length).toBe(shownOn(anas).length);
        if (!last)
          expect(await askAsOwner(engine, 'select from public.alert_messages where next_at is not null')).toEqual([]);
        // An alert about several leads links to the list, and contains no data of a single lead.
        const shared = pushes.pushed.find(
          ({ payload }) => payload.notification['title'] === collectedWords.nueva(2).es,
        );
        if (shared) expect(shared.payload.notification['navigate']).toBe(`${SITE}/mesa.html#`);
        for (const { id, empresa } of collected)
          for (const secret of [id, folioOf(id), empresa])
            expect(JSON.stringify(shared?.payload ?? '')).not.toContain(secret);
      },
    );

    test('a reminder about several leads includes those due within five minutes', async () => {
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
      const collected = collectedWords.quedan60(2).es;
      expect(shownOn(anas)).toEqual([collected]);
      ahead = 67 * MINUTE;
      await look();
      expect(shownOn(anas)).toEqual([collected, `${folioOf(later!.id)} espera respuesta: queda una hora`]);
    });

    test('a reminder about several leads leaves out leads with an owner, who gets a separate reminder', async () => {
      const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
      const [mine, ...others] = await flood(3);
      await look();
      await take(ana, mine!);
      pushes.pushed.length = 0;
      ahead = 60 * MINUTE + 5000;
      await look();
      const collected = collectedWords.quedan60(2).es;
      expect(others).toHaveLength(2);
      expect(new Set(shownOn(anas))).toEqual(
        new Set([collected, `${folioOf(mine!.id)} espera respuesta: queda una hora`]),
      );
      expect(shownOn(betos)).toEqual([collected]);
    });
  });

  test('the alert sender tries a failing push service again seven times, and delays no other push', async () => {
    const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
    pushes.answers = (device) => ({ status: device === anas ? 503 : 201 });
    const quote = await send();
    // The test deletes the reminders, so that it counts only attempts for the first alert.
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
    expect(shownOn(betos)).toHaveLength(1);
  });

  test('the alert sender gives up a failed alert after a later alert or an answer', async () => {
    const anas = await deviceOf(ana);
    pushes.answers = () => ({ status: 503 });
    const quote = await send();
    await take(ana, quote);
    for (; ahead < 125 * MINUTE; ahead += 5 * MINUTE) await look();
    pushes.answers = () => ({ status: 201 });
    pushes.pushed.length = 0;
    for (; ahead < 240 * MINUTE; ahead += 10 * MINUTE) await look();
    expect(shownOn(anas)).toEqual([expect.stringContaining('plazo ya pasó')]);

    const other = await send();
    await take(ana, other);
    ahead += 65 * MINUTE;
    pushes.answers = () => ({ status: 503 });
    await look();
    await answer(ana, other);
    pushes.answers = () => ({ status: 201 });
    pushes.pushed.length = 0;
    ahead += 10 * MINUTE;
    await look();
    expect(shownOn(anas)).toEqual([]);
  });

  test('the alert sender obeys a push service’s Retry-After, up to an hour', async () => {
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
    expect(shownOn(anas)).toHaveLength(1);
  });

  test('the alert sender refuses a compressed response of a push service, and sends the alert again', async () => {
    const anas = await deviceOf(ana);
    pushes.answers = (_device, nth) =>
      nth === 1 ? { status: 200, headers: { 'content-encoding': 'br' } } : { status: 201 };
    await send();
    const why = `${pushes.host} answered in br, which is not supported.`;
    expect((await look()).map(([, outcome]) => outcome)).toEqual([{ kind: 'again', why }]);
    ahead = 2 * MINUTE;
    await look();
    expect(shownOn(anas)).toHaveLength(1);
  });

  test('an alert sent again after a lost response replaces the first alert on the device', async () => {
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
    expect(shownOn(anas)).toHaveLength(2);
  });

  test('an alert that a killed process was sending is sent by another process after two minutes', async () => {
    const anas = await deviceOf(ana);
    await send();
    expect(await storeIn(engine.database).claim(new Date(), ['push'])).toHaveLength(1);
    ahead = MINUTE;
    expect(await look()).toEqual([]);
    ahead = 2 * MINUTE + 1000;
    await look();
    expect(shownOn(anas)).toHaveLength(1);
  });

  test('the team’s mailbox gets the alerts for the team, but no alerts for a phone', async () => {
    mails = [];
    await deviceOf(ana);
    const quote = await send();
    await look();
    ahead = 60 * MINUTE + 1000;
    await look();
    await take(ana, quote);
    await answer(ana, quote);
    await look();
    const folio = folioOf(quote.id);
    expect(mails).toEqual([`nueva ${folio}`, `quedan60 ${folio}`]);
  });

  // Clock changes in Tijuana: 8 March 2026 has no 2:30 at night, and 1 November 2026 has the hour from 1:00 twice.
  test.each(['2026-03-08T09:30:00Z', '2026-11-01T07:30:00Z', '2026-11-01T08:30:00Z'])(
    'the answer time of two hours lasts 120 minutes although Tijuana’s clocks change (%s)',
    async (askedAt) => {
      const { id } = await send();
      await askAsOwner(engine, 'delete from public.alerts where quote_id = $1', [id]);
      // The trigger is turned off, because it would replace this time by the current time.
      await asOwner(engine, 'alter table public.quote_desk disable trigger quote_desk_rules');
      await askAsOwner(engine, 'update public.quote_desk set asked_at = $2 where quote_id = $1', [id, askedAt]);
      await asOwner(engine, 'alter table public.quote_desk enable trigger quote_desk_rules');
      const due = await askAsOwner<{ kind: string; due_at: Date }>(
        engine,
        'select kind, due_at from public.alerts where quote_id = $1 order by due_at',
        [id],
      );
      expect(due.map(({ kind, due_at }) => [kind, (due_at.getTime() - Date.parse(askedAt)) / MINUTE])).toEqual([
        ['quedan60', 60],
        ['quedan30', 90],
        ['quedan10', 110],
        ['tarde', 120],
      ]);
    },
  );

  test('an alert that failed at first is delivered although another alert followed at once', async () => {
    const anas = await deviceOf(ana);
    for (const [kind, title] of [
      ['pregunta', 'Pregunta sobre'],
      ['aceptada', 'Oferta aceptada'],
    ] as const) {
      ahead = 0;
      const quote = await send();
      await take(ana, quote);
      const answer_id = await answer(ana, quote, OFFER);
      await look();
      pushes.answers = () => ({ status: 503 });
      await reply(quote.id, kind === 'aceptada' ? { answer_id, kind, body: '' } : { answer_id });
      await look();
      await reply(quote.id, { answer_id });
      pushes.answers = () => ({ status: 201 });
      pushes.pushed.length = 0;
      for (; ahead < 5 * MINUTE; ahead += 30_000) await look();
      expect(shownOn(anas).filter((each) => String(each).includes(title))).toHaveLength(1);
    }
  });

  test('a quote that is unblocked causes only the last alert that was due in the meantime', async () => {
    const anas = await deviceOf(ana);
    const quote = await send();
    await look();
    pushes.pushed.length = 0;
    await block(quote.id);
    ahead = 3 * HOUR;
    await look();
    expect(shownOn(anas)).toEqual([]);
    await block(quote.id, null);
    await look();
    await look();
    expect(shownOn(anas)).toEqual([expect.stringContaining('plazo ya pasó')]);
  });

  test('a blocked quote alerts nobody; an erased quote leaves no devices or alerts', async () => {
    const anas = await deviceOf(ana);
    const quote = await send();
    await phoneOf(quote);
    await block(quote.id);
    await look();
    expect(shownOn(anas)).toEqual([]);
    await refused(
      presenting(quote.id),
      ...insertion('push_devices', { ...pushes.subscribe('x'), quote_id: quote.id }, '', ''),
      '23503',
    );
    await ask(service, 'delete from public.quotes where id = $1 returning id', [quote.id]);
    expect(await askAsOwner(engine, 'select id from public.alerts where quote_id = $1', [quote.id])).toEqual([]);
    expect(await askAsOwner(engine, 'select id from public.push_devices where quote_id = $1', [quote.id])).toEqual([]);
  });

  test('a hosted project accepts quotes although its database cannot call the alert function', async () => {
    // The function calls pg_net, which this database lacks, as does a project in which the extension is off.
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

  test('a device gets the alerts of the colleague who signed in last', async () => {
    const device = pushes.subscribe('shared');
    await listen(ana, device);
    await listen(ana, device);
    await listen(beto, device);
    expect(await askAsOwner(engine, 'select staff from public.push_devices')).toEqual([{ staff: beto.sub }]);
  });

  test('a quote alerts at most five devices: the first and the four newest', async () => {
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

  test('a colleague’s eleventh device replaces the device that was unused longest', async () => {
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

  test('the desk counts the alerts that were sent, shown on a device, and acted on', async () => {
    await deviceOf(ana);
    const [quote, other] = [await send(), await send()];
    await look();
    const tag = await quoteTag(quote.id);
    const shown = pushes.pushed.find(({ payload }) => payload.notification['tag'] === tag)!;
    const { message } = shown.payload.notification['data'] as { message: string };
    const say = (message_id: string) => put(visitor, 'alert_shown', { message_id });
    await say(message);
    await expect(say(message)).rejects.toMatchObject({ code: '23505' });
    await expect(say(randomUUID())).rejects.toMatchObject({ code: '23503' });
    await take(beto, quote);
    const rows = await ask(ana, 'select * from public.desk_alerts order by shown_at nulls last');
    const at = expect.any(Date) as Date;
    expect(rows).toEqual([
      { quote_id: quote.id, sent_at: at, shown_at: at, taken_at: at },
      { quote_id: other.id, sent_at: at, shown_at: null, taken_at: null },
    ]);
    expect(await ask({ ...ana, claims: {} }, 'select * from public.desk_alerts')).toEqual([]);
  });

  describe('a test alert', () => {
    const store = async (staff: string | null = null) => {
      const [stored] = await ask<{ id: string }>(service, ...insertion('alert_tests', { staff }, '', 'returning id'));
      return stored!.id;
    };
    const messagesOf = (id: string) =>
      ask<{ result: string | null; sent_at: Date | null; way: string }>(
        service,
        'select * from public.alert_test_messages where test_id = $1 order by way',
        [id],
      );

    test('a test alert is sent like any alert, and changes no figure of the desk', async () => {
      const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
      mails = [];
      const own = await store(ana.sub);
      expect(await messagesOf(own)).toEqual([expect.objectContaining({ message_id: null, spread_at: null })]);
      await look();
      expect([shownOn(anas), shownOn(betos), mails]).toEqual([
        ['Prueba: los avisos llegan a este dispositivo'],
        [],
        [],
      ]);
      expect(await messagesOf(own)).toEqual([
        expect.objectContaining({ way: 'push', result: '201', sent_at: expect.any(Date) as Date }),
      ]);
      const { message } = pushes.pushed[0]!.payload.notification['data'] as { message: string };
      await put(visitor, 'alert_shown', { message_id: message });
      expect(await messagesOf(own)).toEqual([expect.objectContaining({ shown_at: expect.any(Date) as Date })]);
      await store();
      await look();
      expect([shownOn(anas).length, shownOn(betos).length, mails]).toEqual([2, 1, ['prueba ']]);
      expect(await ask(ana, 'select * from public.desk_alerts')).toEqual([]);
      await ask(service, 'delete from public.alert_tests');
      expect(await askAsOwner(engine, "select id from public.alerts where kind = 'prueba'")).toEqual([]);
    });

    test('a test alert records the status of a push service that refused the push', async () => {
      await deviceOf(ana);
      pushes.answers = () => ({ status: 410 });
      const rehearsal = await store();
      await look();
      expect(await messagesOf(rehearsal)).toEqual([
        expect.objectContaining({ result: '410', sent_at: null, next_at: null, device_id: null }),
      ]);
      await ask(service, 'delete from public.alert_tests');
    });

    test('a test alert is not given to an alert sender of an older release', async () => {
      const anas = await deviceOf(ana);
      const rehearsal = await store();
      const earlier = () =>
        ask<AlertMessage>(service, "select * from public.claim_alerts($1, '{push}', '{nueva}')", [new Date(now())]);
      expect(await earlier()).toEqual([]);
      const { id } = await send();
      expect(await earlier()).toMatchObject([{ kind: 'nueva', folio: folioOf(id) }]);
      // The statement reports a message as sent in the way of an older release.
      const [message] = await askAsOwner<{ id: string }>(engine, 'select id from public.alert_messages');
      await ask(service, "select public.settle_alert($1, now(), 'sent', null)", [message!.id]);
      expect(shownOn(anas)).toEqual([]);
      await look();
      expect(shownOn(anas)).toEqual(['Prueba: los avisos llegan a este dispositivo']);
      expect(await messagesOf(rehearsal)).toHaveLength(1);
      await ask(service, 'delete from public.alert_tests');
    });

    test('visitors and colleagues cannot read the stored test alerts', async () => {
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

  test('colleagues see when the alert sender last ran, even if no alert was due', async () => {
    await asOwner(engine, 'update public.alert_sender set ran_at = null');
    const ranAt = async () => (await ask<{ ran_at: Date | null }>(ana, 'select ran_at from public.alert_sender'))[0]!;
    expect(await ranAt()).toEqual({ ran_at: null });
    expect(await look()).toEqual([]);
    expect(Date.now() - (await ranAt()).ran_at!.getTime()).toBeLessThan(60_000);
  });

  describe('a caller without the role of staff', () => {
    const outside: readonly (readonly [string, Caller])[] = [
      ['a stranger without an account', visitor],
      ['a customer who signed in', { role: 'authenticated', claims: { sub: randomUUID() } }],
    ];
    test.each(outside)('%s cannot read devices, alerts or private keys', async (_who, caller) => {
      const quote = await send();
      await deviceOf(ana);
      await phoneOf(quote);
      await refused(caller, 'select * from public.push_devices');
      await refused(caller, 'select private_key from public.push_keys');
      await refused(caller, 'delete from public.push_devices');
      await refused(caller, "update public.push_devices set endpoint = 'https://fcm.googleapis.com/x'");
      await refused(caller, "select * from public.claim_alerts(now(), '{push}', '{nueva}')");
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

    test('a phone cannot turn on alerts for another phone’s quote', async () => {
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
    ])('a device with a malformed %s (%s) is refused', async (field, value) => {
      const { id } = await send();
      const device = { ...pushes.subscribe('crooked'), [field]: value, quote_id: id };
      await expect(put(presenting(id), 'push_devices', device)).rejects.toMatchObject({
        code: expect.stringMatching(/23514|22021/) as string,
      });
    });

    test('a phone cannot make the server call a URL that is not a push service', async () => {
      const quote = await send();
      await look();
      const inside = { ...pushes.subscribe('inside'), endpoint: 'https://169.254.169.254/latest' };
      await listen(presenting(quote.id), inside, { quote_id: quote.id });
      await listen(
        presenting(quote.id),
        { ...inside, endpoint: 'https://fcm.googleapis.com.evil.example/x' },
        { quote_id: quote.id },
      );
      await take(ana, quote);
      await answer(ana, quote);
      const ended = await look();
      expect(ended.map(([, outcome]) => outcome)).toEqual([
        { kind: 'gone', why: 'no push service' },
        { kind: 'gone', why: 'no push service' },
      ]);
      expect(await askAsOwner(engine, 'select id from public.push_devices')).toEqual([]);
    });

    test('a push subscription with an invalid key is removed', async () => {
      const quote = await send();
      const phone = await phoneOf(quote);
      await listen(
        presenting(quote.id),
        { ...pushes.subscribe('odd'), p256dh: `B${'A'.repeat(86)}` },
        { quote_id: quote.id },
      );
      await take(ana, quote);
      await answer(ana, quote);
      // If our own keys are invalid, no device is removed, and the alert is sent later.
      const report = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      const ours = keys;
      keys = { ...ours, private_key: 'x' };
      const outcomes = (await look()).map(([, { kind, why }]) => ({ kind, why }));
      keys = ours;
      report.mockRestore();
      expect(outcomes).toHaveLength(2);
      expect(outcomes).toEqual(
        expect.arrayContaining([
          { kind: 'again', why: 'DataError' },
          { kind: 'gone', why: 'its key is invalid' },
        ]),
      );
      ahead = 2 * MINUTE;
      await look();
      expect(shownOn(phone)).toHaveLength(1);
    });
  });
});
