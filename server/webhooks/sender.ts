import { setTimeout as wait } from 'node:timers/promises';
import type { WebhookEvent } from '../../src/lead/vocabulary.ts';
import type { Database } from '../database/database.ts';
import { record } from '../log.ts';
import { withOneRecord } from './one-record.ts';
import { postWebhook, type WebhookResponse, type WebhookRequest } from './post.ts';

const SECOND = 1000;
const LOOK_EVERY = 2 * SECOND;
const LOOK_AFTER_FAILURE = 15 * SECOND;
/** Maximum number of milliseconds that the stopping server waits for deliveries that are under way. */
const LONGEST_END = 2 * SECOND;
/**
 * Milliseconds for which a delivery is reserved. If the attempt is interrupted, the delivery is then sent again, under
 * the same id.
 */
const LEASE = 60 * SECOND;
/** Maximum number of deliveries to one receiver at the same time. Each of them is about a different quote. */
const AT_ONCE = 8;
/** Seconds between the attempts, which last about a day in total. */
const PAUSES = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800];

interface Delivery extends WebhookRequest {
  readonly id: string;
  readonly event: WebhookEvent;
  readonly folio: string;
  readonly host: string;
  /** Rows of the offer for a receiver of ONE Records; otherwise null. */
  readonly offer: unknown;
  readonly attempts: number;
}

/** Sender of webhooks in the embedded server. The sender works on a timer, so no request waits for a webhook. */
export interface Webhooks {
  stop(): Promise<void>;
}

interface Dependencies {
  readonly database: Pick<Database, 'transaction'>;
  /** Receivers that may have a private address, and may lack TLS. */
  readonly hosts: readonly string[];
  readonly now?: () => number;
  readonly pauses?: readonly number[];
  readonly lookEvery?: number;
  readonly lease?: number;
  readonly patience?: number;
}

export function startWebhooks({
  database,
  hosts,
  now = Date.now,
  pauses = PAUSES,
  lookEvery = LOOK_EVERY,
  lease = LEASE,
  patience,
}: Dependencies): Webhooks {
  const stopping = new AbortController();
  /** Aborts the attempts that have not ended LONGEST_END after the server began to stop. */
  const ending = new AbortController();
  const underWay = new Set<Promise<void>>();
  let settled = Promise.withResolvers<void>();

  /**
   * Claims the due deliveries. Reads first whether any is due, because a write every two seconds would fill the log of
   * the database.
   */
  async function claim(isAwake: boolean): Promise<readonly Delivery[]> {
    const at = new Date(now());
    if (!isAwake) {
      const sql = `select exists (select from public.webhooks as w
                     cross join lateral private.due_webhooks(w.id, $1, 1)) as due`;
      const [found] = await database.transaction<{ due: boolean }>([{ sql, parameters: [at] }], { access: 'read' });
      if (!found?.due) return [];
    }
    const sql = `select * from public.claim_webhooks($1, $2 * interval '1 millisecond', $3)`;
    return database.transaction<Delivery>([{ sql, parameters: [at, lease, AT_ONCE] }]);
  }

  async function deliver(delivery: Delivery): Promise<void> {
    try {
      const parcel = { ...delivery, body: withOneRecord(delivery.body, delivery.event, delivery.offer) };
      const answer = await postWebhook(parcel, hosts, { now, patience, ending: ending.signal });
      // An aborted attempt may have reached the receiver. It is not counted, and the delivery is sent again.
      if (ending.signal.aborted) return;
      const { status, text } = answer;
      const isDelivered = status !== null && status >= 200 && status < 300;
      const nextTry = isDelivered ? null : againAt(answer, delivery.attempts);
      const sql = 'select public.settle_webhook($1, $2, $3, $4, $5, $6)';
      const parameters = [delivery.id, delivery.attempts, isDelivered, nextTry, status, text];
      await database.transaction([{ sql, parameters }]);
      const ended = isDelivered ? 'delivered' : nextTry ? 'again' : 'set aside';
      // The log omits the text of an answer, which may repeat personal data.
      record('webhook', {
        event: delivery.event,
        folio: delivery.folio,
        to: delivery.host,
        ended,
        why: isDelivered ? undefined : `(${status ?? text})`,
      });
    } catch (error) {
      if (!stopping.signal.aborted) console.error(`A webhook is sent again in a minute: ${(error as Error).message}`);
    }
  }

  function againAt({ after = 0 }: WebhookResponse, attempts: number): Date | null {
    const pause = pauses[attempts - 1];
    return pause === undefined ? null : new Date(now() + Math.max(after, pause * SECOND * (0.75 + Math.random() / 2)));
  }

  async function run(): Promise<void> {
    let isAwake = false;
    while (!stopping.signal.aborted) {
      let pause = lookEvery;
      settled = Promise.withResolvers();
      try {
        for (const delivery of await claim(isAwake)) {
          const work = deliver(delivery).finally(() => {
            underWay.delete(work);
            settled.resolve();
          });
          underWay.add(work);
        }
      } catch (error) {
        if (!stopping.signal.aborted)
          console.error(`Webhooks could not be sent: ${(error as Error).message}. Trying again.`);
        pause = LOOK_AFTER_FAILURE;
      }
      const timer = new AbortController();
      const tick = wait(pause, false, { signal: timer.signal }).catch(() => false);
      isAwake = await Promise.race([settled.promise.then(() => true), tick]);
      timer.abort();
    }
  }
  const running = run();
  return {
    async stop() {
      stopping.abort();
      settled.resolve();
      await running;
      await Promise.race([Promise.all(underWay), wait(LONGEST_END, undefined, { ref: false })]);
      ending.abort();
      await Promise.all(underWay);
    },
  };
}
