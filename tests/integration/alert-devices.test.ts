import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { storeIn } from '../../server/alerts/embedded.ts';
import type { AlertMessage } from '../../server/alerts/message.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { quoteTag } from '../../src/lead/quote-tag.ts';
import { alertScene, HOUR, MINUTE, pushes } from './alert-scene.ts';
import { insertion, presenting, service, staffMember, visitor } from './callers.ts';
import { fails } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';

const [ana, beto] = [staffMember('Ana'), staffMember('Beto')];
const engine = await engineOfFile();

const scene = alertScene(engine);
const { offeredBy, asOwner, ask, owner, put, refused, take, answer, reply, quoted, send } = scene;
const { listen, deviceOf, phoneOf, look, shownOn } = scene;

describe('an alert that cannot be sent at once', () => {
  const lookUntil = async (minutes: number, every: number) => {
    for (; scene.ahead < minutes * MINUTE; scene.ahead += every * MINUTE) await look();
  };

  test.each([404, 410])('a device that its push service no longer knows (status %s) is removed', async (status) => {
    const anas = await deviceOf(ana);
    scene.answerWith(status);
    await send();
    await look();
    await send();
    await look();
    expect(pushes.asked.get(anas)).toBe(1);
    expect(await owner('select id from public.push_devices')).toEqual([]);
  });

  test('the alert sender tries a failing push service again seven times, and delays no other push', async () => {
    const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
    pushes.answers = (device) => ({ status: device === anas ? 503 : 201 });
    const quote = await send();
    // The test deletes the reminders, so that it counts only attempts for the first alert.
    await owner("delete from public.alerts where quote_id = $1 and kind <> 'nueva'", [quote.id]);
    await look();
    for (let wait = MINUTE; wait <= 32 * MINUTE; wait *= 2) {
      const tried = scene.ahead;
      scene.ahead = tried + 0.75 * wait - 1000;
      expect(await look()).toEqual([]);
      scene.ahead = tried + 1.25 * wait + 1000;
      expect(await look()).toMatchObject([[{}, { kind: wait < 32 * MINUTE ? 'again' : 'failed' }]]);
    }
    scene.ahead += 5 * HOUR;
    expect(await look()).toEqual([]);
    expect(pushes.asked.get(anas)).toBe(7);
    expect(shownOn(betos)).toHaveLength(1);
  });

  test('a failed alert is not repeated after a later alert or an answer to the lead', async () => {
    const anas = await deviceOf(ana);
    scene.answerWith(503);
    await take(ana, await send());
    await lookUntil(125, 5);
    scene.answerWith(201);
    pushes.pushed.length = 0;
    await lookUntil(240, 10);
    expect(shownOn(anas)).toEqual([expect.stringContaining('plazo ya pasó')]);

    const other = await send();
    await take(ana, other);
    scene.ahead += 65 * MINUTE;
    scene.answerWith(503);
    await look();
    await answer(ana, other);
    scene.answerWith(201);
    pushes.pushed.length = 0;
    scene.ahead += 10 * MINUTE;
    await look();
    expect(shownOn(anas)).toEqual([]);
  });

  test('the alert sender obeys a push service’s Retry-After, up to an hour', async () => {
    const anas = await deviceOf(ana);
    pushes.answers = (_device, nth) =>
      nth === 1 ? { status: 429, headers: { 'retry-after': '600' } } : { status: 201 };
    await send();
    await look();
    await look(9);
    expect(pushes.asked.get(anas)).toBe(1);
    await look(11);
    expect(shownOn(anas)).toHaveLength(1);
  });

  test('an alert sent again after a lost response replaces the first alert on the device', async () => {
    await deviceOf(ana);
    pushes.answers = (_device, nth) => (nth === 1 ? 'drop' : { status: 201 });
    await send();
    await look();
    await look(2);
    const [one, other, ...more] = pushes.pushed;
    expect(more).toEqual([]);
    expect([other!.topic, other!.payload]).toEqual([one!.topic, one!.payload]);
  });

  test('an alert that a killed process was sending is sent by another process after two minutes', async () => {
    const anas = await deviceOf(ana);
    await send();
    expect(await storeIn(engine.database).claim(new Date(), ['push'])).toHaveLength(1);
    expect(await look(1)).toEqual([]);
    await look(2.1);
    expect(shownOn(anas)).toHaveLength(1);
  });

  test.each([
    ['pregunta', 'Pregunta sobre'],
    ['aceptada', 'Oferta aceptada'],
  ])('an alert of kind %s that failed is delivered although another alert followed at once', async (kind, title) => {
    const anas = await deviceOf(ana);
    const { id, offer: answer_id } = await offeredBy(ana);
    await look();
    scene.answerWith(503);
    await reply(id, { answer_id, kind, ...(kind === 'aceptada' && { body: '' }) });
    await look();
    await reply(id, { answer_id });
    scene.answerWith(201);
    await lookUntil(5, 0.5);
    expect(shownOn(anas).filter((each) => each.includes(title))).toHaveLength(1);
  });

  test('the server sends no push to unknown hosts, and removes such devices except those of colleagues', async () => {
    const quote = await send();
    await look();
    for (const endpoint of ['https://169.254.169.254/latest', 'https://fcm.googleapis.com.evil.example/x'])
      await listen(presenting(quote.id), { ...pushes.subscribe('inside'), endpoint }, { quote_id: quote.id });
    await take(ana, quote);
    await answer(ana, quote);
    const why = 'no push service';
    const outcomes = async () => (await look()).map(([, outcome]) => outcome);
    expect(await outcomes()).toEqual([1, 2].map(() => ({ kind: 'gone', why })));
    await listen(ana, { ...pushes.subscribe('inside'), endpoint: 'https://push.example/x' });
    await send();
    expect(await outcomes()).toEqual([{ kind: 'failed', why }]);
    expect(await owner('select staff from public.push_devices')).toEqual([{ staff: ana.sub }]);
  });

  test('a push subscription with an invalid key is removed', async () => {
    const quote = await send();
    const phone = await phoneOf(quote);
    const odd = { ...pushes.subscribe('odd'), p256dh: `B${'A'.repeat(86)}` };
    await listen(presenting(quote.id), odd, { quote_id: quote.id });
    await take(ana, quote);
    await answer(ana, quote);
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const ours = scene.keys;
    // The server’s own key is invalid now, and the devices are not at fault. The phone therefore stays, and gets the
    // alert later. Only the device with an invalid key of its own is removed.
    scene.keys = { ...ours, private_key: 'x' };
    const outcomes = (await look()).map(([, { kind, why }]) => ({ kind, why }));
    scene.keys = ours;
    expect(outcomes.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual([
      { kind: 'again', why: 'DataError' },
      { kind: 'gone', why: 'its key is invalid' },
    ]);
    await look(2);
    expect(shownOn(phone)).toHaveLength(1);
  });
});

describe('devices and test alerts', () => {
  const endpoints = async () =>
    (await owner<{ endpoint: string }>('select endpoint from public.push_devices order by created_at, id')).map(
      ({ endpoint }) => endpoint,
    );

  test('a device gets the alerts of the colleague who signed in last', async () => {
    const device = pushes.subscribe('shared');
    for (const caller of [ana, ana, beto]) await listen(caller, device);
    expect(await owner('select staff from public.push_devices')).toEqual([{ staff: beto.sub }]);
  });

  test('alerts about a quote reach at most five phones: the first and the four newest', async () => {
    const quote = await send();
    const phones: string[] = [];
    for (let each = 0; each < 8; each += 1) phones.push(await phoneOf(quote));
    const kept = [phones[0]!, ...phones.slice(-4)];
    expect((await endpoints()).map((endpoint) => endpoint.split('/').at(-1))).toEqual(kept);
  });

  test('a colleague’s eleventh device replaces the device that was unused longest', async () => {
    const device = await deviceOf(ana);
    await asOwner("update public.push_devices set created_at = now() - interval '1 year'");
    for (let each = 0; each < 9; each += 1) await deviceOf(ana);
    const silent = (await endpoints()).find((endpoint) => !endpoint.endsWith(device))!;
    const unused = "update public.push_devices set answered_at = now() - interval '1 day' where endpoint = $1";
    await owner(unused, [silent]);
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
    await fails(say(message), '23505');
    await fails(say(randomUUID()), '23503');
    await take(beto, quote);
    const at = expect.any(Date) as Date;
    expect(await ask(ana, 'select * from public.desk_alerts order by shown_at nulls last')).toEqual([
      { quote_id: quote.id, sent_at: at, shown_at: at, taken_at: at },
      { quote_id: other.id, sent_at: at, shown_at: null, taken_at: null },
    ]);
  });

  test('colleagues see when the alert sender last ran, even if no alert was due', async () => {
    await asOwner('update public.alert_sender set ran_at = null');
    const ranAt = async () => (await ask<{ ran_at: Date | null }>(ana, 'select ran_at from public.alert_sender'))[0]!;
    expect(await ranAt()).toEqual({ ran_at: null });
    expect(await look()).toEqual([]);
    expect(Date.now() - (await ranAt()).ran_at!.getTime()).toBeLessThan(60_000);
  });

  test('an account without the role of staff cannot turn alerts on or read about them', async () => {
    const quote = await send();
    const phone = await phoneOf(quote);
    await deviceOf(ana);
    await look();
    expect(shownOn(phone)).toEqual([]);
    for (const caller of [
      { role: 'authenticated', claims: { sub: randomUUID() } },
      { ...ana, claims: {} },
    ] as const) {
      for (const table of ['alerts', 'alert_messages', 'desk_alerts', 'alert_sender'])
        expect(await ask(caller, `select * from public.${table}`), table).toEqual([]);
      await refused(caller, ...insertion('push_devices', pushes.subscribe('s'), '', ''));
    }
  });

  test('a phone cannot turn on alerts for another phone’s quote', async () => {
    const [mine, other] = [await quoted(), await quoted()];
    const device = { ...pushes.subscribe('mine'), quote_id: other };
    for (const caller of [presenting(mine), visitor])
      await refused(caller, ...insertion('push_devices', device, '', ''));
    await refused(visitor, ...insertion('push_devices', pushes.subscribe('mine'), '', ''));
  });

  test('a device with a malformed endpoint or key is refused', async () => {
    const id = await quoted();
    for (const bad of [
      { endpoint: 'http://fcm.googleapis.com/send/x' },
      { endpoint: `https://fcm.googleapis.com/${'x'.repeat(1000)}` },
      { endpoint: 'https://fcm.googleapis.com/a b' },
      { endpoint: 'https://fcm.googleapis.com/\u0000' },
      { p256dh: 'short' },
      { auth: 'short' },
    ]) {
      const stored = put(presenting(id), 'push_devices', { ...pushes.subscribe('crooked'), quote_id: id, ...bad });
      await expect(stored, JSON.stringify(bad)).rejects.toMatchObject({
        code: expect.stringMatching(/23514|22021/) as string,
      });
    }
  });

  const store = async (staff: string | null = null) => {
    const [stored] = await ask<{ id: string }>(service, ...insertion('alert_tests', { staff }, '', 'returning id'));
    return stored!.id;
  };
  const messagesOf = (id: string) =>
    ask(service, 'select * from public.alert_test_messages where test_id = $1 order by way', [id]);

  test('a test alert is sent like any alert, and changes no figure of the desk', async () => {
    const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
    scene.mails = [];
    const own = await store(ana.sub);
    expect(await messagesOf(own)).toMatchObject([{ message_id: null, spread_at: null }]);
    await look();
    const shown = ['Prueba: los avisos llegan a este dispositivo'];
    expect([shownOn(anas), shownOn(betos), scene.mails]).toEqual([shown, [], []]);
    expect(await messagesOf(own)).toMatchObject([{ way: 'push', result: '201', sent_at: expect.any(Date) as Date }]);
    const { message } = pushes.pushed[0]!.payload.notification['data'] as { message: string };
    await put(visitor, 'alert_shown', { message_id: message });
    expect(await messagesOf(own)).toMatchObject([{ shown_at: expect.any(Date) as Date }]);
    await store();
    await look();
    expect([shownOn(anas).length, shownOn(betos).length, scene.mails]).toEqual([2, 1, ['prueba ']]);
    expect(await ask(ana, 'select * from public.desk_alerts')).toEqual([]);
    await ask(service, 'delete from public.alert_tests');
    expect(await owner("select id from public.alerts where kind = 'prueba'")).toEqual([]);
  });

  test('a test alert records the status of a push service that refused the push', async () => {
    await deviceOf(ana);
    scene.answerWith(410);
    const rehearsal = await store();
    await look();
    const refusal = { result: '410', sent_at: null, next_at: null, device_id: null };
    expect(await messagesOf(rehearsal)).toMatchObject([refusal]);
    await ask(service, 'delete from public.alert_tests');
  });

  test('an alert sender of a release before test alerts gets no test alert', async () => {
    const anas = await deviceOf(ana);
    const rehearsal = await store();
    const claimed = "select * from public.claim_alerts($1, '{push}', '{nueva}')";
    const earlier = () => ask<AlertMessage>(service, claimed, [new Date(scene.now())]);
    expect(await earlier()).toEqual([]);
    const { id } = await send();
    expect(await earlier()).toMatchObject([{ kind: 'nueva', folio: folioOf(id) }]);
    // An older release calls `settle_alert` with these arguments to report a message as sent.
    const [message] = await owner<{ id: string }>('select id from public.alert_messages');
    await ask(service, "select public.settle_alert($1, now(), 'sent', null)", [message!.id]);
    expect(shownOn(anas)).toEqual([]);
    await look();
    expect(shownOn(anas)).toEqual(['Prueba: los avisos llegan a este dispositivo']);
    expect(await messagesOf(rehearsal)).toHaveLength(1);
    await ask(service, 'delete from public.alert_tests');
  });
});
