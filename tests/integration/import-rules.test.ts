import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ImportOutcome } from '../../src/lead/lead-import.ts';
import { insertion, quoting, service, staffMember, stranger, visitor, type Caller } from './callers.ts';
import { actsOn, fails } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';

const engine = await engineOfFile();
const ana = staffMember('Ana');

const { owner, asOwner, ask, take, reply, lead, erase } = actsOn(engine);
let phone = 6_640_000_000 + Math.floor(Math.random() * 1e9);
const contact = (more: object = {}) => ({ nombre: 'Ana Lucía', telefono: String((phone += 1)), ...more });
const bring = async (leads: readonly object[], caller: Caller = ana, is_trial = false) => {
  const statement = insertion('lead_imports', { leads: JSON.stringify(leads), is_trial }, '', 'returning outcomes');
  return (await ask<{ outcomes: (ImportOutcome & { readonly quote_id: string })[] }>(caller, ...statement))[0]!
    .outcomes;
};

test('an imported contact has no deadline, causes no alert, and is found by the search', async () => {
  await owner(`insert into public.webhooks (url, events, secret)
     values ('https://crm.example', '{quote.received}', 'whsec_' || repeat('A', 32))`);
  const [stored] = await bring([contact()]);
  expect(stored).toMatchObject({ outcome: 'stored' });
  const id = stored!.quote_id;
  expect(await lead(id)).toMatchObject({ origen: 'importada', status: 'nueva', open: false, empresa: null });
  const rowsOf = (table: string, columns = '') =>
    owner(`select ${columns} from public.${table} where quote_id = $1`, [id]);
  expect([await rowsOf('alerts'), await rowsOf('webhook_deliveries')]).toEqual([[], []]);
  expect(await rowsOf('quote_events', 'code, actor')).toEqual([{ code: 'importada', actor: ana.sub }]);
  const searching = { ...ana, headers: { 'x-search': String(phone) } };
  expect(await ask(searching, 'select quote_id from public.desk_search')).toEqual([{ quote_id: id }]);
  // An insert into this table runs an import. The row itself is not kept, because of its personal data.
  expect(await owner('select from public.lead_imports')).toEqual([]);
});

test('an imported lead keeps date, status, outcome and origin of the file', async () => {
  const outcome = { status: 'perdida', lost_reason: 'precio', origen: 'formulario' };
  const fields = { empresa: 'Berries', email: 'a@b.mx', peso: 5, tipo_carga: 'general' };
  const [lost, answered, taken] = await bring([
    contact({ ...fields, ...outcome, created_at: '2019-03-05T10:00:00.123456Z' }),
    contact({ status: 'respondida', assignee_name: ' Eva ' }),
    contact({ status: 'tomada', origen: 'feria' }),
  ]);
  expect(await lead(lost!.quote_id)).toMatchObject(outcome);
  const created = 'select created_at::text from public.desk_leads where quote_id = $1';
  const day = expect.stringMatching(/^2019-03-05 .*\.123456/);
  expect(await owner(created, [lost!.quote_id])).toEqual([{ created_at: day }]);
  expect(await lead(answered!.quote_id)).toMatchObject({ status: 'respondida', assignee_name: 'Eva', open: false });
  expect(await lead(taken!.quote_id)).toMatchObject({ status: 'tomada', assignee: null, open: false });
});

test('a question from an imported contact opens the lead', async () => {
  const [taken, asked] = await bring([contact({ status: 'respondida' }), contact()]);
  await take(ana, taken!.quote_id);
  expect(await lead(taken!.quote_id)).toMatchObject({ status: 'respondida', assignee: ana.sub, open: false });
  await reply(asked!.quote_id);
  const opened = await lead(asked!.quote_id);
  expect(opened).toMatchObject({ open: true });
  expect(Number(opened['due_at'])).toBeGreaterThan(Date.now());
});

test('a lead that is imported twice is stored once', async () => {
  const leads = [contact({ email: 'Ana@b.mx' }), contact({ id: randomUUID() })];
  const first = await bring(leads);
  expect(first.map(({ outcome }) => outcome)).toEqual(['stored', 'stored']);
  const again = await bring(leads, service);
  expect(again).toEqual(first.map((each) => ({ ...each, outcome: 'there' })));
  const spelled = await bring([{ ...leads[0], nombre: 'ANA LUCÍA', telefono: ` ${phone - 1}`.trim() }]);
  expect(spelled).toEqual([again[0]]);
});

test('a trial import stores nothing, and says what an import would do', async () => {
  const leads = [contact(), contact({ telefono: '12' }), contact({ email: 'ana' }), contact({ peso: 0 })];
  const trial = await bring(leads, ana, true);
  expect(trial.map(({ outcome, refusal }) => [outcome, refusal])).toEqual([
    ['stored', undefined],
    ['refused', 'quotes_telefono_check'],
    ['refused', 'quotes_email_check'],
    ['refused', 'quotes_peso_check'],
  ]);
  expect(await owner('select from public.quotes where id = $1', [trial[0]!.quote_id])).toEqual([]);
  expect(await bring(leads)).toEqual(trial);
});

test('a lead with an invalid value does not stop the import of the other leads', async () => {
  const outcomes = await bring([
    contact({ telefono: undefined }),
    contact({ origen: 'formulario' }),
    contact({ peso: 'x' }),
    contact({ status: 'otra' }),
    contact({ created_at: 'infinity' }),
    contact({ created_at: '1492-10-12' }),
    contact({ servicio: { deep: 1 } }),
    contact(),
  ]);
  expect(outcomes.map(({ outcome, refusal }) => refusal ?? outcome)).toEqual([
    '23502',
    'quotes_whole_check',
    '22P02',
    'quote_desk_status_check',
    'lead_imports_day',
    'lead_imports_day',
    'quotes_more_check',
    'stored',
  ]);
});

test('an import does not bring back an erased lead', async () => {
  const quote = await quoting(engine)();
  const { id, ...fields } = quote;
  expect(await bring([{ ...fields, created_at: new Date().toISOString() }])).toMatchObject([{ outcome: 'same' }]);
  await erase(id);
  expect(await bring([quote])).toMatchObject([{ outcome: 'erased' }]);
});

test.each<[who: string, caller: Caller]>([
  ['a visitor', visitor],
  ['a stranger who is signed in', stranger],
])('%s cannot import leads, and does not learn which leads are stored', async (_, caller) => {
  const known = { ...contact(), id: randomUUID() };
  await fails(bring([known], caller));
  await fails(bring([known], caller, true));
  expect(await owner('select from public.quotes where id = $1', [known.id])).toEqual([]);
});

test('the id of an imported contact cannot be computed from its content', async () => {
  const same = [contact()];
  const [stored] = await bring(same);
  await asOwner('update private.import_secret set secret = gen_random_uuid()');
  expect((await bring(same, ana, true))[0]!.quote_id).not.toBe(stored!.quote_id);
});
