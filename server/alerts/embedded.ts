import { setTimeout as wait } from 'node:timers/promises';
import type { Database, Statement } from '../database/database.ts';
import type { AlertSettings } from './settings.ts';
import { messengersFor } from './messengers.ts';
import type { AlertMessage, Outcome } from './message.ts';
import { record } from '../log.ts';
import { plainFetch } from '../plain-fetch.ts';
import { sendDue, type AlertStore } from './send-due.ts';
import { ALERT_KINDS } from '../../src/lead/vocabulary.ts';
import { makePushKeys, push, type PushKeys } from './web-push.ts';

const LOOK_EVERY = 2000;
/** Maximum number of milliseconds that the stopping server waits for alerts that are being sent. */
const LONGEST_END = 2000;
/** Milliseconds after a failure until the server looks for due alerts again. */
const LOOK_AFTER_FAILURE = 15_000;

/**
 * True if an alert or one of its messages is due. Also true if the sender has not run for a minute, because the desk
 * shows when the sender last ran. WhatsApp messages that must still wait do not count: otherwise a run, which writes to
 * the database, would start every two seconds.
 */
export async function isDue(database: Pick<Database, 'transaction'>, at: number): Promise<boolean> {
  const sql = `select exists (select from public.alerts where spread_at is null and due_at <= $1)
      or exists (select from public.alert_messages as m join public.alerts as a on a.id = m.alert_id
                 where m.next_at <= $1
                   and (m.way <> 'whatsapp' or m.delivery is not null or private.is_whatsapp_due(m, a, $1)))
      or not exists (select from public.alert_sender where ran_at between now() - interval '1 minute' and now()) as due`;
  const [found] = await database.transaction<{ due: boolean }>([{ sql, parameters: [new Date(at)] }], {
    access: 'read',
  });
  return found!.due;
}

/** Sender of alerts in the embedded server. The sender works on a timer, so no request waits for an alert. */
export interface Alerts {
  stop(): Promise<void>;
}

interface Dependencies {
  readonly database: Pick<Database, 'transaction'>;
  readonly settings: AlertSettings;
  readonly site: () => string;
  readonly now?: () => number;
  readonly onOutcome?: (kind: Outcome['kind']) => void;
}

export function startAlerts({ database, settings, site, now = Date.now, onOutcome }: Dependencies): Alerts {
  const store = storeIn(database);
  const bySettings = messengersFor(settings, site, plainFetch);
  const { contact, services } = settings;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let keys: PushKeys | undefined;

  async function look(): Promise<void> {
    let pause = LOOK_EVERY;
    try {
      const isAnyDue = await isDue(database, now());
      // The keys are made even if no alert is due, because phones need them to subscribe.
      const pushKeys = (keys ??= await keysOf(database));
      const means = { keys: pushKeys, contact, services, site: site(), fetch: plainFetch };
      if (isAnyDue)
        await sendDue({
          store,
          messengers: { push: (message, time) => push(message, means, time), ...bySettings },
          now,
          onOutcome(message, outcome) {
            logOutcome(message, outcome);
            onOutcome?.(outcome.kind);
          },
        });
    } catch (error) {
      // The messages of this run are not lost: they become due again after two minutes.
      if (!stopped) console.error(`Alerts could not be sent: ${(error as Error).message}. Trying again.`);
      pause = LOOK_AFTER_FAILURE;
    }
    if (!stopped) timer = setTimeout(() => (work = look()), pause);
  }
  let work = look();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      // A push service that does not answer must not delay the stop for long. Unfinished messages are sent after the
      // next start.
      await Promise.race([work, wait(LONGEST_END, undefined, { ref: false })]);
    },
  };
}

/** Reads the push keys, and makes them at the first start. */
export async function keysOf(database: Pick<Database, 'transaction'>): Promise<PushKeys> {
  const select: Statement = { sql: 'select public_key, private_key from public.push_keys', parameters: [] };
  const [present] = await database.transaction<PushKeys>([select], { access: 'read' });
  if (present) return present;
  const { public_key, private_key } = await makePushKeys();
  const insert = {
    sql: 'insert into public.push_keys (public_key, private_key) values ($1, $2) on conflict do nothing',
    parameters: [public_key, private_key],
  };
  const [made] = await database.transaction<PushKeys>([insert, select]);
  return made!;
}

export function storeIn(database: Pick<Database, 'transaction'>): AlertStore {
  return {
    claim: (at, ways) =>
      database.transaction<AlertMessage>([
        { sql: 'select * from public.claim_alerts($1, $2, $3)', parameters: [at, ways, ALERT_KINDS] },
      ]),
    async settle(message, at, { kind, why, code, externalId }, againAt) {
      const parameters = [message, at, kind, againAt, why ?? null, code ?? null, externalId ?? null];
      await database.transaction([{ sql: 'select public.settle_alert($1, $2, $3, $4, $5, $6, $7)', parameters }]);
    },
  };
}

/**
 * Logs an outcome. For a device only the host of its push address is logged: with the whole address, readers of the log
 * could send alerts to the device.
 */
function logOutcome({ way, kind, folio, leads, endpoint }: AlertMessage, { kind: ended, why }: Outcome): void {
  const to = way === 'push' && endpoint && URL.canParse(endpoint) ? new URL(endpoint).host : way;
  record('alert', { kind, folio: leads > 1 ? `(${leads} leads)` : folio, to, ended, why: why && `(${why})` });
}
