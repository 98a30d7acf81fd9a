import { expect, test } from 'vitest';
import { valuesIn } from '../../src/lead/read-message.ts';

test.each([
  [
    'Buenas tardes, somos Berries del Valle\nBerries del Valle, S. de R.L. de C.V.\nContacto: María Núñez\nTel: +52 664 123 4567\nmaria@berries.mx\n12,500 kg de arándano al mes',
    {
      nombre: 'María Núñez',
      empresa: 'Berries del Valle, S. de R.L. de C.V.',
      email: 'maria@berries.mx',
      telefono: '+52 664 123 4567',
      peso: '12,500',
      tipo_carga: 'perecederos',
    },
  ],
  ['Catéteres, 300 kilos, ventas@medica.com', { email: 'ventas@medica.com', peso: '300', tipo_carga: 'especial' }],
  ['Mire esto https://example.com/2026/11/28', {}],
  ['', {}],
])('the text %j names these values', (text, expected) => {
  expect(Object.fromEntries(valuesIn(text))).toEqual(expected);
});

test('a long text of repeated signs is read within a moment', () => {
  const start = performance.now();
  for (const sign of ['1 ', 'a@', 'S.A. ', ' ', '(']) valuesIn(sign.repeat(50_000));
  expect(performance.now() - start).toBeLessThan(2000);
});
