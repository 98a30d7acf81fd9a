import * as z from 'zod/mini';
import { isDay } from './bounds.ts';
import { oneOf, readShape, type Valid } from './validation.ts';

export const CURRENCIES = ['USD', 'MXN', 'CNY'] as const;
export const PRICED_PER = ['kilo', 'total'] as const;

const price = {
  amount: z.coerce.number().check(z.refine((amount) => amount > 0)),
  currency: oneOf(CURRENCIES),
  per: oneOf(PRICED_PER),
};

export type Price = Valid<typeof price>;

export const readPrice = (stored: unknown): Price | undefined => readShape(price, stored);

export const lastDay = z.string().check(z.refine(isDay));

/** Kinds of answers. Only an 'oferta' has a price that the customer can accept. */
export const ANSWER_KINDS = ['oferta', 'pregunta', 'mensaje'] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

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

export const PHONE_OFFER_STATES = [...OFFER_STATES, 'sinoferta'] as const;
export type PhoneOfferState = (typeof PHONE_OFFER_STATES)[number];

/**
 * Possible results when a customer accepts an offer, by the state of the offer. `sinoferta`: the server does not have
 * the offer.
 */
export const VERDICTS = ['vale', 'repetida', 'vencida', 'reemplazada', 'retirada', 'sinoferta'] as const;

/** True if the customer accepted the offer, even if the airline had no space afterwards. */
export const isAgreed = (state: PhoneOfferState | undefined): boolean =>
  state === 'aceptada' || state === 'reservada' || state === 'sinespacio';
