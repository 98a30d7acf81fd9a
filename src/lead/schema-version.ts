// From 1.0 on, page, worker and desk of a release also speak to a database one release older or newer. A newer one takes
// what they send: its new columns have defaults, and no word goes. This module says what an older one takes.

/** Header in which the embedded server states the version of its schema. A hosted project has a view, `schema_version`. */
export const SCHEMA_HEADER = 'x-schema-version';

/**
 * Additions since 1.0, each with the migration that brings it: `table`, `table.column` or `table.column=word`. Whoever adds
 * one to the schema adds its row; it goes once every database within one release has it.
 */
export const SINCE = new Map<string, string>();

/** Codes for a table or a column that an older database lacks; the desk has words for them. */
export const isLacking = (code: string): boolean => /^(PGRST20[45]|42P01|42703)$/.test(code);

/** Codes that an older schema may cause: 23514 is a check, which a newer word breaks. */
export const mayBeOlder = (code = ''): boolean => SINCE.size > 0 && /^(PGRST20[45]|42P01|42703|23514)$/.test(code);

const isIn = (name: string, version: string): boolean => (SINCE.get(name) ?? '') <= version;

/** The part of a row that a schema of this version takes; undefined if it lacks the table, or a word of the row. */
export function fitRow<Row extends object>(table: string, row: Row, version: string): Row | undefined {
  const columns = Object.entries(row).filter(([column]) => isIn(`${table}.${column}`, version));
  const isWhole = isIn(table, version) && columns.every(([name, word]) => isIn(`${table}.${name}=${word}`, version));
  return isWhole ? (Object.fromEntries(columns) as Row) : undefined;
}
