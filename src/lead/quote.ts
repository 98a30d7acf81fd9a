import { isSeen } from './bounds.ts';
import { byField, fields, FIELDS, type Columns, type Field } from './fields.ts';

/** What may go with a quote beside its fields, each only where it is so. `reemplaza`: the folio of what it corrects. */
type Beside = {
  readonly promociones?: boolean;
  readonly llamada?: boolean;
  readonly reemplaza?: string;
};

const BESIDE = { promociones: 'boolean', llamada: 'boolean', reemplaza: 'string' } satisfies Record<
  keyof Beside,
  string
>;

/** A lead as it travels: the names are those of the columns. The id is minted on the phone and kept for life. */
export type Quote = Columns & Beside & { readonly id: string };

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The last look before a send, wherever it happens (docs/product.md). */
export function faultIn(quote: Quote): Field | undefined {
  return FIELDS.find((field) => {
    const value = quote[field];
    const { choices, guard } = fields[field];
    if (choices) return !choices.includes(value as string);
    return typeof value === 'string' ? !isSeen(value) || guard?.test(value) === false : !(value > 0);
  });
}

/** A quote that an older release left on the phone says nothing of the fields that came later. Null where it is none. */
export function readQuote(kept: Readonly<Record<string, unknown>> | null): Quote | null {
  const quote: Readonly<Record<string, unknown>> = { ...byField((field) => fields[field].earlier), ...kept };
  const isWhole = FIELDS.every((field) => typeof quote[field] === (fields[field].most ? 'number' : 'string'));
  // The folio and the code of a message are made of the id.
  if (!isWhole || !UUID.test(String(quote['id']))) return null;
  const strange = Object.entries(BESIDE).filter(([name, type]) => name in quote && typeof quote[name] !== type);
  return without(quote as unknown as Quote, ...strange.map(([name]) => name));
}

/** For a server that does not know what may come beside the fields. */
export const withoutBeside = (quote: Quote): Quote => without(quote, ...Object.keys(BESIDE));

function without(quote: Quote, ...names: readonly string[]): Quote {
  return Object.fromEntries(Object.entries(quote).filter(([name]) => !names.includes(name))) as unknown as Quote;
}

export function sameQuote(one: Quote | null, other: Quote): boolean {
  return one !== null && FIELDS.every((field) => one[field] === other[field]);
}

export function newId(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID();
  // An address without https has no randomUUID.
  const bytes = (crypto as typeof globalThis.crypto).getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return [...bytes]
    .map((byte, at) => ([4, 6, 8, 10].includes(at) ? '-' : '') + byte.toString(16).padStart(2, '0'))
    .join('');
}
