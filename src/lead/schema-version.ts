// From 1.0 on, page, worker and desk also work with a database that is one release older or newer. A newer database
// accepts their rows, because new columns have defaults and check constraints keep all allowed values. An older
// database may lack tables, columns and values: this module knows which.

/**
 * Header in which the embedded server sends its schema version. Hosted Supabase has the view `schema_version` instead.
 */
export const SCHEMA_HEADER = 'x-schema-version';

/**
 * Additions to the schema since 1.0: `table`, `table.column` or `table.column=value` (a value that became allowed),
 * with the migration that added each. An addition is removed from the list once every supported database has it.
 */
export const SCHEMA_ADDITIONS = new Map<string, string>();

/**
 * True for the error codes for a table or column that an older database lacks. The desk explains them to the colleague.
 */
export const isLacking = (code: string): boolean => /^(PGRST20[45]|42P01|42703)$/.test(code);

/**
 * True for error codes that an older schema may cause: a missing table or column, or a check constraint (23514) that
 * refuses a value allowed only by newer schemas.
 */
export const mayBeOlder = (code = ''): boolean =>
  SCHEMA_ADDITIONS.size > 0 && /^(PGRST20[45]|42P01|42703|23514)$/.test(code);

const isIn = (name: string, version: string): boolean => (SCHEMA_ADDITIONS.get(name) ?? '') <= version;

export function fitRow<Row extends object>(table: string, row: Row, version: string): Row | undefined {
  const columns = Object.entries(row).filter(([column]) => isIn(`${table}.${column}`, version));
  const isWhole = isIn(table, version) && columns.every(([name, word]) => isIn(`${table}.${name}=${word}`, version));
  return isWhole ? (Object.fromEntries(columns) as Row) : undefined;
}
