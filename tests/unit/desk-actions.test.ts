import { RequestError } from '../../src/desk/api/request-error.ts';
import { latestOnly } from '../../src/desk/latest-only.ts';
import { expect, test, vi } from 'vitest';
import { sampleLead } from './sample-lead.ts';

vi.stubGlobal('location', { origin: 'http://localhost' });
const { plainKilos } = await import('../../src/desk/answer/sending.ts');
const { answerOf, faultsOf } = await import('../../src/desk/answer/use-answer.ts');
const { isSame } = await import('../../src/desk/api/lead-changes.ts');
const { failedResult } = await import('../../src/desk/api/action-result.ts');
vi.unstubAllGlobals();

test('the desk accepts kilos only as whole numbers, with or without thousands separators', () => {
  for (const typed of ['1200', '1,200', ' 1 200 ', '1\u00a0200', '1\u202f200']) expect(plainKilos(typed)).toBe('1200');
  expect(plainKilos('1,000,000')).toBe('1000000');
  // Removing the comma or point would change the weight that each text means.
  for (const typed of ['1200,50', '12,5', '1,2000', '1200,500', '1.5', ',200', '0,500', ''])
    expect(plainKilos(typed)).toBe(typed);
});

test.each([
  [{}, {}],
  [{ body: '\u200b\n' }, { body: 'Escriba la respuesta.' }],
  [{ price: '' }, { price: 'Escriba el precio. Sin precio, elija Pregunta o Mensaje.' }],
  [{ price: '0x10' }, { price: 'Escriba el precio como 4.10.' }],
  [{ kilos: '1200,50' }, { kilos: 'Escriba el peso en kilos enteros, como 1,200.' }],
  [{ validUntil: '' }, { validUntil: 'Indique la vigencia de la oferta.' }],
  [{ validUntil: '20226-11-28' }, { validUntil: 'Escriba la fecha como 28/11/2026.' }],
  [{ validUntil: '2020-11-28' }, { validUntil: 'La fecha ya pasó en Tijuana.' }],
  // A message needs no price.
  [{ kind: 'mensaje' as const, price: '', validUntil: '' }, {}],
])('an answer typed with %j has the faults %j', (changes, faults) => {
  const price = { price: '4,10', per: 'kilo', currency: 'USD', kilos: '1,200', validUntil: '2099-11-28' } as const;
  const offer = { kind: 'oferta', body: 'Con gusto.', lines: [], ...price } as const;
  const { lines: _, ...found } = faultsOf({ ...offer, ...changes });
  expect(Object.fromEntries(Object.entries(found).map(([name, says]) => [name, says?.es]))).toEqual(faults);
});

test.each([
  [4.1, '4.10', true],
  [null, undefined, false],
  [[{ per: 'dia', amount: 3, kind: 'flete' }], [{ kind: 'flete', per: 'dia', amount: 3 }], true],
  [[{ kind: 'flete', amount: 3 }], [{ kind: 'flete', amount: 4 }], false],
  [[{ kind: 'flete' }], [{ kind: 'flete' }, { kind: 'manejo' }], false],
  [[{ kind: 'flete' }], [{ kind: 'flete', days: 2 }], false],
  [null, [{ kind: 'flete' }], false],
])('the stored value %j counts as the sent value %j after a lost response: %s', (stored, sent, same) => {
  expect(isSame(stored, sent)).toBe(same);
});

test.each([
  [null, 'oferta'],
  ['reservada', 'mensaje'],
] as const)('the answer to a lead with an offer in state %s is first of kind %s', (accepted_state, kind) => {
  expect(answerOf(sampleLead('2026-11-28T17:00:00Z', { accepted_state }), undefined, '', '').kind).toBe(kind);
});

test('the desk explains refusals, also those by an older database', () => {
  const says = (code: string) => failedResult(new RequestError('refused', code, ''));
  for (const code of ['PGRST204', 'PGRST205'])
    expect(says(code)).toMatchObject({ kind: 'refused', says: { es: expect.stringMatching(/versión anterior/) } });
  expect(says('23514')).toMatchObject({ kind: 'refused', says: { es: 'El servidor rechazó el cambio.' } });
});

test('the desk ignores the result of an earlier read that ends after a later read', async () => {
  const waiting: ((value: string) => void)[] = [];
  const read = latestOnly(() => new Promise<string>((resolve) => waiting.push(resolve)));
  const [earlier, later] = [read(), read()];
  waiting[1]!('later');
  waiting[0]!('earlier');
  expect(await Promise.all([earlier, later])).toEqual([undefined, 'later']);
  const last = read();
  read.forget();
  waiting[2]!('last');
  expect(await last).toBe(undefined);
});
