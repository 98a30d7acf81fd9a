import { expect, test } from 'vitest';
import { handOffLinks, handOffText } from '../../src/quote/hand-off.ts';

const quote = {
  id: '6f1d3c1e-58a4-4c0e-9a53-7f1d2f1f0a11',
  nombre: 'María Núñez & Cía',
  empresa: 'Berries 100% del Valle\nS. de R.L.',
  email: 'ventas@berries.mx',
  telefono: '+52 664 123 4567',
  peso: 12500,
  tipo_carga: 'perecederos',
} as const;

const text = `Cotización AP-DWEK-R7JH
Nombre: María Núñez & Cía
Empresa: Berries 100% del Valle
S. de R.L.
Email: ventas@berries.mx
Teléfono: +52 664 123 4567
Peso: 12500 kg por mes
Tipo de carga: Perecederos`;

test('the message carries the folio and what was asked, accents and line breaks included', () => {
  expect(handOffText(quote)).toBe(text);
});

test('each way carries the very same message', () => {
  const { whatsapp, sms, mail } = handOffLinks(quote);
  expect(whatsapp).toMatch(/^https:\/\/wa\.me\/\d{11,15}\?text=Cotizaci%C3%B3n%20AP-/);
  expect(new URL(whatsapp).searchParams.get('text')).toBe(text);
  expect(sms).toMatch(/^sms:\+\d{11,15}\?&body=/);
  expect(decodeURIComponent(sms.split('body=')[1]!)).toBe(text);
  expect(new URL(mail).searchParams.get('body')).toBe(text.replaceAll('\n', '\r\n'));
  expect(new URL(mail).searchParams.get('subject')).toBe('Cotización AP-DWEK-R7JH');
});
