import * as z from 'zod/mini';
import { isDay } from './bounds.ts';
import { oneOf, readShape, type Of } from './shape.ts';

export const CURRENCIES = ['USD', 'MXN', 'CNY'] as const;
export const PRICED_PER = ['kilo', 'total'] as const;

const price = {
  amount: z.coerce.number().check(z.refine((amount) => amount > 0)),
  currency: oneOf(CURRENCIES),
  per: oneOf(PRICED_PER),
};

export type Price = Of<typeof price>;

/** A price as it comes from a disk or a server; undefined where it is none. */
export const readPrice = (kept: unknown): Price | undefined => readShape(price, kept);

/** The last day on which an offer holds, as 2026-11-28. */
export const lastDay = z.string().check(z.refine(isDay));
