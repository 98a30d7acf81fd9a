import { hashOf, idOf } from '../../src/lead/hash.ts';
import { instantOf, placeOf, type Milestone } from '../../src/lead/shipment.ts';
import type { ShipmentRow } from '../../src/lead/shipment-row.ts';
import { readStepLines, STEP_COLUMNS, type StepFault, type StepLine } from '../../src/lead/steps-csv.ts';
import { englishWords, mainWords, type Bilingual } from '../../src/content/bilingual.ts';
import { joined } from '../../src/content/sentences.ts';
import { deskShipment } from '../../src/content/desk-shipment.ts';
import { OperatorError } from '../language.ts';
import type { Leads } from './leads.ts';
import { print } from './command.ts';
import { readOperatorFile } from './operator.ts';

const FAULTS: Readonly<Record<StepFault, Bilingual>> = {
  columns: {
    es: `la primera línea debe nombrar las columnas ${STEP_COLUMNS.join(', ')}; bastan folio o guia, paso y hora`,
    en: `the first line must name the columns ${STEP_COLUMNS.join(', ')}; folio or guia, paso and hora are enough`,
  },
  quotes: {
    es: 'unas comillas quedan sin cerrar; de ahí en adelante no se leyó',
    en: 'a quotation mark is not closed; the lines from there on were not read',
  },
  shipment: {
    es: 'no trae un folio, ni una guía de 11 cifras con su dígito verificador',
    en: 'it has no folio, and no waybill of 11 digits with its check digit',
  },
  step: { es: 'ese paso no existe', en: 'there is no such milestone' },
  time: {
    es: 'la hora debe ser como 2026-12-06 09:30 (del lugar) o 2026-12-06T17:30Z',
    en: 'the time must be like 2026-12-06 09:30 (of the place) or 2026-12-06T17:30Z',
  },
  word: {
    es: 'nota lleva el motivo de "detenida", y sólo de ese paso',
    en: 'nota has the reason of "detenida", and of this milestone alone',
  },
  waste: {
    es: 'merma es un porcentaje de 0 a 100, en "entregada"',
    en: 'merma is a percentage from 0 to 100, at "entregada"',
  },
};
const UNKNOWN = {
  es: 'ningún embarque reservado tiene ese folio o esa guía',
  en: 'no booked shipment has that folio or waybill',
};

/**
 * Stores the milestones of a CSV file. A line with an error is reported and skipped. Storing the same file again
 * changes nothing.
 */
export async function trackFile(leads: Leads, file: string): Promise<void> {
  const { lines, faults } = readStepLines(readOperatorFile(file).toString());
  const failures = faults.map(({ line, fault }) => ({ line, why: FAULTS[fault] }));
  let stored = 0;
  for (const line of lines) {
    const result = await storeLine(leads, line);
    if (result === 'stored') stored += 1;
    else if (result !== 'there') failures.push({ line: line.line, why: result });
  }
  const there = lines.length + faults.length - stored - failures.length;
  print({
    es: `Pasos guardados: ${stored}; ya estaban: ${there}; con error: ${failures.length}.`,
    en: `Milestones stored: ${stored}; there already: ${there}; with an error: ${failures.length}.`,
  });
  if (failures.length === 0) return;
  const inOrder = failures.toSorted((one, other) => one.line - other.line);
  throw new OperatorError(
    joined(
      inOrder.map(({ line, why }) => ({
        es: `Línea ${line}: ${mainWords(why)}.`,
        en: `Line ${line}: ${englishWords(why)}.`,
      })),
      '\n',
    ),
  );
}

async function storeLine(leads: Leads, line: StepLine): Promise<'stored' | 'there' | Bilingual> {
  const found = await leads.shipments(line.folio ? { folio: line.folio } : { waybill: line.waybill! });
  if (found.length === 0) return UNKNOWN;
  // A folio has one shipment at a time; a waybill may carry several.
  const results: Awaited<ReturnType<typeof storeStep>>[] = [];
  for (const row of line.folio ? found.slice(-1) : found) results.push(await storeStep(leads, line, row));
  return results.find((result) => typeof result === 'object') ?? (results.includes('stored') ? 'stored' : 'there');
}

async function storeStep(leads: Leads, line: StepLine, row: ShipmentRow): Promise<'stored' | 'there' | Bilingual> {
  const at = instantIn(line, row);
  if (at === undefined) return FAULTS.time;
  const { step, word, waste } = line;
  const hint = await leads.track({
    id: await idFor(row, line, at),
    quote_id: row.quote_id,
    answer_id: row.answer_id,
    step,
    at: new Date(at).toISOString(),
    ...(word && { word }),
    ...(waste && { waste }),
    author_name: 'CSV',
  });
  if (hint === 'stored' || hint === 'there') return hint;
  return deskShipment.refused[hint];
}

/** Instant of a line: as written, or the local time of the milestone's place. */
function instantIn({ at, step }: StepLine, { shipment }: ShipmentRow): number | undefined {
  if ('instant' in at) return at.instant;
  const milestone: Milestone = { id: '', step, at: Infinity };
  return instantOf(at.local, placeOf(milestone, { ...shipment, steps: [...shipment.steps, milestone] }));
}

/** Id computed from the milestone, so that the same line of a file is the same row. */
const idFor = async ({ answer_id }: ShipmentRow, { step, word, waste }: StepLine, at: number) =>
  idOf((await hashOf(new TextEncoder().encode([answer_id, step, at, word, waste].join('\n')))).slice(0, 16));
