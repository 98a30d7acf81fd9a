import { deskShipment } from '../../content/desk-shipment.ts';
import { newId } from '../../lead/quote.ts';
import { readShipmentRow, type ShipmentRow } from '../../lead/shipment-row.ts';
import type { Airport, Step, StepCode } from '../../lead/shipment.ts';
import { DONE, failedResult, type ActionResult } from './action-result.ts';
import { backend, rows, sendOnLeaving } from './backend.ts';
import { readLead } from './lead-feed.ts';
import { RequestError } from './request-error.ts';

const shipments = () => backend.from('desk_shipments').select('*');

export async function readLeadShipment(quoteId: string): Promise<ShipmentRow | undefined> {
  return (await rows(shipments().eq('quote_id', quoteId).order('booked_at'), readShipmentRow)).at(-1);
}

export async function readSameFlight({ answer_id, shipment }: ShipmentRow): Promise<readonly ShipmentRow[]> {
  const { flight, day, origin } = shipment;
  if (!flight || !day || !origin) return [];
  const all = await rows(
    shipments().eq('flight', flight).eq('flight_day', day).eq('origin', origin).order('folio'),
    readShipmentRow,
  );
  return all.filter((other) => other.answer_id !== answer_id);
}

export const readLanded = (since: number): Promise<readonly ShipmentRow[]> =>
  rows(shipments().gte('landed_at', new Date(since).toISOString()).order('landed_at'), readShipmentRow);

export interface FlightRow {
  readonly flight: string;
  readonly flight_day: string;
  readonly origin: Airport;
  readonly waybill: string | null;
  readonly pickup_at: string | null;
  readonly cutoff_at: string | null;
  readonly departs_at: string | null;
  readonly arrives_at: string | null;
}

export interface StepRow {
  readonly id: string;
  readonly quote_id: string;
  readonly answer_id: string;
  readonly step: StepCode;
  readonly at?: string;
  readonly word?: string;
  readonly waste?: string;
  readonly corrects?: string;
}

export interface StepFacts {
  readonly step: Step;
  readonly at: number;
  readonly word?: string;
  readonly waste?: string;
}

/**
 * Makes a row for each shipment from a recorded milestone. If a row is sent again, it has the same id, so the server
 * stores it only once.
 */
export const stepRows = (of: readonly ShipmentRow[], { at, ...facts }: StepFacts): readonly StepRow[] =>
  of.map(({ quote_id, answer_id }) => ({
    id: newId(),
    quote_id,
    answer_id,
    at: new Date(at).toISOString(),
    ...facts,
  }));

export const storeFlight = ({ quote_id, answer_id }: ShipmentRow, flight: FlightRow): Promise<ActionResult> =>
  store(quote_id, () =>
    rows(
      backend
        .from('shipment_flights')
        .insert({ id: newId(), quote_id, answer_id, ...flight })
        .select('id'),
    ),
  );

export const storeStep = (row: StepRow): Promise<ActionResult> =>
  store(row.quote_id, () =>
    rows(backend.from('shipment_steps').upsert(row, { onConflict: 'id', ignoreDuplicates: true }).select('id')),
  );

export const takeStepBack = ({ quote_id, answer_id }: ShipmentRow, corrects: string): Promise<ActionResult> =>
  storeStep({ id: newId(), quote_id, answer_id, step: 'anulada', corrects });

export const storeStepOnLeaving = (row: StepRow): Promise<boolean> =>
  sendOnLeaving('shipment_steps?on_conflict=id', row).then(
    ({ ok }) => ok,
    () => false,
  );

async function store(quoteId: string, work: () => Promise<unknown>): Promise<ActionResult> {
  try {
    await work();
    await readLead(quoteId);
    return DONE;
  } catch (error) {
    const hint = error instanceof RequestError ? error.hint : '';
    const { refused } = deskShipment;
    if (hint in refused) return { kind: 'conflict', says: refused[hint as keyof typeof refused] };
    return failedResult(error);
  }
}
