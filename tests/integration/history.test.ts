import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { typedHeader } from '../../src/lead/typed-header.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { presenting, service, staffMember, type Caller } from './callers.ts';
import { actsOn, OFFER, fails } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';

const engine = await engineOfFile();

const [ana, beto] = [staffMember('Ana Ruiz'), staffMember('Beto Sánchez')];
const customer = staffMember('Cliente', { role: '' });
const WORD = 'La respuesta llega en la otra.';

let lastPhone = 6_641_000_000;
const newPhone = () => String(++lastPhone);

const { asOwner, ask, owner, put, quoted, take, answer, accept, change, block, lead } = actsOn(engine);
const send = (changes: object = {}) => quoted({ telefono: newPhone(), ...changes });
const join = (quote_id: string, into_quote: string, caller: Caller = ana) =>
  put(caller, 'quote_joins', { quote_id, into_quote, word: WORD });
const historyOf = (id: string, caller: Caller = ana) =>
  ask(caller, 'select * from public.desk_history where of_quote = $1 order by created_at desc', [id]);
const searched = async (typed: string, caller: Caller = ana) => {
  const searching = { ...caller, headers: { 'x-search': typedHeader(typed) } };
  return (await ask(searching, 'select quote_id from public.desk_search')).map(({ quote_id }) => quote_id);
};

test('the history of a customer has all leads with the same phone number or e-mail address', async () => {
  const [one, two] = [newPhone(), newPhone()];
  const mail = `ventas.${one}@mar.mx`;
  const first = await send({ telefono: one });
  const others = [
    await send({ telefono: `+52 ${one}` }),
    await send({ telefono: `+52 1 (${one.slice(0, 3)}) ${one.slice(3, 6)}-${one.slice(6)}`, email: mail }),
    await send({ telefono: `044 ${one}` }),
  ];
  const byMail = await send({ telefono: two, email: mail, peso: 7 });
  await send({ telefono: two.slice(1) });
  const ids = async (id: string) => new Set((await historyOf(id)).map(({ quote_id }) => quote_id));
  expect(await ids(first)).toEqual(new Set(others));
  expect(await ids(others[1]!)).toEqual(new Set([first, others[0], others[2], byMail]));
  expect(await ids(byMail)).toEqual(new Set([others[1]]));
});

test('the history of a customer shows each lead’s last offer and its outcome', async () => {
  const telefono = newPhone();
  const [won, lost, fresh] = [await send({ telefono }), await send({ telefono }), await send({ telefono })];
  for (const id of [won, lost]) await take(ana, id);
  await answer(ana, won, { ...OFFER, price: '5.00' });
  await accept(won, await answer(ana, won, OFFER));
  await change(ana, lost, { status: 'perdida', lost_reason: 'precio' });
  const offer = { price_for: 'kilo', currency: 'USD', kilos: 1200, state: 'aceptada' };
  expect(await historyOf(fresh)).toMatchObject([
    { folio: folioOf(lost), status: 'perdida', lost_reason: 'precio', price: null },
    { folio: folioOf(won), status: 'respondida', accepted_state: 'aceptada', price: '4.10', ...offer },
  ]);
});

test('the desk’s search finds names, companies, phones, e-mails and folios in any spelling', async () => {
  const telefono = newPhone();
  const id = await send({
    nombre: 'Íñigo Zúñiga Peña',
    empresa: 'Camarón & Cía',
    telefono: `+52 ${telefono}`,
    email: `x${telefono}@maravilla.mx`,
  });
  await owner("update public.quotes set created_at = now() - interval '9 years' where id = $1", [id]);
  const folio = folioOf(id);
  for (const typed of [
    'iñigo',
    'INIGO zuniga',
    'cía Camaron',
    'n & c camaron',
    telefono,
    `521${telefono}`,
    `(${telefono.slice(0, 3)}) ${telefono.slice(3, 6)}-${telefono.slice(6)}`,
    telefono.slice(2, 9),
    `x${telefono}@MARAVILLA.mx`,
    folio,
    folio.toLowerCase().replaceAll('-', ''),
  ])
    expect(await searched(typed), typed).toContain(id);
  for (const typed of ['iñigo camaronera', 'zz', '', '  ', '...', `${telefono}0`])
    expect(await searched(typed), typed).not.toContain(id);
});

test('the desk’s search treats % and _ as ordinary characters', async () => {
  const id = await send({ nombre: String.raw`Raúl 100%_\x`, empresa: `O'Neill "y" $1` });
  const other = await send({ nombre: 'Raúl 1000 yx' });
  for (const typed of ['100%', '0%_\\', String.raw`\x raul`, "o'neill", '"y" neill', '$1 neill'])
    expect(await searched(typed), typed).toContain(id);
  for (const typed of ['%%%', '___', '100%', String.raw`\\\\`, "' or true --", '%s raul', '%1$s raul'])
    expect(await searched(typed), typed).not.toContain(other);
  await fails(ask({ ...ana, headers: { 'x-search': '\\' } }, 'select quote_id from public.desk_search'), '22P02');
});

test('the desk’s search returns at most the newest fifty leads', async () => {
  const ids: string[] = [];
  for (let each = 0; each < 52; each += 1) ids.push(await send({ empresa: 'Exportadora Quetzalcóatl' }));
  const earlier = "update public.quotes set created_at = now() - interval '1 hour' where id = any ($1::uuid[])";
  await owner(earlier, [ids.slice(0, 2)]);
  const found = await searched('quetzalcoatl');
  expect(found).toHaveLength(50);
  expect(new Set(found)).toEqual(new Set(ids.slice(2)));
});

test('a blocked or erased lead appears in no search or history', async () => {
  const telefono = newPhone();
  const [blocked, other] = [await send({ telefono }), await send({ telefono })];
  await block(blocked);
  expect(await searched(telefono)).toEqual([other]);
  expect(await historyOf(other)).toEqual([]);
  expect(await historyOf(blocked)).toEqual([]);
  await fails(join(blocked, other), 'PT409', 'apart');
  await take(ana, other);
  await fails(join(other, blocked), 'PT409', 'apart');
  await ask(service, 'delete from public.quotes where id = $1', [blocked]);
  expect(await owner('select from private.quote_keys where quote_id = $1', [blocked])).toEqual([]);
});

test('a lead without e-mail address has a history of leads with the same phone number', async () => {
  const telefono = newPhone();
  const [one, two] = [await send({ telefono }), await send({ telefono: newPhone(), email: `${telefono}@a.mx` })];
  await asOwner(`update private.quote_keys set email = null where quote_id = '${one}';
     update private.quote_keys set phone = null, email = null where quote_id = '${two}'`);
  expect(await historyOf(one)).toEqual([]);
  expect(await historyOf(two)).toEqual([]);
  const [keys] = await owner<{ phone: string | null; email: string | null; words: string }>(
    `select k.* from jsonb_populate_record(null::public.quotes, $1) as q, private.quote_keys_of(q) as k`,
    [JSON.stringify({ id: one, nombre: 'Íñigo', telefono: '664 555 0175' })],
  );
  expect(keys).toMatchObject({ phone: '6645550175', email: null, words: 'inigo 6645550175' });
});

test('two leads of a day can be merged; only one of them stays open', async () => {
  const telefono = newPhone();
  const [joined, stays] = [await send({ telefono }), await send({ telefono })];
  await join(joined, stays);
  expect(await lead(joined)).toMatchObject({ open: false, replaced_by: stays, assignee_name: 'Ana Ruiz' });
  expect(await lead(stays)).toMatchObject({ open: true, replaced_by: null, status: 'nueva' });
  const words = 'select body, kind from public.quote_words where quote_id = $1';
  expect(await ask(presenting(joined), words, [joined])).toEqual([{ body: WORD, kind: 'mensaje' }]);
  const last = 'select code, actor, ref from public.quote_events where quote_id = $1 order by id desc limit 1';
  expect(await ask(ana, last, [joined])).toEqual([{ code: 'reemplazada', actor: ana.sub, ref: stays }]);
  expect(await searched(folioOf(joined))).toEqual([joined]);
  const { version } = await lead(joined);
  await join(joined, stays);
  expect((await lead(joined))['version']).toBe(version);
  expect(await owner('select from public.quote_joins')).toEqual([]);
  const third = await send({ telefono });
  for (const [one, other] of [
    [third, joined],
    [joined, third],
    [stays, joined],
  ] as const)
    await expect(join(one, other), one).rejects.toMatchObject({ code: 'PT409', hint: 'replaced' });
});

test('a lead that is accepted, closed or another colleague’s cannot be merged into another', async () => {
  const telefono = newPhone();
  const stays = await send({ telefono });
  const [accepted, lost, others] = [await send({ telefono }), await send({ telefono }), await send({ telefono })];
  await take(ana, accepted);
  await accept(accepted, await answer(ana, accepted, OFFER));
  await take(ana, lost);
  await change(ana, lost, { status: 'perdida' });
  await take(beto, others);
  for (const status of ['ganada', 'perdida']) {
    const ended = await send({ telefono });
    await take(ana, ended);
    await change(ana, ended, { status });
    await fails(join(stays, ended), 'PT409', 'accepted');
    expect(await lead(stays)).toMatchObject({ replaced_by: null, open: true });
  }
  for (const [id, hint] of [
    [accepted, 'accepted'],
    [lost, 'accepted'],
    [others, 'owned'],
  ] as const) {
    await expect(join(id, stays), hint).rejects.toMatchObject({ code: 'PT409', hint });
    expect((await lead(id))['replaced_by']).toBeNull();
  }
});

test('leads of different customers or of different days cannot be merged', async () => {
  const telefono = newPhone();
  const [one, older, stranger] = [await send({ telefono }), await send({ telefono }), await send()];
  await owner("update public.quotes set created_at = created_at - interval '1 day' where id = $1", [older]);
  for (const other of [older, stranger, one, randomUUID()])
    await expect(join(one, other), other).rejects.toMatchObject({ code: 'PT409', hint: 'apart' });
  await fails(join(randomUUID(), one), 'PT409', 'apart');
});

test('two leads that are merged into each other at the same time end as one merge', async () => {
  const telefono = newPhone();
  const [one, other] = [await send({ telefono }), await send({ telefono })];
  const ended = await Promise.allSettled([join(one, other), join(other, one)]);
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['fulfilled', 'rejected']));
});

test('an account without the role of staff finds and merges no leads', async () => {
  const telefono = newPhone();
  const [id, other] = [await send({ telefono }), await send({ telefono })];
  expect(await searched(telefono)).toHaveLength(2);
  expect(await searched(telefono, customer)).toEqual([]);
  expect(await historyOf(id, customer)).toEqual([]);
  await fails(join(id, other, customer));
});
