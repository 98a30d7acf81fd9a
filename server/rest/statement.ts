import { Parameters, quoteName, splitList, unquote } from './filter.ts';
import type { Payload } from './payload.ts';
import type { Query } from './query.ts';
import { Refusal } from './refusal.ts';

/** A table as the database describes it: its name, and its columns with their types. */
export interface Table {
  readonly name: string;
  readonly types: ReadonlyMap<string, string>;
}

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly string[];
}

export function select(table: Table, query: Query, counted: boolean): Statement {
  const { columns, where, order, limit, offset, parameters } = query;
  const source = `select ${columns} from ${nameOf(table)} ${where} ${order} limit ${limit} offset ${offset}`;
  const total = counted ? `(select count(*) from ${nameOf(table)} ${where})::int` : 'null';
  return { sql: answering(source, total), parameters: parameters.values };
}

export function insert(
  table: Table,
  payload: Payload,
  {
    columns,
    conflict,
    returning,
  }: { columns: string; conflict: { target: string; merge: boolean } | undefined; returning: boolean },
): Statement {
  const parameters = new Parameters();
  const names = payload.columns.map(quoteName).join(', ');
  const rows = names
    ? `(${names}) select ${names} from ${recordset(table, payload, parameters)}`
    : `select from json_array_elements(${parameters.add(payload.rows)}::json)`;
  const source = `insert into ${nameOf(table)} ${rows} ${conflict ? onConflict(conflict, payload) : ''} ${returningClause(returning, columns)}`;
  return { sql: answering(source), parameters: parameters.values };
}

export function update(table: Table, query: Query, payload: Payload, returning: boolean): Statement {
  const { columns, where, parameters } = query;
  const changes = payload.columns.map((name) => `${quoteName(name)} = sent.${quoteName(name)}`).join(', ');
  if (!changes) throw new Refusal(400, 'PGRST102', 'Empty or invalid json');
  const source = `update ${nameOf(table)} set ${changes} from ${recordset(table, payload, parameters)} ${where} ${returningClause(returning, columns)}`;
  return { sql: answering(source), parameters: parameters.values };
}

export function remove(table: Table, query: Query, returning: boolean): Statement {
  const { columns, where, parameters } = query;
  return {
    sql: answering(`delete from ${nameOf(table)} ${where} ${returningClause(returning, columns)}`),
    parameters: parameters.values,
  };
}

export function nameOf(table: Pick<Table, 'name'>): string {
  return `"public".${quoteName(table.name)}`;
}

/** PostgreSQL itself writes the JSON, so dates and numbers look as they do from PostgREST. */
function answering(source: string, total = 'null'): string {
  return `with _answer as (${source})
    select coalesce(json_agg(_answer), '[]')::text as body, count(*)::int as rows, ${total} as total from _answer`;
}

/** Only the columns that were sent: an absent one takes its default, an unknown one is named. */
function recordset(table: Table, { rows, columns }: Payload, parameters: Parameters): string {
  const shape = columns.map((name) => {
    const type = table.types.get(name);
    if (!type)
      throw new Refusal(400, 'PGRST204', `Could not find the '${name}' column of '${table.name}' in the schema cache`);
    return `${quoteName(name)} ${type}`;
  });
  return `json_to_recordset(${parameters.add(rows)}::json) as sent(${shape.join(', ')})`;
}

function onConflict({ target, merge }: { target: string; merge: boolean }, { columns }: Payload): string {
  const arbiter = splitList(target)
    .map((name) => quoteName(unquote(name)))
    .join(', ');
  const changes = columns.map((name) => `${quoteName(name)} = excluded.${quoteName(name)}`).join(', ');
  return `on conflict (${arbiter}) do ${merge && changes ? `update set ${changes}` : 'nothing'}`;
}

function returningClause(returning: boolean, columns: string): string {
  return `returning ${returning ? columns : '1'}`;
}
