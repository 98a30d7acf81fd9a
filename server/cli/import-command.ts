import { writeFileSync } from 'node:fs';
import { eachLanguage, type Bilingual } from '../../src/content/bilingual.ts';
import { countImport, errorsCsv, type ImportedRow } from '../../src/content/imported-rows.ts';
import { importedRow, leadImport } from '../../src/content/lead-import.ts';
import { sentence } from '../../src/content/sentences.ts';
import { decodeText, plainWord } from '../../src/lead/csv-rows.ts';
import {
  IMPORT_COLUMNS,
  importLeads,
  NEEDED_COLUMNS,
  readImportFile,
  readImportRows,
  recognisePlaces,
  type ImportColumn,
  type ImportFile,
  type ImportRow,
  type Places,
} from '../../src/lead/lead-import.ts';
import { harmless } from '../../src/lead/harmless.ts';
import { localize } from '../language.ts';
import type { Leads } from './leads.ts';
import { FLAG, parseOptions, print, printBeside, TEXT, UsageError } from './command.ts';
import { asOperator, fileAt, readOperatorFile } from './operator.ts';

const OPTIONS = {
  import: TEXT,
  'dry-run': FLAG,
  errors: TEXT,
  column: { type: 'string', multiple: true, default: [] as string[] },
} as const;

const PROGRESS_MS = 2000;

interface ImportRequest {
  readonly file: string;
  readonly isTrial: boolean;
  readonly errors: string | undefined;
  /** Headings that the operator chose for columns with --column. With an empty heading the column is not imported. */
  readonly chosen: ReadonlyMap<ImportColumn, string>;
}

/** Reads the arguments of `quotes --import`. Returns undefined if they are those of another command. */
export function readImport(args: string[]): ((leads: Leads) => Promise<void>) | undefined {
  if (!args.some((word) => /^--import(=|$)/.test(word))) return undefined;
  const { values } = parseOptions({ args, options: OPTIONS });
  if (!values.import)
    throw new UsageError({
      es: '--import necesita un archivo CSV, como clientes.csv, o - para leer la entrada.',
      en: '--import needs a CSV file, such as clientes.csv, or - for the standard input.',
    });
  const chosen = new Map(values.column.map(readChosen));
  const request = { file: values.import, isTrial: values['dry-run'], errors: values.errors, chosen };
  return (leads) => importFile(leads, request);
}

function readChosen(typed: string): [ImportColumn, string] {
  const [, column, heading = ''] = /^([a-z_]+)=(.*)$/s.exec(typed) ?? [];
  const known = IMPORT_COLUMNS.find((name) => name === column);
  if (known) return [known, heading];
  const names = IMPORT_COLUMNS.join(', ');
  throw new UsageError({
    es: `--column acepta una columna y su encabezado, como --column "nombre=Persona de contacto"; no "${typed}". Columnas: ${names}.`,
    en: `--column takes a column and its heading, such as --column "nombre=Contact person"; not "${typed}". Columns: ${names}.`,
  });
}

async function importFile(leads: Leads, { file, isTrial, errors, chosen }: ImportRequest): Promise<void> {
  const read = readImportFile(decodeText(readOperatorFile(file)));
  const rows = readImportRows(read, placesIn(read, chosen));
  let printedAt = Date.now();
  let done = 0;
  const imported = await importLeads(
    rows,
    (batch) => leads.import(batch, isTrial),
    (sofar) => {
      done = sofar.length;
      if (Date.now() - printedAt < PROGRESS_MS) return;
      printedAt = Date.now();
      printBeside({ es: `${done} de ${rows.length} filas …`, en: `${done} of ${rows.length} rows …` });
    },
  ).catch((error: unknown) => {
    printBeside({
      es: `Se detuvo después de ${done} de ${rows.length} filas. Repita la orden: lo guardado no se guarda dos veces.`,
      en: `Stopped after ${done} of ${rows.length} rows. Run the command again: no row is stored twice.`,
    });
    throw error;
  });
  const results = imported.map((row) => importedRow(row, isTrial));
  if (isTrial) for (const [at, row] of results.entries()) print(lineOf(row, rows[at]!));
  else for (const [at, row] of results.entries()) if (row.became === 'wrong') printBeside(lineOf(row, rows[at]!));
  const { stored, there, wrong } = countImport(results);
  print(
    isTrial
      ? {
          es: `Se guardarían ${stored}; ya estaban o se repiten: ${there}; con error: ${wrong}. No se guardó nada.`,
          en: `Would be stored: ${stored}; there already or repeated: ${there}; with an error: ${wrong}. Nothing was stored.`,
        }
      : {
          es: `Guardadas: ${stored}; ya estaban o se repiten: ${there}; con error: ${wrong}.`,
          en: `Stored: ${stored}; there already or repeated: ${there}; with an error: ${wrong}.`,
        },
  );
  if (errors) writeErrors(errors, errorsCsv(read.heading, results, localize));
  if (wrong > 0) process.exitCode = 1;
}

function writeErrors(file: string, text: string): void {
  // Excel recognizes UTF-8 only by a byte order mark.
  asOperator(() => writeFileSync(fileAt(file), `\ufeff${text}`, { mode: 0o600 }));
  print({ es: `Las filas con error están en ${file}.`, en: `The rows with an error are in ${file}.` });
}

function placesIn({ heading }: ImportFile, chosen: ImportRequest['chosen']): Places {
  const places: Partial<Record<ImportColumn, number>> = { ...recognisePlaces(heading) };
  const words = heading.map(plainWord);
  for (const [column, name] of chosen) {
    delete places[column];
    if (!name) continue;
    const at = heading.indexOf(name) >= 0 ? heading.indexOf(name) : words.indexOf(plainWord(name));
    if (at < 0)
      throw new UsageError({
        es: `El archivo no tiene la columna "${name}". Tiene: ${harmless(heading.join(', '))}.`,
        en: `The file has no column "${name}". It has: ${harmless(heading.join(', '))}.`,
      });
    places[column] = at;
  }
  const missing = NEEDED_COLUMNS.filter((column) => places[column] === undefined);
  if (missing.length > 0)
    throw new UsageError({
      es: `No se reconoce la columna de ${missing.join(' ni de ')}. Diga cuál es: --column "${missing[0]}=…". El archivo tiene: ${harmless(heading.join(', '))}.`,
      en: `No column is recognised as ${missing.join(' or ')}. Name it: --column "${missing[0]}=…". The file has: ${harmless(heading.join(', '))}.`,
    });
  const used = (Object.keys(places) as ImportColumn[]).map((column) => ({
    column,
    heading: harmless(heading[places[column]!]!),
  }));
  const unread = heading.filter((_, at) => !Object.values(places).includes(at)).map(harmless);
  const list = (language: 'es' | 'en') =>
    used.map((each) => `${leadImport.columns[each.column][language]} = ${each.heading}`).join('; ');
  printBeside({
    es: `Columnas: ${list('es')}.${unread.length > 0 ? ` Sin leer: ${unread.join(', ')}.` : ''}`,
    en: `Columns: ${list('en')}.${unread.length > 0 ? ` Not read: ${unread.join(', ')}.` : ''}`,
  });
  return places;
}

const LINE = sentence<[where: string, what: Bilingual]>(
  (where, what) => `Línea ${where}: ${what}`,
  (where, what) => `Line ${where}: ${what}`,
);

function lineOf({ line, says }: ImportedRow, row: ImportRow): Bilingual {
  const lead = 'lead' in row ? [row.lead.nombre, row.lead.empresa].filter(Boolean).join(', ') : '';
  return eachLanguage(LINE(`${line}${lead && ` (${lead})`}`, says), harmless);
}
