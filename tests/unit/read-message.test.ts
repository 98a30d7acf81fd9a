import { expect, test } from 'vitest';
import { readMessage } from '../../src/lead/read-message.ts';

const PERSON = { nombre: 'María Núñez', empresa: 'Berries del Valle', tipo_carga: 'perecederos' };

test.each([
  [
    'Buenas tardes. Soy María Núñez\nEmpresa: Berries del Valle\nTel: +52 664 123 4567\nmaria@berries.mx\n12,500 kg de arándanos al mes',
    { ...PERSON, email: 'maria@berries.mx', telefono: '+52 664 123 4567', peso: '12,500 kg' },
  ],
  ['Catéteres, 300 kilos, ventas@medica.com', { email: 'ventas@medica.com', peso: '300 kilos' }],
  ['Hola, soy Pepe 6641234567', { nombre: 'Pepe', telefono: '6641234567' }],
  [
    'NOMBRE: ANA RUIZ EMPRESA: Mariscos del Golfo S.A. de C.V.\nTel. (664) 123 45 67',
    {
      nombre: 'ANA RUIZ',
      empresa: 'Mariscos del Golfo S.A. de C.V.',
      telefono: '(664) 123 45 67',
      tipo_carga: 'perecederos',
    },
  ],
  ['Sale el 2026-12-06, sin demora.', {}],
  ['Mire esto https://example.com/2026/11/28', {}],
  ['', {}],
])('the pasted message %j fills the fields that it names', (text, expected) => {
  expect(readMessage(text)).toEqual(expected);
});

test('a long pasted message of repeated characters is read within two seconds', () => {
  const start = performance.now();
  for (const sign of ['1 ', 'a@', 'S.A. ', ' ', '(']) readMessage(sign.repeat(50_000));
  expect(performance.now() - start).toBeLessThan(2000);
});
