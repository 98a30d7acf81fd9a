import { setTimeout as wait } from 'node:timers/promises';
import { folioOf } from '../../src/lead/folio.ts';
import { readHandOff } from '../../src/content/hand-off.ts';
import { readCommandSettings } from './access.ts';
import { readImport } from './import-command.ts';
import { readCommand } from './lead-commands.ts';
import { inTijuana, table } from './lead-formats.ts';
import { openLeads, type Leads } from './leads.ts';
import { readListing, type Listing } from './listing.ts';
import { localize, OperatorError } from '../language.ts';
import type { Bilingual } from '../../src/content/bilingual.ts';
import { print, printBeside, printData, runCommand } from './command.ts';

const HELP = {
  es: `aeropuente quotes [folio] [opciones]

Muestra las cotizaciones guardadas, la más nueva primero: estado, responsable, y cuánto falta para la hora prometida o
hace cuánto venció. Las horas son de Tijuana. No incluye el tiempo que una cotización esperó en su teléfono.

  folio            sólo la de este folio, p. ej. AP-5D7E-JYAM, como sea que se escriba
  --since <desde>  sólo las más nuevas: 30m, 2h, 3d, o un día como 2026-11-21
  --json, --csv    en lugar de una tabla
  --follow         sigue mostrando las que llegan
  --paste          guarda la de un mensaje que su remitente entregó (WhatsApp, SMS, correo), leído de la entrada:
                   péguelo y Ctrl+D. El teléfono puede entregarla después; es una sola cotización
  --import <csv>   guarda los prospectos y contactos de un archivo, con su fecha y estado, sin plazo ni avisos. Bastan
                   nombre y teléfono; reconoce los encabezados en español, en inglés y los de --csv. El mismo archivo
                   dos veces no cambia nada
     --dry-run     sólo dice, fila por fila, qué pasaría
     --errors <csv>  escribe ahí las filas con error
     --column "nombre=Persona de contacto"   elige una columna; "status=" la deja fuera
  --help           esta página

aeropuente quotes answer <folio> --text "…" [--as <nombre>]
                   responde con un mensaje: el teléfono muestra el texto, los colegas ven el nombre
     … answer <folio> --text "…" --price 4.10 --for kilo|total --currency USD|MXN|CNY --until 2026-11-28
              [--kilos 1200] [--as <nombre>]
                   responde con una oferta, que se puede aceptar hasta ese día; --kilos es el peso al que se refiere
                   (de un mes si es por kilo, de un embarque si no), si no es el de la cotización
aeropuente quotes track <archivo>   guarda los pasos de embarques reservados de un CSV con las columnas folio o guia, paso,
                   hora (del lugar, como 2026-12-06 09:30, o UTC, como 2026-12-06T17:30Z), nota (motivo de "detenida") y
                   merma (% al entregar). Señala cada línea mala y guarda las demás; repetir el archivo no cambia nada
aeropuente quotes export <folio>    todo lo guardado de ella, en JSON
aeropuente quotes --one-record <folio>   su oferta aceptada como ONE Record de IATA (JSON-LD)
aeropuente quotes block <folio>     sólo esta orden la ve
aeropuente quotes unblock <folio>   la regresa
aeropuente quotes purge <folio>     borra para siempre una bloqueada, con sus respuestas, mensajes y archivos

Vienen de Supabase alojado si se ponen VITE_SUPABASE_URL (o SUPABASE_URL) y SUPABASE_SECRET_KEY, de un PostgreSQL propio
con DATABASE_URL, y si no de DATA_DIR, esté AeroPuente en marcha o no:
  aeropuente quotes --csv > cotizaciones.csv`,
  en: `aeropuente quotes [folio] [options]

Prints the stored quotes, newest first: status, owner, and how much time is left until the promised answer, or by how
much it is late. Times are Tijuana's. The time that a quote waited on its phone is not included.

  folio            only the quote with this folio, e.g. AP-5D7E-JYAM, in any spelling
  --since <when>   only newer ones: 30m, 2h, 3d, or a date such as 2026-11-21
  --json, --csv    instead of a table
  --follow         goes on printing new ones as they arrive, oldest first
  --paste          stores the quote of a message that its sender handed over (WhatsApp, SMS, mail), read from
                   the standard input: paste it, then Ctrl+D. The phone may deliver it later; it is one quote
  --import <csv>   stores the leads and contacts of a file, with their date and status, without deadline or alerts.
                   Name and phone are enough; recognises headings in Spanish, English and those of --csv. The same
                   file twice changes nothing
     --dry-run     only says, row by row, what would happen
     --errors <csv>  writes the rows with an error there
     --column "nombre=Contact person"   chooses a column; "status=" leaves it out
  --help           this page

aeropuente quotes answer <folio> --text "…" [--as <name>]
                   answers with a message: the phone shows the text, colleagues see the name
     … answer <folio> --text "…" --price 4.10 --for kilo|total --currency USD|MXN|CNY --until 2026-11-28
              [--kilos 1200] [--as <name>]
                   answers with an offer, which the customer can accept until that day; --kilos is the weight of
                   the offer (per month if the price is by the kilo, otherwise per shipment), by default the quote's
aeropuente quotes track <file>      stores the milestones of booked shipments from a CSV with the columns folio or guia,
                   paso, hora (of the place, as 2026-12-06 09:30, or UTC, as 2026-12-06T17:30Z), nota (reason of
                   "detenida") and merma (% at delivery). Names each bad line and stores the others; the same file
                   twice changes nothing
aeropuente quotes export <folio>    prints all its stored data as JSON
aeropuente quotes --one-record <folio>   prints its accepted offer as IATA's ONE Record (JSON-LD)
aeropuente quotes block <folio>     hides it from everybody but this command
aeropuente quotes unblock <folio>   brings it back
aeropuente quotes purge <folio>     erases a blocked quote for good, with its answers, messages and files

They come from hosted Supabase when VITE_SUPABASE_URL (or SUPABASE_URL) and
SUPABASE_SECRET_KEY are set, from a PostgreSQL of your own with DATABASE_URL,
otherwise from DATA_DIR (.data), whether AeroPuente is running or not:
  aeropuente quotes --csv > quotes.csv`,
};

const POLL_MS = 2000;
/**
 * Milliseconds by which two polls overlap. A row has the time at which its transaction began, but becomes visible only
 * when the transaction ends. A poll may therefore find rows that are older than those of the previous poll.
 */
const OVERLAP_MS = 5 * 60 * 1000;

async function run(): Promise<void> {
  const words = process.argv.slice(2);
  const command = readImport(words) ?? readCommand(words);
  const request = command ? undefined : readListing(words);
  if (!command && !request) return print(HELP);
  const leads = await openLeads(...readCommandSettings());
  try {
    if (command) await command(leads);
    else if (!request) return;
    else if (request.paste) await paste(leads);
    else if (request.follow) await follow(leads, request);
    else await list(leads, request);
  } finally {
    await leads.close();
  }
}

async function list(leads: Leads, { format, folio, since }: Listing): Promise<void> {
  const found = await leads.list({ folio, since });
  if (format !== table) await leads.noteExport(found.length);
  if (found.length > 0 || format !== table) process.stdout.write(format.whole(found.toReversed()));
  else if (folio) throw new OperatorError(await notFoundReason(leads, folio));
  else
    print(
      since
        ? {
            es: `No hay cotizaciones desde ${since.toLocaleString()}.`,
            en: `No quote was stored since ${since.toLocaleString()}.`,
          }
        : { es: 'Aún no hay cotizaciones.', en: 'No quote is stored yet.' },
    );
}

async function notFoundReason(leads: Leads, folio: string): Promise<Bilingual> {
  const { blocked_at } = await leads.find(folio);
  return blocked_at
    ? {
        es: `${folio} está bloqueada desde ${inTijuana(blocked_at)} (Tijuana): desbloquéela para verla, o expórtela.`,
        en: `${folio} has been blocked since ${inTijuana(blocked_at)} (Tijuana): unblock it to see it, or export it.`,
      }
    : {
        es: `${folio} existe, pero no es de ese periodo.`,
        en: `${folio} is stored, but not within that time.`,
      };
}

/**
 * Prints each new lead once. Quotes that phones send again after a restore count as new, even if they are dated long
 * ago.
 */
async function follow(leads: Leads, { format, folio, since }: Listing): Promise<void> {
  if (!leads.isLive)
    throw new OperatorError({
      es: 'Nada puede llegar mientras AeroPuente no esté en marcha. Arránquelo antes.',
      en: 'Nothing can arrive while AeroPuente is not running. Start it first.',
    });
  // If the program that reads the output ends, this command ends too.
  process.stdout.on('error', () => process.exit(0));
  const known = new Set<string>();
  let newest = 0;
  let lastChange = 0;
  let follows = false;
  const printNew = async () => {
    const recovered = await leads.list({
      folio,
      since: new Date(Math.max(0, lastChange - OVERLAP_MS)),
      recovered: true,
    });
    const found = await leads.list({ folio, since: new Date(Math.max(since?.getTime() ?? 0, newest - OVERLAP_MS)) });
    // The first round does not print recovered quotes, because they were recovered before this command began.
    const leadsById = new Map([...(follows ? recovered : []), ...found].map((lead) => [lead.id, lead]));
    const rows = [...leadsById.values()].filter(({ id }) => !known.has(id));
    if (format !== table && rows.length > 0) await leads.noteExport(rows.length);
    for (const lead of rows) process.stdout.write(format.line(lead));
    for (const { id } of [...rows, ...recovered]) known.add(id);
    for (const { created_at } of found) newest = Math.max(newest, Date.parse(created_at));
    for (const { updated_at } of recovered) lastChange = Math.max(lastChange, Date.parse(updated_at));
    follows = true;
  };

  process.stdout.write(format.heading);
  await printNew();
  for (let reachable = true; ;) {
    await wait(POLL_MS);
    const failure = await printNew().catch((error: unknown) => error as Error);
    if (failure && reachable)
      printBeside({ es: `${failure.message} Se sigue intentando.`, en: `${failure.message} Still trying.` });
    reachable = !failure;
  }
}

async function paste(leads: Leads): Promise<void> {
  const message = Buffer.concat(await process.stdin.toArray()).toString();
  const quote = readHandOff(message);
  if (!quote) {
    throw new OperatorError({
      es: 'El mensaje no está completo: necesita la última línea, con el código, y ninguna palabra cambiada (tampoco acentos). No se guardó nada. Pídalo otra vez.',
      en: 'The message is not complete: it needs its last line, with the code, and no word may be changed (accents too). Nothing was stored. Ask for it again.',
    });
  }
  const isNew = await leads.add(quote);
  printData(
    `${folioOf(quote.id)} ${localize(isNew ? { es: 'se guardó.', en: 'is stored.' } : { es: 'ya estaba guardada.', en: 'was stored already.' })}`,
  );
}

await runCommand(run);
