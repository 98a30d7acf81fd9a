import { readText } from '../body.ts';
import type { Table } from './query.ts';
import { Refusal } from './refusal.ts';

/**
 * Row from a client. A value is plain, an object of plain values, or a list of such objects. Deeper values are refused,
 * because PGlite's JSON parser hangs on arrays nested about 6,000 deep.
 */
export interface Payload {
  readonly row: string;
  readonly columns: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

export async function readPayload(request: Request, mostBytes: number): Promise<Payload> {
  const type = request.headers.get('content-type') ?? 'application/json';
  if (!/^application\/json\b/i.test(type)) {
    throw new Refusal(400, 'PGRST102', `Content-Type not acceptable: ${type.split(';')[0]}`);
  }
  const read = await readText(request, mostBytes);
  if (read === 'too large') throw new Refusal(413, '413', `The body is larger than ${mostBytes} bytes`);
  if (read === 'cut off') throw notJson();
  const row = parse(read.text);
  if (Array.isArray(row)) throw new Refusal(400, 'PGRST102', 'One row in each request');
  if (typeof row !== 'object' || row === null) throw notJson();
  // The columns are sorted as in PostgREST, whose errors name the first wrong one.
  const columns = Object.keys(row).toSorted();
  if (columns.length === 0) throw notJson();
  const values = row as Readonly<Record<string, unknown>>;
  if (!Object.values(values).every((value) => isPlain(value) || isFlat(value) || isFlatList(value))) throw notPlain();
  return { row: JSON.stringify(row), columns, values };
}

/**
 * Refuses objects in columns other than JSON. Refuses unusual numbers such as 0x10, 1_000 and NaN, because PostgreSQL
 * would accept them.
 */
export function requirePlainValues({ types }: Table, { values }: Payload): void {
  for (const [name, value] of Object.entries(values)) {
    const type = types.get(name) ?? '';
    if (type !== 'jsonb' && !isPlain(value)) throw notPlain();
    if (typeof value === 'string' && NUMBERS.test(type) && NUMBER.test(value) && !PLAIN_NUMBER.test(value))
      throw new Refusal(400, '22P02', `invalid input syntax for type ${type}: "${value.slice(0, 100)}"`);
  }
}

const NUMBERS = /^(numeric|integer|bigint|smallint)\b/;
/** Start of a text that PostgreSQL may take for a number. */
const NUMBER = /^\s*[+-]?(\d|\.\d|nan|inf)/i;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * True for a text, a boolean, null or a finite number. An infinite number is refused, because JSON would write it as
 * null.
 */
const isPlain = (value: unknown) => (typeof value === 'number' ? Number.isFinite(value) : Object(value) !== value);

const isFlat = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isPlain);

const isFlatList = (value: unknown) => Array.isArray(value) && value.every(isFlat);

const notPlain = () => new Refusal(400, 'PGRST102', 'A value is a string, a number, true, false or null');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

function notJson(): Refusal {
  return new Refusal(400, 'PGRST102', 'Empty or invalid json');
}
