import { isRecord } from '../../lead/validation.ts';
import { DELIVERY_COLUMNS, readDeliveryRow, type DeliveryRow } from '../../lead/webhook-row.ts';
import { DONE, resultOf, type ActionResult } from './action-result.ts';
import { backend, rows } from './backend.ts';

const DELIVERIES = 'webhook_deliveries';
/** Maximum number of deliveries in the list, which shows the newest of the day. */
export const MOST_DELIVERIES = 100;

/** Filter of the deliveries of a day: all of them, or only those set aside after too many failures. */
export interface DeliveryFilter {
  readonly day: string;
  readonly isAside: boolean;
}

export interface Deliveries {
  readonly deliveries: readonly DeliveryRow[];
  readonly hosts: ReadonlyMap<number, string>;
}

export async function readDeliveries({ day, isAside }: DeliveryFilter): Promise<Deliveries> {
  const ofDay = backend.from(DELIVERIES).select(DELIVERY_COLUMNS).eq('day', day);
  const chosen = isAside ? ofDay.eq('state', 'aside') : ofDay;
  const [deliveries, receivers] = await Promise.all([
    rows(chosen.order('id', { ascending: false }).limit(MOST_DELIVERIES), readDeliveryRow),
    rows(backend.from('webhooks').select('id,host')),
  ]);
  const hosts = receivers.filter(isRecord).map(({ id, host }) => [Number(id), String(host)] as const);
  return { deliveries, hosts: new Map(hosts) };
}

/** Sends one delivery again, or all deliveries that a filter chooses. */
export const repeatDeliveries = (which: number | DeliveryFilter): Promise<ActionResult> =>
  resultOf(async () => {
    const change = backend.from(DELIVERIES).update({ state: 'waiting' });
    if (typeof which === 'number') await rows(change.eq('id', which));
    else await rows((which.isAside ? change.eq('state', 'aside') : change).eq('day', which.day));
    return DONE;
  });
