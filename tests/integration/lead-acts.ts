import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { askAsOwner, asking, asOwner, insertion, presenting, quoting, service, type Caller } from './callers.ts';
import type { Engine } from './engines.ts';

type Quote = string | { readonly id: string };
const idOf = (quote: Quote) => (typeof quote === 'string' ? quote : quote.id);
export const ONCE = 'on conflict (id) do nothing';

export const OFFER = {
  kind: 'oferta',
  price: '4.10',
  price_for: 'kilo',
  currency: 'USD',
  kilos: 1200,
  valid_until: '2999-11-28',
};

/** Expects the database to refuse an act with this error code. */
export const fails = (act: Promise<unknown>, code = '42501', hint?: string) =>
  expect(act).rejects.toMatchObject({ code, ...(hint && { hint }) });

/** Returns functions that act on a quote as a phone, a colleague or the operator does. */
export function actsOn(engine: Engine) {
  const ask = asking(engine);
  const put = (caller: Caller, table: string, row: object) => ask(caller, ...insertion(table, row, '', ''));
  const take = (caller: Caller, quote: Quote) =>
    ask(caller, "update public.quote_desk set status = 'tomada' where quote_id = $1 returning quote_id", [idOf(quote)]);
  const reply = (quote: Quote, more: object = {}) => {
    const row = { id: randomUUID(), quote_id: idOf(quote), kind: 'pregunta', body: '¿Y el viernes?', ...more };
    return ask<{ id: string; verdict: string | null; pressed_at: Date }>(
      presenting(row.quote_id),
      ...insertion('quote_replies', row, ONCE),
    );
  };
  const block = (quote: Quote, at: Date | null = new Date()) =>
    ask(service, 'update public.quote_desk set blocked_at = $2 where quote_id = $1 returning quote_id', [
      idOf(quote),
      at,
    ]);
  const quoted = async (changes?: object, caller?: Caller) => (await quoting(engine)(changes, caller)).id;
  /** Stores a quote, and takes the lead as this colleague. Returns the id. */
  const takenBy = async (caller: Caller) => {
    const id = await quoted();
    await take(caller, id);
    return id;
  };
  /** Changes a lead at the desk; with `version`, only if the lead still has this version. Returns the changed rows. */
  const change = (caller: Caller, quote: Quote, changes: object, version?: number) =>
    ask(
      caller,
      `update public.quote_desk set ${Object.keys(changes)
        .map((name, at) => `${name} = $${at + 2}`)
        .join()}
       where quote_id = $1 ${version === undefined ? '' : `and version = ${version}`} returning *`,
      [idOf(quote), ...Object.values(changes)],
    );
  const answer = async (caller: Caller, quote: Quote, more: object = {}) => {
    const row = { id: randomUUID(), quote_id: idOf(quote), kind: 'mensaje', body: 'Sale el jueves.', ...more };
    await ask(caller, ...insertion('quote_answers', row, ONCE));
    return row.id;
  };
  return {
    ask,
    asOwner: (script: string) => asOwner(engine, script),
    owner: <Row extends object = Record<string, unknown>>(statement: string, parameters: unknown[] = []) =>
      askAsOwner<Row>(engine, statement, parameters),
    put,
    take,
    reply,
    block,
    erase: async (quote: Quote) => {
      await block(quote);
      await ask(service, 'delete from public.quotes where id = $1', [idOf(quote)]);
    },
    setStatus: (caller: Caller, quote: Quote, status: string, lost_reason: string | null = null) =>
      change(caller, quote, { status, lost_reason }),
    refused: (caller: Caller, statement: string, parameters: unknown[] = [], code = '42501') =>
      fails(ask(caller, statement, parameters), code),
    quoted,
    takenBy,
    answer,
    /** Stores a quote, which this colleague takes and answers. */
    answeredBy: async (caller: Caller, more: object = {}) => {
      const id = await takenBy(caller);
      return { id, answer_id: await answer(caller, id, more) };
    },
    /** Stores a quote, takes the lead as this colleague, and sends an offer. */
    offeredBy: async (caller: Caller) => {
      const id = await takenBy(caller);
      return { id, offer: await answer(caller, id, OFFER) };
    },
    change,
    accept: async (quote: Quote, answer_id: string, more: object = {}) =>
      (await reply(quote, { answer_id, kind: 'aceptada', body: '', ...more }))[0]!,
    move: (caller: Caller, quote_id: string, answer_id: string, state: string, more: object = {}) =>
      ask(caller, ...insertion('offer_moves', { id: randomUUID(), quote_id, answer_id, state, ...more }, ONCE)),
    saw: (quote: Quote, answer_id: string, caller = presenting(idOf(quote))) =>
      ask(
        caller,
        ...insertion('quote_seen', { answer_id, quote_id: idOf(quote) }, 'on conflict (answer_id) do nothing', ''),
      ),
    lead: async (quote: Quote) =>
      (await ask(service, 'select * from public.desk_leads where quote_id = $1', [idOf(quote)]))[0]!,
    codes: async (quote: Quote) => {
      const sql = 'select code from public.quote_events where quote_id = $1 order by id';
      return (await ask<{ code: string }>(service, sql, [idOf(quote)])).map(({ code }) => code);
    },
  };
}
