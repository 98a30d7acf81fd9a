import { isDay } from './bounds.ts';
import { plainWord, readCsvCell, readCsvRows, type CsvCells } from './csv-rows.ts';
import { readFieldText, type FieldFault } from './field-text.ts';
import { EVERY_FIELD, isKilos, type Field } from './fields.ts';
import { readFolio } from './folio.ts';
import { harmless } from './harmless.ts';
import { isId } from './quote.ts';
import { instantOf } from './shipment.ts';
import { LOST_REASONS, ORIGINS, STATUSES, type IMPORT_OUTCOMES } from './vocabulary.ts';

/** Other headings that files use for each of the columns, in the form that `plainWord` returns. */
const NAMED = {
  nombre: 'name contacto contact nombrecompleto fullname cliente customer contactname firstname nombres persona',
  apellido: 'apellidos lastname surname familyname',
  empresa: 'company compania razonsocial organizacion organization organizationname companyname account cuenta negocio',
  email: 'correo correoelectronico mail emailaddress email1value workemail',
  telefono: 'tel phone phonenumber telephone celular movil mobile mobilephone whatsapp numerodetelefono phone1value',
  peso: 'weight kg kilos kgmes kgmonth kilosalmes kgalmes pesomensual monthlyweight pesokg pesomensualkg',
  tipo_carga: 'tipodecarga carga cargo cargotype typeofcargo tipo type',
  created_at: 'fecha date created createdate createdat fechadecreacion creado recibida received fechadealta',
  origen: 'origin source fuente leadsource medio mediodecontacto canal channel receivedby',
  status: 'estado estatus etapa stage leadstatus dealstage',
  lost_reason: 'motivo motivodeperdida razondeperdida reason closedlostreason',
  assignee_name: 'responsable owner vendedor asesor salesrep contactowner leadowner propietario',
  embarque: 'kgembarque kilosporembarque kgporembarque shipmentkg shipmentweight kgashipment',
  servicio: 'service',
  llamada: 'wantscall',
  promociones: '',
  reemplaza: '',
  replaced_by: '',
  igual: '',
  id: '',
} as const;
export type ImportColumn = Field | keyof typeof NAMED;
export const IMPORT_COLUMNS = [
  ...new Set<ImportColumn>([...(Object.keys(NAMED) as (keyof typeof NAMED)[]), ...EVERY_FIELD]),
];
const OTHER_NAMES: Readonly<Partial<Record<ImportColumn, string>>> = NAMED;
export const NEEDED_COLUMNS = ['nombre', 'telefono'] as const satisfies ImportColumn[];

/** Position in the file of each column that was recognised by its name or chosen by the user. */
export type Places = Readonly<Partial<Record<ImportColumn, number>>>;

export interface ImportFile {
  readonly heading: readonly string[];
  readonly rows: readonly CsvCells[];
  /** Line of a quotation mark that is never closed; the lines after it were not read. */
  readonly unclosed?: number;
}

export function readImportFile(text: string): ImportFile {
  const { rows, ...rest } = readCsvRows(text);
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell.trim()));
  return { heading: filled[0]?.cells ?? [], rows: filled.slice(1), ...rest };
}

export function recognisePlaces(heading: readonly string[]): Places {
  const words = heading.map(plainWord);
  const places: Partial<Record<ImportColumn, number>> = {};
  for (const column of IMPORT_COLUMNS) {
    for (const name of [plainWord(column), ...(OTHER_NAMES[column] ?? '').split(' ')]) {
      const at = name ? words.indexOf(name) : -1;
      if (at < 0 || Object.values(places).includes(at)) continue;
      places[column] = at;
      break;
    }
  }
  return places;
}

/** Lead as the database imports it (private.import_lead). */
export type ImportedLead = { readonly [Name in Exclude<ImportColumn, 'apellido'>]?: string | number | boolean };

/**
 * Fault of a row: an invalid field, a wrong value of another column, more cells than headings, or an unclosed quotation
 * mark.
 */
export type ImportFault =
  | { readonly column: Field; readonly fault: FieldFault; readonly text: string }
  | { readonly column: Exclude<ImportColumn, Field>; readonly fault: 'value'; readonly text: string }
  | { readonly column?: undefined; readonly fault: 'cells' | 'unclosed' };

export type ImportRow = CsvCells &
  (
    | { readonly lead: ImportedLead }
    | { readonly fault: ImportFault }
    /** Number of an earlier line with the same lead. */
    | { readonly repeats: number }
  );

export function readImportRows({ heading, rows, unclosed }: ImportFile, places: Places): readonly ImportRow[] {
  const lines = new Map<string, number>();
  const read = rows.map((row): ImportRow => {
    const found = readImportRow(row.cells, heading.length, places);
    if ('fault' in found) return { ...row, ...found };
    const key = String(found.lead.id ?? JSON.stringify(found.lead).toLowerCase());
    const repeats = lines.get(key);
    if (repeats) return { ...row, repeats };
    lines.set(key, row.line);
    return { ...row, ...found };
  });
  return unclosed ? [...read, { line: unclosed, cells: [], fault: { fault: 'unclosed' } }] : read;
}

function readImportRow(
  cells: readonly string[],
  width: number,
  places: Places,
): { readonly lead: ImportedLead } | { readonly fault: ImportFault } {
  if (cells.slice(width).some((cell) => cell.trim())) return { fault: { fault: 'cells' } };
  const text = (column: ImportColumn) => harmless(readCsvCell(cells[places[column] ?? -1]?.trim() ?? '')).trim();
  const lead: Partial<Record<ImportColumn, string | number | boolean>> = {};
  for (const column of EVERY_FIELD) {
    const given = column === 'nombre' ? `${text('nombre')} ${text('apellido')}`.trim() : text(column);
    if (!given && !(NEEDED_COLUMNS as readonly string[]).includes(column)) continue;
    const value = column === 'tipo_carga' ? (CARGO[plainWord(given)] ?? given) : given;
    // A telephone number such as 5.2E+11 is refused: the spreadsheet has saved the number without its last digits.
    const isShortened = column === 'telefono' && /^\d[.,]\d+e\+\d+$/i.test(given);
    const found = isShortened ? { failure: 'invalid' as const } : readFieldText(column, value);
    if ('failure' in found) return { fault: { column, fault: found.failure, text: given } };
    if (found.value !== undefined) lead[column] = found.value;
  }
  for (const column of Object.keys(READERS) as (keyof typeof READERS)[]) {
    const given = text(column);
    if (!given) continue;
    const value = READERS[column](given);
    if (value === undefined) return { fault: { column, fault: 'value', text: given } };
    if (value !== null) lead[column] = value;
  }
  if (lead['status'] !== 'perdida') delete lead['lost_reason'];
  // A lead with the origin 'formulario' must have all required fields in the database, so an incomplete lead loses that
  // origin.
  const isWhole = (['empresa', 'email', 'peso', 'tipo_carga'] as const).every((column) => column in lead);
  if (lead['origen'] === 'formulario' && !isWhole) delete lead['origen'];
  return { lead };
}

const namesOf = (names: Readonly<Record<string, string>>, words: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...words.map((word) => [word, word]),
    ...Object.entries(names).flatMap(([word, others]) => others.split(' ').map((other) => [other, word])),
  ]);

const CARGO = namesOf(
  { general: 'seca dry generalcargo', perecederos: 'perecedero perishable perishables fresco', especial: 'special' },
  [],
);
const STATUS_NAMES = namesOf(
  {
    nueva: 'nuevo new abierta abierto open lead',
    tomada: 'encurso enproceso working inprogress contactado contactada contacted taken',
    respondida: 'respondido cotizada cotizado answered replied quoted',
    ganada: 'ganado won closedwon cliente customer booked cerradaganada',
    perdida: 'perdido lost closedlost cerradaperdida',
  },
  STATUSES,
);
const ORIGIN_NAMES = namesOf(
  {
    formulario: 'lapagina thepage web website',
    llamada: 'acall call phone telefono',
    correo: 'email mail',
    feria: 'afair fair tradeshow expo',
    otro: 'otromedio anotherway other',
  },
  ORIGINS,
);
const REASON_NAMES = namesOf(
  { precio: 'price', tiempo: 'time', espacio: 'space', documentos: 'documents papers', silencio: 'silence noanswer' },
  LOST_REASONS,
);
const BOOLEANS = { si: true, yes: true, true: true, verdadero: true, x: true, no: false, false: false, falso: false };

/**
 * Functions that read the columns for which the quote form has no field. `undefined`: the value is wrong, so the row is
 * refused. `null`: the value is left out, and the row is imported.
 */
const READERS = {
  created_at: dateIn,
  origen: (text) => ORIGIN_NAMES[plainWord(text)] ?? null,
  status: (text) => STATUS_NAMES[plainWord(text)],
  lost_reason: (text) => REASON_NAMES[plainWord(text)] ?? 'otro',
  assignee_name: (text) => text.slice(0, 100),
  embarque: (text) => (isKilos(text) ? Number(text) : undefined),
  llamada: yesOrNo,
  promociones: yesOrNo,
  reemplaza: (text) => readFolio(text),
  igual: (text) => readFolio(text),
  replaced_by: (text) => (isId(text) ? text.toLowerCase() : undefined),
  // Other programs number their rows in a column `id`. Only ids of quotes are imported.
  id: (text) => (isId(text) ? text.toLowerCase() : null),
} as const satisfies {
  readonly [Name in Exclude<ImportColumn, Field | 'apellido'>]: (
    text: string,
  ) => string | number | boolean | null | undefined;
};

function yesOrNo(text: string): boolean | undefined {
  return BOOLEANS[plainWord(text) as keyof typeof BOOLEANS];
}

/**
 * Reads a date such as 2026-11-28, 28/11/2026 or 2026-11-28T09:30:00Z, and returns it in ISO format. A time without a
 * zone is Tijuana's.
 */
function dateIn(text: string): string | undefined {
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?(\d\d)?)$/.test(text)) {
    return Number.isNaN(Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))) ? undefined : text;
  }
  const [, iso, day = '', month = '', year = '', time = '12:00'] =
    /^(?:(\d{4}-\d\d-\d\d)|(\d\d?)[/.-](\d\d?)[/.-](\d{4}))(?:[T ]+(\d\d?:\d\d)(?::\d\d(?:\.\d+)?)?)?$/.exec(text) ??
    [];
  const date = iso ?? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = isDay(date) ? instantOf(`${date} ${time.padStart(5, '0')}`, 'TIJ') : undefined;
  return at === undefined ? undefined : new Date(at).toISOString();
}

export interface ImportOutcome {
  readonly quote_id: string | null;
  readonly outcome: (typeof IMPORT_OUTCOMES)[number];
  /** Name of the violated constraint, or PostgreSQL's error code. */
  readonly refusal?: string;
}

export type ImportResult = ImportRow & { readonly result?: ImportOutcome };

/**
 * Size in bytes at which a request is full. The server accepts 16 kB, but smaller requests let it serve exporters in
 * between.
 */
const MOST_BYTES = 12_000;
const MOST_LEADS = 50;

/** Sends the leads in order. After each request, reports the results so far. */
export async function importLeads(
  rows: readonly ImportRow[],
  send: (leads: readonly ImportedLead[]) => Promise<readonly ImportOutcome[]>,
  onProgress: (results: readonly ImportResult[]) => void = () => undefined,
): Promise<readonly ImportResult[]> {
  const results: ImportResult[] = [];
  const encoder = new TextEncoder();
  for (let at = 0; at < rows.length;) {
    const batch: ImportedLead[] = [];
    let bytes = 0;
    const from = at;
    for (; at < rows.length && batch.length < MOST_LEADS && bytes < MOST_BYTES; at += 1) {
      const row = rows[at]!;
      if (!('lead' in row)) continue;
      batch.push(row.lead);
      bytes += encoder.encode(JSON.stringify(row.lead)).length;
    }
    const outcomes = batch.length > 0 ? [...(await send(batch))] : [];
    for (const row of rows.slice(from, at)) {
      const result = 'lead' in row ? outcomes.shift() : undefined;
      results.push(result ? { ...row, result } : row);
    }
    onProgress(results);
  }
  return results;
}
