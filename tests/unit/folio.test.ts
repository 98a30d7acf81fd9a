import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { folioOf, readFolio } from '../../src/lead/folio.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const sample = Array.from({ length: 200 }, () => folioOf(randomUUID()));

test('a folio looks like an air waybill number and never changes', () => {
  expect(folioOf('00000000-0000-4000-8000-000000000000')).toBe('AP-0000-0000');
  expect(folioOf('ffffffff-ffff-4fff-bfff-ffffffffffff')).toBe('AP-ZZZZ-ZZZC');
  for (const id of ['2b4ee979-4bea-4d99-8efd-7b654519f2a3', '2B4EE979-4BEA-4D99-8EFD-7B654519F2A3'])
    expect(folioOf(id)).toBe('AP-5D7E-JYAM');
  for (const folio of sample) expect(folio).toMatch(/^AP-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
});

test.each(['AP-5D7E-JYAM', 'ap-5d7e-jyam', 'AP5D7EJYAM', '5D7E-JYAM', '5d7ejyam', ' ap 5d7e jyam ', 'AP–5D7E—JYAM'])(
  'the typed folio "%s" is read',
  (typed) => expect(readFolio(typed)).toBe('AP-5D7E-JYAM'),
);

test('a typed folio may have I or L for 1, and O for 0', () => {
  const folio = sample.find((one) => /1/.test(one) && /0/.test(one)) ?? 'AP-0000-0000';
  for (const one of ['I', 'l', 'i', 'L'])
    expect(readFolio(folio.replaceAll('1', one).replaceAll('0', 'o'))).toBe(folio);
});

test('a typed folio may lack its prefix AP even if its code also begins with AP', () => {
  const data = ALPHABET.indexOf('A') * 32 ** 6 + ALPHABET.indexOf('P') * 32 ** 5;
  const folio = folioOf((data * 2).toString(16).padStart(9, '0').padEnd(32, '0'));
  expect(folio).toMatch(/^AP-AP/);
  expect(readFolio(folio.slice(3))).toBe(folio);
  expect(readFolio(folio)).toBe(folio);
});

test.each(['', 'AP', 'AP-5D7E-JYA', 'AP-5D7E-JYAMM', 'AP-5D7E-JYAU', 'XX-5D7E-JYAM', 'AP-5D7E-JYA*'])(
  'the typed folio "%s" is refused',
  (typed) => expect(readFolio(typed)).toBeUndefined(),
);

test('a typed folio with a single wrong character, or with two neighbours swapped, is refused', () => {
  const refused = (code: string, wrong: string) => wrong === code || readFolio(wrong) === undefined;
  for (const folio of sample) {
    const code = folio.replaceAll(/^AP|-/g, '');
    for (let at = 0; at < code.length; at++) {
      const [before, after] = [code.slice(0, at), code.slice(at + 1)];
      const wrongs = Array.from(ALPHABET, (character) => before + character + after);
      const swapped = before + (after[0] ?? '') + code[at]! + after.slice(1);
      expect([...wrongs, swapped].filter((wrong) => !refused(code, wrong))).toEqual([]);
    }
  }
});
