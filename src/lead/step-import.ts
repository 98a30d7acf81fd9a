import { hashOf, idOf } from './hash.ts';
import type { ShipmentRow } from './shipment-row.ts';
import { instantOf, JOURNEY, placeOf, type ShipmentPlace, type Step } from './shipment.ts';
import type { FileStep, StepRow } from './steps-csv.ts';

/** Milestone of one shipment, as the database imports it (private.import_step). */
export interface ImportedStep {
  readonly id: string;
  readonly quote_id: string;
  readonly answer_id: string;
  readonly step: Step;
  readonly at: string;
  readonly word?: string;
  readonly waste?: string;
}

export interface StepRequests {
  /** Resolves with the booked shipments of these folios or air waybills, oldest first. */
  readonly read: (column: 'folio' | 'waybill', values: readonly string[]) => Promise<readonly ShipmentRow[]>;
  /** Resolves with the result for each milestone: 'stored', 'there' (stored earlier), or the reason of a refusal. */
  readonly store: (steps: readonly ImportedStep[]) => Promise<readonly string[]>;
}

export type StepResult = StepRow & {
  /** Folios of the shipments to which the row applies. */
  readonly folios?: readonly string[];
  readonly at?: number;
  readonly place?: ShipmentPlace;
  /**
   * Result: 'stored', 'there' (stored earlier), 'unknown' (no such shipment), 'time' (a local time that the clocks
   * skip), or the database's reason of a refusal.
   */
  readonly outcome?: string;
};

/** Milestone of a row for one of its shipments. */
interface Item {
  readonly row: StepRow;
  readonly folio: string;
  readonly at: number;
  readonly place: ShipmentPlace;
  readonly step: ImportedStep;
  outcome?: string;
}

const MINUTE = 60_000;
/** Maximum number of folios or waybill numbers in one request. */
const MOST_KEYS = 100;
/**
 * Maximum size in bytes of the milestones in one request. The server accepts 16 kB and 100 milestones; fewer than 100
 * fit into this size.
 */
const MOST_BYTES = 12_000;

/**
 * Imports the milestones of a file by calls of `store`, which in a trial stores nothing. After each call, reports the
 * results so far.
 */
export async function importSteps(
  rows: readonly StepRow[],
  { read, store }: StepRequests,
  onProgress: (results: readonly StepResult[]) => void = () => undefined,
): Promise<readonly StepResult[]> {
  const shipments = new Map<StepRow, readonly ShipmentRow[]>();
  for (const column of ['folio', 'waybill'] as const) {
    const keyOf = (row: StepRow) => ('milestone' in row ? row.milestone[column] : undefined);
    const keys = [...new Set(rows.flatMap((row) => keyOf(row) ?? []))];
    const found: ShipmentRow[] = [];
    for (let at = 0; at < keys.length; at += MOST_KEYS)
      found.push(...(await read(column, keys.slice(at, at + MOST_KEYS))));
    for (const row of rows) {
      const key = keyOf(row);
      if (!key) continue;
      const own = found.filter((each) => (column === 'folio' ? each.folio : each.shipment.waybill) === key);
      // A waybill may have several shipments. A folio counts only for its last shipment, because that shipment replaced
      // the earlier ones.
      shipments.set(row, column === 'folio' ? own.slice(-1) : own);
    }
  }
  const items = await itemsOf(shipments);
  const ofRow = new Map<StepRow, Item[]>(rows.map((row) => [row, []]));
  for (const item of items) ofRow.get(item.row)!.push(item);
  const results = () => rows.flatMap((row) => resultOf(row, shipments.get(row) ?? [], ofRow.get(row)!) ?? []);
  for (const request of requestsOf(items)) {
    const outcomes = await store(request.map(({ step }) => step));
    for (const [at, item] of request.entries()) item.outcome = outcomes[at]!;
    onProgress(results());
  }
  return results();
}

async function itemsOf(shipments: ReadonlyMap<StepRow, readonly ShipmentRow[]>): Promise<readonly Item[]> {
  const items: Item[] = [];
  const all = [...shipments].flatMap(([row, own]) =>
    'milestone' in row ? own.map((shipment) => ({ row, shipment, milestone: row.milestone })) : [],
  );
  // Delays are processed last: the place of a delay depends on the arrival, which may be another row of the file.
  const inOrder = all.toSorted((one, other) => rankOf(one.milestone.step) - rankOf(other.milestone.step));
  for (const { row, shipment, milestone } of inOrder) {
    const { answer_id, quote_id, folio } = shipment;
    const landed = Math.min(
      ...shipment.shipment.steps.filter(isAtDestination).map(({ at }) => at),
      ...items.filter(({ step }) => step.answer_id === answer_id && isAtDestination(step)).map(({ at }) => at),
    );
    const { at, place } = timeOf(milestone, shipment, landed);
    if (at === undefined) continue;
    const { step, word, waste } = milestone;
    // The id is derived from the content, so that a line that is imported again is not stored again.
    const content = [answer_id, step, at, word, waste].join('\n');
    const id = idOf((await hashOf(new TextEncoder().encode(content))).slice(0, 16));
    const stored = { id, quote_id, answer_id, step, at: new Date(at).toISOString() };
    items.push({ row, folio, at, place, step: { ...stored, ...(word && { word }), ...(waste && { waste }) } });
  }
  return items;
}

/** Returns the position of a milestone in the journey; a delay ('detenida') comes last. */
const rankOf = (step: Step) => [...JOURNEY, 'detenida'].indexOf(step);

const isAtDestination = ({ step }: { readonly step: Step }) =>
  step !== 'detenida' && JOURNEY.indexOf(step) >= JOURNEY.indexOf('llegada');

/**
 * Returns instant and place of a milestone. A file names no place for a delay. If its local time, read on Zhengzhou's
 * clock, is after the arrival, the delay was there; otherwise in Mexico, whose clocks are over twelve hours behind.
 * Local times have no seconds, so a minute is tolerated.
 */
function timeOf({ step, at: given }: FileStep, { shipment }: ShipmentRow, landed: number) {
  const { origin = 'TIJ' } = shipment;
  const inZone = (place: ShipmentPlace) => ('instant' in given ? given.instant : instantOf(given.local, place));
  const there = inZone('CGO');
  const isThere = step === 'detenida' ? there !== undefined && there > landed - MINUTE : isAtDestination({ step });
  const place = isThere ? 'CGO' : step === 'detenida' ? origin : placeOf({ step }, shipment);
  return { at: inZone(place), place };
}

/**
 * Divides the milestones into requests. All milestones of a shipment are in one request if they fit, so that a trial
 * checks them together.
 */
function requestsOf(items: readonly Item[]): readonly (readonly Item[])[] {
  const sizeOf = ({ step }: Item) => new TextEncoder().encode(JSON.stringify(step)).length + 1;
  const requests: Item[][] = [];
  let room = 0;
  for (const shipment of new Set(items.map(({ step }) => step.answer_id))) {
    const own = items.filter(({ step }) => step.answer_id === shipment);
    if (own.reduce((sum, item) => sum + sizeOf(item), 0) > room) room = 0;
    for (const item of own) {
      if (sizeOf(item) > room) {
        requests.push([]);
        room = MOST_BYTES;
      }
      requests.at(-1)!.push(item);
      room -= sizeOf(item);
    }
  }
  return requests;
}

/** Returns the result of a row, from the results for its shipments; undefined while one of these is missing. */
function resultOf(row: StepRow, shipments: readonly ShipmentRow[], items: readonly Item[]): StepResult | undefined {
  if ('fault' in row) return row;
  if (shipments.length === 0) return { ...row, outcome: 'unknown' };
  const [first] = items;
  if (!first || items.length < shipments.length) return { ...row, outcome: 'time' };
  const outcomes = items.flatMap(({ outcome }) => outcome ?? []);
  if (outcomes.length < items.length) return undefined;
  const refusal = outcomes.find((outcome) => outcome !== 'stored' && outcome !== 'there');
  const folios = items.map(({ folio }) => folio);
  const outcome = refusal ?? (outcomes.includes('stored') ? 'stored' : 'there');
  return { ...row, folios, at: first.at, place: first.place, outcome };
}
