import { splitList, unquote } from './filter.ts';
import { Refusal } from './refusal.ts';

/** A quote is under one kilobyte; sixteen leave room for every honest client and none for a flood. */
const MAX_BODY_BYTES = 16 * 1024;

/**
 * The rows that a client sent, and the columns that they name. Written anew and flat: PGlite's own reader of JSON never
 * comes back from arrays that are nested some 6,000 deep.
 */
export interface Payload {
  readonly rows: string;
  readonly columns: readonly string[];
}

export async function readPayload(request: Request, columns: string | null): Promise<Payload> {
  const type = request.headers.get('content-type') ?? 'application/json';
  if (!/^application\/(vnd\.pgrst\.(object|array)\+)?json\b/i.test(type)) {
    throw new Refusal(400, 'PGRST102', `Content-Type not acceptable: ${type.split(';')[0]}`);
  }
  const body = parse(await readText(request));
  const rows = Array.isArray(body) ? body : [body];
  if (!rows.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row))) throw notJson();
  if (!rows.every((row) => Object.values(row as object).every(isPlain))) {
    throw new Refusal(400, 'PGRST102', 'A value is a string, a number, true, false or null');
  }
  const found = rows.map((row) => Object.keys(row as object));
  const named = columns === null ? (found[0] ?? []) : splitList(columns).map(unquote);
  const alike = found.every((keys) => keys.length === named.length && keys.every((key) => named.includes(key)));
  if (columns === null && !alike) {
    throw new Refusal(400, 'PGRST102', 'All object keys must match');
  }
  return { rows: JSON.stringify(rows), columns: named };
}

/** A number that is too large to be one would be written as null. */
const isPlain = (value: unknown) => (typeof value === 'number' ? Number.isFinite(value) : Object(value) !== value);

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

/** Stops reading, and holding, at the limit, whatever length the sender announced. */
async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) throw new Refusal(413, '413', `The body is larger than ${MAX_BODY_BYTES} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    // A phone that lost its signal half-way is nobody's fault.
    throw error instanceof Refusal ? error : notJson();
  }
  return Buffer.concat(chunks).toString('utf8');
}
