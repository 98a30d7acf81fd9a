import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ALERT_KINDS } from '../../src/lead/vocabulary.ts';
import { DEVICE_KEYS, insertion, service, staffMember, visitor, type Caller } from './callers.ts';
import { actsOn, fails, OFFER } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';
import { sampleQuote } from './sample-quote.ts';

const engine = await engineOfFile();

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR);
const GREETING = { name: 'Saludo', body: 'Hola, {nombre}.', kind: 'mensaje', place: 1 };

const supervisor = { supervisor: true };
const [ana, beto] = [staffMember('Ana Ruiz', supervisor), staffMember('Beto Sánchez', supervisor)];
const stranger = staffMember('Eva', { role: 'customer', ...supervisor });
const { owner, asOwner, ask, put, takenBy, answer, block, erase, setStatus, move } = actsOn(engine);
const addTemplate = (caller: Caller, changes: object = {}) =>
  ask(caller, ...insertion('desk_templates', { ...GREETING, ...changes }, ''));
const remind = (caller: Caller, quote_id: string, at: Date | string | undefined = inHours(1), why = 'fecha') =>
  ask<{ at: Date; staff: string }>(
    caller,
    ...insertion('desk_reminders', { quote_id, why, ...(at && { at }) }, '', 'returning at, staff'),
  );
const setReminder = (id: string) => ask(ana, 'select at, why from public.desk_reminders where quote_id = $1', [id]);
const handTo = (caller: Caller, id: string, { claims }: typeof ana) =>
  ask(caller, 'update public.quote_desk set assignee = $2 where quote_id = $1', [id, claims.sub]);
/** Returns the colleagues whose devices get alerts about the lead, and 'mail' for the team’s mailbox. */
const toldAt = async (at: Date, id: string) => {
  await ask(service, "select * from public.claim_alerts($1, '{push,mail}', $2)", [at, ALERT_KINDS]);
  const alerted = await owner<{ who: string }>(
    `select coalesce(d.staff::text, 'mail') as who from public.alert_messages as m
     join public.alerts as a on a.id = m.alert_id left join public.push_devices as d on d.id = m.device_id
     where a.quote_id = $1 and a.kind = 'recordar' order by m.way desc, who`,
    [id],
  );
  const names = new Map<string, string>([ana, beto].map(({ claims }) => [claims.sub, claims.app_metadata.name]));
  return alerted.map(({ who }) => names.get(who) ?? who).toSorted();
};
const here = async (...people: readonly (typeof ana)[]) => {
  await asOwner('delete from public.push_devices; delete from public.staff_presence');
  for (const each of people) {
    await put(each, 'staff_signs', { kind: 'estoy' });
    await put(each, 'push_devices', { endpoint: `https://push.example/${randomUUID()}`, ...DEVICE_KEYS });
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

test('a template names its last editor; a move within the list is not an edit', async () => {
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
  ['an empty text', { body: '' }],
  ['an invisible text', { body: '\u200b\n' }],
  ['an invisible English text', { body_en: ' ' }],
  ['both texts longer than an answer', { body: 'x'.repeat(2500), body_en: 'x'.repeat(2500) }],
  ['a negative place', { place: -1 }],
])('the database refuses a template with %s', async (_, changes) => {
  await fails(addTemplate(ana, changes), '23514');
});

test('a team can have at most a hundred templates', async () => {
  await asOwner(
    `insert into public.desk_templates (name, body, kind, place) select 'x', 'x', 'mensaje', n from generate_series(1, 99) as n`,
  );
  await addTemplate(ana);
  await fails(addTemplate(beto), 'PT409');
  await asOwner('delete from public.desk_templates');
});

test('visitors and customers cannot read templates or reminders', async () => {
  await addTemplate(ana);
  const id = await takenBy(ana);
  await remind(ana, id);
  for (const caller of [visitor, service]) {
    await fails(addTemplate(caller));
    await fails(remind(caller, id));
    for (const change of [
      "update public.desk_templates set name = 'x'",
      "update public.desk_reminders set why = 'vence'",
    ])
      await fails(ask(caller, change));
    for (const table of ['desk_templates', 'desk_reminders']) await fails(ask(caller, `delete from public.${table}`));
  }
  for (const table of ['desk_templates', 'desk_reminders']) {
    await fails(ask(visitor, `select * from public.${table}`));
    expect(await ask(stranger, `select * from public.${table}`)).toEqual([]);
    expect(await ask(stranger, `delete from public.${table} returning 1`)).toEqual([]);
    expect(await ask(ana, `select * from public.${table}`)).toHaveLength(1);
  }
  await fails(addTemplate(stranger));
  expect(await ask(stranger, "update public.desk_templates set name = 'x' returning 1")).toEqual([]);
  await fails(addTemplate(ana, { changed_by_name: 'Beto' }));
  await asOwner('delete from public.desk_templates');
});

test('a lead has at most one reminder, which only its owner can set', async () => {
  const id = await takenBy(ana);
  const at = inHours(2);
  expect(await remind(ana, id, at)).toEqual([{ at, staff: ana.claims.sub }]);
  await fails(remind(ana, id), '23505');
  await fails(remind(beto, id), 'PT409', 'owned');
  const postpone = "update public.desk_reminders set at = now() + interval '1 minute' where quote_id = $1 returning 1";
  const removed = (caller: Caller) =>
    ask(caller, 'delete from public.desk_reminders where quote_id = $1 returning 1', [id]);
  expect([await ask(beto, postpone, [id]), await removed(beto)]).toEqual([[], []]);
  await fails(ask(ana, 'update public.desk_reminders set staff = $1', [beto.claims.sub]));
  await handTo(beto, id, beto);
  expect(await removed(ana)).toEqual([]);
  expect(await removed(beto)).toHaveLength(1);
  const alerts = "select from public.alerts where quote_id = $1 and kind = 'recordar'";
  expect(await owner(alerts, [id])).toEqual([]);
  const free = sampleQuote();
  await put(visitor, 'quotes', free);
  await fails(remind(ana, free.id), 'PT409', 'unowned');
});

test('a reminder needs a reason, a time within a year, and an open lead', async () => {
  const [blocked, closed, open] = [await takenBy(ana), await takenBy(ana), await takenBy(ana)];
  await setStatus(ana, closed, 'ganada');
  await block(blocked);
  for (const id of [blocked, closed, randomUUID()]) await fails(remind(ana, id), 'PT409');
  for (const at of [inHours(0), inHours(-1), inHours(367 * 24), 'infinity'])
    await fails(remind(ana, open, at), '23514');
  await fails(remind(ana, open, inHours(1), 'siempre'), '23514');
});

test('a reminder about an offer’s last day is due at nine on that day', async () => {
  const id = await takenBy(ana);
  await fails(remind(ana, id, undefined, 'vence'), 'PT409', 'nooffer');
  const offer = (valid_until: string, caller: Caller) => answer(caller, id, { ...OFFER, valid_until });
  const dues = () => owner("select due_at as at from public.alerts where quote_id = $1 and kind = 'recordar'", [id]);
  const day = (days: number) => new Date(Date.now() + days * 24 * HOUR).toISOString().slice(0, 10);
  const nineOn = (last: string) =>
    owner<{ at: Date }>("select ($1 || ' 09:00 America/Tijuana')::timestamptz as at", [last]);
  await offer(day(20), ana);
  // The database computes the time itself, and ignores the time in the request.
  expect(await remind(ana, id, inHours(1), 'vence')).toMatchObject(await nineOn(day(20)));
  // The reminder moves to the last day of the newer offer, even if that offer was sent from the command line.
  const newer = await offer(day(30), service);
  const [due] = await nineOn(day(30));
  expect([await setReminder(id), await dues()]).toEqual([[{ ...due, why: 'vence' }], [due]]);
  await move(ana, id, newer, 'retirada', { word: 'Se llenó.' });
  expect([await setReminder(id), await dues()]).toEqual([[], []]);
});

test('a reminder alerts the lead’s owner, or all present colleagues if the lead has none', async () => {
  await here(ana, beto);
  const [own, handed, freed] = [await takenBy(ana), await takenBy(ana), await takenBy(ana)];
  for (const id of [own, handed, freed]) await remind(ana, id, inHours(1));
  expect(await toldAt(inHours(0.5), own)).toEqual([]);
  await handTo(ana, handed, beto);
  await setStatus(ana, freed, 'nueva');
  expect(await toldAt(inHours(1.01), own)).toEqual(['Ana Ruiz', 'mail']);
  expect(await toldAt(inHours(1.02), handed)).toEqual(['Beto Sánchez', 'mail']);
  expect(await toldAt(inHours(1.03), freed)).toEqual(['Ana Ruiz', 'Beto Sánchez', 'mail']);
  expect(await toldAt(inHours(1.04), own)).toHaveLength(2);
});

test('a reminder alerts all present colleagues if the owner cannot be reached', async () => {
  await here(ana, beto);
  const [unreached, gone] = [await takenBy(ana), await takenBy(ana)];
  for (const id of [unreached, gone]) await remind(ana, id, inHours(1));
  await asOwner(`delete from public.push_devices where staff = '${ana.claims.sub}'`);
  expect(await toldAt(inHours(1.01), unreached)).toEqual(['Beto Sánchez', 'mail']);
  await put(ana, 'staff_signs', { kind: 'mevoy' });
  expect(await toldAt(inHours(1.02), gone)).toEqual(['Beto Sánchez', 'mail']);
});

test('a reminder of a closed, blocked, erased or postponed lead alerts nobody', async () => {
  await here(ana);
  const leads = await Promise.all(Array.from({ length: 5 }, () => takenBy(ana)));
  const [won, blocked, erased, later, removed] = leads as [string, string, string, string, string];
  for (const id of leads) await remind(ana, id, inHours(1));
  await setStatus(ana, won, 'ganada');
  await block(blocked);
  await erase(erased);
  await ask(ana, "update public.desk_reminders set at = now() + interval '5 hours' where quote_id = $1", [later]);
  await ask(ana, 'delete from public.desk_reminders where quote_id = $1', [removed]);
  for (const id of leads) expect(await toldAt(inHours(1.01), id)).toEqual([]);
  expect(await toldAt(inHours(5.01), later)).toEqual(['Ana Ruiz', 'mail']);
});
