import type { Field } from '../lead/fields.ts';
import type { ImportColumn, ImportFault, ImportOutcome, ImportResult } from '../lead/lead-import.ts';
import { folioOf } from '../lead/folio.ts';
import type { Bilingual } from './bilingual.ts';
import { faultOf, failureOf } from './field-failures.ts';
import { fieldWords } from './fields.ts';
import { unclosedQuotes, type ImportedRow } from './imported-rows.ts';
import { sentence } from './sentences.ts';

export const leadImport = {
  columns: {
    ...(Object.fromEntries(Object.entries(fieldWords).map(([field, { label }]) => [field, label])) as Record<
      Field,
      Bilingual
    >),
    apellido: { es: 'Apellidos', en: 'Last name' },
    created_at: { es: 'Fecha', en: 'Date' },
    origen: { es: 'Medio de contacto', en: 'Received by' },
    status: { es: 'Estado', en: 'Status' },
    lost_reason: { es: 'Motivo de pérdida', en: 'Reason of loss' },
    assignee_name: { es: 'Responsable', en: 'Owner' },
    embarque: { es: 'Kg por embarque', en: 'Kg a shipment' },
    llamada: { es: 'Quiere llamada', en: 'Wants a call' },
    promociones: { es: 'Acepta promociones', en: 'Accepts promotions' },
    reemplaza: { es: 'Reemplaza al folio', en: 'Replaces the folio' },
    replaced_by: { es: 'Reemplazada por', en: 'Replaced by' },
    igual: { es: 'Repite el folio', en: 'Repeats the folio' },
    id: { es: 'Identificador', en: 'Id' },
  } satisfies Record<ImportColumn, Bilingual>,
  stored: (folio: string): Bilingual => ({ es: `guardada, ${folio}`, en: `stored, ${folio}` }),
  wouldBeStored: (folio: string): Bilingual => ({ es: `se guardaría, ${folio}`, en: `would be stored, ${folio}` }),
  there: (folio: string): Bilingual => ({ es: `ya estaba, ${folio}`, en: `there already, ${folio}` }),
  same: {
    es: 'ya hay una idéntica de ese día, con otro folio',
    en: 'an identical one of that day has another folio',
  },
  erased: {
    es: 'se borró antes y no se vuelve a guardar',
    en: 'it was erased before and is not stored again',
  },
  refused: (why: string): Bilingual => ({
    es: `la base de datos no la acepta (${why})`,
    en: `the database does not accept it (${why})`,
  }),
  repeats: (line: number): Bilingual => ({ es: `igual a la línea ${line}`, en: `equal to line ${line}` }),
  cells: {
    es: 'tiene más celdas que el encabezado: revise comas y comillas',
    en: 'it has more cells than the heading: check commas and quotation marks',
  },
  unclosed: unclosedQuotes,
  values: {
    created_at: { es: 'como 28/11/2026 o 2026-11-28', en: 'like 28/11/2026 (day first) or 2026-11-28' },
    status: {
      es: 'nueva, tomada, respondida, ganada o perdida',
      en: 'nueva, tomada, respondida, ganada or perdida (new, taken, answered, won or lost)',
    },
    embarque: { es: 'un número entero de kilos', en: 'a whole number of kilos' },
    llamada: { es: 'sí o no', en: 'yes or no' },
    promociones: { es: 'sí o no', en: 'yes or no' },
  } as Partial<Record<ImportColumn, Bilingual>>,
  ours: { es: 'el de una exportación', en: 'that of an export' },
  unnamed: { es: '(sin nombre)', en: '(no name)' },
} as const;

const wrongValue = sentence<[column: Bilingual, value: string, rule: Bilingual]>(
  (column, value, rule) => `${column}: "${value}" no es ${rule}`,
  (column, value, rule) => `${column}: "${value}" is not ${rule}`,
);

/** Largest number of characters of a wrong value that a sentence shows, because a cell may be as large as the file. */
const LONGEST_VALUE = 40;

function importFault(found: ImportFault): Bilingual {
  if (found.column === undefined) return leadImport[found.fault];
  if (found.fault === 'value') {
    const value = found.text.length > LONGEST_VALUE ? `${found.text.slice(0, LONGEST_VALUE)}…` : found.text;
    const rule = leadImport.values[found.column] ?? leadImport.ours;
    return wrongValue(leadImport.columns[found.column], value, rule);
  }
  if (found.fault === 'unclear') return faultOf(found.column, found.text)!;
  return failureOf(found.column, found.fault);
}

/** Returns the row with a sentence: what the import did with it or, in a trial, would do. */
export function importedRow(row: ImportResult, isTrial: boolean): ImportedRow {
  const { line, cells } = row;
  if ('fault' in row) return { line, cells, became: 'wrong', says: importFault(row.fault) };
  if ('repeats' in row) return { line, cells, became: 'there', says: leadImport.repeats(row.repeats) };
  if (!row.result) return { line, cells, became: 'there', says: { es: 'pendiente', en: 'waiting' } };
  const { outcome } = row.result;
  const became = outcome === 'stored' ? 'stored' : outcome === 'refused' ? 'wrong' : 'there';
  return { line, cells, became, says: outcomeWords(row.result, isTrial) };
}

function outcomeWords({ outcome, quote_id, refusal = '' }: ImportOutcome, isTrial: boolean): Bilingual {
  const folio = quote_id ? folioOf(quote_id) : '';
  if (outcome === 'stored') return isTrial ? leadImport.wouldBeStored(folio) : leadImport.stored(folio);
  if (outcome === 'there') return leadImport.there(folio);
  if (outcome === 'same' || outcome === 'erased') return leadImport[outcome];
  return leadImport.refused(refusal);
}
