import { expect, test } from 'vitest';
import { csv } from '../../server/cli/lead-formats.ts';
import { drawsFrom } from '../chance.ts';
import { csvHeading, csvLine } from '../../src/lead/csv.ts';
import { nameToSave } from '../../src/lead/files.ts';
import { lineAsText } from '../../src/lead/offer-lines.ts';
import { sampleQuote } from '../integration/sample-quote.ts';

const ABOUT = { tipo_carga: 'general', created_at: '2026-11-22T20:00:00Z', folio: 'AP-0000-0000' } as const;
const line = (empresa: string) => csv.line({ ...sampleQuote(), ...ABOUT, empresa });

test('the CSV export keeps the order of its columns, and writes a ticked choice as "sí"', () => {
  const names =
    'folio created_at nombre empresa email telefono peso tipo_carga llamada promociones reemplaza id status assignee_name due_at first_answer_at seen_at replaced_by accepted_price accepted_price_for accepted_currency accepted_kilos accepted_valid_until accepted_state accepted_reference lost_reason embarque origen accepted_total accepted_pesos accepted_lines igual servicio';
  const numbered = Object.fromEntries(names.split(' ').map((name, place) => [name, place]));
  expect(csvHeading).toBe(`${names.replaceAll(' ', ',')}\r\n`);
  expect(csvLine(numbered)).toBe(
    '0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,,31,32\r\n',
  );
  expect(csvLine({ peso: 4.5, llamada: true, promociones: false, reemplaza: null })).toBe(
    `,,,,,,4.5,,sí${','.repeat(24)}\r\n`,
  );
});

// A spreadsheet that splits cells at semicolons would run =1+1 after a semicolon as a formula.
test.each([
  ['Frutas;=1+1', '"Frutas;\'=1+1"'],
  ['x; "-1', '"x;\' ""-1"'],
  ['Frutas\t=1+1', 'Frutas =1+1'],
  ['Frutas "del" Valle', '"Frutas ""del"" Valle"'],
  ['  @sum', "'  @sum"],
  ['0446641234567', "'0446641234567"],
  ['526641234567', "'526641234567"],
  ['6641234567', '6641234567'],
])('the CSV export writes %o as text that no spreadsheet runs as a formula', (typed, cell) => {
  expect(line(typed)).toContain(`,${cell},maria.`);
});

/** Splits a text into cells like a spreadsheet with this separator, which may or may not respect quotation marks. */
function cellsOf(text: string, separator: string, heedsMarks: boolean): string[] {
  if (!heedsMarks) return text.split(/\r\n|\r|\n/).flatMap((each) => each.split(separator));
  const cells = [''];
  let isInside = false;
  let isFresh = true;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (isInside && character === '"' && text[at + 1] === '"') cells[cells.length - 1] += text[++at]!;
    else if (character === '"' && (isInside || isFresh)) isInside = !isInside;
    else if (!isInside && (character === separator || /[\r\n]/.test(character))) cells.push('');
    else cells[cells.length - 1] += character;
    isFresh = cells.at(-1) === '' && !isInside;
  }
  return cells;
}

const PIECES = Array.from('=+-@＝,;\t\r\n"\' \u00a0\u200ba1|\v');

test('no customer’s text makes a cell of the CSV export begin like a formula', () => {
  const { whole, oneOf } = drawsFrom(7);
  const wrong: string[] = [];
  for (let round = 0; round < 20_000; round++) {
    const typed = Array.from({ length: 1 + whole(9) }, () => oneOf(PIECES)).join('');
    const text = line(typed) + line(typed);
    for (const separator of [',', ';', '\t'])
      for (const heedsMarks of [true, false])
        if (cellsOf(text, separator, heedsMarks).some((cell) => /^[\s"\u200b]*[=+\-@＝]/.test(cell)))
          wrong.push(`${typed} at ${JSON.stringify(separator)}, marks heeded: ${heedsMarks}`);
  }
  expect(wrong).toEqual([]);
});

test('a charge is exported as one text with kind, amount, unit and days', () => {
  expect(lineAsText({ kind: 'manejo', per: 'dia', days: 3, amount: 80 })).toBe('manejo 80.00/dia × 3');
  expect(lineAsText({ kind: 'otro', name: 'fumigación', per: 'embarque', amount: 45 })).toBe(
    'otro (fumigación) 45.00/embarque',
  );
});

test.each([
  ['tarima con hielo.jpeg', 'image/jpeg', 'tarima con hielo.jpg'],
  ['factura.pdf.hta', 'application/pdf', 'factura.pdf.pdf'],
  ['fotofdp.\u202e.bat', 'image/png', 'fotofdp. .png'],
  ['sin terminación', 'image/webp', 'sin terminación.webp'],
] as const)('a file named %j is saved with the extension of its content type', (nombre, tipo, saved) => {
  expect(nameToSave({ nombre, tipo, bytes: 1, huella: '' })).toBe(saved);
});
