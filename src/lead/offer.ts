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

/** Kinds of answers. An offer alone can be accepted. */
export const ANSWER_KINDS = ['oferta', 'pregunta', 'mensaje'] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/** Where an offer stands. */
export const OFFER_STATES = [
  'vigente',
  'reemplazada',
  'retirada',
  'vencida',
  'aceptada',
  'reservada',
  'sinespacio',
] as const;
export type OfferState = (typeof OFFER_STATES)[number];

/** States of an offer on a phone: `sinoferta` if the server has lost it. */
export const HEARD_STATES = [...OFFER_STATES, 'sinoferta'] as const;
export type HeardState = (typeof HEARD_STATES)[number];

/** Verdicts on an acceptance, by the state of its offer. `sinoferta`: the server has no such offer. */
export const VERDICTS = ['vale', 'repetida', 'vencida', 'reemplazada', 'retirada', 'sinoferta'] as const;

/** It is agreed, whatever has become of it since. */
export const isAgreed = (state: HeardState | undefined): boolean =>
  state === 'aceptada' || state === 'reservada' || state === 'sinespacio';
