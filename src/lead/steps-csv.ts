import { hasText } from './bounds.ts';
import { plainWord, readCsvRows } from './csv-rows.ts';
import { readFolio } from './folio.ts';
import { JOURNEY, STEPS, type Step } from './shipment.ts';
import { readWaybill } from './waybill.ts';

/** Milestone read from a CSV file: for a folio or an air waybill, at an instant or a local time. */
export interface StepLine {
  /** Number of the line in the file; the first line is 1. */
  readonly line: number;
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
const LOCAL = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d$/;
const PERCENT = /^(100([.,]0)?|\d{1,2}([.,]\d)?)$/;

/** Reads milestones from a CSV text. A line that cannot be read becomes a fault with its number. */
export function readStepLines(text: string) {
  const { rows, unclosed } = readCsvRows(text);
  const [heading, ...rest] = rows;
  const columns = heading?.cells.map((cell) => plainWord(cell)) ?? [];
  const place = (column: Column) => columns.indexOf(column);
  const lines: StepLine[] = [];
  const faults: { readonly line: number; readonly fault: StepFault }[] = [];
  if (place('paso') < 0 || place('hora') < 0 || (place('folio') < 0 && place('guia') < 0)) {
    return { lines, faults: [{ line: 1, fault: 'columns' as StepFault }] };
  }
  for (const { line, cells } of rest) {
    if (cells.every((cell) => !hasText(cell))) continue;
    const read = readLine(line, (column) => cells[place(column)]?.trim() ?? '');
    if (typeof read === 'string') faults.push({ line, fault: read });
    else lines.push(read);
  }
  if (unclosed) faults.push({ line: unclosed, fault: 'quotes' });
  // A file may list the milestones in any order. They are stored in the order of the journey.
  const rank = ({ step }: StepLine) => JOURNEY.indexOf(step as (typeof JOURNEY)[number]);
  return { lines: lines.toSorted((one, other) => rank(one) - rank(other)), faults };
}

function readLine(line: number, cell: (column: Column) => string): StepLine | StepFault {
  const folio = readFolio(cell('folio'));
  const number = readWaybill(cell('guia'));
  const shipment = folio ? { folio } : number.kind === 'waybill' ? { waybill: number.digits } : undefined;
  if (!shipment) return 'shipment';
  const typed = cell('paso');
  const step = CODES[typed.toUpperCase()] ?? NAMES[plainWord(typed)];
  if (!step) return 'step';
  const time = cell('hora');
  const instant = INSTANT.test(time) ? Date.parse(time.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(instant) && !LOCAL.test(time)) return 'time';
  const at = Number.isNaN(instant) ? { local: time.replace(' ', 'T') } : { instant };
  const word = cell('nota');
  if ((step === 'detenida') !== hasText(word)) return 'word';
  const waste = cell('merma').replace(/\s*%$/, '');
  if (waste && (step !== 'entregada' || !PERCENT.test(waste))) return 'waste';
  return { line, ...shipment, step, at, ...(word && { word }), ...(waste && { waste: waste.replace(',', '.') }) };
}
