import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { ORIGINS } from '../../src/lead/vocabulary.ts';
import { askAsOwner, asOwner, introduce, visitor, type Caller } from './callers.ts';
import { eachEngine } from './engines.ts';
import { sampleQuote } from './sample-quote.ts';

const engines = await eachEngine();
afterAll(async () => {
  for (const engine of engines.toReversed()) await engine.close();
});

const ana: Caller = {
  role: 'authenticated',
  claims: { sub: randomUUID(), email: 'ana@aeropuente.mx', app_metadata: { role: 'staff', name: 'Ana' } },
};
const stranger: Caller = { role: 'authenticated', claims: { sub: randomUUID(), app_metadata: {} } };

describe.each(engines)('on $name', (engine) => {
  const store = (caller: Caller, row: object) =>
    engine.transaction(async (session) => {
      await introduce(session, caller);
      const names = Object.keys(row);
      const places = names.map((_, at) => `$${at + 1}`).join(', ');
      return session.query(`insert into public.quotes (${names.join(', ')}) values (${places})`, Object.values(row));
    });
  const call = (more: object = {}) => ({
    id: randomUUID(),
    nombre: 'Ana Lucía',
    telefono: `664 555 ${1000 + Math.floor(Math.random() * 9000)}`,
    origen: 'llamada',
    ...more,
  });

  test('a call needs a name and a phone; its clock, its folio and its alerts are those of any other', async () => {
    const row = call();
    await store(ana, row);
    const [lead] = await engine.transaction(async (session) => {
      await introduce(session, ana);
      return session.query<Record<string, unknown>>('select * from public.desk_leads where quote_id = $1', [row.id]);
    });
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
    const kinds = await askAsOwner<{ kind: string }>(
      engine,
      `select kind from public.alerts where quote_id = '${row.id}' order by due_at`,
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(['nueva', 'quedan60', 'quedan30', 'quedan10', 'tarde']);
  });

  test.each(ORIGINS.filter((origin) => origin !== 'formulario'))('by %s', async (origen) => {
    await store(ana, call({ origen }));
  });

  test.each<[what: string, caller: Caller, row: object]>([
    ['a visitor says that it was a call', visitor, call()],
    ['one who is signed in and no staff', stranger, call()],
    ['a visitor leaves out what the form asks', visitor, call({ origen: undefined })],
    ['staff say that the form left it out', ana, call({ origen: 'formulario' })],
    ['a way that there is not', ana, call({ origen: 'fax' })],
    ['no phone', ana, call({ telefono: undefined })],
    ['a phone that is none', ana, call({ telefono: '12' })],
    ['a name that nobody sees', ana, call({ nombre: '\u200b' })],
    ['an e-mail that is none', ana, call({ email: 'ana' })],
    ['kilos below none', ana, call({ peso: 0 })],
  ])('refused: %s', async (_, caller, row) => {
    const sent = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
    await expect(store(caller, sent)).rejects.toThrow();
  });

  test('calls are counted against no limit, and quotes of the page as before', async () => {
    await asOwner(
      engine,
      'update private.quote_limits set per_address = 1, overall = 0; delete from private.quote_sends',
    );
    const from = (caller: Caller): Caller => ({ ...caller, headers: { 'x-forwarded-for': '203.0.113.9' } });
    for (let turn = 0; turn < 3; turn += 1) await store(from(ana), call());
    await store(from(visitor), sampleQuote());
    await expect(store(from(visitor), sampleQuote())).rejects.toThrow('Too many');
    await store(from(ana), call());
    await asOwner(engine, 'update private.quote_limits set per_address = 0');
  });
});
