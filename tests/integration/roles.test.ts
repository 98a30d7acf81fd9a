import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { askAsOwner, insertion, introduce, service, visitor, type Caller } from './callers.ts';
import { eachEngine } from './engines.ts';
import { sampleQuote } from './sample-quote.ts';

const engines = await eachEngine();
afterAll(async () => {
  for (const engine of engines.toReversed()) await engine.close();
});

const person = (name: string, about: object = {}) => ({
  role: 'authenticated' as const,
  claims: { sub: randomUUID(), email: `${name}@aeropuente.mx`, app_metadata: { role: 'staff', name, ...about } },
});

describe.each(engines)('on $name', (engine) => {
  const [ana, beto, eva] = [person('ana'), person('beto'), person('eva', { supervisor: true })];
  const strangers: Caller[] = [
    visitor,
    ana,
    person('said by a string', { supervisor: 'yes' }),
    // One may call oneself so; the role is what the server gave.
    { ...ana, claims: { ...ana.claims, user_metadata: { supervisor: true } } },
    person('no staff', { role: 'authenticated', supervisor: true }),
  ];
  const ask = (caller: Caller, statement: string, ...parameters: unknown[]) =>
    engine.transaction(async (session) => {
      await introduce(session, caller);
      return session.query(statement, parameters);
    });
  const stored = async () => {
    const quote = sampleQuote();
    const [statement, values] = insertion('quotes', quote, '', '');
    await ask(visitor, statement, ...values);
    return quote.id;
  };
  const present = (who: Caller) => ask(who, "insert into public.staff_signs (kind) values ('estoy')");
  const owner = async (id: string) =>
    (
      await askAsOwner<{ assignee_name: string | null; status: string }>(
        engine,
        `select assignee_name, status from public.quote_desk where quote_id = '${id}'`,
      )
    )[0]!;
  const handTo = (caller: Caller, id: string, heir: typeof ana, status?: string) =>
    ask(
      caller,
      `update public.quote_desk set assignee = $2${status ? `, status = '${status}'` : ''} where quote_id = $1`,
      id,
      heir.claims.sub,
    );
  const take = (caller: Caller, id: string) =>
    ask(caller, "update public.quote_desk set status = 'tomada' where quote_id = $1", id);

  // First, before any function of the rules was planned as the owner of all.
  test('an export is noted with who, when and how many rows; nobody but a supervisor notes, reads or changes it', async () => {
    const note = "insert into public.desk_acts (kind, rows, what) values ('exporte', 7, 'open')";
    for (const stranger of strangers) await expect(ask(stranger, note)).rejects.toThrow();
    await ask(eva, note);
    await ask(service, "insert into public.desk_acts (kind, rows, what) values ('exporte', 9, 'terminal')");
    const read = (caller: Caller) => ask(caller, 'select staff_name, rows from public.desk_acts order by rows');
    expect(await read(eva)).toEqual([
      { staff_name: 'eva', rows: 7 },
      { staff_name: null, rows: 9 },
    ]);
    expect(await read(ana)).toEqual([]);
    await expect(read(visitor)).rejects.toThrow();
    for (const change of ['update public.desk_acts set rows = 0', 'delete from public.desk_acts'])
      await expect(ask(eva, change)).rejects.toThrow();
    for (const forged of ['staff', 'staff_name', 'at'])
      await expect(
        ask(eva, `insert into public.desk_acts (kind, rows, what, ${forged}) values ('exporte', 1, 'open', null)`),
      ).rejects.toThrow();
  });

  test('a supervisor hands any lead to who is here, or frees it; an agent hands on none but the own', async () => {
    for (const who of [ana, beto]) await present(who);
    const id = await stored();
    await expect(handTo(ana, id, beto, 'tomada')).rejects.toThrow();
    await handTo(eva, id, ana, 'tomada');
    expect(await owner(id)).toEqual({ assignee_name: 'ana', status: 'tomada' });
    await expect(handTo(beto, id, eva)).rejects.toThrow();
    await expect(ask(beto, "update public.quote_desk set status = 'nueva' where quote_id = $1", id)).rejects.toThrow();
    await handTo(eva, id, beto);
    expect(await owner(id)).toEqual({ assignee_name: 'beto', status: 'tomada' });
    // Who is not here is given nothing.
    await expect(handTo(eva, id, person('carla'))).rejects.toThrow('not here');
    await ask(eva, "update public.quote_desk set status = 'nueva' where quote_id = $1", id);
    expect(await owner(id)).toEqual({ assignee_name: null, status: 'nueva' });
    const trail = await askAsOwner<{ code: string }>(
      engine,
      `select code from public.quote_events where quote_id = '${id}' order by id`,
    );
    expect(trail.map(({ code }) => code)).toEqual(['creada', 'traspasada', 'traspasada', 'soltada']);
  });

  test('what was answered while nobody had it stays answered when a supervisor hands it to somebody', async () => {
    await present(ana);
    const id = await stored();
    await ask(service, "insert into public.quote_answers (quote_id, body) values ($1, 'Sale el jueves.')", id);
    await handTo(eva, id, ana, 'tomada');
    expect(await owner(id)).toEqual({ assignee_name: 'ana', status: 'respondida' });
  });

  test('what a supervisor may not do to another’s lead: answer it, or say how it ended', async () => {
    const id = await stored();
    await take(ana, id);
    for (const status of ['ganada', 'perdida', 'respondida'])
      await expect(
        ask(eva, `update public.quote_desk set status = '${status}' where quote_id = $1`, id),
      ).rejects.toThrow();
    await expect(
      ask(eva, "insert into public.quote_answers (quote_id, body) values ($1, 'Sale el jueves.')", id),
    ).rejects.toThrow();
    expect(await owner(id)).toEqual({ assignee_name: 'ana', status: 'tomada' });
  });

  test('a supervisor blocks a lead, which nobody on the desk reads any more; an agent blocks none', async () => {
    const id = await stored();
    const block = (caller: Caller) =>
      ask(caller, "insert into public.desk_acts (kind, quote_id) values ('bloqueo', $1)", id);
    const seen = (caller: Caller) => ask(caller, 'select quote_id from public.desk_leads where quote_id = $1', id);
    for (const stranger of strangers) await expect(block(stranger)).rejects.toThrow();
    expect(await seen(ana)).toHaveLength(1);
    await block(eva);
    await block(eva);
    expect([await seen(ana), await seen(eva)]).toEqual([[], []]);
    const trail = await askAsOwner<{ code: string; actor: string }>(
      engine,
      `select code, actor::text from public.quote_events where quote_id = '${id}' and code = 'bloqueada'`,
    );
    expect(trail).toEqual([{ code: 'bloqueada', actor: eva.claims.sub }]);
  });
});
