import { TRANSIT_HOURS } from '../../lead/promise.ts';
import type { ShipmentRow } from '../../lead/shipment-row.ts';
import { medianOf } from './figures.ts';

const HOUR = 3_600_000;

/** Figures of shipments that arrived: transit time, share that arrived on time, and spoilage noted at delivery. */
export function transitInFigures(rows: readonly ShipmentRow[]) {
  const took = rows.flatMap(({ flown_at, landed_at }) =>
    flown_at && landed_at ? Date.parse(landed_at) - Date.parse(flown_at) : [],
  );
  const wastes = rows.flatMap(({ waste }) => waste ?? []);
  return {
    measured: took.length,
    onTime: took.filter((time) => time <= TRANSIT_HOURS * HOUR).length,
    median: medianOf(took),
    /** Number of arrived shipments whose departure or arrival time is unknown; no figure counts them. */
    unmeasured: rows.length - took.length,
    weighed: wastes.length,
    waste: wastes.length > 0 ? wastes.reduce((sum, waste) => sum + waste, 0) / wastes.length : undefined,
  };
}
