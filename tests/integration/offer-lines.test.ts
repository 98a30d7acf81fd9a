import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  CHARGED_PER,
  CHARGES,
  inPesos,
  MOST_LINES,
  offerSum,
  offerTotal,
  type Line,
} from '../../src/lead/offer-lines.ts';
import { CURRENCIES, PRICED_PER } from '../../src/lead/offer.ts';
import { drawsFrom } from '../chance.ts';
import { insertion, presenting, staffMember } from './callers.ts';
import { engineOfFile } from './engines.ts';
import { actsOn, fails, OFFER } from './lead-acts.ts';

const ana = staffMember('Ana');
const engine = await engineOfFile();
const SHIPMENT = { price_for: 'total', kilos: 250 };
const FREIGHT = { kind: 'flete', per: 'kilo', amount: 3.5 };
const FEE = { kind: 'otro', per: 'embarque', amount: 45 };
const NO_OFFER = { kind: 'mensaje', price: null, price_for: null, currency: null, kilos: null, valid_until: null };
const HANDLING = { kind: 'manejo', per: 'dia', amount: 80.1, days: 3 };

const DRAWN = 10_000;
/** Pesos for one unit of each currency. Offers in pesos (MXN) need no exchange rate. */
const RATES = { USD: 17.0638, CNY: 2.3987, MXN: undefined };

function drawOffer({ whole, oneOf, sometimes }: ReturnType<typeof drawsFrom>) {
  const price_for = oneOf(PRICED_PER);
  const lines = Array.from({ length: 1 + whole(MOST_LINES) }, (): Line => {
    const per = price_for === 'kilo' ? 'kilo' : oneOf(CHARGED_PER);
    // Most amounts are not exact as binary fractions, and some are large.
    const amount = (1 + whole(sometimes(0.1) ? 99_999_999 : 999)) / 100;
    return { kind: oneOf(CHARGES), per, amount, ...(per === 'dia' && { days: 1 + whole(365) }) };
  });
  return { price_for, lines, kilos: 1 + whole(sometimes(0.1) ? 1_000_000 : 5000), currency: oneOf(CURRENCIES) };
}

const { owner, ask, takenBy, answer, accept, move, lead } = actsOn(engine);
const setRate = (currency: string, pesos: string, more: object = {}) => {
  const row = { id: randomUUID(), currency, pesos, source: 'Banxico FIX', day: '2026-11-27', ...more };
  return ask(ana, ...insertion('exchange_rates', row, ''));
};
const wordOf = async (quote: string, id: string) =>
  (await ask(presenting(quote), 'select * from public.quote_words where id = $1', [id]))[0]!;

test('database and desk compute equal prices, totals and pesos for 10,000 random offers', async () => {
  const draws = drawsFrom(20_261_128);
  const offers = Array.from({ length: DRAWN }, () => drawOffer(draws));
  const rows = await owner<Record<'sum' | 'total' | 'pesos', string | null>>(
    `select sum::text, total::text, round(total * rate, 2)::text as pesos
     from jsonb_array_elements($1) with ordinality as drawn (offer, place),
       lateral (select offer ->> 'price_for' as price_for, (offer ->> 'kilos')::integer as kilos,
         ($2::jsonb ->> (offer ->> 'currency'))::numeric as rate) as parts,
       lateral (select private.offer_sum(offer -> 'lines', price_for, kilos) as sum) as summed,
       lateral (select sum * case price_for when 'kilo' then kilos else 1 end as total) as whole
     order by place`,
    [JSON.stringify(offers), JSON.stringify(RATES)],
  );
  const wrong = offers.flatMap((offer, place) => {
    const { lines, price_for: per, kilos, currency } = offer;
    const amount = offerSum(lines, per, kilos);
    const total = offerTotal({ amount, per, currency }, kilos);
    const rate = RATES[currency];
    const pesos = rate === undefined ? null : inPesos(total, rate);
    const computed = [amount, total, pesos].map((figure) => figure?.toFixed(2) ?? null);
    const { sum, total: stored, pesos: storedPesos } = rows[place]!;
    const inDatabase = [sum, stored, storedPesos].map((figure) => figure && Number(figure).toFixed(2));
    return JSON.stringify(computed) === JSON.stringify(inDatabase) ? [] : [{ offer, computed, inDatabase }];
  });
  expect(wrong.slice(0, 1)).toEqual([]);
  expect(rows).toHaveLength(DRAWN);
});

test('the price of an offer with several charges is their sum', async () => {
  const quote = await takenBy(ana);
  const lines = [FREIGHT, { ...FEE, name: 'Fumigación' }, HANDLING];
  const id = await answer(ana, quote, { ...OFFER, ...SHIPMENT, price: undefined, lines: JSON.stringify(lines) });
  const word = await wordOf(quote, id);
  expect(word).toMatchObject({ price: '1160.3', price_for: 'total', offer: { lines, total: 1160.3 } });
  await accept(quote, id);
  expect(await lead(quote)).toMatchObject({ accepted_lines: lines });
  expect(Number((await lead(quote))['accepted_total'])).toBe(1160.3);
});

test.each<[fault: string, price: number, lines: unknown, changes?: object]>([
  ['whose sum is not the price', 875.01, [FREIGHT]],
  ['without lines', 875, []],
  ['whose lines are no list', 875, FREIGHT],
  ['with a line that is no object', 875, [FREIGHT, 'flete']],
  ['with a line without parts', 875, [FREIGHT, {}]],
  ['with more than twelve lines', 0.13, Array.from({ length: 13 }, () => ({ ...FEE, amount: 0.01 }))],
  ['with an unknown charge', 45, [{ ...FEE, kind: 'propina' }]],
  ['with an unknown unit', 45, [{ ...FEE, per: 'caja' }]],
  ['with a negative amount', 830, [FREIGHT, { ...FEE, amount: -45 }]],
  ['with NaN as an amount', 875, [FREIGHT, { ...FEE, amount: 'NaN' }]],
  ['with half a cent', 501.25, [{ ...FREIGHT, amount: 2.005 }]],
  ['with days for a charge by the kilo', 875, [{ ...FREIGHT, days: 2 }]],
  ['with a charge by the day without days', 875, [FREIGHT, { ...FEE, per: 'dia' }]],
  ['with half a day', 40.05, [{ ...HANDLING, days: 0.5 }]],
  ['with a name for freight', 875, [{ ...FREIGHT, name: 'x' }]],
  ['with a name of no letters', 45, [{ ...FEE, name: '\u200b' }]],
  ['with hidden words in a line', 875, [{ ...FREIGHT, secret: 'x' }]],
  ['by the kilo with a charge by the shipment', 45, [FEE], { price_for: 'kilo' }],
  ['that is a message', 875, [FREIGHT], NO_OFFER],
])('the database refuses an offer %s', async (_, price, lines, changes) => {
  const quote = await takenBy(ana);
  const row = { ...OFFER, ...SHIPMENT, price, ...changes, lines: JSON.stringify(lines) };
  await fails(answer(ana, quote, row), '23514');
});

test('an offer keeps the exchange rate of the day on which it was sent', async () => {
  const quote = await takenBy(ana);
  const before = await wordOf(quote, await answer(ana, quote, { ...OFFER, currency: 'CNY' }));
  expect(before['offer']).toEqual({ total: 4920 });
  await setRate('USD', '17.0638');
  const offer = await answer(ana, quote, OFFER);
  await setRate('USD', '18.5', { source: 'DOF' });
  const word = await wordOf(quote, offer);
  const rated = { rate: 17.0638, source: 'Banxico FIX', day: '2026-11-27', pesos: 83_953.9 };
  expect(word['offer']).toEqual({ total: 4920, ...rated });
  const later = await wordOf(quote, await answer(ana, quote, OFFER));
  expect(later['offer']).toMatchObject({ rate: 18.5, source: 'DOF' });
  const mexican = await wordOf(quote, await answer(ana, quote, { ...OFFER, currency: 'MXN' }));
  expect(mexican['offer']).toEqual({ total: 4920 });
  // A client cannot send its own rate with an offer, and cannot change a stored rate.
  await fails(answer(ana, quote, { ...OFFER, rate: '1' }));
  await fails(ask(ana, `update public.exchange_rates set pesos = 1 returning id`));
});

test.each([
  ['NaN', {}],
  ['Infinity', {}],
  ['0', {}],
  ['-17', {}],
  ['17.06381', {}],
  ['17', { currency: 'MXN' }],
  ['17', { source: ' ' }],
  ['17', { day: '2999-01-01' }],
])('the database refuses an exchange rate of %s pesos with %o', async (pesos, more) => {
  await fails(setRate('USD', pesos, more), '23514');
});

test('an accepted offer shows when the customer accepted and when the server received the acceptance', async () => {
  const quote = await takenBy(ana);
  const offer = await answer(ana, quote, OFFER);
  const { pressed_at } = await accept(quote, offer);
  // The offer is accepted again from another phone, which must not change the two times of the first acceptance.
  await accept(quote, offer);
  await move(ana, quote, offer, 'reservada', { word: 'Entregue el lunes.' });
  const word = await wordOf(quote, offer);
  const { accepted, received } = word['offer'] as Record<'accepted' | 'received', string>;
  expect(Date.parse(accepted)).toBe(pressed_at.getTime());
  expect(Date.parse(received)).toBeGreaterThanOrEqual(Date.parse(accepted));
});
