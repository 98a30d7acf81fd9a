import { expect, test } from 'vitest';
import { formMessage, helperMessage, undeliveredMessage } from '../../src/content/refusals.ts';

test.each([
  ['23505', 'x', 'Ya existe una cotización con este email'],
  ['42501', 'x', 'Error de permisos. Por favor contacta al administrador.'],
  ['23514', 'x', 'Los datos proporcionados no son válidos'],
  ['XX000', 'disco', 'Error de base de datos: disco'],
  [undefined, '', 'Error desconocido al enviar cotización'],
] as const)('the helper says of code %s', (code, message, says) => {
  expect(helperMessage(code, message)).toBe(says);
});

test.each([
  ['Failed to fetch', 'Error de conexion. Verifica tu internet e intenta nuevamente.'],
  ['NetworkError when attempting to fetch resource.', 'Error de conexion. Verifica tu internet e intenta nuevamente.'],
  ['Ya existe una cotización con este email', 'Ya existe una cotizacion con este email. Te contactaremos pronto.'],
  [
    'Error de permisos. Por favor contacta al administrador.',
    'Error temporal del sistema. Intenta nuevamente en unos minutos.',
  ],
  ['new row violates row-level security policy', 'Error temporal del sistema. Intenta nuevamente en unos minutos.'],
  ['Los datos proporcionados no son válidos', 'Datos invalidos. Verifica la informacion e intenta nuevamente.'],
  ['Error de base de datos: x', 'Datos invalidos. Verifica la informacion e intenta nuevamente.'],
  ['violates check constraint', 'Datos invalidos. Verifica la informacion e intenta nuevamente.'],
  ['invalid input', 'Datos invalidos. Verifica la informacion e intenta nuevamente.'],
  ['Error desconocido al enviar cotización', 'Error desconocido al enviar cotización'],
  ['Unknown error', 'Error al enviar la cotizacion. Por favor intenta nuevamente.'],
  ['', 'Error al enviar la cotizacion. Por favor intenta nuevamente.'],
])('the form says of %j', (error, says) => {
  expect(formMessage(error).es).toBe(says);
});

test('a quote that was not let in, or reached nobody, is told apart', () => {
  expect(undeliveredMessage({ accessDenied: true }).es).toBe(
    'Error temporal del sistema. Intenta nuevamente en unos minutos.',
  );
  expect(undeliveredMessage({ accessDenied: false }).es).toBe(
    'Error de conexion. Verifica tu internet e intenta nuevamente.',
  );
});
