import { expect, test } from 'vitest';
import { asResponse, refusalFor } from '../../server/rest/refusal.ts';
import { formMessage, helperMessage, undeliveredMessage } from '../../src/content/refusals.ts';

test.each([
  ['23505', 'x', 'Ya existe una cotización con este email'],
  ['42501', 'x', 'Error de permisos. Por favor contacta al administrador.'],
  ['23514', 'x', 'Los datos proporcionados no son válidos'],
  ['XX000', 'disco', 'Error de base de datos: disco'],
  [undefined, '', 'Error desconocido al enviar cotización'],
] as const)('the code that sends a quote explains the database error %s', (code, message, says) => {
  expect(helperMessage(code, message)).toBe(says);
});

const CONNECTION = 'Error de conexion. Verifica tu internet e intenta nuevamente.';
const KNOWN = 'Ya existe una cotizacion con este email. Te contactaremos pronto.';
const SYSTEM = 'Error temporal del sistema. Intenta nuevamente en unos minutos.';
const INVALID = 'Datos invalidos. Verifica la informacion e intenta nuevamente.';
const UNKNOWN = 'Error al enviar la cotizacion. Por favor intenta nuevamente.';

test.each([
  ['Failed to fetch', CONNECTION],
  ['NetworkError when attempting to fetch resource.', CONNECTION],
  ['Ya existe una cotización con este email', KNOWN],
  ['Error de permisos. Por favor contacta al administrador.', SYSTEM],
  ['new row violates row-level security policy', SYSTEM],
  ['Los datos proporcionados no son válidos', INVALID],
  ['Error de base de datos: x', INVALID],
  ['violates check constraint', INVALID],
  ['invalid input', INVALID],
  ['Error desconocido al enviar cotización', 'Error desconocido al enviar cotización'],
  ['Unknown error', UNKNOWN],
  ['', UNKNOWN],
])('the form explains the error %j', (error, says) => {
  expect(formMessage(error).es).toBe(says);
});

test('the form explains denied access and a failed connection with different texts', () => {
  expect(undeliveredMessage({ accessDenied: true }).es).toBe(SYSTEM);
  expect(undeliveredMessage({ accessDenied: false }).es).toBe(CONNECTION);
});

const failed = (code: string, message = 'x', about: object = {}) =>
  Object.assign(new Error(message), { code, ...about });

test.each([
  [400, '23514 42703 P0001 PT302'],
  [403, '0L000 0P000 28000'],
  [404, '42883 42P01'],
  [405, '25006'],
  [409, '23503 23505'],
  [429, 'PT429'],
  [500, '53400 25001 42P17 09000 2D000 38000 39000 3B000 40001 54000 55000 F0000 HV000 XX000 P0002'],
  [503, '08006 53300 57014 58030 PT503'],
])('the server answers with status %i after the database errors %s', (status, codes) => {
  for (const code of codes.split(' '))
    expect(refusalFor(failed(code), 'authenticated')).toMatchObject({ status, code, message: 'x' });
});

test('a request without permission gets status 401 from a visitor, 403 from a colleague', async () => {
  expect(refusalFor(failed('42501'), 'authenticated')).toMatchObject({ status: 403, headers: {} });
  const { status, headers } = asResponse(refusalFor(failed('42501', 'no'), 'anon'));
  expect([status, headers.get('www-authenticate'), headers.get('proxy-status')]).toEqual([
    401,
    'Bearer',
    'PostgREST; error=42501',
  ]);
});

test('an error response contains the database’s message, but no message of an internal error', async () => {
  expect(refusalFor(failed('57014'), 'anon').headers).toEqual({ 'retry-after': '10' });
  const body = (error: unknown) => JSON.parse(refusalFor(error, 'anon').body) as object;
  const about = { detail: 'd', hint: 'h' };
  expect(body(failed('23514', 'm', about))).toEqual({ code: '23514', details: 'd', hint: 'h', message: 'm' });
  expect(body(failed('23514', 'm'))).toEqual({ code: '23514', details: null, hint: null, message: 'm' });
  for (const error of [new Error('secret'), failed('ENOENT', 'secret'), 'secret'])
    expect(body(error)).toMatchObject({ code: 'XX000', message: 'The server could not do this' });
});

test('a response that an SQL function raises as an error reaches the client unchanged', async () => {
  const message = '{"code":"PT429","message":"Slowly","hint":"h"}';
  const raised = (status: number, more: object = {}) =>
    refusalFor(failed('PGRST', message, { detail: JSON.stringify({ status, ...more }) }), 'anon');
  const whole = { code: 'PT429', message: 'Slowly', details: null, hint: 'h' };
  const headers = { 'retry-after': '7' };
  expect(raised(429, { headers })).toMatchObject({ ...whole, status: 429, headers });
  expect([raised(400), raised(599)]).toMatchObject([{ status: 400, headers: {} }, { status: 599 }]);
  for (const none of [raised(399), raised(600), refusalFor(failed('PGRST', 'x'), 'anon')])
    expect(none).toMatchObject({ status: 500, code: 'PGRST121' });
});
