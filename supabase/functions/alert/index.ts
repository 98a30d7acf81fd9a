// Sends alerts for a hosted project, with the modules of the embedded server. The project's database calls it (calls.sql).
import { messengersFor } from '../../../server/alerts/messengers.ts';
import type { AlertMessage } from '../../../server/alerts/message.ts';
import { sendDue, type AlertStore } from '../../../server/alerts/send-due.ts';
import { isKey } from '../../../server/alerts/keys.ts';
import { workHooks } from '../../../server/channels/whatsapp/hooks.ts';
import { makePushKeys, push, type PushKeys } from '../../../server/alerts/web-push.ts';
import { ALERT_KINDS } from '../../../src/lead/vocabulary.ts';
import { hooksOf, openProject } from '../project.ts';

declare const Deno: { serve(answer: (request: Request) => Promise<Response>): void };

const { environment, site, settings, client, rows } = openProject();
const { contact, services } = settings;

async function readKeys(): Promise<PushKeys> {
  const readStored = () => rows<PushKeys>(client.from('push_keys').select('public_key,private_key'));
  const [keys] = await readStored();
  if (keys) return keys;
  const { error } = await client.from('push_keys').insert(await makePushKeys());
  // The insert fails if another call has stored a key pair in the meantime. The next line then reads that pair.
  const [made] = await readStored();
  if (!made) throw new Error(`The push keys could not be stored: ${error?.message}`);
  return made;
}

const store: AlertStore = {
  claim: (at, ways) =>
    rows<AlertMessage>(client.rpc('claim_alerts', { at: at.toISOString(), ways, kinds: ALERT_KINDS })),
  async settle(message, at, { kind: outcome, why, code, externalId }, againAt) {
    const again_at = againAt?.toISOString() ?? null;
    const detail = { why: why ?? null, code: code ?? null, external_id: externalId ?? null };
    await rows(client.rpc('settle_alert', { message, at: at.toISOString(), outcome, again_at, ...detail }));
  },
};
const bySettings = messengersFor(settings, () => site, fetch);

Deno.serve(async (request) => {
  if (!(await isKey(request.headers.get('x-alerts-key'), environment['ALERTS_KEY'])))
    return new Response('Not the ALERTS_KEY of this function: npm run hosted -- setup gives both the same.', {
      status: 401,
    });
  const keys = await readKeys();
  const means = { keys, contact, services, site, fetch };
  let sent = 0;
  for (let round = 0; round < 10; round += 1) {
    const count = await sendDue({
      store,
      messengers: { push: (message, now) => push(message, means, now), ...bySettings },
    });
    sent += count;
    if (count === 0) break;
  }
  // The function "whatsapp" may have left webhooks unprocessed. They are processed after the alerts are sent, because a
  // file may take a minute.
  if (settings.whatsapp) {
    const working = workHooks({ store: hooksOf(rows, client), settings: settings.whatsapp, fetch });
    await working.catch(({ message }: Error) =>
      console.error(`Webhooks of WhatsApp could not be processed: ${message}`),
    );
  }
  return Response.json({ sent });
});
