import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ALERT_KINDS } from '../../src/lead/vocabulary.ts';
import { askAsOwner, asOwner, insertion, service, staffMember, visitor, type Caller } from './callers.ts';
import { actsOn, fails, OFFER } from './lead-acts.ts';
import { eachEngine } from './engines.ts';
import { sampleQuote } from './sample-quote.ts';

const engines = await eachEngine();

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR);
const GREETING = { name: 'Saludo', body: 'Hola, {nombre}.', kind: 'mensaje', place: 1 };

describe.each(engines)('on $name', (engine) => {
  const supervisor = { supervisor: true };
  const [ana, beto] = [staffMember('Ana Ruiz', supervisor), staffMember('Beto Sánchez', supervisor)];
  const stranger = staffMember('Eva', { role: 'customer', ...supervisor });
  const { ask, put, takenBy, answer, block } = actsOn(engine);
  const addTemplate = (caller: Caller, changes: object = {}) =>
    ask(caller, ...insertion('desk_templates', { ...GREETING, ...changes }, ''));
  const remind = (caller: Caller, quote_id: string, at: Date | string | undefined = inHours(1), why = 'fecha') =>
    ask<{ at: Date; staff: string }>(
      caller,
      ...insertion('desk_reminders', { quote_id, why, ...(at && { at }) }, '', 'returning at, staff'),
    );
  const offer = (quote_id: string, valid_until: string, caller: Caller = ana) =>
    answer(caller, quote_id, { ...OFFER, valid_until });
  const setReminder = async (id: string) =>
    (
      await ask<{ at: Date; why: string }>(ana, 'select at, why from public.desk_reminders where quote_id = $1', [id])
    )[0];
  /** Returns the colleagues whose devices get alerts about the lead, and 'mail' for the team’s mailbox. */
  const toldAt = async (at: Date, id: string) => {
    await ask(service, "select * from public.claim_alerts($1, '{push,mail}', $2)", [at, ALERT_KINDS]);
    const alerted = await askAsOwner<{ who: string }>(
      engine,
      `select coalesce(d.staff::text, 'mail') as who from public.alert_messages as m
       join public.alerts as a on a.id = m.alert_id left join public.push_devices as d on d.id = m.device_id
       where a.quote_id = $1 and a.kind = 'recordar' order by m.way desc, who`,
      [id],
    );
    const names = new Map<string, string>([ana, beto].map(({ claims }) => [claims.sub, claims.app_metadata.name]));
    return alerted.map(({ who }) => names.get(who) ?? who).toSorted();
  };
  const here = async (...people: readonly (typeof ana)[]) => {
    await asOwner(engine, 'delete from public.push_devices; delete from public.staff_presence');
    for (const each of people) {
      await put(each, 'staff_signs', { kind: 'estoy' });
      const keys = { p256dh: `B${'x'.repeat(86)}`, auth: 'x'.repeat(22) };
      await put(each, 'push_devices', { endpoint: `https://push.example/${randomUUID()}`, ...keys });
    }
  };

  test('an agent can read the team’s templates, but cannot change them', async () => {
    const agent = staffMember('Carla');
    await fails(addTemplate(agent));
    await addTemplate(ana);
    expect(await ask(agent, 'select name from public.desk_templates')).toEqual([{ name: 'Saludo' }]);
    for (const what of ["update public.desk_templates set name = 'x'", 'delete from public.desk_templates'])
      expect(await ask(agent, `${what} where true returning id`)).toEqual([]);
    expect(await ask(ana, 'delete from public.desk_templates where true returning name')).toHaveLength(1);
  });

  test('a template names its last editor; a new position does not count as an edit', async () => {
    const [made] = await addTemplate(ana);
    expect(made).toMatchObject({ changed_by: ana.claims.sub, changed_by_name: 'Ana Ruiz' });
    const change = (caller: Caller, what: string) =>
      ask(caller, `update public.desk_templates set ${what} where id = $1 returning changed_by_name, place`, [
        made!['id'],
      ]);
    expect(await change(beto, 'place = 7')).toEqual([{ changed_by_name: 'Ana Ruiz', place: 7 }]);
    expect(await change(beto, "body_en = 'Hello, {nombre}.'")).toMatchObject([{ changed_by_name: 'Beto Sánchez' }]);
    expect(await ask(ana, 'select body, body_en from public.desk_templates')).toEqual([
      { body: 'Hola, {nombre}.', body_en: 'Hello, {nombre}.' },
    ]);
    expect(await ask(ana, 'delete from public.desk_templates where id = $1 returning name', [made!['id']])).toEqual([
      { name: 'Saludo' },
    ]);
  });

  test.each([
    ['a name with outer spaces', { name: ' Saludo ' }],
    ['an empty name', { name: '' }],
    ['an invisible name', { name: '\u200b' }],
    ['a name that is too long', { name: 'x'.repeat(61) }],
    ['an empty text', { body: '' }],
    ['an invisible text', { body: '\u200b\n' }],
    ['an invisible English text', { body_en: ' ' }],
    ['both texts longer than an answer', { body: 'x'.repeat(2500), body_en: 'x'.repeat(2500) }],
    ['an unknown kind', { kind: 'saludo' }],
    ['a negative place', { place: -1 }],
  ])('the database refuses a template with %s', async (_, changes) => {
    await fails(addTemplate(ana, changes), '23514');
  });

  test('a team can have at most a hundred templates', async () => {
    await asOwner(
      engine,
      `insert into public.desk_templates (name, body, kind, place) select 'x', 'x', 'mensaje', n from generate_series(1, 99) as n`,
    );
    await addTemplate(ana);
    await fails(addTemplate(beto), 'PT409');
    await asOwner(engine, 'delete from public.desk_templates');
  });

  test('visitors and customers cannot read templates or reminders', async () => {
    await addTemplate(ana);
    const id = await takenBy(ana);
    await remind(ana, id);
    for (const caller of [visitor, service])
      for (const attack of [
        "insert into public.desk_templates (name, body, kind, place) values ('x', 'x', 'oferta', 1)",
        "update public.desk_templates set name = 'x'",
        'delete from public.desk_templates',
        `insert into public.desk_reminders (quote_id, at, why) values ('${id}', now() + interval '1 hour', 'fecha')`,
        "update public.desk_reminders set why = 'vence'",
        'delete from public.desk_reminders',
      ])
        await expect(ask(caller, attack), attack).rejects.toMatchObject({ code: '42501' });
    for (const table of ['desk_templates', 'desk_reminders']) {
      await fails(ask(visitor, `select * from public.${table}`));
      expect(await ask(stranger, `select * from public.${table}`)).toEqual([]);
      expect(await ask(stranger, `delete from public.${table} returning 1`)).toEqual([]);
      expect(await ask(ana, `select * from public.${table}`)).toHaveLength(1);
    }
    await fails(addTemplate(stranger));
    expect(await ask(stranger, "update public.desk_templates set name = 'x' returning 1")).toEqual([]);
    await fails(addTemplate(ana, { changed_by_name: 'Beto' }));
    await asOwner(engine, 'delete from public.desk_templates');
  });

  test('a lead has at most one reminder, which only its owner can set', async () => {
    const id = await takenBy(ana);
    const at = inHours(2);
    expect(await remind(ana, id, at)).toEqual([{ at, staff: ana.claims.sub }]);
    await fails(remind(ana, id), '23505');
    await fails(remind(beto, id), 'PT409', 'owned');
    const other = 'where quote_id = $1 returning 1';
    expect(await ask(beto, `update public.desk_reminders set at = now() + interval '1 minute' ${other}`, [id])).toEqual(
      [],
    );
    expect(await ask(beto, `delete from public.desk_reminders ${other}`, [id])).toEqual([]);
    await fails(ask(ana, 'update public.desk_reminders set staff = $1', [beto.claims.sub]));
    await ask(beto, 'update public.quote_desk set assignee = $2 where quote_id = $1', [id, beto.claims.sub]);
    expect(await ask(ana, `delete from public.desk_reminders ${other}`, [id])).toEqual([]);
    expect(await ask(beto, `delete from public.desk_reminders ${other}`, [id])).toHaveLength(1);
    expect(
      await askAsOwner(engine, "select from public.alerts where quote_id = $1 and kind = 'recordar'", [id]),
    ).toEqual([]);
    const free = sampleQuote();
    await put(visitor, 'quotes', free);
    await fails(remind(ana, free.id), 'PT409', 'unowned');
  });

  test.each([
    ['now', 0],
    ['in the past', -1],
    ['in more than a year', 367 * 24],
  ])('the desk refuses a reminder due %s', async (_, hours) => {
    await fails(remind(ana, await takenBy(ana), inHours(hours)), '23514');
  });

  test('a reminder for a blocked, closed or missing lead is refused', async () => {
    const [blocked, closed, odd] = [await takenBy(ana), await takenBy(ana), await takenBy(ana)];
    await ask(ana, "update public.quote_desk set status = 'ganada' where quote_id = $1", [closed]);
    await block(blocked);
    for (const id of [blocked, closed, randomUUID()]) await fails(remind(ana, id), 'PT409');
    await fails(remind(ana, odd, inHours(1), 'siempre'), '23514');
    await fails(remind(ana, odd, 'infinity'), '23514');
  });

  test('a reminder about an offer’s last day is due at nine on that day', async () => {
    const id = await takenBy(ana);
    await fails(remind(ana, id, undefined, 'vence'), 'PT409', 'nooffer');
    const day = (days: number) =>
      inHours(days * 24)
        .toISOString()
        .slice(0, 10);
    const nineOn = async (last: string) =>
      (await askAsOwner<{ at: Date }>(engine, "select ($1 || ' 09:00 America/Tijuana')::timestamptz as at", [last]))[0]!
        .at;
    await offer(id, day(20));
    // The database computes the time itself, and ignores the time in the request.
    expect(await remind(ana, id, inHours(1), 'vence')).toMatchObject([{ at: await nineOn(day(20)) }]);
    // An offer sent from the command line also has a last day, which counts for the reminder.
    const newer = await offer(id, day(30), service);
    expect(await setReminder(id)).toEqual({ at: await nineOn(day(30)), why: 'vence' });
    const alerts = "select due_at from public.alerts where quote_id = $1 and kind = 'recordar'";
    expect(await askAsOwner(engine, alerts, [id])).toEqual([{ due_at: await nineOn(day(30)) }]);
    const moved = { id: randomUUID(), quote_id: id, answer_id: newer, state: 'retirada', word: 'Se llenó.' };
    await put(ana, 'offer_moves', moved);
    expect(await setReminder(id)).toBe(undefined);
    expect(await askAsOwner(engine, alerts, [id])).toEqual([]);
  });

  test('a reminder alerts the lead’s owner, or all present colleagues if the lead has none', async () => {
    await here(ana, beto);
    const [own, handed, freed] = [await takenBy(ana), await takenBy(ana), await takenBy(ana)];
    for (const id of [own, handed, freed]) await remind(ana, id, inHours(1));
    expect(await toldAt(inHours(0.5), own)).toEqual([]);
    await ask(ana, 'update public.quote_desk set assignee = $2 where quote_id = $1', [handed, beto.claims.sub]);
    await ask(ana, "update public.quote_desk set status = 'nueva' where quote_id = $1", [freed]);
    expect(await toldAt(inHours(1.01), own)).toEqual(['Ana Ruiz', 'mail']);
    expect(await toldAt(inHours(1.02), handed)).toEqual(['Beto Sánchez', 'mail']);
    expect(await toldAt(inHours(1.03), freed)).toEqual(['Ana Ruiz', 'Beto Sánchez', 'mail']);
    expect(await toldAt(inHours(1.04), own)).toHaveLength(2);
  });

  test('a reminder alerts all present colleagues if the owner cannot be reached', async () => {
    await here(ana, beto);
    const [unreached, gone] = [await takenBy(ana), await takenBy(ana)];
    for (const id of [unreached, gone]) await remind(ana, id, inHours(1));
    await asOwner(engine, `delete from public.push_devices where staff = '${ana.claims.sub}'`);
    expect(await toldAt(inHours(1.01), unreached)).toEqual(['Beto Sánchez', 'mail']);
    await put(ana, 'staff_signs', { kind: 'mevoy' });
    expect(await toldAt(inHours(1.02), gone)).toEqual(['Beto Sánchez', 'mail']);
  });

  test('a reminder of a closed, blocked, erased or postponed lead alerts nobody', async () => {
    await here(ana);
    const leads = await Promise.all(Array.from({ length: 5 }, () => takenBy(ana)));
    const [won, blocked, erased, later, removed] = leads as [string, string, string, string, string];
    for (const id of leads) await remind(ana, id, inHours(1));
    await ask(ana, "update public.quote_desk set status = 'ganada' where quote_id = $1", [won]);
    for (const id of [blocked, erased]) await block(id);
    await ask(service, 'delete from public.quotes where id = $1', [erased]);
    await ask(ana, "update public.desk_reminders set at = now() + interval '5 hours' where quote_id = $1", [later]);
    await ask(ana, 'delete from public.desk_reminders where quote_id = $1', [removed]);
    for (const id of leads) expect(await toldAt(inHours(1.01), id)).toEqual([]);
    expect(await toldAt(inHours(5.01), later)).toEqual(['Ana Ruiz', 'mail']);
  });
});
