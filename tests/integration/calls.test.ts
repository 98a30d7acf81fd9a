import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { staffMember, stranger, visitor, type Caller } from './callers.ts';
import { engineOfFile } from './engines.ts';
import { actsOn } from './lead-acts.ts';
import { sampleQuote } from './sample-quote.ts';

const engine = await engineOfFile();

const ana = staffMember('Ana');

const fails = (check: string) => ({ code: '23514', constraint: `quotes_${check}_check` });

const { owner, asOwner, ask, put } = actsOn(engine);
const store = (caller: Caller, row: object) => put(caller, 'quotes', row);
const call = (more: object = {}) => ({
  id: randomUUID(),
  nombre: 'Ana Lucía',
  telefono: `664 555 ${1000 + Math.floor(Math.random() * 9000)}`,
  origen: 'llamada',
  ...more,
});

test('a request taken by phone needs only name and phone, and gets folio, deadline and alerts', async () => {
  const row = call();
  await store(ana, row);
  const [lead] = await ask(ana, 'select * from public.desk_leads where quote_id = $1', [row.id]);
  expect(lead).toMatchObject({
    origen: 'llamada',
    empresa: null,
    email: null,
    peso: null,
    tipo_carga: null,
    status: 'nueva',
    open: true,
  });
  expect(lead!['folio']).toMatch(/^AP-/);
  expect(Number(lead!['due_at']) - Number(lead!['asked_at'])).toBe(7_200_000);
  const kinds = await owner<{ kind: string }>(
    `select kind from public.alerts where quote_id = '${row.id}' order by due_at`,
  );
  expect(kinds.map(({ kind }) => kind)).toEqual(['nueva', 'quedan60', 'quedan30', 'quedan10', 'tarde']);
});

test.each<[what: string, caller: Caller, row: object, why: object]>([
  ['a visitor claims that the quote was a call', visitor, call(), { code: '42501' }],
  ['a stranger is signed in', stranger, call(), { code: '42501' }],
  ['a visitor omits what the form requires', visitor, call({ origen: undefined }), fails('whole')],
  ['staff omit a field with the origin formulario', ana, call({ origen: 'formulario' }), fails('whole')],
  ['the origin is unknown', ana, call({ origen: 'fax' }), fails('origen')],
  ['the phone is missing', ana, call({ telefono: undefined }), { code: '23502' }],
])('the database refuses a request taken by phone if %s', async (_, caller, row, why) => {
  const given = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
  await expect(store(caller, given)).rejects.toMatchObject(why);
});

test('requests that colleagues take by phone are not limited', async () => {
  await asOwner('update private.quote_limits set per_address = 1, overall = 0; delete from private.quote_sends');
  const from = (caller: Caller): Caller => ({ ...caller, headers: { 'x-forwarded-for': '203.0.113.9' } });
  for (let turn = 0; turn < 3; turn += 1) await store(from(ana), call());
  await store(from(visitor), sampleQuote());
  await expect(store(from(visitor), sampleQuote())).rejects.toThrow('Too many');
  await store(from(ana), call());
  await asOwner('update private.quote_limits set per_address = 0');
});
