import * as z from 'zod/mini';
import { readShape, type Valid } from './validation.ts';
import type { WEBHOOK_EVENTS, WEBHOOK_STATES } from './vocabulary.ts';

const word = <Words extends readonly string[]>() => z.custom<Words[number]>((value) => typeof value === 'string');

const deliveryShape = {
  id: z.number(),
  webhook_id: z.number(),
  event: word<typeof WEBHOOK_EVENTS>(),
  folio: z.string(),
  at: z.string(),
  state: word<typeof WEBHOOK_STATES>(),
  attempts: z.number(),
  next_at: z.nullable(z.string()),
  status: z.nullable(z.number()),
  response_text: z.nullable(z.string()),
};

export type DeliveryRow = Valid<typeof deliveryShape>;
export const DELIVERY_COLUMNS = Object.keys(deliveryShape).join(',');
export const readDeliveryRow = (row: unknown): DeliveryRow | undefined => readShape(deliveryShape, row);
