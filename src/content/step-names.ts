import { isRecord } from '../lead/validation.ts';
import type { Step } from '../lead/shipment.ts';
import type { Bilingual } from './bilingual.ts';

// A file of its own, because the first part of the receipt needs no other words about a shipment.

/** Milestones of a booked shipment. */
export const stepNames = {
  recolectada: { es: 'Recolectada', en: 'Picked up' },
  recibida: { es: 'Recibida en el aeropuerto', en: 'Received at the airport' },
  envuelo: { es: 'En vuelo', en: 'In flight' },
  llegada: { es: 'Llegó a Zhengzhou', en: 'Arrived in Zhengzhou' },
  aduana: { es: 'En aduana', en: 'At customs' },
  liberada: { es: 'Liberada por aduana', en: 'Cleared by customs' },
  encamino: { es: 'En camino', en: 'Out for delivery' },
  entregada: { es: 'Entregada', en: 'Delivered' },
  detenida: { es: 'Detenida', en: 'Held up' },
} as const satisfies Record<Step, Bilingual>;

/** Name of the last milestone of a shipment, as the server or the disk has it; undefined before the first. */
export function lastStepName(track: unknown): Bilingual | undefined {
  const steps = isRecord(track) && track['steps'];
  const last: unknown = Array.isArray(steps) ? steps.at(-1) : undefined;
  return isRecord(last) ? stepNames[last['step'] as Step] : undefined;
}
