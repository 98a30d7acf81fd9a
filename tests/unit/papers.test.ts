import { expect, test } from 'vitest';
import { paperWords } from '../../src/content/papers.ts';
import { isUnadmitted, lastOfEach, PAPERS, papersFor, type Paper } from '../../src/lead/papers.ts';

const COMMON = ['factura', 'empaque', 'pedimento', 'origen'];
const beyondCommon = (producto: string) => papersFor({ producto }).filter((paper) => !COMMON.includes(paper));

test.each([
  ['', []],
  ['Frambuesas', ['fitosanitario', 'listas', 'registro']],
  ['Camarón congelado', ['sanitario', 'practicas', 'pesca', 'gacc']],
  ['Langosta viva', ['sanitario', 'practicas', 'pesca', 'cuarentena', 'gacc']],
  ['pepino de mar seco', ['sanitario', 'practicas', 'pesca', 'vidasilvestre', 'gacc']],
  ['TEQUILA blanco', ['registro', 'autenticidad', 'nom', 'libreventa', 'etiqueta']],
  ['Mezcal artesanal', ['registro', 'mezcal', 'libreventa', 'etiqueta']],
  ['Catéteres', ['nmpa', 'cofepris']],
  ['Autopartes', ['ccc']],
  ['Monitor médico con batería de litio', ['nmpa', 'cofepris', 'bateria', 'seguridad']],
  ['Memorias USB', []],
  ['Carne de bovino', []],
  ['Aguacate de Zamora', ['fruta', 'registro']],
] as const)('the product "%s" gets its own shipping documents after the common ones', (product, expected) => {
  expect(papersFor({ producto: product }).slice(0, 4)).toEqual(COMMON);
  expect(beyondCommon(product)).toEqual(expected);
});

test('fresh strawberries count as not admitted in China, frozen strawberries as admitted', () => {
  const products = ['Fresas frescas', 'Fresa congelada', 'Mermelada de fresa', 'Frambuesas'];
  expect(products.filter((producto) => isUnadmitted({ producto }))).toEqual(['Fresas frescas']);
});

test('each shipping document that is marked as needed names a source for that rule', () => {
  const unproven = Object.entries(PAPERS).filter(([, { isNeeded, source }]) => isNeeded && !source);
  expect(unproven).toEqual([]);
  expect(Object.keys(paperWords)).toEqual(Object.keys(PAPERS) satisfies string[] as Paper[]);
});

test('the newest state of a shipping document is shown, with the newest attached file', () => {
  const states = [
    { papel: 'factura', estado: 'tengo', archivo: 'a' },
    { papel: 'factura', estado: 'falta', archivo: null },
  ] as const;
  expect([...lastOfEach(states).values()]).toEqual([{ papel: 'factura', estado: 'falta', archivo: 'a' }]);
});
