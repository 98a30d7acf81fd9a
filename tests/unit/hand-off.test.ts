import { describe, expect, test } from 'vitest';
import { handOffCode } from '../../src/lead/hand-off-code.ts';
import { handOffText, readHandOff } from '../../src/content/hand-off.ts';
import { handOffLinks } from '../../src/receipts/hand-off-links.ts';
import { newId, type Quote } from '../../src/lead/quote.ts';
import { drawsFrom } from '../chance.ts';

const quote = {
  id: '6f1d3c1e-58a4-4c0e-9a53-7f1d2f1f0a11',
  nombre: 'María Núñez & Cía',
  empresa: 'Berries 100% del Valle\nS. de R.L.',
  email: 'ventas@berries.mx',
  telefono: '+52 664 123 4567',
  peso: 12500,
  tipo_carga: 'perecederos',
} as const;

const text = `Solicitud de cotización AP-DWEK-R7JH
Nombre: María Núñez & Cía
Empresa: Berries 100% del Valle
S. de R.L.
Email: ventas@berries.mx
Teléfono: +52 664 123 4567
Peso: 12500 kg por mes
Tipo de carga: Perecederos
Código: ${handOffCode(quote)}`;

test('a quote written as a message contains folio, fields and the folio of the replaced quote', () => {
  expect(handOffText(quote)).toBe(text);
  expect(handOffText({ ...quote, reemplaza: 'AP-1234-5678' })).toContain('\nReemplaza a AP-1234-5678\nCódigo: ');
});

test('the links to WhatsApp, SMS and mail contain the same message with the quote', () => {
  const { whatsapp, sms, mail } = handOffLinks(quote);
  expect(whatsapp).toMatch(/^https:\/\/wa\.me\/\d{11,15}\?text=Solicitud%20de%20cotizaci%C3%B3n%20AP-/);
  expect(new URL(whatsapp).searchParams.get('text')).toBe(text);
  expect(sms).toMatch(/^sms:\+\d{11,15}\?&body=/);
  expect(decodeURIComponent(sms.split('body=')[1]!)).toBe(text);
  expect(new URL(mail).searchParams.get('body')).toBe(text.replaceAll('\n', '\r\n'));
  expect(new URL(mail).searchParams.get('subject')).toBe('Solicitud de cotización AP-DWEK-R7JH');
});

describe('a quote read back from its message', () => {
  const one: Quote = { ...quote, empresa: 'Berries del Valle, S. de R.L.' };

  test.each<[string, (message: string) => string]>([
    ['as it is', (message) => message],
    ['with joined lines', (message) => message.replaceAll('\n', ' ')],
    ['in a mail', (message) => `El sábado escribió:\n${message.replaceAll(/^/gm, '> ')}\n`.replaceAll('\n', '\r\n')],
    ['in quotation marks, with words around it', (message) => `Buenos días, adjunto: “${message}”. Gracias, Ana`],
    ['with a code in small letters', (message) => message.replace(/\w{34}$/, (code) => code.toLowerCase())],
  ])('a message pasted %s restores the quote', (_, changed) => {
    expect(readHandOff(changed(handOffText(one)))).toEqual(one);
    const more: Quote = { ...one, llamada: true, promociones: true, reemplaza: 'AP-DWEK-R7JH' };
    expect(readHandOff(changed(handOffText(more)))).toEqual(more);
    const zeros: Quote = { ...one, id: `00000000${one.id.slice(8)}` };
    expect(readHandOff(changed(handOffText(zeros)))).toEqual(zeros);
  });

  test('a message that was changed after its sending gives the same quote or none', () => {
    const { whole, oneOf, sometimes } = drawsFrom(20_261_122);
    const spliced = (length: number, into: (taken: string) => string) => (given: string) => {
      const at = whole(given.length);
      return given.slice(0, at) + into(given.slice(at, at + length)) + given.slice(at + length);
    };
    const MANGLES: readonly ((message: string) => string)[] = [
      (given) => given.replaceAll('\n', ' '),
      (given) => given.replaceAll('\n', '\r\n'),
      (given) => given.replaceAll(/^/gm, '> '),
      (given) => `"${given}"`,
      (given) => given.normalize('NFD'),
      (given) => given.normalize('NFD').replaceAll(/\p{Mn}/gu, ''),
      (given) => given.toUpperCase(),
      (given) => given.slice(0, whole(given.length)),
      (given) => given.slice(whole(given.length)),
      (given) => given.replaceAll(/ +/g, ' '),
      spliced(1, () => ''),
      spliced(1, () => String.fromCharCode(32 + whole(95))),
      spliced(2, (two) => two.charAt(1) + two.charAt(0)),
      (given) => given + given,
    ];
    let read = 0;
    for (let count = 0; count < 10_000; count += 1) {
      const about = { id: newId(), peso: 1 + whole(1_000_000) };
      const quoted: Quote = { ...one, ...about, ...(sometimes(0.3) && { llamada: true }) };
      let message = handOffText(quoted);
      for (let times = 1 + whole(3); times > 0; times -= 1) message = oneOf(MANGLES)(message);
      const found = readHandOff(message);
      if (!found) continue;
      read += 1;
      expect(found).toEqual(quoted);
    }
    expect(read).toBeGreaterThan(1500);
  });
});
