import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { folioOf } from '../../src/lead/folio.ts';
import { insertion, presenting, service, staffMember, visitor, type Caller } from './callers.ts';
import { actsOn, OFFER, fails } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';

const engine = await engineOfFile();

const ana = staffMember('Ana Ruiz');

const { asOwner, ask, put, quoted, take, answer, reply, move, block, lead } = actsOn(engine);
const say = async (quote_id: string, details: object, id = randomUUID(), caller = presenting(quote_id)) => {
  const row = { id, quote_id, ...details };
  await ask(caller, ...insertion('quote_details', row, 'on conflict (id) do nothing', 'returning created_at'));
  return id;
};
const storedDetails = (quote_id: string, caller = presenting(quote_id)) =>
  ask<{ id: string; producto: string | null; piezas: number | null }>(
    caller,
    'select id, producto, piezas from public.quote_details where quote_id = $1 order by pressed_at',
    [quote_id],
  );
const offer = async (quote_id: string) => {
  await take(ana, quote_id);
  return answer(ana, quote_id, OFFER);
};

test('the shipment details saved last count, even if details saved earlier arrive later', async () => {
  const id = await quoted();
  const later = await say(id, { producto: 'Fresas', piezas: 12, hace: 10 });
  const earlier = await say(id, { producto: 'Moras', hace: 3600 });
  await say(id, { producto: 'Otra cosa' }, later);
  expect(await storedDetails(id)).toEqual([
    { id: earlier, producto: 'Moras', piezas: null },
    { id: later, producto: 'Fresas', piezas: 12 },
  ]);
  expect(await ask(presenting(id, later, earlier), 'select id from public.unknown_submissions')).toEqual([]);
  expect(await storedDetails(id, ana)).toHaveLength(2);
});

test('a lead’s `news_at` changes when the customer sends something, not when the desk does', async () => {
  const id = await quoted();
  const news = async (of = id) => Number((await lead(of))['news_at']);
  expect(await news()).toBe(0);
  await say(id, { piezas: 3 });
  const first = await news();
  expect(first).toBeGreaterThan(0);
  await offer(id);
  await put(ana, 'shipment_papers', { id: randomUUID(), quote_id: id, papel: 'origen', estado: 'pedida' });
  expect(await news()).toEqual(first);
  await reply(id);
  expect(await news()).toBeGreaterThan(first);
  expect(await news(await quoted({ reemplaza: folioOf(id) }))).toBeGreaterThan(0);
});

test('shipment details cannot be changed while an offer is valid', async () => {
  const id = await quoted();
  const first = await say(id, { piezas: 3 });
  const answerId = await offer(id);
  await expect(say(id, { piezas: 4 })).rejects.toThrow(/An offer stands/);
  // Shipment details that are sent again after a lost response are not a change.
  await say(id, { piezas: 3 }, first);
  await move(ana, id, answerId, 'retirada', { word: 'Otra ruta' });
  await say(id, { piezas: 5 });
  expect((await storedDetails(id)).map(({ piezas }) => piezas)).toEqual([3, 5]);
});

test('a phone reads and writes shipment details only with the quote’s id', async () => {
  const [id, other] = [await quoted(), await quoted()];
  await say(id, { producto: 'Atún' });
  await expect(say(id, { piezas: 1 }, randomUUID(), presenting(other))).rejects.toThrow(/row-level security/);
  await expect(say(id, { piezas: 1 }, randomUUID(), visitor)).rejects.toThrow(/row-level security/);
  await expect(say(randomUUID(), { piezas: 1 })).rejects.toThrow(/not there/);
  expect(await storedDetails(id, presenting(other))).toEqual([]);
  expect(await storedDetails(id, staffMember('Cliente', { role: undefined }))).toEqual([]);
  const changed = asOwner('update public.quote_details set piezas = 1');
  await fails(changed);
  await block(id);
  await expect(say(id, { piezas: 1 })).rejects.toThrow(/not there/);
  expect(await storedDetails(id)).toEqual([]);
  await ask(service, 'delete from public.quotes where id = $1', [id]);
  expect(await storedDetails(id, service)).toEqual([]);
});

test('shipment details outside the bounds are refused', async () => {
  const id = await quoted();
  for (const details of [
    { piezas: 0 },
    { largo: 2001 },
    { kilos: 1_000_001 },
    { hace: -1 },
    ...['\u200b', ' x'].map((producto) => ({ producto })),
    ...['salida', 'destino'].map((place) => ({ [place]: 'x'.repeat(101) })),
    ...['infinity', '1999-12-31'].map((lista) => ({ lista })),
  ])
    await expect(say(id, details), JSON.stringify(details)).rejects.toThrow(/violates check constraint/);
});

const mark = (quote_id: string, paper: object, caller: Caller = presenting(quote_id)) =>
  ask(caller, ...insertion('shipment_papers', { id: randomUUID(), quote_id, ...paper }, '', ''));
const marked = (quote_id: string, caller: Caller = presenting(quote_id)) =>
  ask<{ papel: string; estado: string; author_name: string | null }>(
    caller,
    'select papel, estado, author_name from public.shipment_papers where quote_id = $1 order by pressed_at',
    [quote_id],
  );

test('states of shipping documents can be set while an offer is valid', async () => {
  const id = await quoted();
  await offer(id);
  await mark(id, { papel: 'factura', estado: 'tengo', archivo: randomUUID() });
  await mark(id, { papel: 'factura', estado: 'falta', hace: 600 });
  await mark(id, { papel: 'origen', estado: 'pedida' }, ana);
  const expected = [
    { papel: 'factura', estado: 'falta', author_name: null },
    { papel: 'factura', estado: 'tengo', author_name: null },
    { papel: 'origen', estado: 'pedida', author_name: 'Ana Ruiz' },
  ];
  expect(await marked(id)).toEqual(expected);
  expect(await marked(id, ana)).toEqual(expected);
});

test('a phone sets and reads states of shipping documents only with the quote’s id', async () => {
  const [id, other] = [await quoted(), await quoted()];
  const paper = { papel: 'factura', estado: 'tengo' };
  await mark(id, paper);
  await expect(mark(id, paper, presenting(other))).rejects.toThrow(/row-level security/);
  await expect(mark(id, paper, visitor)).rejects.toThrow(/row-level security/);
  await expect(mark(id, { papel: 'Factura', estado: 'tengo' })).rejects.toThrow(/violates check constraint/);
  await expect(mark(id, { papel: 'factura', estado: 'sí' })).rejects.toThrow(/violates check constraint/);
  expect(await marked(id, presenting(other))).toEqual([]);
  await block(id);
  await expect(mark(id, paper)).rejects.toThrow(/not there/);
  await expect(mark(id, paper, ana)).rejects.toThrow(/not there/);
  expect(await marked(id)).toEqual([]);
});

test.each<[kind: string, most: number, row: object]>([
  ['quote_details', 20, { piezas: 1 }],
  ['shipment_papers', 100, { papel: 'factura', estado: 'tengo' }],
  ['quote_link_closings', 20, {}],
])('a quote accepts new rows of %s at most %i times an hour', async (table, most, row) => {
  const quote_id = await quoted();
  const store = () => put(presenting(quote_id), table, { id: randomUUID(), quote_id, ...row });
  for (let each = 0; each < most; each += 1) await store();
  await expect(store()).rejects.toMatchObject({
    code: 'PGRST',
    message: expect.stringContaining(`Too many ${table} of one quote`),
  });
});
