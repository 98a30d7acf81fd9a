import { randomUUID } from 'node:crypto';
import { beforeEach } from 'vitest';
import { messengersFor } from '../../server/alerts/messengers.ts';
import { storeIn } from '../../server/alerts/embedded.ts';
import { hooksIn } from '../../server/channels/whatsapp/intake.ts';
import { readAlertSettings } from '../../server/alerts/settings.ts';
import { sendDue } from '../../server/alerts/send-due.ts';
import { workHooks } from '../../server/channels/whatsapp/hooks.ts';
import { plainFetch } from '../../server/plain-fetch.ts';
import { askAsOwner, asOwner, presenting, quoting, staffMember } from './callers.ts';
import { actsOn } from './lead-acts.ts';
import type { Engine } from './engines.ts';
import { openGraphServer } from './graph-server.ts';
import type { SampleQuote } from './sample-quote.ts';

export const SITE = 'https://carga.example';
export const ana = staffMember('Ana');
/** Substitute for Meta's server until the end of the process: with --no-isolate several files share it. */
export const graph = await openGraphServer();
export const alertSettings = readAlertSettings(graph.environment);
const settings = alertSettings.whatsapp!;

/** Returns functions that send messages over WhatsApp and receive its webhooks. The tests set the clock ahead. */
export function overWhatsApp(engine: Engine) {
  const acts = actsOn(engine);
  const { ask, put, take } = acts;
  const send = quoting(engine);
  const messengers = messengersFor(alertSettings, () => SITE, plainFetch);
  const hooks = hooksIn(engine.database);
  const clock = { ahead: 0 };
  const now = () => Date.now() + 1 + clock.ahead;
  const look = () => sendDue({ store: storeIn(engine.database), messengers, now });
  /** Receives webhooks and processes them. */
  async function hear(...bodies: readonly string[]) {
    for (const body of bodies) await hooks.store(body);
    await workHooks({ store: hooks, settings, fetch: plainFetch, now });
  }
  const choose = (quote: SampleQuote, wanted = true) =>
    put(presenting(quote.id), 'whatsapp_choices', { id: randomUUID(), quote_id: quote.id, wanted });
  /** Stores a quote whose sender allowed WhatsApp messages, and whose lead has an owner. */
  async function wanting(changes?: Partial<SampleQuote>) {
    const quote = await send(changes);
    await choose(quote);
    await take(ana, quote);
    return quote;
  }
  const states = (quote: SampleQuote) =>
    ask(
      ana,
      "select delivery, code, next_at, result, sent_at from public.desk_mails where quote_id = $1 and way = 'whatsapp'",
      [quote.id],
    );
  const alertsOf = async (kind: string) =>
    (await askAsOwner(engine, 'select from public.alerts where kind = $1', [kind])).length;
  /** Records a message of the customer, after which free text is allowed for 24 hours. */
  const open = (quote: SampleQuote, at = Date.now()) =>
    askAsOwner(engine, 'select private.meet_on_whatsapp($1, null, null, $2)', [quote.id, new Date(at)]);
  beforeEach(async () => {
    clock.ahead = 0;
    graph.messages.length = 0;
    graph.state.verdict = () => 'accepted';
    await asOwner(
      engine,
      `delete from public.alerts; delete from public.whatsapp_hooks;
       delete from public.received_messages where quote_id is null;
       update public.alert_sender set whatsapp_rests_until = null, whatsapp_code = null`,
    );
  });
  return { ...acts, send, hooks, clock, now, look, hear, choose, wanting, states, alertsOf, open };
}
