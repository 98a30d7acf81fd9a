import { STEP_COLUMNS, type StepFault } from '../lead/steps-csv.ts';
import type { StepResult } from '../lead/step-import.ts';
import type { Bilingual } from './bilingual.ts';
import { deskShipment } from './desk-shipment.ts';
import { unclosedQuotes, type ImportedRow } from './imported-rows.ts';
import { joined, sentence } from './sentences.ts';
import { stepNames } from './step-names.ts';
import { timeAtPlace } from './shipment.ts';

const FAULTS: Readonly<Record<StepFault, Bilingual>> = {
  columns: {
    es: `la primera línea debe nombrar las columnas ${STEP_COLUMNS.join(', ')}; bastan folio o guia, paso y hora`,
    en: `the first line must name the columns ${STEP_COLUMNS.join(', ')}; folio or guia, paso and hora are enough`,
  },
  quotes: unclosedQuotes,
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
    en: 'nota is the reason of "detenida", and must be empty for other milestones',
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

const OUTCOMES = {
  stored: { es: 'guardado', en: 'stored' },
  trial: { es: 'se guardaría', en: 'would be stored' },
  there: { es: 'ya estaba', en: 'there already' },
} as const;

const refused = (why: string): Bilingual => ({
  es: `la base de datos no lo acepta (${why})`,
  en: `the database does not accept it (${why})`,
});
const fact = sentence<[outcome: Bilingual, facts: Bilingual]>(
  (outcome, facts) => `${outcome}: ${facts}`,
  (outcome, facts) => `${outcome}: ${facts}`,
);

/** Returns the row with a sentence: what the import did with it or, in a trial, would do. */
export function importedStep(row: StepResult, isTrial: boolean): ImportedRow {
  const { line, cells, outcome = '', folios = [], at, place } = row;
  const wrong = (says: Bilingual): ImportedRow => ({ line, cells, became: 'wrong', says });
  if ('fault' in row) return wrong(FAULTS[row.fault]);
  if (outcome === 'unknown') return wrong(UNKNOWN);
  if (outcome === 'time') return wrong(FAULTS.time);
  if (outcome !== 'stored' && outcome !== 'there') {
    const reasons: Readonly<Record<string, Bilingual>> = deskShipment.refused;
    return wrong(reasons[outcome] ?? refused(outcome));
  }
  const facts = joined(
    [
      { es: folios.join(', '), en: folios.join(', ') },
      stepNames[row.milestone.step],
      at !== undefined && place !== undefined && timeAtPlace(at, place),
    ],
    ' · ',
  );
  return {
    line,
    cells,
    became: outcome,
    says: fact(OUTCOMES[isTrial && outcome === 'stored' ? 'trial' : outcome], facts),
  };
}
