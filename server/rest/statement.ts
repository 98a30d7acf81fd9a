import type { Statement } from '../database/database.ts';
import type { Payload } from './payload.ts';
import { columnOf, type Query, type Table } from './query.ts';
import { Refusal } from './refusal.ts';

export function select(table: Table, { columns, where, order, limit, offset, parameters }: Query): Statement {
  const source = `select ${columns} from ${nameOf(table)} ${where} ${order} limit ${limit} offset ${offset}`;
  return { sql: asJson(source), parameters };
}

/**
 * Inserts a row. `unlessThere`: columns of a key. If a row with the same key exists, that row stays, and nothing is
 * returned.
 */
export function insert(
  table: Table,
  payload: Payload,
  { columns, unlessThere }: { columns: string; unlessThere: readonly string[] | undefined },
): Statement {
  const names = payload.columns.map((name) => columnSent(table, name)).join(', ');
  const key = unlessThere?.map((name) => columnOf(table, name)).join(', ');
  const conflict = key ? `on conflict (${key}) do nothing` : '';
  const source = `insert into ${nameOf(table)} (${names}) select ${names} from ${sentRow(table, payload, 1)} ${conflict} returning ${columns}`;
  return { sql: asJson(source), parameters: [payload.row] };
}

export function update(table: Table, payload: Payload, { columns, where, parameters }: Query): Statement {
  const names = payload.columns.map((name) => columnSent(table, name));
  const changes = names.map((name) => `${name} = sent.${name}`).join(', ');
  const source = `update ${nameOf(table)} set ${changes} from ${sentRow(table, payload, parameters.length + 1)} ${where} returning ${columns}`;
  return { sql: asJson(source), parameters: [...parameters, payload.row] };
}

export function erase(table: Table, { columns, where, parameters }: Query): Statement {
  return { sql: asJson(`delete from ${nameOf(table)} ${where} returning ${columns}`), parameters };
}

export function nameOf({ name }: Pick<Table, 'name'>): string {
  return `"public"."${name}"`;
}

/** Returns the column of a sent value. An unknown column is refused with the same error as in PostgREST. */
function columnSent(table: Table, name: string): string {
  if (table.types.has(name)) return columnOf(table, name);
  throw new Refusal(400, 'PGRST204', `Could not find the '${name}' column of '${table.name}' in the schema cache`);
}

/** Lets PostgreSQL write the JSON, so that dates and numbers look as in PostgREST. */
function asJson(source: string): string {
  return `with _answer as (${source})
    select coalesce(json_agg(_answer), '[]')::text as body, count(*)::int as rows from _answer`;
}

/**
 * Returns SQL for the sent row as a table. The table has only the sent columns, so that all other columns get their
 * defaults.
 */
function sentRow(table: Table, { columns }: Payload, parameter: number): string {
  const shape = columns.map((name) => `"${name}" ${table.types.get(name)}`).join(', ');
  return `json_to_record($${parameter}::json) as sent(${shape})`;
}
