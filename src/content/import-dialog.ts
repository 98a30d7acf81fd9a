import type { Bilingual } from './bilingual.ts';

interface Counts {
  readonly stored: number;
  readonly there: number;
  readonly wrong: number;
}

/** Texts of the dialog that imports leads from a file. */
export const importDialog = {
  title: { es: 'Importar de un archivo', en: 'Import from a file' },
  what: {
    es: 'Elija un CSV con prospectos o contactos: bastan nombre y teléfono. Conservan su fecha y estado, sin plazo ni avisos. Primero verá qué pasaría con cada fila.',
    en: 'Choose a CSV with leads or contacts: name and phone are enough. They keep their date and status, without deadline or alerts. First you see what would happen to each row.',
  },
  file: { es: 'Archivo CSV', en: 'CSV file' },
  tooLarge: { es: 'El archivo pasa de 20 MB: divídalo.', en: 'The file is larger than 20 MB: split it.' },
  columns: (rows: number): Bilingual => ({
    es: `Filas: ${rows}. Revise qué columna del archivo es cada dato.`,
    en: `Rows: ${rows}. Check which column of the file is which.`,
  }),
  none: { es: 'Ninguna', en: 'None' },
  lacks: { es: 'Elija las columnas de nombre y teléfono.', en: 'Choose the columns of name and phone.' },
  check: { es: 'Revisar', en: 'Check' },
  store: (count: number): Bilingual => ({ es: `Importar ${count}`, en: `Import ${count}` }),
  again: { es: 'Repetir', en: 'Again' },
  back: { es: 'Cambiar columnas', en: 'Change columns' },
  errors: { es: 'Descargar filas con error', en: 'Download rows with an error' },
  running: (done: number, of: number): Bilingual => ({ es: `${done} de ${of} filas …`, en: `${done} of ${of} rows …` }),
  wouldBe: ({ stored, there, wrong }: Counts): Bilingual => ({
    es: `Se guardarían ${stored}; ya estaban o se repiten: ${there}; con error: ${wrong}.`,
    en: `Would be stored: ${stored}; there already or repeated: ${there}; with an error: ${wrong}.`,
  }),
  done: ({ stored, there, wrong }: Counts): Bilingual => ({
    es: `Guardadas: ${stored}; ya estaban o se repiten: ${there}; con error: ${wrong}.`,
    en: `Stored: ${stored}; there already or repeated: ${there}; with an error: ${wrong}.`,
  }),
  stopped: (done: number, of: number): Bilingual => ({
    es: `Se detuvo después de ${done} de ${of} filas. Repita: lo guardado no se guarda dos veces.`,
    en: `Stopped after ${done} of ${of} rows. Repeat: no row is stored twice.`,
  }),
  line: (line: number): Bilingual => ({ es: `Línea ${line}`, en: `Line ${line}` }),
  more: (count: number): Bilingual => ({ es: `… y ${count} filas más.`, en: `… and ${count} rows more.` }),
} as const;
