// From 1.0 on, page, worker and desk also work with a database one release older or newer. A newer database accepts
// their rows, because new columns have defaults and no allowed value of a check constraint is removed. This module
// tells what an older database accepts.

/** Header with the schema version of the embedded server. A hosted project has the view `schema_version`. */
export const SCHEMA_HEADER = 'x-schema-version';

/**
 * Additions to the schema since 1.0, as `table`, `table.column` or `table.column=value` (a newly allowed value), each
 * with its migration. An addition stays in this list until every supported database has it.
 */
export const SCHEMA_ADDITIONS = new Map<string, string>();

/** True for the error codes of a table or column that an older database lacks; the desk has a text for them. */
export const isLacking = (code: string): boolean => /^(PGRST20[45]|42P01|42703)$/.test(code);

/** True for error codes that an older schema can cause; 23514: its check constraint does not allow a newer value. */
export const mayBeOlder = (code = ''): boolean =>
  SCHEMA_ADDITIONS.size > 0 && /^(PGRST20[45]|42P01|42703|23514)$/.test(code);

const isIn = (name: string, version: string): boolean => (SCHEMA_ADDITIONS.get(name) ?? '') <= version;

export function fitRow<Row extends object>(table: string, row: Row, version: string): Row | undefined {
  const columns = Object.entries(row).filter(([column]) => isIn(`${table}.${column}`, version));
  const isWhole = isIn(table, version) && columns.every(([name, word]) => isIn(`${table}.${name}=${word}`, version));
  return isWhole ? (Object.fromEntries(columns) as Row) : undefined;
}
