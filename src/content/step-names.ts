import { isRecord } from '../lead/validation.ts';
import type { Step } from '../lead/shipment.ts';
import type { Bilingual } from './bilingual.ts';

// The names of milestones are in a separate file to keep downloads small: the code that first draws the receipt needs no
// other texts about a shipment.

/** Names of a booked shipment's milestones. */
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

/**
 * Returns the name of a shipment's last milestone; undefined if there is none. `track`: shipment as the server sent it
 * or the disk stored it, not yet validated.
 */
export function lastStepName(track: unknown): Bilingual | undefined {
  const steps = isRecord(track) && track['steps'];
  const last: unknown = Array.isArray(steps) ? steps.at(-1) : undefined;
  return isRecord(last) ? stepNames[last['step'] as Step] : undefined;
}
