import { setTimeout as wait } from 'node:timers/promises';
import type { Database, Statement } from '../database/database.ts';
import type { AlertSettings } from './settings.ts';
import { mailChannels } from './channels.ts';
import type { Message, Outcome } from './message.ts';
import { record } from '../log.ts';
import { plainFetch } from '../plain-fetch.ts';
import { sendDue, type AlertStore } from './send-due.ts';
import { ALERT_KINDS } from '../../src/lead/vocabulary.ts';
import { makePushKeys, push, type PushKeys } from './web-push.ts';

const LOOK_EVERY = 2000;
const LONGEST_END = 2000;
/** A database that is not there is asked again, but not every two seconds. */
const LOOK_AFTER_TROUBLE = 15_000;

/** Once a minute also where nothing is due, so that the desk knows that somebody looks. */
const DUE: Statement = {
  sql: `select exists (select from public.alerts where spread_at is null and due_at <= $1)
            or exists (select from public.alert_messages where next_at <= $1)
            or not exists (select from public.alert_sender where ran_at between now() - interval '1 minute' and now()) as due`,
};

/** The alerts of the embedded server. They are looked for by the clock, so that no request ever waits for one. */
export interface Alerts {
  stop(): Promise<void>;
}

interface Dependencies {
  readonly database: Pick<Database, 'transaction'>;
  readonly settings: AlertSettings;
  /** Where the site can be reached, for the links. */
  readonly site: () => string;
  readonly now?: () => number;
  /** How each ended. */
  readonly heard?: (ended: Outcome['kind']) => void;
}

export function startAlerts({ database, settings, site, now = Date.now, heard }: Dependencies): Alerts {
  const store = storeIn(database);
  const byMail = mailChannels(settings, site);
  const { contact, services } = settings;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let keys: PushKeys | undefined;

  async function look(): Promise<void> {
    let pause = LOOK_EVERY;
    try {
      const at = new Date(now());
      const [found] = await database.transaction<{ due: boolean }>([{ ...DUE, parameters: [at] }], { access: 'read' });
      // With the first look, so that a phone finds one to subscribe by.
      const known = (keys ??= await keysOf(database));
      const means = { keys: known, contact, services, site: site(), fetch: plainFetch };
      if (found?.due)
        await sendDue({
          store,
          channels: { push: (message, time) => push(message, means, time), ...byMail },
          now,
          heard(message, outcome) {
            noteInLog(message, outcome);
            heard?.(outcome.kind);
          },
        });
    } catch (error) {
      // Messages that were claimed come back after two minutes.
      if (!stopped) console.error(`Alerts could not be sent just now: ${(error as Error).message}`);
      pause = LOOK_AFTER_TROUBLE;
    }
    if (!stopped) timer = setTimeout(() => (work = look()), pause);
  }
  let work = look();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      // A push service that hangs holds no end up: what was not noted as sent is sent again at the next start.
      await Promise.race([work, wait(LONGEST_END, undefined, { ref: false })]);
    },
  };
}

/** Made with the first start. */
export async function keysOf(database: Pick<Database, 'transaction'>): Promise<PushKeys> {
  const kept: Statement = { sql: 'select public_key, private_key from public.push_keys', parameters: [] };
  const [present] = await database.transaction<PushKeys>([kept], { access: 'read' });
  if (present) return present;
  const { public_key, private_key } = await makePushKeys();
  const insert = {
    sql: 'insert into public.push_keys (public_key, private_key) values ($1, $2) on conflict do nothing',
    parameters: [public_key, private_key],
  };
  const [made] = await database.transaction<PushKeys>([insert, kept]);
  return made!;
}

export function storeIn(database: Pick<Database, 'transaction'>): AlertStore {
  return {
    claim: (at, ways) =>
      database.transaction<Message>([
        { sql: 'select * from public.claim_alerts($1, $2, $3)', parameters: [at, ways, ALERT_KINDS] },
      ]),
    async settle(message, at, { kind, why }, againAt) {
      const parameters = [message, at, kind, againAt, why ?? null];
      await database.transaction([{ sql: 'select public.settle_alert($1, $2, $3, $4, $5)', parameters }]);
    },
  };
}

/** Kind, folio, host and how it ended: no address of a device, which whoever reads the log could write to. */
function noteInLog({ way, kind, folio, leads, endpoint }: Message, { kind: ended, why }: Outcome): void {
  const to = way === 'push' && endpoint && URL.canParse(endpoint) ? new URL(endpoint).host : way;
  record('alert', { kind, folio: leads > 1 ? `(${leads} leads)` : folio, to, ended, why: why && `(${why})` });
}
