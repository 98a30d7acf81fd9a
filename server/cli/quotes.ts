import { setTimeout as wait } from 'node:timers/promises';
import { folioOf } from '../../src/lead/folio.ts';
import { readHandOff } from '../../src/content/hand-off.ts';
import { readCommandSettings } from './access.ts';
import { readCommand } from './lead-commands.ts';
import { inTijuana, table } from './lead-formats.ts';
import { openLeads, type Leads } from './leads.ts';
import { readListing, type Listing } from './listing.ts';
import { localize } from '../language.ts';
import { runCommand } from './command.ts';

const HELP = localize({
  es: `aeropuente quotes [folio] [opciones]

Muestra las cotizaciones guardadas, la más nueva primero: estado, de quién es, y cuánto falta para la hora prometida o
por cuánto ya pasó. Las horas son de Tijuana. No se sabe aquí cuánto esperó una en su teléfono.

  folio            sólo la de este folio, p. ej. AP-5D7E-JYAM, como sea que se escriba
  --since <desde>  sólo las más nuevas: 30m, 2h, 3d, o un día como 2026-11-21
  --json, --csv    en lugar de una tabla
  --follow         sigue mostrando las que llegan
  --paste          guarda la de un mensaje que su remitente entregó (WhatsApp, SMS, correo), leído de la entrada:
                   péguelo y Ctrl+D. El teléfono puede entregarla después; es una sola cotización
  --help           esta página

aeropuente quotes answer <folio> --text "…" [--as <nombre>]
                   responde con un mensaje: el teléfono muestra el texto, los colegas ven el nombre
     … answer <folio> --text "…" --price 4.10 --for kilo|total --currency USD|MXN|CNY --until 2026-11-28
              [--kilos 1200] [--as <nombre>]
                   responde con una oferta, que se puede aceptar hasta ese día; --kilos es el peso al que se refiere
                   (de un mes si es por kilo, de un embarque si no), si no es el de la cotización
aeropuente quotes export <folio>    todo lo guardado de ella, en JSON
aeropuente quotes block <folio>     nadie la ve más que esta orden
aeropuente quotes unblock <folio>   la regresa
aeropuente quotes purge <folio>     borra para siempre lo bloqueado, y todo lo que se dijo sobre ello

Vienen de Supabase alojado si se ponen VITE_SUPABASE_URL (o SUPABASE_URL) y SUPABASE_SECRET_KEY, de un PostgreSQL propio
con DATABASE_URL, y si no de DATA_DIR, esté AeroPuente en marcha o no:
  aeropuente quotes --csv > cotizaciones.csv
`,
  en: `aeropuente quotes [folio] [options]

Prints the quotes that were stored, newest first: status, owner, and what is left of the time promised for the
answer, or by how much it is late. Times are Tijuana's. How long a quote waited on its phone is not known here.

  folio            only the quote with this folio, e.g. AP-5D7E-JYAM, however it was typed
  --since <when>   only newer ones: 30m, 2h, 3d, or a date such as 2026-11-21
  --json, --csv    instead of a table
  --follow         go on printing new ones as they arrive, oldest first
  --paste          stores the quote of a message that its sender handed over (WhatsApp, SMS, mail), read from
                   the standard input: paste it, then Ctrl+D. The phone may deliver it later; it is one quote
  --help           this page

aeropuente quotes answer <folio> --text "…" [--as <name>]
                   answers with a message: its phone shows the text; colleagues see the name
     … answer <folio> --text "…" --price 4.10 --for kilo|total --currency USD|MXN|CNY --until 2026-11-28
              [--kilos 1200] [--as <name>]
                   answers with an offer, which its sender can accept until that day; --kilos is the weight that it
                   is for (a month's where it is by the kilo, one shipment's otherwise) if not the quote's own
aeropuente quotes export <folio>    all that is stored of it, as JSON
aeropuente quotes block <folio>     hides it from everybody but this command
aeropuente quotes unblock <folio>   brings it back
aeropuente quotes purge <folio>     erases for good what is blocked, and all that was said about it

They come from hosted Supabase when VITE_SUPABASE_URL (or SUPABASE_URL) and
SUPABASE_SECRET_KEY are set, from a PostgreSQL of your own with DATABASE_URL,
otherwise from DATA_DIR (.data), whether AeroPuente is running or not. For a file without npm's own lines:
  aeropuente quotes --csv > quotes.csv
`,
});

const POLL_MS = 2000;
/** A row shows up when its transaction ends but is dated when it began. */
const OVERLAP_MS = 5 * 60 * 1000;

async function run(): Promise<void> {
  const words = process.argv.slice(2);
  const command = readCommand(words);
  const request = command ? undefined : readListing(words);
  if (!command && !request) return void process.stdout.write(HELP);
  const leads = await openLeads(...readCommandSettings());
  try {
    if (command) await command(leads);
    else if (!request) return;
    else if (request.paste) await paste(leads);
    else if (request.follow) await follow(leads, request);
    else await print(leads, request);
  } finally {
    await leads.close();
  }
}

async function print(leads: Leads, { format, folio, since }: Listing): Promise<void> {
  const found = await leads.list({ folio, since });
  if (format !== table) await leads.noteExport(found.length);
  if (found.length > 0 || format !== table) process.stdout.write(format.whole(found.toReversed()));
  else if (folio) throw new Error(await notFoundReason(leads, folio));
  else
    console.log(
      localize(
        since
          ? {
              es: `No hay cotizaciones desde ${since.toLocaleString()}.`,
              en: `No quote was stored since ${since.toLocaleString()}.`,
            }
          : { es: 'Aún no hay cotizaciones.', en: 'No quote is stored yet.' },
      ),
    );
}

async function notFoundReason(leads: Leads, folio: string): Promise<string> {
  const { blocked_at } = await leads.find(folio);
  return blocked_at
    ? localize({
        es: `${folio} está bloqueada desde ${inTijuana(blocked_at)} (Tijuana): desbloquéela para verla, o expórtela.`,
        en: `${folio} is blocked since ${inTijuana(blocked_at)} (Tijuana): unblock it to see it, or export it.`,
      })
    : localize({
        es: `${folio} existe, pero no de ese tiempo.`,
        en: `${folio} is there, but not within that time.`,
      });
}

/** Each lead once, also what phones bring back after a restore: its date may be of long ago. */
async function follow(leads: Leads, { format, folio, since }: Listing): Promise<void> {
  if (!leads.live)
    throw new Error(
      localize({
        es: 'No puede llegar nada mientras AeroPuente no esté en marcha.',
        en: 'Nothing can arrive while AeroPuente is not running. Start it, then follow.',
      }),
    );
  // It would go on for nobody.
  process.stdout.on('error', () => process.exit(0));
  const known = new Set<string>();
  let newest = 0;
  let lastChange = 0;
  let follows = false;
  const printNew = async () => {
    const broughtBack = await leads.list({
      folio,
      since: new Date(Math.max(0, lastChange - OVERLAP_MS)),
      recovered: true,
    });
    const found = await leads.list({ folio, since: new Date(Math.max(since?.getTime() ?? 0, newest - OVERLAP_MS)) });
    // Of what was brought back before, only that is printed which is not too old.
    const wanted = new Map([...(follows ? broughtBack : []), ...found].map((lead) => [lead.id, lead]));
    const rows = [...wanted.values()].filter(({ id }) => !known.has(id));
    if (format !== table && rows.length > 0) await leads.noteExport(rows.length);
    for (const lead of rows) process.stdout.write(format.line(lead));
    for (const { id } of [...rows, ...broughtBack]) known.add(id);
    for (const { created_at } of found) newest = Math.max(newest, Date.parse(created_at));
    for (const { updated_at } of broughtBack) lastChange = Math.max(lastChange, Date.parse(updated_at));
    follows = true;
  };

  process.stdout.write(format.heading);
  await printNew();
  for (let reachable = true; ;) {
    await wait(POLL_MS);
    const failure = await printNew().catch((error: unknown) => error as Error);
    if (failure && reachable) console.error(`${failure.message} Still trying.`);
    reachable = !failure;
  }
}

async function paste(leads: Leads): Promise<void> {
  const message = Buffer.concat(await process.stdin.toArray()).toString();
  const quote = readHandOff(message);
  if (!quote) {
    throw new Error(
      localize({
        es: 'No es un mensaje entero: debe traer la última línea, el código, y ninguna palabra cambiada (tampoco acentos). No se guardó nada. Pídalo otra vez.',
        en: 'This is no whole message of a quote: its last line, the code, must be there, and no word may be changed (accents too). Nothing was stored. Ask for it once more.',
      }),
    );
  }
  const isNew = await leads.add(quote);
  console.log(
    `${folioOf(quote.id)} ${localize(isNew ? { es: 'se guardó.', en: 'is stored.' } : { es: 'ya estaba.', en: 'was here already.' })}`,
  );
}

await runCommand(run);
