import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { DEVICE_KEYS, service, staffMember, type Caller } from './callers.ts';
import { actsOn, fails } from './lead-acts.ts';
import { engineOfFile, ON_POSTGRES } from './engines.ts';

const engine = await engineOfFile();

/**
 * SQL that simulates a random day: a lead, its owners, and up to four colleagues with their presence and devices.
 * Returns which rules were broken, and which cases occurred. The test requires each case at least once.
 */
const DAY = `
create or replace function pg_temp.drawn_day() returns jsonb language plpgsql as $$
declare
  lead uuid := gen_random_uuid();
  team uuid[] := array(select gen_random_uuid() from generate_series(1, (random() * 4)::integer));
  asked timestamptz;
  owner uuid;
  who uuid;
  step record;
  told uuid[];
  everybody uuid[];
  reached uuid[];
  broken text[] := '{}';
  seen text[] := '{}';
begin
  set local session_replication_role = replica;
  delete from public.alerts; delete from public.quote_desk; delete from public.quotes;
  delete from public.staff_presence; delete from public.push_devices;
  set local session_replication_role = origin;
  insert into public.quotes (id, nombre, empresa, email, telefono, peso, tipo_carga)
    values (lead, 'Ana', 'Mar', 'a@b.mx', '+52 664 555 0175', 1200, 'general');
  select asked_at into asked from public.quote_desk where quote_id = lead;
  set local session_replication_role = replica;
  foreach who in array team loop
    if random() < 0.9 then
      insert into public.staff_presence (staff, name, seen_at, left_at)
        values (who, 'x', asked - random() * interval '16 hours', case when random() < 0.2 then asked end);
    end if;
    insert into public.push_devices (endpoint, p256dh, auth, staff, answered_at)
      select 'https://push.example/' || gen_random_uuid(), 'B' || repeat('x', 86), repeat('x', 22), who,
             asked - random() * interval '40 hours'
      from generate_series(1, (random() * 2.2)::integer);
  end loop;
  for step in values (0, 'nueva'), (61, 'quedan60'), (91, 'quedan30'), (111, 'quedan10'), (121, 'tarde') loop
    if cardinality(team) > 0 and random() < 0.5 then
      owner := team[1 + floor(random() * cardinality(team))];
      update public.quote_desk set assignee = owner, assignee_name = 'x', status = 'tomada' where quote_id = lead;
    end if;
    if cardinality(team) > 0 and random() < 0.3 then
      update public.staff_presence set left_at = asked where staff_presence.staff = team[1];
    end if;
    if random() < 0.2 then
      update public.push_devices set answered_at = asked - interval '3 days'
        where id = (select id from public.push_devices order by random() limit 1);
    end if;
    set local session_replication_role = origin;
    perform public.claim_alerts(asked + step.column1 * interval '1 minute', '{push}',
      '{nueva,quedan60,quedan30,quedan10,tarde}');
    select coalesce(array_agg(distinct d.staff), '{}') into told
      from public.alert_messages as m join public.alerts as a on a.id = m.alert_id
      join public.push_devices as d on d.id = m.device_id where a.quote_id = lead and a.kind = step.column2;
    set local session_replication_role = replica;
    delete from public.alert_messages;
    select assignee into owner from public.quote_desk where quote_id = lead;
    select coalesce(array_agg(distinct d.staff), '{}') into everybody from public.push_devices as d;
    select coalesce(array_agg(distinct d.staff), '{}') into reached from public.push_devices as d
      where answered_at > asked + step.column1 * interval '1 minute' - interval '1 day'
        and not exists (select from public.staff_presence as p where p.staff = d.staff
                        and (p.left_at is not null or p.seen_at <= asked + step.column1 * interval '1 minute' - interval '12 hours'));
    if step.column2 = 'nueva' and owner is not null then
      seen := seen || 'taken at once'::text;
    elsif step.column2 = 'tarde' then
      seen := seen || 'late'::text;
      if not told @> everybody then broken := broken || 'late, and not all are told'::text; end if;
    elsif step.column2 in ('quedan30', 'quedan10') or owner is null or owner <> all (reached) then
      seen := seen || case when cardinality(reached) = 0 then 'nobody is here' when owner is null then 'free'
                           when owner <> all (reached) then 'the owner cannot be reached' else 'half an hour' end;
      if not told @> reached then broken := broken || format('%s: somebody who is here is not told', step.column2); end if;
      if cardinality(reached) = 0 and not told @> everybody then broken := broken || 'nobody here: not all are told'::text; end if;
    else
      seen := seen || 'the owner alone'::text;
      if told <> array[owner] then broken := broken || format('%s: not the owner alone', step.column2); end if;
    end if;
    -- After twelve hours without a sign of its owner, the lead must have no owner.
    if owner is not null and exists (select from public.staff_presence as p where p.staff = owner
        and p.seen_at <= asked + step.column1 * interval '1 minute' - interval '12 hours') then
      broken := broken || 'who is away still has it'::text;
    end if;
  end loop;
  return jsonb_build_object('broken', broken, 'seen', seen);
end $$`;

const [ana, beto] = [staffMember('Ana Ruiz'), staffMember('Beto Sánchez')];
const { ask, owner, put, takenBy, answer, reply } = actsOn(engine);
const sign = (caller: Caller, kind: string, more: object = {}) => put(caller, 'staff_signs', { kind, ...more });
const lead = async (id: string) =>
  (
    await ask(
      beto,
      `select status, assignee_name, (select code from public.quote_events as e where e.quote_id = d.quote_id
         order by id desc limit 1) as last from public.desk_leads as d where quote_id = $1`,
      [id],
    )
  )[0];
const device = { endpoint: 'https://push.example/1', ...DEVICE_KEYS };

test('a colleague’s leads become unassigned when the shift ends, or go to a present colleague', async () => {
  await sign(ana, 'estoy');
  const [one, two] = [await takenBy(ana), await takenBy(ana)];
  await fails(sign(ana, 'mevoy', { heir: beto.sub }), 'PT409');
  expect(await lead(one)).toMatchObject({ status: 'tomada', assignee_name: 'Ana Ruiz' });
  await sign(beto, 'estoy');
  await sign(ana, 'mevoy', { heir: beto.sub });
  for (const id of [one, two])
    expect(await lead(id)).toEqual({ status: 'tomada', assignee_name: 'Beto Sánchez', last: 'traspasada' });
  await sign(beto, 'mevoy');
  for (const id of [one, two])
    expect(await lead(id)).toEqual({ status: 'nueva', assignee_name: null, last: 'soltada' });
  expect(await ask(ana, 'select name, here, at_desk, devices from public.desk_reach order by name')).toEqual([
    { name: 'Ana Ruiz', here: false, at_desk: false, devices: 0 },
    { name: 'Beto Sánchez', here: false, at_desk: false, devices: 0 },
  ]);
  await sign(ana, 'estoy');
  await put(ana, 'push_devices', device);
  expect(await ask(beto, 'select name, here, at_desk, devices from public.desk_reach order by name')).toMatchObject([
    { name: 'Ana Ruiz', here: true, at_desk: true, devices: 1 },
    { here: false },
  ]);
});

test('alerts about an absent colleague’s leads go to the other colleagues', async () => {
  await sign(ana, 'estoy');
  await sign(beto, 'estoy');
  const id = await takenBy(ana);
  await put(ana, 'push_devices', device);
  const sql = "select private.gets_alert($1, $2, 'quedan60', now()) as told";
  const isTold = () => owner(sql, [beto.sub, ana.sub]);
  expect(await isTold()).toEqual([{ told: false }]);
  await sign(ana, 'conservo');
  expect(await lead(id)).toEqual({ status: 'tomada', assignee_name: 'Ana Ruiz', last: 'tomada' });
  expect(await ask(beto, "select here from public.desk_reach where name = 'Ana Ruiz'")).toEqual([{ here: false }]);
  expect(await isTold()).toEqual([{ told: true }]);
  await sign(ana, 'estoy');
  expect(await isTold()).toEqual([{ told: false }]);
});

test('a lead can be handed over only by its owner, and only to a present colleague', async () => {
  await sign(ana, 'estoy');
  const id = await takenBy(ana);
  const hand = (caller: Caller, to: string) =>
    ask(caller, 'update public.quote_desk set assignee = $2 where quote_id = $1', [id, to]);
  await sign(beto, 'mevoy');
  for (const to of [beto.sub, randomUUID()]) await fails(hand(ana, to), 'PT409');
  await sign(beto, 'estoy');
  await fails(hand(staffMember('Eva'), beto.sub));
  await hand(ana, beto.sub);
  expect(await lead(id)).toEqual({ status: 'tomada', assignee_name: 'Beto Sánchez', last: 'traspasada' });
});

test('the removal of a colleague leaves the colleague’s leads without owner, and deletes the devices', async () => {
  await sign(ana, 'estoy');
  const id = await takenBy(ana);
  await answer(ana, id, { kind: 'pregunta' });
  await reply(id);
  expect(await lead(id)).toMatchObject({ status: 'respondida', last: 'contestada' });
  await sign(service, 'baja', { staff: ana.sub });
  expect(await lead(id)).toEqual({ status: 'nueva', assignee_name: null, last: 'liberada' });
  for (const table of ['push_devices', 'staff_presence'])
    expect(await owner(`select from public.${table} where staff = $1`, [ana.sub]), table).toEqual([]);
});

test('colleagues cannot remove each other, and outsiders cannot report or see who is present', async () => {
  await sign(beto, 'estoy');
  await fails(sign(ana, 'baja'));
  const outsider = { ...ana, claims: { ...ana.claims, app_metadata: {} } };
  await fails(sign(outsider, 'estoy'));
  expect(await ask(outsider, 'select * from public.desk_reach')).toEqual([]);
});

test('a removed colleague has no more access, even if a desk is still open', async () => {
  const eva = staffMember('Eva Díaz');
  await sign(eva, 'estoy');
  await sign(service, 'baja', { staff: eva.sub });
  await fails(sign(eva, 'estoy'));
  await fails(put(eva, 'push_devices', device));
  // A removed colleague whose desk is still open cannot take a lead.
  const id = await takenBy(eva);
  await sign(eva, 'conservo');
  expect(await lead(id)).toMatchObject({ status: 'nueva', assignee_name: null });
  const here = () => ask(beto, "select devices from public.desk_reach where name = 'Eva Díaz'");
  expect(await here()).toEqual([]);
  const rehired = staffMember('Eva Díaz');
  await sign(rehired, 'estoy');
  await put(rehired, 'push_devices', device);
  expect(await here()).toEqual([{ devices: 1 }]);
});

test('an alert always reaches some colleague on simulated days, unless nobody can be reached', async () => {
  // A random day takes 40 ms on PGlite, so PGlite runs only three rounds.
  const turns = ON_POSTGRES ? 36 : 3;
  const seen: Record<string, number> = {};
  for (let turn = 1; turn <= turns; turn += 1) {
    // A transaction with many deleted rows becomes slow, so each transaction has only twelve days.
    const days = await engine.transaction(async (session) => {
      await session.run(`select setseed(${turn / turns}); ${DAY}`);
      const drawn = [];
      for (let each = 0; each < 12; each += 1)
        drawn.push(
          ...(await session.query<{ day: { broken: string[]; seen: string[] } }>('select pg_temp.drawn_day() as day')),
        );
      return drawn;
    });
    for (const { day } of days) {
      expect(day.broken, `turn ${turn}`).toEqual([]);
      for (const each of day.seen) seen[each] = (seen[each] ?? 0) + 1;
    }
  }
  const cases = ['late', 'nobody is here', 'free', 'the owner cannot be reached', 'half an hour', 'the owner alone'];
  for (const each of cases) expect(seen[each], each).toBeGreaterThan(turns);
});
