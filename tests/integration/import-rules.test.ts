import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { IMPORT_OUTCOMES } from '../../src/lead/vocabulary.ts';
import { askAsOwner, asking, insertion, quoting, service, staffMember, visitor, type Caller } from './callers.ts';
import { fails } from './lead-acts.ts';
import { eachEngine } from './engines.ts';

const engines = await eachEngine();
const ana = staffMember('Ana');
const stranger: Caller = { role: 'authenticated', claims: { sub: randomUUID(), app_metadata: {} } };

interface Outcome {
  readonly quote_id: string;
  readonly outcome: (typeof IMPORT_OUTCOMES)[number];
  readonly refusal?: string;
}

describe.each(engines)('on $name', (engine) => {
  const ask = asking(engine);
  let phone = 6_640_000_000 + Math.floor(Math.random() * 1e9);
  const contact = (more: object = {}) => ({ nombre: 'Ana Lucía', telefono: String((phone += 1)), ...more });
  const bring = async (leads: readonly object[], caller: Caller = ana, is_trial = false) => {
    const row = { leads: JSON.stringify(leads), is_trial };
    const [stored] = await ask<{ outcomes: Outcome[] }>(
      caller,
      ...insertion('lead_imports', row, '', 'returning outcomes'),
    );
    return stored!.outcomes;
  };
  const leadOf = async (id: string) =>
    (await ask(ana, 'select * from public.desk_leads where quote_id = $1', [id]))[0]!;

  test('an imported contact has no deadline, causes no alert, and is found by the search', async () => {
    await askAsOwner(
      engine,
      `insert into public.webhooks (url, events, secret)
       values ('https://crm.example', '{quote.received}', 'whsec_' || repeat('A', 32))`,
    );
    const [stored] = await bring([contact()]);
    expect(stored).toMatchObject({ outcome: 'stored' });
    const id = stored!.quote_id;
    expect(await leadOf(id)).toMatchObject({ origen: 'importada', status: 'nueva', open: false, empresa: null });
    const alerts = await askAsOwner(engine, 'select from public.alerts where quote_id = $1', [id]);
    expect(alerts).toEqual([]);
    const told = await askAsOwner(engine, 'select from public.webhook_deliveries where quote_id = $1', [id]);
    expect(told).toEqual([]);
    const events = await askAsOwner(engine, 'select code, actor from public.quote_events where quote_id = $1', [id]);
    expect(events).toEqual([{ code: 'importada', actor: ana.sub }]);
    const found = await ask(
      { ...ana, headers: { 'x-search': String(phone) } },
      'select quote_id from public.desk_search',
    );
    expect(found).toEqual([{ quote_id: id }]);
    // An insert into this table runs an import. The row itself is not kept, because of its personal data.
    expect(await askAsOwner(engine, 'select from public.lead_imports')).toEqual([]);
  });

  test('an imported lead keeps date, status, outcome and origin of the file', async () => {
    const old = {
      created_at: '2019-03-05T10:00:00.123456Z',
      empresa: 'Berries',
      email: 'a@b.mx',
      peso: 5,
      tipo_carga: 'general',
    };
    const [lost, answered, taken] = await bring([
      contact({ ...old, origen: 'formulario', status: 'perdida', lost_reason: 'precio' }),
      contact({ status: 'respondida', assignee_name: ' Eva ' }),
      contact({ status: 'tomada', origen: 'feria' }),
    ]);
    expect(await leadOf(lost!.quote_id)).toMatchObject({
      status: 'perdida',
      lost_reason: 'precio',
      origen: 'formulario',
    });
    const [{ created_at }] = (await askAsOwner(
      engine,
      'select created_at::text, updated_at::text from public.desk_leads where quote_id = $1',
      [lost!.quote_id],
    )) as [{ created_at: string }];
    expect(created_at).toMatch(/^2019-03-05 .*\.123456/);
    expect(await leadOf(answered!.quote_id)).toMatchObject({ status: 'respondida', assignee_name: 'Eva', open: false });
    expect(await leadOf(taken!.quote_id)).toMatchObject({ status: 'tomada', assignee: null, open: false });
  });

  test('a question from an imported contact opens the lead', async () => {
    const [taken, asked] = await bring([contact({ status: 'respondida' }), contact()]);
    await ask(ana, "update public.quote_desk set status = 'tomada' where quote_id = $1", [taken!.quote_id]);
    expect(await leadOf(taken!.quote_id)).toMatchObject({ status: 'respondida', assignee: ana.sub, open: false });
    const presenting: Caller = { ...visitor, headers: { 'x-submission-id': asked!.quote_id } };
    const reply = { id: randomUUID(), quote_id: asked!.quote_id, kind: 'pregunta', body: '¿Vuelan el jueves?' };
    await ask(presenting, ...insertion('quote_replies', reply, '', ''));
    const lead = await leadOf(asked!.quote_id);
    expect(lead).toMatchObject({ open: true });
    expect(Number(lead['due_at'])).toBeGreaterThan(Date.now());
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
    expect(await askAsOwner(engine, 'select from public.quotes where id = $1', [trial[0]!.quote_id])).toEqual([]);
    expect(await bring(leads)).toEqual(trial);
  });

  test('an invalid lead does not stop the import of other leads', async () => {
    const outcomes = await bring([
      contact({ telefono: undefined }),
      contact({ nombre: '\u200b' }),
      contact({ origen: 'fax' }),
      contact({ origen: 'formulario' }),
      contact({ peso: 'x' }),
      contact({ status: 'otra' }),
      contact({ status: 'ganada', lost_reason: 'precio' }),
      contact({ created_at: 'infinity' }),
      contact({ created_at: '1492-10-12' }),
      contact({ id: 'x' }),
      contact({ servicio: { deep: 1 } }),
      contact(),
    ]);
    expect(outcomes.map(({ outcome, refusal }) => refusal ?? outcome)).toEqual([
      '23502',
      'quotes_seen_check',
      'quotes_origen_check',
      'quotes_whole_check',
      '22P02',
      'quote_desk_status_check',
      'quote_desk_lost_reason_check',
      'lead_imports_day',
      'lead_imports_day',
      '22P02',
      'quotes_more_check',
      'stored',
    ]);
  });

  test('an import does not bring back an erased lead', async () => {
    const quote = await quoting(engine)();
    const { id, ...fields } = quote;
    expect(await bring([{ ...fields, created_at: new Date().toISOString() }])).toMatchObject([{ outcome: 'same' }]);
    await ask(service, 'update public.quote_desk set blocked_at = now() where quote_id = $1', [id]);
    await ask(service, 'delete from public.quotes where id = $1', [id]);
    expect(await bring([quote])).toMatchObject([{ outcome: 'erased' }]);
  });

  test.each<[who: string, caller: Caller]>([
    ['a visitor', visitor],
    ['a stranger who is signed in', stranger],
  ])('%s imports nothing and learns nothing', async (_, caller) => {
    const lead = { ...contact(), id: randomUUID() };
    await fails(bring([lead], caller));
    await fails(bring([lead], caller, true));
    expect(await askAsOwner(engine, 'select from public.quotes where id = $1', [lead.id])).toEqual([]);
  });

  test('the id of an imported contact cannot be computed from its content', async () => {
    const same = [contact()];
    const [stored] = await bring(same);
    const [{ secret }] = (await askAsOwner(engine, 'select secret from private.import_secret')) as [{ secret: string }];
    await askAsOwner(engine, 'update private.import_secret set secret = gen_random_uuid()');
    expect((await bring(same, ana, true))[0]!.quote_id).not.toBe(stored!.quote_id);
    await askAsOwner(engine, 'update private.import_secret set secret = $1', [secret]);
  });
});
