import { FIELDS, type Field } from './fields.ts';

/** Labels before which a message names a field, in Spanish and English. */
const LABELS: Partial<Record<Field, RegExp>> = {
  nombre: /^\s*(?:nombre|contacto|name)\s*:\s*(.+)$/im,
  empresa: /^\s*(?:empresa|compañ[ií]a|raz[oó]n social|company)\s*:\s*(.+)$/im,
  telefono: /^\s*(?:tel[eé]fono|tel|cel|celular|whatsapp|phone)\.?\s*:\s*(.+)$/im,
  peso: /^\s*(?:peso|weight|kilos)[^:\n]*:\s*([\d.,\s]+)/im,
};

/** Patterns by which a value is recognized without a label. */
const PATTERNS: Partial<Record<Field, RegExp>> = {
  empresa: /^(.{2,80}?,?\s+S\.?\s?(?:A\.?|de R\.?\s?L\.?)(?:\s+de\s+C\.?\s?V\.?)?)\s*$/im,
  email: /\b([^\s@<>"',;:()]{1,64}@[a-z0-9.-]{1,80}\.[a-z]{2,20})\b/i,
  telefono: /(\+?\d[\d ().-]{8,17}\d)/,
  peso: /(?<![\d.,])(\d{1,3}(?:[ ,]\d{3})+|\d{2,7})\s*(?:kgs?|kilos?|kilogramos?)\b/i,
};

const CARGO = [
  [
    'perecederos',
    /fresa|frambuesa|mora|ar[aá]ndano|berr|fruta|aguacate|camar|langost|at[uú]n|abul|pescad|marisc|perecedero/i,
  ],
  ['especial', /m[eé]dic|quir[uú]rg|bater[ií]a|litio|hielo seco|farmac/i],
] as const;

/** Most characters that are searched: the patterns take longer than linear time. */
const LONGEST = 3000;

/** Values that a free text seems to name. They are only proposed: the visitor confirms each. */
export function valuesIn(text: string): ReadonlyMap<Field, string> {
  const message = text.slice(0, LONGEST);
  const found = new Map<Field, string>();
  for (const field of FIELDS) {
    const value = (LABELS[field]?.exec(message) ?? PATTERNS[field]?.exec(message))?.[1]?.trim();
    if (value) found.set(field, value);
  }
  const cargo = CARGO.find(([, words]) => words.test(message));
  if (cargo) found.set('tipo_carga', cargo[0]);
  return found;
}
