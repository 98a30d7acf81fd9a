import { expect, test } from 'vitest';
import { readMessage } from '../../src/desk/list/read-message.ts';

test.each([
  [
    'Buen día, soy Ana Lucía de la Torre, de la empresa Mar de Cortés. Somos de Ensenada, 1,200 kg al mes de camarón. Mi tel es 664 555 0175 y mi correo ana@mar.example.',
    {
      nombre: 'Ana Lucía de la Torre',
      empresa: 'Mar de Cortés',
      telefono: '664 555 0175',
      email: 'ana@mar.example',
      peso: '1,200 kg',
      tipo_carga: 'perecederos',
    },
  ],
  [
    'hola cuanto cuesta mandar 3 toneladas, carga perecedera? +52 1 (686) 555-0199',
    {
      telefono: '+52 1 (686) 555-0199',
      peso: '3000',
      tipo_carga: 'perecederos',
    },
  ],
  [
    'Soy Luz Prado de la empresa Fresas del Valle',
    { nombre: 'Luz Prado', empresa: 'Fresas del Valle', tipo_carga: 'perecederos' },
  ],
  [
    'Hola. Laura Peña de Langosta Real, 300 kg de langosta viva',
    { nombre: 'Laura Peña', empresa: 'Langosta Real', peso: '300 kg', tipo_carga: 'perecederos' },
  ],
  ['Salen 2.5 t por mes', { peso: '2500' }],
  // Dates and prices must not be read as telephone numbers.
  ['¿Sale el 28/11/2026? Pagué 4.10 por kilo', {}],
  ['Vuelo el 28-11-2026, tel 6641234567', { telefono: '6641234567' }],
  ['2026-11-28 telefono 664-123-45-67', { telefono: '664-123-45-67' }],
  ['+86-10-6552-9988', { telefono: '+86-10-6552-9988' }],
  ['01-55-5512-3456', { telefono: '01-55-5512-3456' }],
  ['2026-12-01 6641234567', { telefono: '6641234567' }],
  ['6641234567 2000 kg', { telefono: '6641234567', peso: '2000 kg' }],
  ['6641234567 200 kg', { telefono: '6641234567', peso: '200 kg' }],
  ['Son 3 500 kg mensuales', { peso: '3 500 kg' }],
  ['Necesito precio para 1.500 kg', {}],
  ['', {}],
])('the desk proposes only the values stated in the message «%s»', (message, found) => {
  expect(readMessage(message)).toEqual(found);
});

test('the desk reads only the first 4,000 characters of a message', () => {
  expect(readMessage(`${'a'.repeat(3980)} ana@mar.example`)).toEqual({ email: 'ana@mar.example' });
  expect(readMessage(`${'a'.repeat(60_000)} ana@mar.example`)).toEqual({});
});
