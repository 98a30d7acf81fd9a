import { randomUUID } from 'node:crypto';
import dns from 'node:dns';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { folioOf } from '../../src/lead/folio.ts';
import { quoteTag } from '../../src/lead/quote-tag.ts';
import { WEBHOOK_EVENTS } from '../../src/lead/vocabulary.ts';
import { postWebhook, type PostOptions } from '../../server/webhooks/post.ts';
import { startWebhooks } from '../../server/webhooks/sender.ts';
import { violationsIn } from '../unit/ontology.ts';
import { presenting, quoting, service, staffMember, visitor } from './callers.ts';
import { actsOn, fails, OFFER } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';
import { serving } from './processes.ts';
import { byQuote, SECRET, startReceiver } from './webhook-receiver.ts';

const ana = staffMember('Ana');
const eva = staffMember('Eva', { supervisor: true });
/** Pauses between attempts, so many and short that the sender gives up no delivery. */
const PATIENT = Array.from({ length: 99 }, () => 0.02);

const engine = await engineOfFile();

// The sender logs each attempt, which would fill the output of the tests.
beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => undefined));

const { owner, asOwner, ask, put, refused, takenBy, take, answer, accept, move, block, erase, setStatus } =
  actsOn(engine);
const send = quoting(engine);

const senders: ReturnType<typeof startWebhooks>[] = [];
afterEach(async () => {
  // A running sender could hold rows that the next statement locks.
  await Promise.all(senders.splice(0).map((sender) => sender.stop()));
  await asOwner('truncate public.webhooks cascade');
});

/** Adds a receiver as the command line does. */
const add = async (url: string, options: object = {}) => {
  await put(service, 'webhooks', { url, events: [...WEBHOOK_EVENTS], secret: SECRET, ...options });
};
const receiver = async (more: Parameters<typeof startReceiver>[0] = {}, options = {}) => {
  const started = await startReceiver(more);
  await add(started.url, options);
  return started;
};
const start = (hosts: readonly string[], more: object = {}) => {
  const sender = startWebhooks({ database: engine.database, hosts, pauses: PATIENT, lookEvery: 20, ...more });
  senders.push(sender);
  return sender;
};
const deliveries = (columns = 'state') => owner(`select ${columns} from public.webhook_deliveries order by id`);
const states = async () => (await deliveries()).map(({ state }) => state);
/** Books an offer. Its messages contain a customer’s name, which no event may contain. */
const bookedFor = async (quote_id: string) => {
  const answer_id = await answer(ana, quote_id, { ...OFFER, body: 'Estimada María' });
  await accept(quote_id, answer_id);
  await move(ana, quote_id, answer_id, 'reservada', { word: 'Estimada María', reference: 'CZ-1' });
  return { quote_id, answer_id };
};
const shipped = async () => {
  const booking = await bookedFor(await takenBy(ana));
  await put(ana, 'shipment_steps', { ...booking, step: 'recolectada' });
  return booking;
};

test('the event about an erasure contains only the folio; unsent events about the quote are dropped', async () => {
  const { received, host } = await receiver();
  const { quote_id } = await shipped();
  await erase(quote_id);
  const lost = await takenBy(ana);
  await setStatus(ana, lost, 'perdida', 'precio');
  start([host]);
  await expect.poll(() => received().length).toBe(3);
  expect(byQuote(received())).toEqual(
    new Map([
      [folioOf(quote_id), ['quote.erased']],
      [folioOf(lost), ['quote.received', 'quote.lost']],
    ]),
  );
  const dataOf = (name: string) => received().find(({ type }) => type === name)!.data;
  expect(dataOf('quote.erased')).toEqual({ folio: folioOf(quote_id) });
  expect(dataOf('quote.lost')).toEqual({ folio: folioOf(lost), tag: await quoteTag(lost), reason: 'precio' });
});

test('the event about a booking contains price and reference, but no message text', async () => {
  const { received, host } = await receiver();
  const { quote_id } = await shipped();
  start([host]);
  await expect.poll(() => received().length).toBe(5);
  expect(received().map(({ type }) => type)).toEqual(WEBHOOK_EVENTS.slice(0, 5));
  const [asked, answered, accepted, bookedOne, milestone] = received().map(({ data }) => data);
  const { kind: _kind, ...fields } = OFFER;
  const offer = { ...fields, price: 4.1, total: 4920 };
  expect([answered, accepted]).toMatchObject([offer, offer]);
  expect(bookedOne).toMatchObject({ ...offer, reference: 'CZ-1' });
  expect(milestone).toMatchObject({ step: 'recolectada' });
  expect(asked).toMatchObject({ peso: expect.any(Number), tipo_carga: expect.any(String), origen: 'formulario' });
  const text = JSON.stringify(received());
  for (const secret of ['María', 'berries', quote_id]) expect(text).not.toContain(secret);
});

test('a receiver gets the customer’s contact only if it was added with --contact', async () => {
  const plain = await receiver({}, { events: ['quote.received'] });
  const full = await receiver({}, { events: ['quote.received'], has_contact: true });
  const { nombre, empresa, email, telefono } = await send();
  start([plain.host, full.host]);
  await expect.poll(() => [plain.received().length, full.received().length]).toEqual([1, 1]);
  expect(full.received()[0]!.data).toMatchObject({ nombre, empresa, email, telefono });
  expect(plain.received()[0]!.data).not.toHaveProperty('nombre');
  expect(plain.received()[0]!.id).toBe(full.received()[0]!.id);
});

test('a receiver added with --one-record gets valid ONE Records', async () => {
  const events = ['quote.answered', 'offer.accepted', 'shipment.booked'];
  const named = await receiver({}, { events, has_contact: true, has_one_record: true });
  const unnamed = await receiver({}, { events, has_one_record: true });
  const plain = await receiver({}, { events });
  const quote = await send({ nombre: 'Ana Ríos' });
  await take(ana, quote);
  const details = { id: randomUUID(), quote_id: quote.id, producto: 'Arándano', piezas: 2, kilos: 960 };
  await put(presenting(quote.id), 'quote_details', details);
  const booking = await bookedFor(quote.id);
  const flight = { flight: 'CA8404', flight_day: new Date().toISOString().slice(0, 10), waybill: '78412345675' };
  await put(ana, 'shipment_flights', { ...booking, ...flight, origin: 'AIFA' });
  start([named.host, unnamed.host, plain.host]);
  await expect
    .poll(() => [named, unnamed, plain].map(({ received }) => received().map(({ type }) => type)))
    .toEqual([events, events, events]);
  for (const each of [named, unnamed]) {
    const [answered, accepted, booked] = each.received().map(({ data }) => data.one_record);
    expect(answered).toBeUndefined();
    expect([violationsIn(accepted!), violationsIn(booked!)]).toEqual([[], []]);
    // The event about the acceptance must not say that space is booked, even if it is sent late.
    for (const word of ['cargo:QUEUED', 'Arándano', folioOf(quote.id)])
      expect(JSON.stringify(accepted)).toContain(word);
    for (const word of ['cargo:CONFIRMED', '12345675', 'CA8404']) {
      expect(JSON.stringify(booked)).toContain(word);
      expect(JSON.stringify(accepted)).not.toContain(word);
    }
    const text = JSON.stringify(each.received());
    for (const word of [quote.nombre, quote.email]) expect(text.includes(word)).toBe(each === named);
    for (const secret of ['María', quote.id]) expect(text).not.toContain(secret);
  }
  expect(JSON.stringify(plain.received())).not.toContain('one_record');
});

test('a receiver that often fails gets each event once and in order', async () => {
  const { received, host, requests, strays } = await receiver({ unruly: 0.3, seed: 5 });
  const draws = 30;
  const sent = [];
  // Some answers of this receiver never come, so the time limits are short.
  const short = { patience: 300, lease: 2000 };
  let sender = start([host], short);
  for (let number = 0; number < draws; number += 1) {
    const quote = await send();
    sent.push(quote);
    for (let more = 0; more < number % 5; more += 1) await answer(service, quote);
    if (number % 6 !== 5) continue;
    await sender.stop();
    sender = start([host], short);
  }
  const wanted = sent.map(({ id }, number) => [
    folioOf(id),
    ['quote.received', ...Array.from({ length: number % 5 }, () => 'quote.answered')],
  ]);
  // The wait is long, because each answer that never comes takes its whole time limit.
  await expect.poll(async () => new Set(await states()), { timeout: 100_000 }).toEqual(new Set(['delivered']));
  expect(byQuote(received())).toEqual(new Map(wanted as [string, string[]][]));
  // All answers cause events of the same name, so the test compares their order by the ids in the queue.
  const queued = (await deliveries('event_id, folio')).map(({ event_id, folio }) => ({ id: event_id, folio }));
  const arrived = received().map(({ id, data: { folio } }) => ({ id, folio }));
  const ofQuotes = (events: readonly { folio: unknown }[]) => Map.groupBy(events, ({ folio }) => folio);
  expect(ofQuotes(arrived)).toEqual(ofQuotes(queued));
  expect(requests()).toBeGreaterThan(received().length);
  expect(strays).toEqual([]);
});

test('the body of a webhook is made only for events that this release knows', async () => {
  const bodyOf = (event: string) =>
    owner(`select private.webhook_body(jsonb_populate_record(null::public.webhook_deliveries, $1), false) as body`, [
      { event, folio: 'AP-0000-0000', at: new Date() },
    ]);
  for (const event of WEBHOOK_EVENTS) expect(await bodyOf(event)).toEqual([{ body: expect.stringContaining(event) }]);
  await fails(bodyOf('quote.won'), '20000');
});

test('a receiver gets only the kinds of events that it was added for', async () => {
  const { received, host } = await receiver({}, { events: ['quote.lost'] });
  await send();
  expect(await states()).toEqual([]);
  await asOwner("update public.webhooks set events = '{quote.received}'");
  await send();
  expect(await states()).toEqual(['waiting']);
  await ask(service, "delete from public.webhooks where host <> ''");
  expect(await states()).toEqual([]);
  start([host]);
  expect(received()).toEqual([]);
});

test('a restored server sends an event again under the same id', async () => {
  const { received, host, requests } = await receiver();
  const quote = await send();
  start([host]);
  await expect.poll(() => received().length).toBe(1);
  await asOwner('alter table public.quote_events disable trigger all');
  await erase(quote);
  await asOwner(
    'delete from public.quote_events; alter table public.quote_events enable trigger all; delete from public.webhook_deliveries',
  );
  const before = requests();
  await send({ ...quote, entregada: new Date() });
  await expect.poll(states).toEqual(['delivered']);
  expect([requests() - before, received().filter(({ type }) => type === 'quote.received').length]).toEqual([1, 1]);
});

test('a blocked (hidden) quote causes no webhook events until it is unblocked', async () => {
  const { received, host } = await receiver();
  const quote = await send();
  await block(quote);
  start([host]);
  const other = await send();
  await expect.poll(() => byQuote(received()).has(folioOf(other.id))).toBe(true);
  expect(byQuote(received()).has(folioOf(quote.id))).toBe(false);
  await block(quote, null);
  await expect.poll(() => byQuote(received()).has(folioOf(quote.id))).toBe(true);
});

test('an erasure of a quote waits until a webhook about it has been sent', async () => {
  const arrived: string[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const address = await serving(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    arrived.push((JSON.parse(body) as { type: string }).type);
    if (arrived.length === 1) await held;
    response.writeHead(arrived.length < 3 ? 500 : 200).end(`I refuse ${body}`);
  });
  await add(address, { has_contact: true });
  const quote = await send();
  await answer(service, quote);
  start([new URL(address).host]);
  await expect.poll(() => arrived.length).toBe(1);
  await erase(quote);
  expect(await states()).toEqual(['sending', 'erased', 'waiting']);
  release();
  await expect.poll(states).toEqual(['erased', 'erased', 'delivered']);
  expect(arrived).toEqual(['quote.received', 'quote.erased', 'quote.erased']);
  expect((await deliveries('response_text')).map(({ response_text }) => response_text)).toEqual([null, null, null]);
  const kept = JSON.stringify(await deliveries('*'));
  expect(kept).not.toContain(quote.email);
});

test('an event that a receiver refused for a day is set aside, and alerts the team', async () => {
  let isUp = false;
  const arrived: string[] = [];
  const address = await serving((request, response) => {
    if (isUp) arrived.push(request.headers['webhook-id'] as string);
    response.writeHead(isUp ? 200 : 400).end('no\u0007 good');
  });
  await add(address);
  const [quote] = [await send(), await send()];
  const clock = { ahead: 0 };
  const sender = start([new URL(address).host], {
    now: () => Date.now() + clock.ahead,
    pauses: undefined,
  });
  // Whenever no delivery is being sent, the clock moves to the time at which both deliveries are due again.
  const sql = `select extract(epoch from max(next_at))::float8 * 1000 - 1000 * $1::float8 as due
    from public.webhook_deliveries having bool_and(state <> 'sending') and min(next_at) > to_timestamp($1)`;
  await expect
    .poll(
      async () => {
        const at = Date.now() + clock.ahead;
        const [row] = await owner<{ due: number }>(sql, [at / 1000]);
        if (row) clock.ahead += row.due + 1;
        return states();
      },
      { interval: 15 },
    )
    .toEqual(['aside', 'aside']);
  await sender.stop();
  expect(clock.ahead).toBeGreaterThan(16 * 3_600_000);
  expect(clock.ahead).toBeLessThan(32 * 3_600_000);
  expect(await deliveries('attempts, status, response_text')).toMatchObject([
    { attempts: 11, status: 400, response_text: 'no good' },
    {},
  ]);
  expect(await owner("select kind from public.alerts where kind = 'sinwebhook'")).toHaveLength(1);
  await answer(service, quote);
  isUp = true;
  start([new URL(address).host]);
  await expect.poll(() => arrived.length).toBe(1);

  // An agent cannot read or repeat deliveries. A supervisor repeats one, then all of the day.
  expect(await ask(ana, 'select id from public.webhook_deliveries')).toEqual([]);
  await refused(visitor, 'select id from public.webhook_deliveries');
  const again = "update public.webhook_deliveries set state = 'waiting' where";
  expect(await ask(ana, `${again} state = 'aside' returning id`)).toEqual([]);
  expect(await ask(eva, `${again} folio = '${folioOf(quote.id)}' and state = 'aside' returning id`)).toHaveLength(1);
  await expect.poll(states).toEqual(['delivered', 'aside', 'delivered']);
  await ask(eva, `${again} day = (now() at time zone 'America/Tijuana')::date`);
  await expect.poll(states).toEqual(['delivered', 'delivered', 'delivered']);
  await expect.poll(() => arrived.length).toBe(5);
  const ids = (await deliveries('event_id')).map(({ event_id }) => event_id);
  expect(arrived.slice(2).filter((id) => id !== ids[1])).toEqual([ids[0], ids[2]]);
  await refused(eva, "update public.webhook_deliveries set state = 'delivered'", [], 'PT400');
  await refused(eva, 'update public.webhook_deliveries set attempts = 0');
});

test('the secret of a webhook cannot be read by any user, its URL not by colleagues', async () => {
  await add('https://hooks.example.com/catch/secret-path');
  for (const caller of [visitor, ana, eva, service]) await refused(caller, 'select secret from public.webhooks');
  for (const caller of [ana, eva]) await refused(caller, 'select url from public.webhooks');
  expect(await ask(ana, 'select host from public.webhooks')).toEqual([]);
  expect(await ask(eva, 'select host from public.webhooks')).toEqual([{ host: 'hooks.example.com' }]);
  for (const caller of [visitor, ana, eva, service]) {
    await refused(caller, "select * from public.claim_webhooks(now(), '1 minute', 8)");
    await refused(caller, 'select public.settle_webhook(1, 1, true, null, 200, null)');
  }
  await fails(put(eva, 'webhooks', { url: 'https://a.example', events: ['quote.lost'], secret: SECRET }));
});

test('two servers that share a queue send no event twice', async () => {
  const { received, requests, host } = await receiver();
  for (let number = 0; number < 20; number += 1) await take(ana, await send());
  start([host]);
  start([host]);
  await expect.poll(async () => new Set(await states())).toEqual(new Set(['delivered']));
  expect([requests(), received().length]).toEqual([20, 20]);
});

test('a receiver’s limit of simultaneous deliveries no longer counts a delivery whose sender died', async () => {
  await add('https://hooks.example.com/catch');
  for (let number = 0; number < 3; number += 1) await send();
  const claim = async (seconds: number) => {
    const sql = "select id from public.claim_webhooks(now() + $1 * interval '1 second', '1 minute', 1)";
    return (await owner(sql, [seconds])).length;
  };
  expect([await claim(1), await claim(2), await claim(90)]).toEqual([1, 0, 1]);
});

test('entries of the webhook log are deleted after 30 days', async () => {
  const { host } = await receiver();
  await send();
  await asOwner("update public.webhook_deliveries set day = day - 31, state = 'delivered', next_at = null");
  await send();
  start([host]);
  await expect.poll(states).toEqual(['delivered']);
  expect(await states()).toHaveLength(1);
});

const post = (url: string, hosts?: readonly string[], options?: PostOptions) =>
  postWebhook({ event_id: randomUUID(), url, secret: SECRET, body: '{}' }, hosts ?? [new URL(url).host], options);

test('the sender follows no redirect, reads only the start of an answer, and drops control characters', async () => {
  const asked: string[] = [];
  const address = await serving((request, response) => {
    asked.push(request.url!);
    if (request.url === '/to') return response.writeHead(307, { location: '/from' }).end();
    if (request.url === '/gzip') return response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip');
    if (request.url === '/head') return response.writeHead(200, { large: 'x'.repeat(99_000) }).end();
    response.writeHead(request.url === '/large' ? 500 : 200);
    // The receiver writes until the sender ends the connection.
    const more = () =>
      response.write('\u001b[31m rojo '.repeat(4000)) ? setImmediate(more) : response.once('drain', more);
    return more();
  });
  expect(await post(`${address}/to`)).toEqual({ status: 307, text: null });
  expect(await post(`${address}/gzip`)).toEqual({ status: 200, text: null });
  expect(await post(`${address}/head`)).toEqual({ status: null, text: 'HPE_HEADER_OVERFLOW' });
  expect(await post(`${address}/endless`)).toEqual({ status: 200, text: null });
  const { text } = await post(`${address}/large`);
  expect(text).toMatch(/^\[31m rojo \[31m/);
  expect(text!.length).toBeLessThanOrEqual(1000);
  expect(asked).not.toContain('/from');
});

test('the sender ends a late attempt at its time limit, and obeys Retry-After', async () => {
  const address = await serving((request, response) => {
    if (request.url === '/body') response.writeHead(200).write('…');
    if (request.url === '/busy') response.writeHead(429, { 'retry-after': '120' }).end();
    if (request.url === '/insolent') response.writeHead(503, { 'retry-after': '999999' }).end();
  });
  const late = ['never', 'body'].map((path) => post(`${address}/${path}`, undefined, { patience: 1000 }));
  expect(await Promise.all(late)).toEqual([
    { status: null, text: 'timeout' },
    { status: 200, text: null },
  ]);
  expect(await post(`${address}/busy`)).toMatchObject({ status: 429, after: 120_000 });
  expect(await post(`${address}/insolent`)).toMatchObject({ after: 3_600_000 });
});

test.each([
  ['http://hooks.example.com/a', 'https'],
  ['https://127.0.0.1/', 'private'],
  ['https://2130706433/', 'private'],
  ['https://10.1.2.3/', 'private'],
  ['https://169.254.169.254/latest/meta-data', 'private'],
  ['https://100.64.0.1/', 'private'],
  ['https://[::1]/', 'private'],
  ['https://[::ffff:10.0.0.1]/', 'private'],
  ['https://[fd00::1]/', 'private'],
  ['https://[fe80::1]/', 'private'],
  ['https://[64:ff9b::7f00:1]/', 'private'],
  ['https://[2002:7f00:1::]/', 'private'],
  ['https://localhost/', 'private'],
  ['https://0.0.0.0/', 'private'],
])('a webhook to %s is refused with the reason "%s"', async (url, text) => {
  expect(await post(url, [])).toEqual({ status: null, text });
});

test('the sender resolves a host name once, and refuses the host if any address is private', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<string>();
  // Substitute for an attacker’s name server, which gives one public and one private address.
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation(((name: string, _: unknown, found: Function) => {
    resolve(name);
    found(null, [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ]);
  }) as never);
  expect(await post('https://rebind.example/', [])).toEqual({ status: null, text: 'private' });
  expect(await asked).toBe('rebind.example');
  expect(lookup).toHaveBeenCalledTimes(1);
});
