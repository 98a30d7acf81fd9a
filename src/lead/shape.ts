import * as z from 'zod/mini';

/** A value from a disk or a server: it may be anything, in any place. */
export type Loose = Readonly<Record<string, unknown>>;

/** The parts of a record. z.object is this with 1.2 kB more for each phone, and builds anew for each other way out. */
export type Shape = Readonly<Record<string, z.ZodMiniType>>;

export type Of<S extends Shape> = { readonly [Name in keyof S]: z.output<S[Name]> };

export const isRecord = (value: unknown): value is Loose => typeof value === 'object' && value !== null;

/** One of a few words. */
export const oneOf = <Word extends string>(words: readonly Word[]) => z.custom<Word>((value) => words.includes(value));

/** A moment, as milliseconds: beyond the last one a Date is none. */
export const moment = z.coerce.number().check(z.refine((at) => Math.abs(at) <= 8.64e15));

export const part = <Value>(schema: z.ZodMiniType<Value>, value: unknown): Value | undefined =>
  schema.safeParse(value).data;

/** Reads a record. A part that is missing or strange is taken from `otherwise`; where that has none, there is no record. */
export function readShape<S extends Shape>(
  shape: S,
  value: unknown,
  otherwise: Partial<Of<S>> = {},
): Of<S> | undefined {
  if (!isRecord(value)) return undefined;
  const read: Record<string, unknown> = {};
  for (const name in shape) {
    const found = shape[name]!.safeParse(value[name]);
    if (!found.success && !(name in otherwise)) return undefined;
    read[name] = found.success ? found.data : otherwise[name];
  }
  return read as Of<S>;
}

/** The parts that are there and as they have to be. */
export function readPresent<S extends Shape>(shape: S, value: Loose): Partial<Of<S>> {
  const right = Object.keys(shape).filter((name) => name in value && shape[name]!.safeParse(value[name]).success);
  return Object.fromEntries(right.map((name) => [name, value[name]])) as Partial<Of<S>>;
}
