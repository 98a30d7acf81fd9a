import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { beforeAll, beforeEach } from 'vitest';
import { keysOf, storeIn } from '../../server/alerts/embedded.ts';
import type { AlertMessage, Outcome } from '../../server/alerts/message.ts';
import { sendDue } from '../../server/alerts/send-due.ts';
import { push } from '../../server/alerts/web-push.ts';
import { plainFetch } from '../../server/plain-fetch.ts';
import { CERTIFICATE, PushService, type Device } from '../push/service.ts';
import { asOwner, presenting, quoting, type Caller } from './callers.ts';
import type { Engine } from './engines.ts';
import { actsOn } from './lead-acts.ts';
import type { SampleQuote } from './sample-quote.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const SITE = 'https://carga.example';

/** Push service until the end of the process: with --no-isolate, as in `npm run mutants`, several files share it. */
export const pushes = await PushService.start();
setDefaultCACertificates([...getCACertificates('default'), readFileSync(CERTIFICATE, 'utf8')]);

let names = 0;

/** Returns functions that send alerts to the push service. Each test begins without devices and alerts. */
export function alertScene(engine: Engine) {
  const acts = actsOn(engine);
  const scene = {
    ...acts,
    send: quoting(engine),
    /** Milliseconds by which the alert sender’s clock is ahead of the database’s clock. */
    ahead: 0,
    /** Alerts that reached the team’s mailbox; undefined without a mail server. */
    mails: undefined as string[] | undefined,
    keys: { public_key: '', private_key: '' },
    // PostgreSQL’s times have microseconds, Date.now() has only milliseconds. The added millisecond makes sure that
    // this time is not before a time that the database has just stored.
    now: () => Date.now() + 1 + scene.ahead,
    answerWith: (status: number) => (pushes.answers = () => ({ status })),
    listen: (caller: Caller, device: Device, more: object = {}) =>
      acts.put(caller, 'push_devices', { ...device, ...more }),
    deviceOf: async (caller: Caller, more: object = {}) => {
      const name = `device-${(names += 1)}`;
      await scene.listen(caller, pushes.subscribe(name), more);
      return name;
    },
    phoneOf: ({ id }: SampleQuote) => scene.deviceOf(presenting(id), { quote_id: id }),
    /** Sends all due alerts, `minutes` after the start of the test if given. Returns the messages and their outcomes. */
    look: async (minutes?: number) => {
      if (minutes !== undefined) scene.ahead = minutes * MINUTE;
      const ended: (readonly [AlertMessage, Outcome])[] = [];
      const { keys, mails } = scene;
      const sender = { keys, contact: 'mailto:a@b.example', services: [pushes.host], site: SITE, fetch: plainFetch };
      await sendDue({
        store: storeIn(engine.database),
        messengers: {
          push: (message, time) => push(message, sender, time),
          ...(mails && { mail: async ({ kind, folio }) => (mails.push(`${kind} ${folio}`), { kind: 'sent' }) }),
        },
        now: scene.now,
        onOutcome: (message, outcome) => ended.push([message, outcome]),
      });
      return ended;
    },
    /** Returns the titles of the alerts that a device got in this test, in order. */
    shownOn: (device: string) =>
      pushes.pushed
        .filter((each) => each.device === device)
        .map(({ payload }) => String(payload.notification['title'])),
  };

  beforeAll(async () => {
    scene.keys = await keysOf(engine.database);
    pushes.publicKey = scene.keys.public_key;
  });
  beforeEach(async () => {
    scene.ahead = 0;
    scene.mails = undefined;
    scene.answerWith(201);
    pushes.pushed.length = 0;
    await asOwner(engine, 'delete from public.push_devices; delete from public.alerts');
  });
  return scene;
}
