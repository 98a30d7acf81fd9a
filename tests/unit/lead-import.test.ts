import { expect, test } from 'vitest';
import { csvHeading, csvLine } from '../../src/lead/csv.ts';
import { decodeText, readCsvRows } from '../../src/lead/csv-rows.ts';
import {
  importLeads,
  readImportFile,
  readImportRows,
  recognisePlaces,
  type ImportFile,
  type ImportOutcome,
} from '../../src/lead/lead-import.ts';
import { countImport, errorsCsv } from '../../src/content/imported-rows.ts';
import { importedRow } from '../../src/content/lead-import.ts';
import { englishWords } from '../../src/content/bilingual.ts';
import { drawsFrom } from '../chance.ts';

const rowsOf = (text: string) => {
  const file = readImportFile(text);
  return readImportRows(file, recognisePlaces(file.heading));
};
const leadsOf = (text: string) => rowsOf(text).flatMap((row) => ('lead' in row ? [row.lead] : []));
const sentences = (text: string) =>
  rowsOf(text).map((row) => `${row.line}: ${englishWords(importedRow(row, true).says)}`);

const ANA = { nombre: 'Ana Ríos', telefono: '6645550175', empresa: 'Berries Núñez', peso: 1200 };
const TEXT = 'Nombre;Teléfono;Empresa;Kg\r\nAna Ríos;6645550175;Berries Núñez;1,200\r\n';

test.each<[what: string, bytes: Uint8Array]>([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`)],
  ['UTF-16', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['UTF-16 without a mark', Buffer.from(TEXT, 'utf16le')],
  ['UTF-16 big-endian', Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16()],
  ['Windows-1252', Buffer.from(TEXT, 'latin1')],
  ['UTF-8 with tabs', Buffer.from(TEXT.replaceAll(';', '\t'))],
  ['UTF-8 with single carriage returns', Buffer.from(TEXT.replaceAll('\r\n', '\r'))],
  ['UTF-8 with mixed line ends', Buffer.from(TEXT.replace('\r\n', '\n\n'))],
  ['UTF-8 with a declared separator', Buffer.from(`sep=;\r\n${TEXT}`)],
])('a spreadsheet saved as %s is imported as the same lead', (_, bytes) => {
  expect(leadsOf(decodeText(bytes))).toEqual([ANA]);
});

test('the import keeps separators, line ends and quotation marks of quoted CSV cells', () => {
  const { rows } = readCsvRows('a,b\n"x, ""y""\r\nz",2\n,\n');
  expect(rows.map(({ line }) => line)).toEqual([1, 2, 4]);
  expect(rows.map(({ cells }) => cells.join('|'))).toEqual(['a|b', 'x, "y"\r\nz|2', '|']);
});

test.each([
  ['name,phone', 'English'],
  ['Nombre completo,Número de teléfono', 'Spanish'],
  ['NOMBRE,TELÉFONO', 'capitals'],
  ['nombre,telefono', 'our export'],
  ['First Name,Last Name,Mobile Phone', 'a CRM'],
])('the import recognises column headings such as "%s"', (heading) => {
  const cells = heading.includes('Last') ? 'Ana,Ríos,6645550175' : 'Ana Ríos,6645550175';
  expect(leadsOf(`${heading}\n${cells}`)).toEqual([{ nombre: 'Ana Ríos', telefono: '6645550175' }]);
});

test('the import reads status, date, cargo, origin and weight in Spanish and English', () => {
  const text = [
    'name,phone,status,date,cargo,source,kg,lost reason',
    'Ana,6645550175,Won,28/11/2025,Perishables,Phone,"1,200 kg",',
    'Ana,6645550175,Perdida,2025-11-28 09:30,especial,feria,,Precio',
    'Ana,6645550175,,2025-11-28T09:30:00.123456+00:00,,fax,,Precio',
  ];
  const ana = { nombre: 'Ana', telefono: '6645550175' };
  const [won, lost] = [
    { status: 'ganada', peso: 1200 },
    { status: 'perdida', lost_reason: 'precio' },
  ];
  expect(leadsOf(text.join('\n'))).toEqual([
    { ...ana, ...won, created_at: '2025-11-28T20:00:00.000Z', tipo_carga: 'perecederos', origen: 'llamada' },
    { ...ana, ...lost, created_at: '2025-11-28T17:30:00.000Z', tipo_carga: 'especial', origen: 'feria' },
    { ...ana, created_at: '2025-11-28T09:30:00.123456+00:00' },
  ]);
});

test('the import reports each bad row with its reason, and imports the other rows', () => {
  const long = 'x'.repeat(1_000_000);
  const text = [
    'nombre,telefono,email,peso,estado,fecha',
    'Ana,6645550175,,,,',
    ',6645550175,,,,',
    'Ana,12,,,,',
    'Ana,5.26645E+11,,,,',
    'Ana,6645550175,ana,,,',
    'Ana,6645550175,,1.500,,',
    `${long},6645550175,,,,`,
    `Ana,6645550175,,,${long},`,
    'Ana,6645550175,,,,31/02/2026',
    'Ana,6645550175,,,,,extra',
    'Ana,6645550175,,,,',
    '\0\0,6645550175,,,,',
    'Luis,6645550176,"abierta,,,',
    'Eva,6645550177,,,,',
  ].join('\n');
  expect(sentences(text)).toEqual([
    '2: waiting',
    '3: Name is required',
    '4: Phone must have 7 to 15 digits',
    '5: Phone must have 7 to 15 digits',
    '6: E-mail must have a valid form',
    '7: 1,500\u00a0kg or 1.5\u00a0kg? Write 1500 or 1.5',
    '8: Name must be at most 100 characters',
    `9: Status: "${'x'.repeat(40)}…" is not nueva, tomada, respondida, ganada or perdida (new, taken, answered, won or lost)`,
    '10: Date: "31/02/2026" is not like 28/11/2026 (day first) or 2026-11-28',
    '11: it has more cells than the heading: check commas and quotation marks',
    '12: equal to line 2',
    '13: Name is required',
    '14: a quotation mark is not closed; the lines from there on were not read',
  ]);
});

test('the import stores a formula as text, and control characters as spaces', () => {
  const cells = `=cmd|' /C calc'!A0,6645550175,"A\u0000\u202eB"`;
  expect(leadsOf(`nombre,telefono,empresa\n${cells}`)).toEqual([
    { nombre: "=cmd|' /C calc'!A0", telefono: '6645550175', empresa: 'A  B' },
  ]);
});

test('the import’s file of bad rows can be corrected and imported again', () => {
  const file = readImportFile('nombre,telefono,nota\nAna,12,"=1+1, ""hoy"""\nLuis,6645550175,\n');
  const errorsOf = (read: ImportFile) => {
    const rows = readImportRows(read, recognisePlaces(read.heading)).map((row) => importedRow(row, true));
    return errorsCsv(read.heading, rows, englishWords);
  };
  const errors = errorsOf(file);
  expect(errors).toBe(`nombre,telefono,nota,error\r\nAna,12,"'=1+1, ""hoy""",Phone must have 7 to 15 digits\r\n`);
  expect(leadsOf(errors.replace(',12,', ',6645550199,'))).toEqual([{ nombre: 'Ana', telefono: '6645550199' }]);
  expect(errorsOf(readImportFile(errors))).toBe(errors);
});

test('an exported lead is imported unchanged, whatever its texts are', () => {
  const { whole, oneOf } = drawsFrom(66);
  const pieces = ['=', '+52', '-', '@', ',', ';', '"', "'", ' ', 'Ñ', '0123', '\u200b', 'a', '＝', '李'];
  for (let turn = 0; turn < 500; turn += 1) {
    const text = () => Array.from({ length: 1 + whole(6) }, () => oneOf(pieces)).join('');
    const lead = { nombre: `N${text()}N`, empresa: `${text()}é`, telefono: '+52 (664) 555-0175', peso: 1200 };
    const [read] = leadsOf(csvHeading + csvLine(lead));
    // An apostrophe at the start of a text is not tested: export and import use it as a mark before formulas.
    if (/(^|[,;\n])'/.test(`${lead.nombre}\n${lead.empresa}`)) continue;
    expect(read).toEqual({ ...lead, empresa: lead.empresa.trim() });
  }
});

test('the import sends leads in requests below the server’s size limit', async () => {
  const count = 500;
  const phoneOf = (at: number) => (at % 50 === 7 ? 'x' : 6640000000 + at);
  const rows = Array.from({ length: count }, (_, at) => `Ana ${at},${phoneOf(at)},${'ñ'.repeat(90)}`);
  const text = ['nombre,telefono,empresa', ...rows].join('\n');
  const sizes: number[] = [];
  const progress: number[] = [];
  const store = async (leads: readonly object[]) => {
    sizes.push(Buffer.byteLength(JSON.stringify({ leads, is_trial: true })));
    return leads.map((): ImportOutcome => ({ quote_id: null, outcome: 'stored' }));
  };
  const results = await importLeads(rowsOf(text), store, ({ length }) => progress.push(length));
  expect(Math.max(...sizes)).toBeLessThan(16_384);
  expect(countImport(results.map((row) => importedRow(row, false)))).toEqual({ stored: 490, wrong: 10, there: 0 });
  expect(results.map(({ line }) => line)).toEqual(Array.from({ length: count }, (_, at) => at + 2));
  expect(progress.at(-1)).toBe(count);
});
