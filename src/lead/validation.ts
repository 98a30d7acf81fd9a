import * as z from 'zod/mini';

/** Record that was read from disk or server and is not yet validated. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

/** Schema for each part of a record. `z.object` would add 1.2 kB to each phone's download. */
export type Shape = Readonly<Record<string, z.ZodMiniType>>;

export type Valid<S extends Shape> = { readonly [Name in keyof S]: z.output<S[Name]> };

export const isRecord = (value: unknown): value is UnknownRecord => typeof value === 'object' && value !== null;

export const oneOf = <Word extends string>(words: readonly Word[]) => z.custom<Word>((value) => words.includes(value));

/** Time in milliseconds. Above 8.64e15 a Date is invalid. */
export const timestamp = z.coerce.number().check(z.refine((at) => Math.abs(at) <= 8.64e15));

export const readValue = <Value>(schema: z.ZodMiniType<Value>, value: unknown): Value | undefined =>
  schema.safeParse(value).data;

/**
 * Reads a record. A missing or invalid part gets its value from `otherwise`. Returns undefined if `otherwise` does not
 * have that part.
 */
export function readShape<S extends Shape>(
  shape: S,
  value: unknown,
  otherwise: Partial<Valid<S>> = {},
): Valid<S> | undefined {
  if (!isRecord(value)) return undefined;
  const read: Record<string, unknown> = {};
  for (const name in shape) {
    const found = shape[name]!.safeParse(value[name]);
    if (!found.success && !(name in otherwise)) return undefined;
    read[name] = found.success ? found.data : otherwise[name];
  }
  return read as Valid<S>;
}

export function readValidParts<S extends Shape>(shape: S, value: UnknownRecord): Partial<Valid<S>> {
  const valid = Object.keys(shape).filter((name) => name in value && shape[name]!.safeParse(value[name]).success);
  return Object.fromEntries(valid.map((name) => [name, value[name]])) as Partial<Valid<S>>;
}
