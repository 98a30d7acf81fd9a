import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { insertion, service, staffMember, visitor, type Caller } from './callers.ts';
import { actsOn, fails } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';

const engine = await engineOfFile();
const TAKEN = ", status = 'tomada'";

const [ana, beto, eva] = [staffMember('ana'), staffMember('beto'), staffMember('eva', { supervisor: true })];
const strangers: Caller[] = [
  visitor,
  ana,
  staffMember('supervisor by a string', { supervisor: 'yes' }),
  // An account can write its own user_metadata, so a role there must not give rights.
  { ...ana, claims: { ...ana.claims, user_metadata: { supervisor: true } } },
  // A supervisor without a second factor (aal1) has only an agent’s rights.
  { ...eva, claims: { ...eva.claims, aal: 'aal1' } },
  { ...eva, claims: { ...eva.claims, aal: undefined, user_metadata: { second_factor: 'optional' } } },
  staffMember('supervisor without staff', { role: 'authenticated', supervisor: true }),
];
const { quoted, owner, ask, put, take, takenBy, answer, setStatus, lead, codes } = actsOn(engine);
const present = (who: Caller) => put(who, 'staff_signs', { kind: 'estoy' });
const handTo = (caller: Caller, id: string, heir: typeof ana, more = '') =>
  ask(caller, `update public.quote_desk set assignee = $2 ${more} where quote_id = $1`, [id, heir.sub]);
const note = { kind: 'exporte', leads: [], what: 'open' };

// This test runs first: a query plan cached for the owner could hide that rights are missing.
test('an export is recorded with name and time, and only a supervisor can record one', async () => {
  for (const stranger of strangers) await fails(put(stranger, 'desk_acts', note));
  await put(eva, 'desk_acts', note);
  await put(service, 'desk_acts', { kind: 'exporte', rows: 9, what: 'terminal' });
  const read = (caller: Caller) => ask(caller, 'select staff_name, rows from public.desk_acts order by rows');
  expect(await read(eva)).toEqual([
    { staff_name: 'eva', rows: 0 },
    { staff_name: null, rows: 9 },
  ]);
  expect(await read(ana)).toEqual([]);
  await fails(read(visitor));
  for (const change of ['update public.desk_acts set rows = 0', 'delete from public.desk_acts'])
    await fails(ask(eva, change));
  for (const forged of ['staff', 'staff_name', 'at']) await fails(put(eva, 'desk_acts', { ...note, [forged]: null }));
});

test('the server counts the leads of an export itself', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 30; count++) ids.push(await quoted());
  const exported = (leads: readonly string[], more = {}) =>
    ask(eva, ...insertion('desk_acts', { ...note, leads, ...more }, '', 'returning rows'));
  await fails(exported(ids, { rows: 1 }));
  expect(await exported(ids)).toEqual([{ rows: 30 }]);
  // Repeated, unknown and blocked leads are not counted, because the export does not contain them.
  await put(eva, 'desk_acts', { kind: 'bloqueo', quote_id: ids[0] });
  expect(await exported([...ids, ...ids, randomUUID()])).toEqual([{ rows: 29 }]);
});

test('a supervisor can assign any lead to a present colleague, an agent cannot', async () => {
  for (const who of [ana, beto]) await present(who);
  const id = await quoted();
  await fails(handTo(ana, id, beto, TAKEN));
  await handTo(eva, id, ana, TAKEN);
  expect(await lead(id)).toMatchObject({ assignee_name: 'ana', status: 'tomada' });
  await fails(handTo(beto, id, eva));
  await fails(setStatus(beto, id, 'nueva'), 'PT409', 'owned');
  await handTo(eva, id, beto);
  expect(await lead(id)).toMatchObject({ assignee_name: 'beto', status: 'tomada' });
  await expect(handTo(eva, id, staffMember('carla'))).rejects.toThrow('not here');
  await setStatus(eva, id, 'nueva');
  expect(await lead(id)).toMatchObject({ assignee_name: null, status: 'nueva' });
  expect(await codes(id)).toEqual(['creada', 'traspasada', 'traspasada', 'soltada']);
});

test('an answered lead without owner stays answered when a supervisor assigns it', async () => {
  await present(ana);
  const id = await quoted();
  await answer(service, id);
  await handTo(eva, id, ana, TAKEN);
  expect(await lead(id)).toMatchObject({ assignee_name: 'ana', status: 'respondida' });
});

test('a supervisor cannot answer or close another colleague’s lead', async () => {
  const id = await takenBy(ana);
  for (const status of ['ganada', 'perdida', 'respondida']) await fails(setStatus(eva, id, status), 'PT409', 'owned');
  await fails(answer(eva, id), 'PT409', 'owned');
  expect(await lead(id)).toMatchObject({ assignee_name: 'ana', status: 'tomada' });
});

test('a colleague’s request can change only one lead', async () => {
  const ids = [await quoted(), await quoted()];
  const takeAll = "update public.quote_desk set status = 'tomada' where quote_id = any ($1)";
  await fails(ask(ana, takeAll, [ids]), 'PT400');
  await take(ana, ids[0]!);
  expect(await lead(ids[1]!)).toMatchObject({ status: 'nueva' });
});

test('a supervisor blocks a lead, which disappears from the desk; an agent cannot block', async () => {
  const id = await quoted();
  const block = (caller: Caller) => put(caller, 'desk_acts', { kind: 'bloqueo', quote_id: id });
  const seen = (caller: Caller) => ask(caller, 'select quote_id from public.desk_leads where quote_id = $1', [id]);
  for (const stranger of strangers) await fails(block(stranger));
  expect(await seen(ana)).toHaveLength(1);
  await block(eva);
  await block(eva);
  expect([await seen(ana), await seen(eva)]).toEqual([[], []]);
  const trail = "select actor::text from public.quote_events where quote_id = $1 and code = 'bloqueada'";
  expect(await owner(trail, [id])).toEqual([{ actor: eva.sub }]);
});
