import * as z from 'zod/mini';
import { readShipment, type Shipment } from './shipment.ts';
import { isRecord, readShape, type Valid } from './validation.ts';

const time = z.nullable(z.string());
const shape = {
  quote_id: z.string(),
  answer_id: z.string(),
  folio: z.string(),
  booked_at: z.string(),
  flown_at: time,
  landed_at: time,
  delivered_at: time,
  waste: z.nullable(z.number()),
};

export type ShipmentRow = Valid<typeof shape> & { readonly shipment: Shipment };

export function readShipmentRow(row: unknown): ShipmentRow | undefined {
  const read = readShape(shape, row);
  if (!read || !isRecord(row)) return undefined;
  const { flight_day: day, pickup_at: pickup, cutoff_at: cutoff, departs_at: departs, arrives_at: arrives } = row;
  const shipment = readShipment({ ...row, day, pickup, cutoff, departs, arrives, changed: row['flight_at'] });
  return { ...read, shipment: shipment! };
}
