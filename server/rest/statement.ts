import type { Statement } from '../database/database.ts';
import type { Payload } from './payload.ts';
import { columnOf, type Query, type Table } from './query.ts';
import { Refusal } from './refusal.ts';

export function select(table: Table, { columns, where, order, limit, offset, parameters }: Query): Statement {
  const source = `select ${columns} from ${nameOf(table)} ${where} ${order} limit ${limit} offset ${offset}`;
  return { sql: answering(source), parameters };
}

/** `unlessThere`: the columns of a key. A row that has the same is left as it is, and not answered. */
export function insert(
  table: Table,
  payload: Payload,
  { columns, unlessThere }: { columns: string; unlessThere: readonly string[] | undefined },
): Statement {
  const names = payload.columns.map((name) => columnSent(table, name)).join(', ');
  const key = unlessThere?.map((name) => columnOf(table, name)).join(', ');
  const conflict = key ? `on conflict (${key}) do nothing` : '';
  const source = `insert into ${nameOf(table)} (${names}) select ${names} from ${sent(table, payload, 1)} ${conflict} returning ${columns}`;
  return { sql: answering(source), parameters: [payload.row] };
}

export function update(table: Table, payload: Payload, { columns, where, parameters }: Query): Statement {
  const names = payload.columns.map((name) => columnSent(table, name));
  const changes = names.map((name) => `${name} = sent.${name}`).join(', ');
  const source = `update ${nameOf(table)} set ${changes} from ${sent(table, payload, parameters.length + 1)} ${where} returning ${columns}`;
  return { sql: answering(source), parameters: [...parameters, payload.row] };
}

export function erase(table: Table, { columns, where, parameters }: Query): Statement {
  return { sql: answering(`delete from ${nameOf(table)} ${where} returning ${columns}`), parameters };
}

export function nameOf({ name }: Pick<Table, 'name'>): string {
  return `"public"."${name}"`;
}

/** Of these PostgREST says itself that they are not there. */
function columnSent(table: Table, name: string): string {
  if (table.types.has(name)) return columnOf(table, name);
  throw new Refusal(400, 'PGRST204', `Could not find the '${name}' column of '${table.name}' in the schema cache`);
}

/** PostgreSQL itself writes the JSON, so dates and numbers look as they do from PostgREST. */
function answering(source: string): string {
  return `with _answer as (${source})
    select coalesce(json_agg(_answer), '[]')::text as body, count(*)::int as rows from _answer`;
}

/** Only the columns that were sent: an absent one takes its default. */
function sent(table: Table, { columns }: Payload, parameter: number): string {
  const shape = columns.map((name) => `"${name}" ${table.types.get(name)}`).join(', ');
  return `json_to_record($${parameter}::json) as sent(${shape})`;
}
