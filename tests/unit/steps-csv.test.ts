import { expect, test } from 'vitest';
import { englishWords } from '../../src/content/bilingual.ts';
import { errorsCsv } from '../../src/content/imported-rows.ts';
import { importedStep } from '../../src/content/step-import.ts';
import { transitInFigures } from '../../src/desk/figures/transit.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { importSteps, type ImportedStep } from '../../src/lead/step-import.ts';
import type { ShipmentRow } from '../../src/lead/shipment-row.ts';
import { readShipment } from '../../src/lead/shipment.ts';
import { readStepFile } from '../../src/lead/steps-csv.ts';

const FOLIO = 'AP-5D7E-JYAM';

test('a CSV of milestones may have semicolons, quotes, a BOM, airline codes and dates of Excel', () => {
  const files = [
    `folio,paso,hora,nota\r\n${FOLIO},Recolectada,2026-12-01 09:30,\r\n${FOLIO},detenida,2026-12-01T20:00Z,"Falta el sello, ""urgente"""\r\n`,
    `\ufeffFolio;Paso;Hora;Nota\n${FOLIO};DPU;1/12/2026 9:30;\n\n${FOLIO};DIS;2026-12-01 20:00+00:00;"Falta el sello, ""urgente"""`,
  ];
  const collected = { folio: FOLIO, step: 'recolectada', at: { local: '2026-12-01T09:30' } };
  const at = { instant: Date.parse('2026-12-01T20:00Z') };
  const held = { folio: FOLIO, step: 'detenida', at, word: 'Falta el sello, "urgente"' };
  for (const file of files)
    expect(readStepFile(file).rows).toMatchObject([{ line: 2, milestone: collected }, { milestone: held }]);
  expect(files.map((file) => readStepFile(file).rows[1]!.line)).toEqual([3, 4]);
});

test('each bad line of a milestone file is reported with its reason', () => {
  const bad = [
    ['nada,,recolectada,2026-12-01 09:30,,', 'shipment'],
    [',784-12345674,recolectada,2026-12-01 09:30,,', 'shipment'],
    [`${FOLIO},,volando,2026-12-01 09:30,,`, 'step'],
    [`${FOLIO},,DEP,1-12-2026 9:30,,`, 'time'],
    [`${FOLIO},,DEP,2026-12-01T25:00Z,,`, 'time'],
    [`${FOLIO},,detenida,2026-12-01 09:30,,`, 'word'],
    [`${FOLIO},,DEP,2026-12-01 09:30,porque sí,`, 'word'],
    [`${FOLIO},,DEP,2026-12-01 09:30,,1`, 'waste'],
    [`${FOLIO},,DLV,2026-12-01 09:30,,101`, 'waste'],
    [FOLIO, 'step'],
  ] as const;
  const good = `${FOLIO},,DEP,2026-12-01 09:30,,`;
  const { rows } = readStepFile(['folio,guia,paso,hora,nota,merma', good, ...bad.map(([line]) => line)].join('\n'));
  expect(rows[0]).toMatchObject({ line: 2, milestone: { step: 'envuelo' } });
  expect(rows.slice(1).map((row) => [row.line, 'fault' in row && row.fault])).toEqual(
    bad.map(([, fault], at) => [at + 3, fault]),
  );
});

test.each(['', 'folio,paso', 'paso,hora\nx,y', '"'])('a milestone file with the heading %j lacks columns', (file) => {
  expect(readStepFile(file).rows).toEqual([{ line: 1, cells: [], fault: 'columns' }]);
});

function shipment(answer_id: string, more: object = {}): ShipmentRow {
  const read = readShipment({ origin: 'TIJ', waybill: '78412345675', ...more })!;
  return { quote_id: 'q', answer_id, folio: FOLIO, shipment: read } as ShipmentRow;
}

/** Imports a file into these shipments; the database answers as `outcome` says. */
async function imported(text: string, shipments: readonly ShipmentRow[], outcome = 'stored') {
  const requests: (readonly ImportedStep[])[] = [];
  const { heading, rows } = readStepFile(text);
  const results = await importSteps(rows, {
    read: async (column, values) =>
      shipments.filter((each) => values.includes(column === 'folio' ? each.folio : each.shipment.waybill!)),
    store: async (steps) => {
      requests.push(steps);
      return steps.map(() => outcome);
    },
  });
  const shown = results.map((row) => importedStep(row, true));
  return {
    requests,
    says: shown.map(({ says }) => englishWords(says)),
    errors: errorsCsv(heading, shown, englishWords),
  };
}

test('a waybill adds milestones to all its shipments, a folio only to the newest shipment', async () => {
  const text = `folio,guia,paso,hora,merma\n,784-12345675,DLV,2026-12-03T20:00Z,"0,5 %"\n${FOLIO},,ARR,2026-12-03 01:00,\n`;
  const { requests, says } = await imported(text, [shipment('old'), shipment('new')]);
  expect(requests.flat().map(({ answer_id, step, at, waste }) => [answer_id, step, at, waste])).toEqual([
    ['new', 'llegada', '2026-12-02T17:00:00.000Z', undefined],
    ['new', 'entregada', '2026-12-03T20:00:00.000Z', '0.5'],
    ['old', 'entregada', '2026-12-03T20:00:00.000Z', '0.5'],
  ]);
  expect(says).toEqual([
    `would be stored: ${FOLIO}, ${FOLIO} · Delivered · 4 December, 04:00 (Zhengzhou)`,
    `would be stored: ${FOLIO} · Arrived in Zhengzhou · 3 December, 01:00 (Zhengzhou)`,
  ]);
});

test('a delay’s time is read in the time zone where the shipment was, at every import', async () => {
  const text = [
    'folio,paso,hora,nota',
    `${FOLIO},detenida,2026-12-01 12:00,Sello`,
    `${FOLIO},detenida,2026-12-02 09:00,Aduana`,
    `${FOLIO},ARR,2026-12-02 09:00,`,
  ].join('\n');
  const first = await imported(text, [shipment('a')]);
  const landed = { id: 'x', step: 'llegada', at: '2026-12-02T01:00:30Z' };
  const again = await imported(text, [shipment('a', { steps: [landed] })]);
  expect(first.says.map((says) => /\(\w+\)/.exec(says)![0])).toEqual(['(Tijuana)', '(Zhengzhou)', '(Zhengzhou)']);
  expect(again.requests).toEqual(first.requests);
});

test('the import reports times that a clock skips, unknown folios and refused milestones as errors', async () => {
  const text = `folio,paso,hora\n${FOLIO},DEP,2027-03-14 02:30\nAP-0000-0000,DEP,2026-12-01 09:30\n${FOLIO},DEP,2026-12-01 09:30\n`;
  const { says, errors } = await imported(text, [shipment('a')], 'early');
  expect(says).toEqual([
    expect.stringContaining('the time must be like'),
    'no booked shipment has that folio or waybill',
    'that time is before the offer',
  ]);
  const [heading, ...rows] = text.trim().split('\n');
  expect(errors).toBe([`${heading},error`, ...rows.map((row, at) => `${row},${says[at]}`), ''].join('\r\n'));
  expect(readStepFile(errors).rows).toHaveLength(3);
});

test('the import stays below the server’s size limit, and sends each shipment in one request', async () => {
  const many = Array.from({ length: 120 }, (_, at) => folioOf(String(at * 2).padStart(9, '0')));
  const rows = ['DPU', 'RCS', 'DEP'].flatMap((step) => many.map((folio) => `${folio},${step},2026-12-01 09:30`));
  const shipments = many.map((folio) => ({ ...shipment(folio), folio }));
  const { requests, says } = await imported(['folio,paso,hora', ...rows].join('\n'), shipments);
  const sizes = requests.map((steps) => Buffer.byteLength(JSON.stringify({ steps, is_trial: true })));
  expect(Math.max(...sizes)).toBeLessThan(16_384);
  expect(says).toHaveLength(360);
  const named = requests.map((steps) => new Set(steps.map(({ answer_id }) => answer_id)));
  expect(named.reduce((sum, { size }) => sum + size, 0)).toBe(many.length);
});

test('the transit figures count punctual flights, and separately shipments without a recorded departure', () => {
  const row = (flown_at: string | null, landed_at: string, waste: number | null) =>
    ({ flown_at, landed_at, waste }) as ShipmentRow;
  const flights = [
    row('2026-12-01T00:00Z', '2026-12-01T17:30Z', 0),
    row('2026-12-01T00:00Z', '2026-12-01T17:31Z', 1),
    row('2026-12-01T00:00Z', '2026-12-01T16:00Z', null),
  ];
  const figures = { measured: 3, onTime: 2, median: 17.5 * 3_600_000, unmeasured: 1, weighed: 2, waste: 0.5 };
  expect(transitInFigures([...flights, row(null, '2026-12-01T16:00Z', null)])).toEqual(figures);
  expect(transitInFigures([])).toMatchObject({ measured: 0, median: undefined, waste: undefined });
});
