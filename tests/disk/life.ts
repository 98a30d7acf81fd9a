import { openBackend, type Backend } from '../../server/backend.ts';
import { readLimits } from '../../server/settings.ts';
import { sampleQuote } from '../integration/sample-quote.ts';
import { say } from './recorded.ts';

/**
 * Runs a server from its first start to a simulated power cut: `node --import recorded.ts life.ts <data> <migrations of
 * the next release>`. Notes table and id of each row that the server acknowledged. With `again` as last argument, the
 * server starts on the data that a power cut left.
 */
const [dataDir = '', next, again] = process.argv.slice(2);

const open = (migrations?: string) =>
  openBackend(
    {
      dataDir,
      limits: readLimits({ RATE_LIMIT_PER_ADDRESS: '0', RATE_LIMIT_OVERALL: '0' }),
      publishableKey: 'aeropuente-public',
    },
    migrations,
  );

async function ask(backend: Backend, method: string, place: string, key: string, body?: object): Promise<Response> {
  const headers = {
    apikey: key,
    'content-type': 'application/json',
    prefer: 'resolution=ignore-duplicates,return=representation',
  };
  const request = new Request(`http://localhost/rest/v1/${place}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const response = await backend.answer(request, '');
  if (!response.ok) throw new Error(`${method} ${place}: ${response.status} ${await response.text()}`);
  return response;
}

async function send(backend: Backend): Promise<string> {
  const quote = sampleQuote();
  await ask(backend, 'POST', 'quotes?on_conflict=id', 'aeropuente-public', quote);
  say(`quotes ${quote.id}`);
  if (hasReceiver) say(`webhook_deliveries ${quote.id}`);
  return quote.id;
}

/** True once a webhook receiver is stored. From then on the server must queue an event for each quote. */
let hasReceiver = false;

async function addReceiver(backend: Backend): Promise<void> {
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
  const row = { url: 'https://hooks.example.com/', events: '{quote.received}', secret };
  await ask(backend, 'POST', 'webhooks?select=id', await backend.serviceKey(), row);
  hasReceiver = true;
}

/** Sends three quotes one after the other, then twelve at once. */
async function sendMany(backend: Backend): Promise<string[]> {
  const alone = [await send(backend), await send(backend), await send(backend)];
  const together = await Promise.all(Array.from({ length: 12 }, () => send(backend)));
  return [...alone, ...together];
}

async function whole(): Promise<void> {
  const old = await open();
  say('opened');
  await sendMany(old);
  await addReceiver(old);
  await sendMany(old);
  await old.close();
  const backend = await open(next);
  const key = await backend.serviceKey();
  const [first, ...others] = await sendMany(backend);
  for (const quote_id of others.slice(0, 4)) {
    const answer = await ask(backend, 'POST', 'quote_answers?select=id', key, {
      quote_id,
      kind: 'mensaje',
      body: 'Sale el jueves.',
    });
    const [{ id }] = (await answer.json()) as [{ id: string }];
    say(`quote_answers ${id}`);
  }
  await ask(backend, 'PATCH', `quote_desk?quote_id=eq.${first}`, key, { blocked_at: new Date().toISOString() });
  say(`erased ${first}`);
  await ask(backend, 'DELETE', `quotes?id=eq.${first}`, key);
  await sendMany(backend);
  await backend.close();
}

if (!again) await whole();
const reopened = await open(next);
const receivers = await ask(reopened, 'GET', 'webhooks?select=id', await reopened.serviceKey());
hasReceiver = ((await receivers.json()) as unknown[]).length > 0;
say('opened');
await sendMany(reopened);
// The process ends without closing the database, as in a power cut.
process.exit(0);
