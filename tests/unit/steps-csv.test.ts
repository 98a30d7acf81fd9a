import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Leads } from '../../server/cli/leads.ts';
import { trackFile } from '../../server/cli/track-command.ts';
import { transitInFigures } from '../../src/desk/figures/transit.ts';
import type { ShipmentRow } from '../../src/lead/shipment-row.ts';
import { readStepLines } from '../../src/lead/steps-csv.ts';
import { scratchFolder } from '../scratch.ts';

const FOLIO = 'AP-5D7E-JYAM';

test('a CSV file of milestones may have commas or semicolons, quotes and airline codes', () => {
  const files = [
    `folio,paso,hora,nota\r\n${FOLIO},Recolectada,2026-12-01 09:30,\r\n${FOLIO},detenida,2026-12-01T20:00Z,"Falta el sello, ""urgente"""\r\n`,
    `\ufeffFolio;Paso;Hora;Nota\n${FOLIO};DPU;2026-12-01T09:30;\n\n${FOLIO};DIS;2026-12-01 20:00+00:00;"Falta el sello, ""urgente"""`,
  ];
  for (const [at, file] of files.entries()) {
    const { lines, faults } = readStepLines(file);
    expect(faults).toEqual([]);
    expect(lines).toEqual([
      {
        line: at === 0 ? 3 : 4,
        folio: FOLIO,
        step: 'detenida',
        at: { instant: Date.parse('2026-12-01T20:00Z') },
        word: 'Falta el sello, "urgente"',
      },
      { line: 2, folio: FOLIO, step: 'recolectada', at: { local: '2026-12-01T09:30' } },
    ]);
  }
});

test('a CSV line of milestones may name its shipment by air waybill', () => {
  const { lines, faults } = readStepLines(
    'guia,paso,hora,merma\n784-12345675,DLV,2026-12-03T20:00Z,"0,5 %"\n784 1234 5675,ARR,2026-12-02T20:00Z,\n',
  );
  expect(faults).toEqual([]);
  expect(lines.map(({ step, waybill, waste }) => [step, waybill, waste])).toEqual([
    ['llegada', '78412345675', undefined],
    ['entregada', '78412345675', '0.5'],
  ]);
});

test('each bad line of a milestone file is reported with its reason', () => {
  const bad = [
    ['nada,,recolectada,2026-12-01 09:30,,', 'shipment'],
    [',784-12345674,recolectada,2026-12-01 09:30,,', 'shipment'],
    [`${FOLIO},,volando,2026-12-01 09:30,,`, 'step'],
    [`${FOLIO},,DEP,1/12/2026 9:30,,`, 'time'],
    [`${FOLIO},,DEP,2026-12-01T25:00Z,,`, 'time'],
    [`${FOLIO},,detenida,2026-12-01 09:30,,`, 'word'],
    [`${FOLIO},,DEP,2026-12-01 09:30,porque sí,`, 'word'],
    [`${FOLIO},,DEP,2026-12-01 09:30,,1`, 'waste'],
    [`${FOLIO},,DLV,2026-12-01 09:30,,101`, 'waste'],
    [FOLIO, 'step'],
  ] as const;
  const good = `${FOLIO},,DEP,2026-12-01 09:30,,`;
  const { lines, faults } = readStepLines(
    ['folio,guia,paso,hora,nota,merma', good, ...bad.map(([line]) => line)].join('\n'),
  );
  expect(lines.map(({ line }) => line)).toEqual([2]);
  expect(faults).toEqual(bad.map(([, fault], at) => ({ line: at + 3, fault })));
});

test('a milestone line that differs from the stored milestone is reported as an error', async () => {
  const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const ids = new Set<string>();
  const leads = {
    shipments: async () => [{ quote_id: 'q', answer_id: 'a' }],
    // The database stores each milestone once.
    track: async ({ id }: { id: string }) =>
      ids.has(id) ? 'there' : ids.size > 0 ? 'repeated' : (ids.add(id), 'stored'),
  } as unknown as Leads;
  // The command line runs in the release's folder, and INIT_CWD is the operator's.
  const folder = mkdtempSync(path.join(scratchFolder(), 'aeropuente-steps-'));
  vi.stubEnv('INIT_CWD', folder);
  const track = (waste: string) => {
    writeFileSync(path.join(folder, 'steps.csv'), `folio,paso,hora,merma\n${FOLIO},DLV,2026-12-03T20:00Z,${waste}`);
    return trackFile(leads, 'steps.csv');
  };
  await track('0.5');
  await track('0.5');
  await expect(track('1.5')).rejects.toThrow(/^(Line|Línea) 2: /);
  vi.unstubAllEnvs();
  said.mockRestore();
});

test.each(['', 'folio,paso', 'paso,hora\nx,y', '"'])(
  'a milestone file with the heading %j is refused, because columns are missing',
  (file) => {
    expect(readStepLines(file)).toEqual({ lines: [], faults: [{ line: 1, fault: 'columns' }] });
  },
);

test('the transit figures count punctual flights, and separately shipments without a recorded departure', () => {
  const row = (flown_at: string | null, landed_at: string, waste: number | null) =>
    ({ flown_at, landed_at, waste }) as ShipmentRow;
  expect(
    transitInFigures([
      row('2026-12-01T00:00Z', '2026-12-01T17:30Z', 0),
      row('2026-12-01T00:00Z', '2026-12-01T17:31Z', 1),
      row('2026-12-01T00:00Z', '2026-12-01T16:00Z', null),
      row(null, '2026-12-01T16:00Z', null),
    ]),
  ).toEqual({ measured: 3, onTime: 2, median: 17.5 * 3_600_000, unmeasured: 1, weighed: 2, waste: 0.5 });
  expect(transitInFigures([])).toMatchObject({ measured: 0, median: undefined, waste: undefined });
});
