import { expect, test } from 'vitest';
import { emptyTexts } from '../../src/lead/draft.ts';
import { faultIn, type Quote } from '../../src/lead/quote.ts';
import { refusalMessage } from '../../src/content/refusals.ts';
import { check, firstFault, judge } from '../../src/form/rules.ts';
import type { FieldTexts } from '../../src/lead/fields.ts';
import { wantsCallBack } from '../../src/phone/call-back.ts';

const ID = '6f1d3c1e-58a4-4c0e-9a53-7f1d2f1f0a11';

const quote: Quote = {
  id: ID,
  nombre: 'María Núñez',
  empresa: 'Berries del Valle',
  email: 'ventas@berries.mx',
  telefono: '+52 664 123 4567',
  peso: 1500,
  tipo_carga: 'perecederos',
};

const good = Object.assign(emptyTexts(), quote, { peso: '1500' });

function saysOf(changed: Partial<FieldTexts>): string | undefined {
  const result = check(ID, { ...good, ...changed });
  if ('quote' in result) return undefined;
  return result.faults[firstFault(result.faults)!]?.es;
}

test('a valid form gives a quote with trimmed texts, lower-case e-mail and whole kilos', () => {
  expect(check(ID, { ...good, nombre: '  María Núñez ', email: ' Ventas@Berries.MX ', peso: '12,500.6' })).toEqual({
    quote: { ...quote, peso: 12501 },
  });
});

test.each([
  ['nombre', '\u200b\u2060', 'Nombre es requerido'],
  ['nombre', 'a'.repeat(101), 'Nombre no debe pasar de 100 caracteres'],
  ['empresa', '', 'Empresa es requerida'],
  ['email', '', 'Email es requerido'],
  ['email', 'ventas@berries', 'Email debe tener un formato valido'],
  ['email', 'a b@berries.mx', 'Email debe tener un formato valido'],
  ['email', `${'a'.repeat(95)}@b.mx`, undefined],
  ['email', `${'a'.repeat(96)}@b.mx`, 'Email no debe pasar de 100 caracteres'],
  ['telefono', '\u200b'.repeat(8), 'Telefono es requerido'],
  ['telefono', '1234567', undefined],
  ['telefono', '(664) 123-45.67', undefined],
  ['telefono', '- (12) 34.56 -', 'Telefono debe tener entre 7 y 15 digitos'],
  ['telefono', '123456789012345', undefined],
  ['telefono', '1234567890123456', 'Telefono debe tener entre 7 y 15 digitos'],
  ['telefono', '1 2 3 4 5 6 7 8 9 0 1', 'Telefono no debe pasar de 20 caracteres'],
  ['peso', ' ', 'Peso es requerido'],
  ['peso', '0', 'Peso debe ser un numero mayor a 0'],
  ['peso', '1,5', 'Peso debe ser un numero mayor a 0'],
  ['peso', '1e3', 'Peso debe ser un numero mayor a 0'],
  ['peso', '1,000,000', undefined],
  ['peso', '1.500', '¿1,500\u00a0kg o 1.5\u00a0kg? Escriba 1500 o 1.5'],
  ['peso', '0,500', '¿500\u00a0kg o 0.5\u00a0kg? Escriba 500 o 0.5'],
  ['peso', '0,500.5', 'Peso debe ser un numero mayor a 0'],
  ['peso', 'kg', 'Peso debe ser un numero mayor a 0'],
  ['peso', '1000001', 'Peso parece demasiado alto, verifica el valor'],
  ['tipo_carga', '', 'Tipo de carga es requerido'],
  ['tipo_carga', 'peligrosa', 'Tipo de carga debe ser valido'],
] as const)('the form field %s with %j shows %j', (field, value, says) => {
  expect(saysOf({ [field]: value })).toBe(says);
});

test.each([
  ['500kg', 500],
  ['500 Kilos', 500],
  ['1,200.5 kg.', 1201],
  ['12\u00a0500 kg', 12_500],
  ['1.500.000', undefined],
  ['1.000.000', 1_000_000],
  ['1.200,4', 1200],
  ['1.5', 2],
  ['0.500', 1],
  ['1500.500', 1501],
  ['1,500', 1500],
])('the form reads %j as %j kilos', (peso, kilos) => {
  const result = check(ID, { ...good, peso });
  expect('quote' in result ? result.quote.peso : undefined).toBe(kilos);
});

test('the form replaces every kind of pasted space by a plain space', () => {
  const result = check(ID, { ...good, telefono: '+52\u202f664\u2007123\u00a04567\u3000', nombre: 'Ana\tLópez' });
  expect(result).toMatchObject({ quote: { telefono: '+52 664 123 4567', nombre: 'Ana López' } });
});

test('the form announces the fault of the first invalid field', () => {
  const result = check(ID, { ...emptyTexts(), nombre: 'A', email: 'x' });
  expect('faults' in result && Object.keys(result.faults).join(' ')).toBe('empresa email telefono peso tipo_carga');
  expect('faults' in result && firstFault(result.faults)).toBe('empresa');
});

test.each([
  [{ nombre: ' ' }, 'Nombre es requerido'],
  [{ empresa: '' }, 'Empresa es requerida'],
  [{ email: 'ventas' }, 'Email válido es requerido'],
  [{ telefono: '' }, 'Teléfono es requerido'],
  [{ peso: 0 }, 'Peso debe ser mayor a 0'],
  [{ tipo_carga: 'peligrosa' as Quote['tipo_carga'] }, 'Tipo de carga debe ser válido'],
] as const)('the phone refuses to send %j, saying %j', (changed, says) => {
  const field = faultIn({ ...quote, ...changed })!;
  expect(refusalMessage({ kind: 'invalid', field }).es).toBe(says);
});

test('a quote contains promotions or call-back only if the visitor ticked that box', () => {
  const ticked = (checked: boolean) =>
    ({
      elements: { namedItem: (name: string) => name === 'promociones' && { checked } },
    }) as unknown as HTMLFormElement;
  const { aviso, ...bare } = (judge(ticked(false), { id: ID, values: good }) as { quote: Quote }).quote;
  expect(bare).toEqual(quote);
  wantsCallBack.set(true);
  const whole = judge(ticked(true), { id: ID, values: good, reemplaza: 'AP-5D7E-JYAM' });
  wantsCallBack.set(false);
  const beside = { promociones: true, llamada: true, reemplaza: 'AP-5D7E-JYAM' };
  expect(whole).toEqual({ quote: { ...quote, ...beside, ...(aviso && { aviso }) } });
  expect(judge(ticked(true), { id: ID, values: { ...good, peso: '' } })).toHaveProperty('faults.peso');
});
