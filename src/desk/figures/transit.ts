import { TRANSIT_HOURS } from '../../lead/promise.ts';
import type { ShipmentRow } from '../../lead/shipment-row.ts';
import { medianOf } from './figures.ts';

const HOUR = 3_600_000;

/** Figures of shipments that arrived: transit time, share on time, and the spoilage noted at delivery. */
export function transitInFigures(rows: readonly ShipmentRow[]) {
  const took = rows.flatMap(({ flown_at, landed_at }) =>
    flown_at && landed_at ? Date.parse(landed_at) - Date.parse(flown_at) : [],
  );
  const wastes = rows.flatMap(({ waste }) => waste ?? []);
  return {
    measured: took.length,
    onTime: took.filter((time) => time <= TRANSIT_HOURS * HOUR).length,
    median: medianOf(took),
    /** Shipments without a departure or an arrival, which no figure counts. */
    unmeasured: rows.length - took.length,
    weighed: wastes.length,
    waste: wastes.length > 0 ? wastes.reduce((sum, waste) => sum + waste, 0) / wastes.length : undefined,
  };
}
