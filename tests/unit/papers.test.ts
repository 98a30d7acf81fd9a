import { expect, test } from 'vitest';
import { paperWords } from '../../src/content/papers.ts';
import { isUnadmitted, lastOfEach, PAPERS, papersFor, type Paper } from '../../src/lead/papers.ts';

const COMMON = ['factura', 'empaque', 'pedimento', 'origen'];
const beyondCommon = (producto: string) => papersFor({ producto }).filter((paper) => !COMMON.includes(paper));

test.each([
  ['', []],
  ['Frambuesas', ['fitosanitario', 'listas', 'registro']],
  ['Aguacate Hass', ['fruta', 'registro']],
  ['Camarón congelado', ['sanitario', 'practicas', 'pesca', 'gacc']],
  ['Langosta viva', ['sanitario', 'practicas', 'pesca', 'cuarentena', 'gacc']],
  ['pepino de mar seco', ['sanitario', 'practicas', 'pesca', 'vidasilvestre', 'gacc']],
  ['TEQUILA blanco', ['registro', 'autenticidad', 'nom', 'libreventa', 'etiqueta']],
  ['Mezcal artesanal', ['registro', 'mezcal', 'libreventa', 'etiqueta']],
  ['Vino tinto', ['registro', 'libreventa', 'etiqueta']],
  ['Catéteres', ['nmpa', 'cofepris']],
  ['Autopartes', ['ccc']],
  ['Monitor médico con batería de litio', ['nmpa', 'cofepris', 'bateria', 'seguridad']],
  ['Memorias USB', []],
  ['Carne de bovino', []],
  ['Aguacate de Zamora', ['fruta', 'registro']],
] as const)('%s needs its own papers beside the common ones', (product, expected) => {
  expect(papersFor({ producto: product }).slice(0, 4)).toEqual(COMMON);
  expect(beyondCommon(product)).toEqual(expected);
});

test('strawberries count as not admitted unless they are frozen', () => {
  expect(isUnadmitted({ producto: 'Fresas frescas' })).toBe(true);
  expect(isUnadmitted({ producto: 'Fresa congelada' })).toBe(false);
  expect(isUnadmitted({ producto: 'Mermelada de fresa' })).toBe(false);
  expect(isUnadmitted({ producto: 'Frambuesas' })).toBe(false);
});

test('a paper is called needed only with a source', () => {
  const unproven = Object.entries(PAPERS).filter(([, { isNeeded, source }]) => isNeeded && !source);
  expect(unproven).toEqual([]);
  expect(Object.keys(paperWords)).toEqual(Object.keys(PAPERS) satisfies string[] as Paper[]);
});

test('the newest state of a paper is shown, with the newest file attached to that paper', () => {
  const states = [
    { papel: 'factura', estado: 'tengo', archivo: 'a' },
    { papel: 'factura', estado: 'falta', archivo: null },
  ] as const;
  expect([...lastOfEach(states).values()]).toEqual([{ papel: 'factura', estado: 'falta', archivo: 'a' }]);
});
