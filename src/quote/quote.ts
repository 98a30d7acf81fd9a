export const CARGO_TYPES = ['general', 'perecederos', 'especial'] as const;
export type CargoType = (typeof CARGO_TYPES)[number];

export function isCargoType(value: string): value is CargoType {
  return (CARGO_TYPES as readonly string[]).includes(value);
}

/** A lead as it travels: the field names are the columns. The id is minted on the phone and kept for life. */
export interface Quote {
  readonly id: string;
  readonly nombre: string;
  readonly empresa: string;
  readonly email: string;
  readonly telefono: string;
  readonly peso: number;
  readonly tipo_carga: CargoType;
}

export type Field = Exclude<keyof Quote, 'id'>;

export const FIELDS = ['nombre', 'empresa', 'email', 'telefono', 'peso', 'tipo_carga'] as const satisfies Field[];

/** The last look before a send, wherever it happens (specification, section 5, second set). */
export function faultIn(quote: Quote): Field | undefined {
  if (!quote.nombre.trim()) return 'nombre';
  if (!quote.empresa.trim()) return 'empresa';
  if (!quote.email.includes('@')) return 'email';
  if (!quote.telefono.trim()) return 'telefono';
  if (!(quote.peso > 0)) return 'peso';
  if (!isCargoType(quote.tipo_carga)) return 'tipo_carga';
  return undefined;
}

export function sameQuote(one: Quote | null, other: Quote): boolean {
  return one !== null && FIELDS.every((field) => one[field] === other[field]);
}

export function newId(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID();
  // An address without https has no randomUUID.
  const bytes = (crypto as Crypto).getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return [...bytes]
    .map((byte, at) => ([4, 6, 8, 10].includes(at) ? '-' : '') + byte.toString(16).padStart(2, '0'))
    .join('');
}
