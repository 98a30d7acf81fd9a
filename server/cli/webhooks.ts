import { randomBytes } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { z } from 'zod';
import { isDay } from '../../src/lead/bounds.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../src/lead/vocabulary.ts';
import { DELIVERY_COLUMNS, readDeliveryRow } from '../../src/lead/webhook-row.ts';
import { englishWords, mainWords, type Bilingual } from '../../src/content/bilingual.ts';
import { webhookReasons } from '../../src/content/webhook-reasons.ts';
import { localize, OperatorError } from '../language.ts';
import { nameFault } from '../webhooks/post.ts';
import { openAccess, readCommandSettings } from './access.ts';
import { aligned, FLAG, parseOptions, print, printable, printData, runCommand, TEXT, UsageError } from './command.ts';

const HELP = {
  es: `aeropuente webhooks <acción> [opciones]

Avisa a otros programas (n8n, Zapier, HubSpot, un CRM) de lo que pasa con cada solicitud, en la forma de Standard
Webhooks. docs/webhooks.md dice qué lleva cada aviso y cómo comprobarlo.

  add https://…      agrega un receptor y muestra su clave, una sola vez. --events quote.received,quote.lost: sólo ésos
                     (si no, todos los de esta versión). --contact: quote.received lleva además nombre,
                     empresa, correo y teléfono. --one-record: offer.accepted y shipment.booked llevan además la
                     oferta como ONE Record de la IATA (JSON-LD), con el contacto sólo si hay --contact
  list               los receptores
  log                los últimos 50 envíos, con su respuesta; --aside: los que no llegaron en un día
  again 123          vuelve a enviar uno; again 2026-11-28, todos los de ese día, con --aside sólo los que no llegaron
  remove 1           quita un receptor y sus envíos
  --help             esta página

Eventos: ${WEBHOOK_EVENTS.join(', ')}.`,
  en: `aeropuente webhooks <action> [options]

Tells other programs (n8n, Zapier, HubSpot, a CRM) what happens to each quote, in the form of Standard Webhooks.
docs/webhooks.md says what each message contains and how to verify it.

  add https://…      adds a receiver and prints its secret, once. --events quote.received,quote.lost: these only
                     (default: all events of this release). --contact: quote.received also contains name,
                     company, e-mail and phone. --one-record: offer.accepted and shipment.booked also contain the
                     offer as IATA's ONE Record (JSON-LD), with the contact only if --contact is given
  list               prints the receivers
  log                prints the last 50 deliveries with their answers; --aside: those that did not arrive within a day
  again 123          sends one again; again 2026-11-28, all of that day, with --aside only those that did not arrive
  remove 1           removes a receiver and its deliveries
  --help             this page

Events: ${WEBHOOK_EVENTS.join(', ')}.`,
};

const receiverSchema = z.object({
  id: z.number(),
  url: z.string(),
  events: z.array(z.string()),
  has_contact: z.boolean(),
  has_one_record: z.boolean(),
});
const parse = (args: string[]) =>
  parseOptions({
    args,
    allowPositionals: true,
    options: { events: TEXT, contact: FLAG, 'one-record': FLAG, aside: FLAG, help: FLAG },
  });
type Options = ReturnType<typeof parse>['values'];

const ACTIONS: Readonly<Record<string, (client: SupabaseClient, value: string, options: Options) => Promise<void>>> = {
  add,
  list,
  log,
  again: resend,
  remove,
};

async function run(): Promise<void> {
  const { values, positionals } = parse(process.argv.slice(2));
  if (values.help) return print(HELP);
  const [name = '', value = '', ...more] = positionals;
  const action = Object.hasOwn(ACTIONS, name) && ACTIONS[name];
  if (!action || more.length > 0 || ['list', 'log'].includes(name) !== (value === '')) throw new UsageError(HELP);
  const [settings, secretKey] = readCommandSettings();
  if (settings.hosted)
    throw new OperatorError({
      es: 'Con Supabase alojado no hay webhooks: los envía el servidor de AeroPuente.',
      en: 'Hosted Supabase has no webhooks: the server of AeroPuente sends them.',
    });
  if (name === 'add') await requireAllowed(value, settings.webhookHosts);
  const access = await openAccess(settings, secretKey, { noKey: HELP });
  try {
    await action(await access.client(), value, values);
  } finally {
    await access.close();
  }
}

/** Refuses an address to which the server would send no webhooks. The operator can still correct the address now. */
async function requireAllowed(value: string, hosts: readonly string[]): Promise<void> {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || /[^!-~]/.test(value))
    throw new UsageError({
      es: `"${value}" no es una dirección como https://hooks.ejemplo.mx/aeropuente.`,
      en: `"${value}" is not an address such as https://hooks.example.com/aeropuente.`,
    });
  const fault = await nameFault(url, hosts);
  if (!fault) return;
  const reason = webhookReasons[fault as keyof typeof webhookReasons];
  throw new OperatorError(
    reason
      ? {
          es: `${url.host}: ${mainWords(reason)}. Si debe ser así, nómbrelo en WEBHOOK_PRIVATE_HOSTS.`,
          en: `${url.host}: ${englishWords(reason)}. If this is intended, name it in WEBHOOK_PRIVATE_HOSTS.`,
        }
      : { es: `No se encontró ${url.host} (${fault}).`, en: `${url.host} was not found (${fault}).` },
  );
}

/** Events whose bodies may contain the offer as a ONE Record, IATA's data format. */
const WITH_OFFER: readonly string[] = ['offer.accepted', 'shipment.booked'] satisfies WebhookEvent[];

async function add(client: SupabaseClient, url: string, options: Options): Promise<void> {
  const { events, contact: has_contact, 'one-record': has_one_record } = options;
  const chosen = events === undefined ? [...WEBHOOK_EVENTS] : events.split(',').map((event) => event.trim());
  const unknown = chosen.find((event) => !(WEBHOOK_EVENTS as readonly string[]).includes(event));
  if (unknown !== undefined)
    throw new UsageError({
      es: `No hay un evento "${unknown}". Hay: ${WEBHOOK_EVENTS.join(', ')}.`,
      en: `There is no event "${unknown}". There are: ${WEBHOOK_EVENTS.join(', ')}.`,
    });
  if (has_one_record && !chosen.some((event) => WITH_OFFER.includes(event)))
    throw new UsageError({
      es: `--one-record necesita uno de estos eventos: ${WITH_OFFER.join(', ')}.`,
      en: `--one-record needs one of these events: ${WITH_OFFER.join(', ')}.`,
    });
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  // The events are a list in PostgreSQL's notation, because the REST interface accepts only flat rows.
  const row = { url: new URL(url).href, events: `{${chosen.join(',')}}`, has_contact, has_one_record, secret };
  const [added] = await rows(client.from('webhooks').insert(row).select('id'), z.object({ id: z.number() }));
  print({ es: `Receptor ${added!.id}. Su clave:`, en: `Receiver ${added!.id}. Its secret:` });
  printData(secret);
  print({
    es: 'Se muestra una sola vez. Para otra: remove y add.',
    en: 'It is shown only once. For another secret, remove the receiver and add it again.',
  });
}

async function list(client: SupabaseClient): Promise<void> {
  const found = await rows(
    client.from('webhooks').select('id,url,events,has_contact,has_one_record').order('id'),
    receiverSchema,
  );
  if (found.length === 0) return print({ es: 'No hay receptores.', en: 'There are no receivers.' });
  const lines = found.map(({ id, url, events, has_contact, has_one_record }) => [
    String(id),
    url,
    `${events.join(',')}${has_contact ? ' --contact' : ''}${has_one_record ? ' --one-record' : ''}`,
  ]);
  printData(aligned(lines).trimEnd());
}

async function log(client: SupabaseClient, _: string, { aside }: Options): Promise<void> {
  const all = client.from('webhook_deliveries').select(DELIVERY_COLUMNS);
  const chosen = aside ? all.eq('state', 'aside') : all;
  const found = await rows(chosen.order('id', { ascending: false }).limit(50), z.unknown());
  const deliveries = found.flatMap((row) => readDeliveryRow(row) ?? []);
  if (deliveries.length === 0) return print({ es: 'No hay envíos.', en: 'There are no deliveries.' });
  const heads: Bilingual = {
    es: 'envío|hora|receptor|evento|folio|estado|intentos|respuesta',
    en: 'delivery|time|receiver|event|folio|state|attempts|answer',
  };
  const lines = deliveries
    .toReversed()
    .map(({ id, at, webhook_id, event, folio, state, attempts, status, response_text }) => [
      String(id),
      at.slice(0, 19).replace('T', ' '),
      String(webhook_id),
      event,
      folio,
      state,
      String(attempts),
      printable([status, response_text].filter((part) => part !== null).join(' ')),
    ]);
  printData(aligned([localize(heads).split('|'), ...lines]).trimEnd());
}

async function resend(client: SupabaseClient, which: string, { aside }: Options): Promise<void> {
  if (!isDay(which) && !/^\d{1,15}$/.test(which))
    throw new UsageError({
      es: `again acepta el número de un envío o un día como 2026-11-28, no "${which}".`,
      en: `again takes the number of a delivery or a day such as 2026-11-28, not "${which}".`,
    });
  const change = client.from('webhook_deliveries').update({ state: 'waiting' });
  const chosen = isDay(which) ? change.eq('day', which) : change.eq('id', which);
  const sent = await rows((aside ? chosen.eq('state', 'aside') : chosen).select('id'), z.object({ id: z.number() }));
  const count = sent.length;
  print({ es: `Se envían otra vez: ${count}.`, en: `Sent again: ${count}.` });
  if (count === 0) process.exitCode = 1;
}

async function remove(client: SupabaseClient, id: string): Promise<void> {
  if (!/^\d{1,9}$/.test(id)) throw new UsageError(HELP);
  const gone = await rows(client.from('webhooks').delete().eq('id', id).select('id'), z.object({ id: z.number() }));
  if (gone.length === 0)
    throw new OperatorError({ es: `No hay un receptor ${id}.`, en: `There is no receiver ${id}.` });
  print({ es: `El receptor ${id} ya no recibe nada.`, en: `Receiver ${id} gets nothing more.` });
}

async function rows<Row>(
  request: PromiseLike<{ readonly data: unknown; readonly error: { readonly message: string } | null }>,
  schema: z.ZodType<Row>,
): Promise<readonly Row[]> {
  const { data, error } = await request;
  if (error)
    throw new OperatorError({
      es: `La base de datos respondió: ${error.message}`,
      en: `The database answered: ${error.message}`,
    });
  return z.array(schema).parse(data);
}

await runCommand(run);
