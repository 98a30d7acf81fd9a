import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { ALERT_KINDS } from '../../src/lead/vocabulary.ts';
import { DEVICE_KEYS, service, staffMember, visitor, type Caller } from './callers.ts';
import { actsOn } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';

const engine = await engineOfFile();

const DEVICE = { endpoint: 'https://push.example/1', ...DEVICE_KEYS };

let ana = staffMember('Ana Ruiz');
const { quoted, owner, asOwner, ask, put } = actsOn(engine);
const sign = (kind: string) => put(ana, 'staff_signs', { kind });
beforeEach(async () => {
  const tables = ['quotes', 'alerts', 'push_devices', 'staff_presence', 'desk_watches'];
  await asOwner(`truncate ${tables.map((table) => `public.${table}`).join()} cascade`);
  // Each test has a new colleague, because a removed colleague cannot come back.
  ana = staffMember('Ana Ruiz');
  await sign('estoy');
});

const left = async (caller: Caller = ana) => {
  const secret = randomUUID();
  await put(caller, 'desk_watches', { secret });
  return secret;
};
const counted = (secret: string) =>
  ask<{ open: number; late: number; newest: Date | null }>(
    { ...visitor, headers: { 'x-watch': secret } },
    'select * from public.desk_watch',
  );

test('a locked desk reads only the numbers of open and late leads', async () => {
  const secret = await left();
  expect(await counted(secret)).toEqual([{ open: 0, late: 0, newest: null }]);
  const [first, second] = [await quoted(), await quoted()];
  await asOwner(`update public.quote_desk set asked_at = asked_at - interval '3 hours' where quote_id = '${first}'`);
  expect(await counted(secret)).toMatchObject([{ open: 2, late: 1, newest: expect.anything() as Date }]);
  await asOwner(`update public.quote_desk set blocked_at = now() where quote_id = '${second}'`);
  expect(await counted(secret)).toMatchObject([{ open: 1, late: 1 }]);
});

test('a locked desk can read how many leads wait, but only with a valid secret', async () => {
  const secret = await left();
  expect(await counted(randomUUID())).toEqual([]);
  expect(await counted("x' or true")).toEqual([]);
  expect(await ask(visitor, 'select * from public.desk_watch')).toEqual([]);
  for (const caller of [visitor, ana]) {
    await expect(ask(caller, 'select * from public.desk_watches')).rejects.toThrow('permission denied');
    await expect(ask(caller, 'delete from public.desk_watches')).rejects.toThrow('permission denied');
  }
  await expect(left(visitor)).rejects.toThrow('permission denied');
  await expect(left(staffMember('Eva', { role: 'customer' }))).rejects.toThrow('row-level security');
  expect(await counted(secret)).toHaveLength(1);
});

test.each([
  ['its colleague has left', () => sign('mevoy')],
  ['its colleague was removed', () => put(service, 'staff_signs', { kind: 'baja', staff: ana.claims.sub })],
  ['twelve hours are over', () => asOwner("update public.desk_watches set made_at = now() - interval '12 hours'")],
])('a locked desk cannot read the numbers of leads once %s', async (_why, end) => {
  const secret = await left();
  await end();
  expect(await counted(secret)).toEqual([]);
});

test('expired secrets of locked desks are deleted when another desk locks', async () => {
  await left();
  await asOwner("update public.desk_watches set made_at = now() - interval '13 hours'");
  const secret = await left();
  expect(await owner('select secret from public.desk_watches')).toEqual([{ secret }]);
});

const mailed = async (minutes = 0) => {
  const at = new Date(Date.now() + minutes * 60_000);
  const rows = await ask<{ kind: string; way: string; folio: string }>(
    service,
    "select kind, way, folio from public.claim_alerts($1, '{push,mail}', $2)",
    [at, ALERT_KINDS],
  );
  return rows.filter(({ kind }) => kind === 'nadie');
};

test('the sales mailbox gets one mail a day, without a folio', async () => {
  await asOwner(`insert into public.push_devices (endpoint, p256dh, auth, staff, answered_at)
      values ('${DEVICE.endpoint}', '${DEVICE.p256dh}', '${DEVICE.auth}', '${ana.claims.sub}', now() - interval '25 hours')`);
  expect([...(await mailed()), ...(await mailed(1))]).toEqual([{ kind: 'nadie', way: 'mail', folio: '' }]);
  await asOwner(
    "update public.alerts set due_at = now() - interval '25 hours', asked_at = due_at where kind = 'nadie'",
  );
  expect(await mailed(1)).toHaveLength(1);
});

test('an alert to the sales mailbox does not appear among the alerts of leads', async () => {
  await mailed(1);
  await asOwner('update public.alert_messages set sent_at = now()');
  expect(await ask(ana, 'select * from public.desk_alerts')).toEqual([]);
});

test('the mail is not sent if a device confirms an alert in time', async () => {
  await put(ana, 'push_devices', DEVICE);
  expect([...(await mailed()), ...(await mailed(1))]).toEqual([]);
  await asOwner('delete from public.push_devices');
  // The mail was already claimed when the device appeared, but not sent.
  await ask(service, "select * from public.claim_alerts(now() - interval '1 minute', '{push,mail}', $1)", [
    ALERT_KINDS,
  ]);
  await put(ana, 'push_devices', DEVICE);
  expect(await mailed(1)).toEqual([]);
});
