// Sends alerts for a hosted project: the modules that the embedded server runs, over the project's own database.
// README.md says how it is deployed, and what calls it.
import { createClient } from '@supabase/supabase-js';
import { createMail } from '../../../server/alerts/mail.ts';
import type { Message } from '../../../server/alerts/message.ts';
import { sendDue, type AlertStore } from '../../../server/alerts/send-due.ts';
import { readAlertSettings } from '../../../server/alerts/settings.ts';
import { makePushKeys, push, type PushKeys } from '../../../server/alerts/web-push.ts';

declare const Deno: {
  readonly env: { toObject(): Record<string, string> };
  serve(answer: (request: Request) => Promise<Response>): void;
};

const environment = Deno.env.toObject();
const { contact, services, mail } = readAlertSettings(environment);
const site = environment['VITE_SITE_URL'];
if (!site) throw new Error('VITE_SITE_URL must be set: alerts lead to the site.');
const client = createClient(environment['SUPABASE_URL']!, environment['SUPABASE_SERVICE_ROLE_KEY']!, {
  auth: { persistSession: false, autoRefreshToken: false },
});

/** The answer, or the error that it brought. */
async function rows<Row>(asked: PromiseLike<{ data: unknown; error: Error | null }>): Promise<Row[]> {
  const { data, error } = await asked;
  if (error) throw error;
  return (data ?? []) as Row[];
}

async function readKeys(): Promise<PushKeys> {
  const kept = () => rows<PushKeys>(client.from('push_keys').select('public_key,private_key'));
  const [keys] = await kept();
  if (keys) return keys;
  // The first of two keys that are made at once stays.
  await client.from('push_keys').insert(await makePushKeys());
  return (await kept())[0]!;
}

const store: AlertStore = {
  claim: (at, byMail) => rows<Message>(client.rpc('claim_alerts', { at: at.toISOString(), by_mail: byMail })),
  async settle(message, at, outcome, againAt) {
    await rows(
      client.rpc('settle_alert', { message, at: at.toISOString(), outcome, again_at: againAt?.toISOString() ?? null }),
    );
  },
};
const mailer = mail && createMail(mail);

// An alert that is due is sent once, whoever calls and how often.
Deno.serve(async () => {
  const keys = await readKeys();
  const means = { keys, contact, services, site, fetch };
  let sent = 0;
  for (let round = 0; round < 10; round += 1) {
    const count = await sendDue({
      store,
      push: (message, now) => push(message, means, now),
      mail: mailer && ((message) => mailer(message, site)),
    });
    sent += count;
    if (count === 0) break;
  }
  return Response.json({ sent });
});
