import type { Bilingual } from './bilingual.ts';
import { deskList } from './desk-list.ts';
import type { ImportCounts } from './imported-rows.ts';
import { sentence } from './sentences.ts';

export const importDialog = {
  file: { es: 'Archivo CSV', en: 'CSV file' },
  choose: { es: 'Elegir archivo', en: 'Choose a file' },
  chooseAnother: { es: 'Elegir otro archivo', en: 'Choose another file' },
  empty: { es: 'El archivo está vacío.', en: 'The file is empty.' },
  tooLarge: { es: 'El archivo pasa de 20 MB: divídalo.', en: 'The file is larger than 20 MB: split it.' },
  check: { es: 'Revisar', en: 'Check' },
  again: { es: 'Repetir', en: 'Again' },
  back: { es: 'Cambiar columnas', en: 'Change columns' },
  errors: { es: 'Descargar filas con error', en: 'Download rows with an error' },
  running: (done: number, of: number): Bilingual => ({ es: `${done} de ${of} filas …`, en: `${done} of ${of} rows …` }),
  stopped: (done: number, of: number): Bilingual => ({
    es: `Se detuvo después de ${done} de ${of} filas. Repita: lo guardado no se guarda dos veces.`,
    en: `Stopped after ${done} of ${of} rows. Repeat: no row is stored twice.`,
  }),
  line: (line: number): Bilingual => ({ es: `Línea ${line}`, en: `Line ${line}` }),
  more: (count: number): Bilingual => ({ es: `… y ${count} filas más.`, en: `… and ${count} rows more.` }),
} as const;

const summary = sentence<[stored: Bilingual, there: number, wrong: number]>(
  (stored, there, wrong) => `${stored}; ya estaban o se repiten: ${there}; con error: ${wrong}.`,
  (stored, there, wrong) => `${stored}; there already or repeated: ${there}; with an error: ${wrong}.`,
);
const counted = (stored: Bilingual, { there, wrong }: ImportCounts) => summary(stored, there, wrong);

export interface ImportWords {
  readonly title: Bilingual;
  readonly what: Bilingual;
  readonly store: (count: number) => Bilingual;
  readonly wouldBe: (counts: ImportCounts) => Bilingual;
  readonly done: (counts: ImportCounts) => Bilingual;
}

const wouldBe = (counts: ImportCounts) =>
  counted({ es: `Se guardarían ${counts.stored}`, en: `Would be stored: ${counts.stored}` }, counts);

export const leadDialog = {
  title: { es: 'Importar de un archivo', en: 'Import from a file' },
  what: {
    es: 'Elija un CSV con prospectos o contactos: bastan nombre y teléfono. Conservan su fecha y estado, sin plazo ni avisos. Primero verá qué pasaría con cada fila.',
    en: 'Choose a CSV with leads or contacts: name and phone are enough. They keep their date and status, without deadline or alerts. First you see what would happen to each row.',
  },
  columns: (rows: number): Bilingual => ({
    es: `Filas: ${rows}. Revise qué columna del archivo es cada dato.`,
    en: `Rows: ${rows}. Check which column of the file is which.`,
  }),
  none: { es: 'Ninguna', en: 'None' },
  lacks: { es: 'Elija las columnas de nombre y teléfono.', en: 'Choose the columns of name and phone.' },
  store: (count: number): Bilingual => ({ es: `Importar ${count}`, en: `Import ${count}` }),
  wouldBe,
  done: (counts: ImportCounts): Bilingual =>
    counted({ es: `Guardadas: ${counts.stored}`, en: `Stored: ${counts.stored}` }, counts),
} as const satisfies ImportWords & Readonly<Record<string, unknown>>;

export const stepDialog = {
  title: deskList.importSteps,
  what: {
    es: 'Elija un CSV con las columnas folio o guia, paso y hora; nota lleva el motivo de «detenida» y merma el porcentaje al entregar. La hora es la del lugar. Primero verá qué pasaría con cada fila; al guardar se avisa a los clientes.',
    en: 'Choose a CSV with the columns folio or guia, paso and hora; nota has the reason of “detenida”, merma the percentage at delivery. Times are those of the place. First you see what would happen to each row; customers are alerted when you store.',
  },
  store: (count: number): Bilingual => ({
    es: count === 1 ? 'Guardar 1 paso' : `Guardar ${count} pasos`,
    en: count === 1 ? 'Store 1 milestone' : `Store ${count} milestones`,
  }),
  wouldBe,
  done: (counts: ImportCounts): Bilingual =>
    counted({ es: `Guardados: ${counts.stored}`, en: `Stored: ${counts.stored}` }, counts),
} as const satisfies ImportWords;
