import * as z from 'zod/mini';

/** What comes over a border may be anything, in any place. */
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

/** What a shape finds; for a part that is missing or strange what is `otherwise`, and nothing at all where that has none. */
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

/** Of the parts that are there those that are as they have to be. */
export function readPresent<S extends Shape>(shape: S, value: Loose): Partial<Of<S>> {
  const right = Object.keys(shape).filter((name) => name in value && shape[name]!.safeParse(value[name]).success);
  return Object.fromEntries(right.map((name) => [name, value[name]])) as Partial<Of<S>>;
}
