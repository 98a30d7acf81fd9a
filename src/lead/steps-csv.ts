import { hasText } from './bounds.ts';
import { plainWord, readCsvCell, readCsvRows, type CsvCells } from './csv-rows.ts';
import { readFolio } from './folio.ts';
import { STEPS, type Step } from './shipment.ts';
import { readWaybill } from './waybill.ts';

/** Milestone read from a CSV file: for a folio or an air waybill, at an instant or a local time. */
export interface FileStep {
  readonly folio?: string;
  readonly waybill?: string;
  readonly step: Step;
  readonly at: { readonly instant: number } | { readonly local: string };
  readonly word?: string;
  readonly waste?: string;
}

export const STEP_COLUMNS = ['folio', 'guia', 'paso', 'hora', 'nota', 'merma'] as const;
type Column = (typeof STEP_COLUMNS)[number];

export type StepFault = 'columns' | 'quotes' | 'shipment' | 'step' | 'time' | 'word' | 'waste';

export type StepRow = CsvCells & ({ readonly milestone: FileStep } | { readonly fault: StepFault });

export interface StepFile {
  readonly heading: readonly string[];
  readonly rows: readonly StepRow[];
}

/** IATA codes of milestones, which airlines use in their files. */
const CODES: Readonly<Record<string, Step>> = {
  DPU: 'recolectada',
  RCS: 'recibida',
  DEP: 'envuelo',
  ARR: 'llegada',
  CRC: 'aduana',
  TGC: 'aduana',
  CCD: 'liberada',
  DLV: 'entregada',
  DDL: 'entregada',
  DIS: 'detenida',
};
/** Other names of milestones, in the form that `plainWord` returns. */
const NAMES: Readonly<Record<string, Step>> = {
  ...Object.fromEntries(STEPS.map((step) => [step, step])),
  recibidaenelaeropuerto: 'recibida',
  llegoacgo: 'llegada',
  llegoazhengzhou: 'llegada',
  llego: 'llegada',
  enaduana: 'aduana',
  liberadaporaduana: 'liberada',
};

const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
/** Local time, such as 2026-12-06 09:30, or 06/12/2026 9:30, as spreadsheets in Mexico write it. */
const LOCAL = /^(?:(\d{4}-\d\d-\d\d)[T ]|(\d\d?)\/(\d\d?)\/(\d{4}) )(\d\d?:\d\d)(?::00)?$/;
const PERCENT = /^(100([.,]0)?|\d{1,2}([.,]\d)?)$/;

/** Reads milestones from a CSV text. A row that cannot be read has a fault. */
export function readStepFile(text: string): StepFile {
  const { rows, unclosed } = readCsvRows(text);
  const [{ cells: heading } = { cells: [] }, ...rest] = rows.filter(({ cells }) => cells.some(hasText));
  const columns = heading.map(plainWord);
  const place = (column: Column) => columns.indexOf(column);
  if (place('paso') < 0 || place('hora') < 0 || (place('folio') < 0 && place('guia') < 0)) {
    return { heading, rows: [{ line: 1, cells: [], fault: 'columns' }] };
  }
  const read = rest.map((row): StepRow => {
    const found = readStep((column) => readCsvCell(row.cells[place(column)] ?? '').trim());
    return typeof found === 'string' ? { ...row, fault: found } : { ...row, milestone: found };
  });
  return { heading, rows: unclosed ? [...read, { line: unclosed, cells: [], fault: 'quotes' }] : read };
}

function readStep(cell: (column: Column) => string): FileStep | StepFault {
  const folio = readFolio(cell('folio'));
  const number = readWaybill(cell('guia'));
  const shipment = folio ? { folio } : number.kind === 'waybill' ? { waybill: number.digits } : undefined;
  if (!shipment) return 'shipment';
  const typed = cell('paso');
  const step = CODES[typed.toUpperCase()] ?? NAMES[plainWord(typed)];
  if (!step) return 'step';
  const at = readTime(cell('hora'));
  if (!at) return 'time';
  const word = cell('nota');
  if ((step === 'detenida') !== hasText(word)) return 'word';
  const waste = cell('merma').replace(/\s*%$/, '');
  if (waste && (step !== 'entregada' || !PERCENT.test(waste))) return 'waste';
  return { ...shipment, step, at, ...(word && { word }), ...(waste && { waste: waste.replace(',', '.') }) };
}

function readTime(text: string): FileStep['at'] | undefined {
  const instant = INSTANT.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  if (!Number.isNaN(instant)) return { instant };
  const [, iso, day = '', month = '', year, time] = LOCAL.exec(text) ?? [];
  if (!time) return undefined;
  const date = iso ?? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return { local: `${date}T${time.padStart(5, '0')}` };
}
