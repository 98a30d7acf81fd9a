// Sends alerts for a hosted project, with the modules of the embedded server. The project's database calls it (calls.sql).
import { createClient } from '@supabase/supabase-js';
import { settingChannels } from '../../../server/alerts/channels.ts';
import type { Message } from '../../../server/alerts/message.ts';
import { sendDue, type AlertStore } from '../../../server/alerts/send-due.ts';
import { readAlertSettings } from '../../../server/alerts/settings.ts';
import { isKey, readSecretKey } from '../../../server/alerts/keys.ts';
import { makePushKeys, push, type PushKeys } from '../../../server/alerts/web-push.ts';
import { CLIENT_OPTIONS, fetchWithKey } from '../../../src/lead/api-key.ts';
import { ALERT_KINDS } from '../../../src/lead/vocabulary.ts';

declare const Deno: {
  readonly env: { toObject(): Record<string, string> };
  serve(answer: (request: Request) => Promise<Response>): void;
};

const environment = Deno.env.toObject();
const settings = readAlertSettings(environment);
const { contact, services } = settings;
const site = environment['VITE_SITE_URL'];
if (!site) throw new Error('VITE_SITE_URL must be set: alerts lead to the site.');
const key = readSecretKey(environment);
const client = createClient(environment['SUPABASE_URL']!, key, {
  ...CLIENT_OPTIONS,
  auth: { persistSession: false, autoRefreshToken: false },
  global: { fetch: fetchWithKey(key, fetch) },
});

/** Rows of a query; throws if it failed. */
async function rows<Row>(asked: PromiseLike<{ data: unknown; error: Error | null }>): Promise<Row[]> {
  const { data, error } = await asked;
  if (error) throw error;
  return (data ?? []) as Row[];
}

async function readKeys(): Promise<PushKeys> {
  const kept = () => rows<PushKeys>(client.from('push_keys').select('public_key,private_key'));
  const [keys] = await kept();
  if (keys) return keys;
  // No error check: if two calls make keys at once, the primary key refuses the second, which then reads the first.
  await client.from('push_keys').insert(await makePushKeys());
  return (await kept())[0]!;
}

const store: AlertStore = {
  claim: (at, ways) => rows<Message>(client.rpc('claim_alerts', { at: at.toISOString(), ways, kinds: ALERT_KINDS })),
  async settle(message, at, { kind: outcome, why, code, externalId }, againAt) {
    const again_at = againAt?.toISOString() ?? null;
    const detail = { why: why ?? null, code: code ?? null, external_id: externalId ?? null };
    await rows(client.rpc('settle_alert', { message, at: at.toISOString(), outcome, again_at, ...detail }));
  },
};
const bySettings = settingChannels(settings, () => site, fetch);

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
      channels: { push: (message, now) => push(message, means, now), ...bySettings },
    });
    sent += count;
    if (count === 0) break;
  }
  return Response.json({ sent });
});
