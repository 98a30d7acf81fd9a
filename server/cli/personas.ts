import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fields } from '../../src/lead/fields.ts';
import { hasText } from '../../src/lead/bounds.ts';
import { writeWhole } from '../database/durable-files.ts';
import { readCommandSettings } from './access.ts';
import { asJson, inTijuana } from './lead-formats.ts';
import { noteExport, openSales, ownsFiles } from './leads.ts';
import { asOperator, fileAt } from './operator.ts';
import {
  byPlace,
  personalDataIn,
  type Corrections,
  type People,
  type PersonQuote,
  type PersonRow,
} from './personal-data.ts';
import { localize } from '../language.ts';
import { FLAG, parseOptions, printable, runCommand, TEXT, UsageError } from './command.ts';

const HELP = localize({
  es: `aeropuente personas <acción> <correo o teléfono> [opciones]

Lo que la ley deja pedir a una persona sobre sus datos, en todo lo guardado: cada cotización de ese correo, o de ese
teléfono como sea que se escriba, con sus respuestas, mensajes, detalles, archivos, notas, avisos y huellas. De un
colega: aeropuente staff.

  find maria@berries.mx       cuáles cotizaciones son suyas, y cuántos registros hay en cada tabla
  export maria@berries.mx     todo, en JSON; --to <archivo> lo escribe ahí
  correct maria@berries.mx    --name, --company, --email, --phone: lo que debe decir en sus cotizaciones
  block maria@berries.mx      nadie las ve más que esta orden y "aeropuente quotes"
  erase maria@berries.mx      para siempre, lo que antes se bloqueó; quedan identificadores y códigos de lo ocurrido
  consents                    quién aceptó promociones, cuándo, con qué aviso, y quién lo retiró cuándo

  --receipt <archivo>         escribe la constancia en un archivo, para responder a la persona (si no, la imprime)

Con VITE_SUPABASE_URL (o SUPABASE_URL) y SUPABASE_SECRET_KEY es Supabase alojado; con DATABASE_URL, un PostgreSQL
propio; si no, DATA_DIR, esté AeroPuente en marcha o no.
`,
  en: `aeropuente personas <action> <e-mail or phone> [options]

What the law lets a person ask of whoever stores their data, over everything that is stored: each quote of this e-mail,
or of this phone however it is written, with its answers, replies, details, files, notes, alerts and trail. Of a
colleague: aeropuente staff.

  find maria@berries.mx       which quotes are theirs, and how many rows there are of them, in which table
  export maria@berries.mx     all of it as JSON; --to <file> writes it there
  correct maria@berries.mx    --name, --company, --email, --phone: what is to stand in their quotes instead
  block maria@berries.mx      nobody sees them any more but this command and "aeropuente quotes"
  erase maria@berries.mx      for good, of what was blocked before; ids and codes of what happened stay
  consents                    who agreed to promotions, when, under which notice, and who withdrew it when

  --receipt <file>            writes what was done into a file, for the answer to the person (else it is printed)

With VITE_SUPABASE_URL (or SUPABASE_URL) and SUPABASE_SECRET_KEY it speaks to hosted Supabase, with DATABASE_URL
to a PostgreSQL of your own, otherwise to DATA_DIR, whether AeroPuente is running or not.
`,
});

const ACTIONS = ['find', 'export', 'correct', 'block', 'erase', 'consents'] as const;
type Action = (typeof ACTIONS)[number];

/** As they stand in the receipt, which is for the person. */
const ACTS = {
  correct: 'Rectificación',
  block: 'Bloqueo',
  erase: 'Cancelación (supresión)',
  export: 'Acceso',
} as const;

/** What stays of an erased quote: ids, codes and times. */
const STAYS = new Set(['public.quote_events', 'public.quote_link_closings', 'public.desk_acts']);

async function run(words: string[]): Promise<void> {
  const { values, positionals } = parse(words);
  if (values.help) return void process.stdout.write(HELP);
  const [word, ...typed] = positionals;
  const action = ACTIONS.find((each) => each === word);
  if (!action) throw new UsageError(HELP);
  const person = action === 'consents' ? '' : readPerson(typed.join(' '));
  const corrections = readCorrections(action, values);
  requirePlaces(action, values);
  const access = await openSales(...readCommandSettings());
  try {
    const people = personalDataIn(access.client);
    if (action === 'consents') return await listConsents(people);
    const quotes = await people.quotesOf(person);
    if (quotes.length === 0)
      throw new Error(
        localize({
          es: 'No hay nada guardado de este correo o teléfono.',
          en: 'Nothing is stored of this e-mail or phone.',
        }),
      );
    const ids = quotes.map(({ quote_id: id }) => id);
    const rows = await people.rowsOf(ids);
    const hand = (act: keyof typeof ACTS, results: readonly string[]) =>
      handOver(receiptOf(act, person, quotes, rows, results), values.receipt);
    switch (action) {
      case 'find':
        return tell(person, quotes, rows);
      case 'export': {
        const text = asJson({ persona: person, exportado: new Date().toISOString(), tablas: byPlace(rows) });
        await noteExport(access, quotes.length);
        if (values.to === undefined) process.stdout.write(text);
        else writeHere(values.to, text);
        // On the same way as the data it would be a part of them.
        if (values.to === undefined && values.receipt === undefined) return;
        return hand('export', [`Copia de todo lo guardado en el archivo entregado (${rows.length} registros).`]);
      }
      case 'correct': {
        const left = await people.correct(ids, corrections);
        const folios = quotes.flatMap(({ quote_id: id, folio }) => (left.includes(id) ? folio : [])).join(', ');
        const but = folios && `; no en ${folios}, que quedaría igual a otra del mismo día`;
        hand('correct', [`Se corrigió: ${Object.keys(corrections).join(', ')}${but}.`]);
        if (folios)
          throw new Error(
            localize({
              es: `${folios} no se corrigió: quedaría igual a otra del mismo día.`,
              en: `${folios} was not corrected: another quote of the same day would be the same.`,
            }),
          );
        return;
      }
      case 'block':
        await people.block(ids);
        return hand('block', ['Nadie de ventas ve ya estos datos; no se usan para nada más.']);
      case 'erase':
        return hand('erase', await erase(people, quotes, ownsFiles(access)));
    }
  } finally {
    await access.close();
  }
}

async function erase(people: People, quotes: readonly PersonQuote[], isOurs: boolean): Promise<string[]> {
  const open = quotes.filter(({ blocked_at }) => !blocked_at).map(({ folio }) => folio);
  if (open.length > 0)
    throw new Error(
      localize({
        es: `No se borró nada: la ley pide bloquear antes, y falta en ${open.join(', ')}. aeropuente personas block …`,
        en: `Nothing was erased: the law has it blocked first, and ${open.join(', ')} ${open.length > 1 ? 'are' : 'is'} not. aeropuente personas block …`,
      }),
    );
  const ids = quotes.map(({ quote_id: id }) => id);
  await people.erase(ids);
  const left = await people.rowsOf(ids);
  const stays = left.filter(({ place }) => !STAYS.has(place));
  if (stays.length > 0) {
    process.exitCode = 1;
    return [`QUEDAN DATOS: ${counted(stays)}.`];
  }
  return [
    `Se suprimió todo. Quedan identificadores y códigos de lo que ocurrió, sin datos de nadie (${counted(left)}).`,
    isOurs
      ? 'Nada queda en los archivos de la base; los respaldos anteriores se eliminan en su plazo (doce meses como máximo).'
      : 'La base es de un servidor aparte: sus páginas, su bitácora y sus respaldos los depura su administrador.',
  ];
}

const noticeOf = (aviso: string | null) =>
  `${localize({ es: 'aviso', en: 'notice' })} ${aviso ?? localize({ es: 'desconocido', en: 'unknown' })}`;

function tell(person: string, quotes: readonly PersonQuote[], rows: readonly PersonRow[]): void {
  for (const { folio, created_at, empresa, blocked_at, promociones, promociones_retirada, aviso } of quotes)
    console.log(
      [
        folio,
        inTijuana(created_at),
        empresa ?? '-',
        noticeOf(aviso),
        promociones && localize({ es: 'promociones', en: 'promotions' }),
        promociones_retirada &&
          `${localize({ es: 'promociones retiradas', en: 'promotions withdrawn' })} ${inTijuana(promociones_retirada)}`,
        blocked_at && `${localize({ es: 'bloqueada', en: 'blocked' })} ${inTijuana(blocked_at)}`,
      ]
        .filter(Boolean)
        .map((word) => printable(String(word)))
        .join('  '),
    );
  console.log(
    localize({
      es: `${quotes.length} cotizaciones; registros: ${counted(rows)}`,
      en: `${quotes.length} quotes; rows: ${counted(rows)}`,
    }),
  );
  const others = new Set(
    quotes.flatMap(({ email, telefono }) => [email ?? '', telefono]).filter((way) => !isSame(way, person)),
  );
  others.delete('');
  const ways = [...others].map(printable).join(', ');
  if (ways)
    console.log(
      localize({
        es: `También dieron otros datos. Vea si hay más de la misma persona: ${ways}`,
        en: `They name other ways too. Look whether more is theirs: ${ways}`,
      }),
    );
}

async function listConsents(people: People): Promise<void> {
  const consents = await people.consents();
  for (const { folio, email, nombre, given_at, withdrawn_at, aviso } of consents.toSorted((one, other) =>
    one.given_at.localeCompare(other.given_at),
  ))
    console.log(
      [
        folio,
        email ?? '-',
        nombre,
        `${localize({ es: 'aceptó', en: 'given' })} ${inTijuana(given_at)}`,
        noticeOf(aviso),
      ]
        .concat(withdrawn_at ? [`${localize({ es: 'RETIRÓ', en: 'WITHDRAWN' })} ${inTijuana(withdrawn_at)}`] : [])
        .map(printable)
        .join('  '),
    );
  if (consents.length === 0)
    console.log(
      localize({
        es: 'Nadie ha aceptado promociones.',
        en: 'Nobody has agreed to promotions.',
      }),
    );
}

/** For whoever asked: what was done, of which folios. Of their data no more than lets them know themselves. */
function receiptOf(
  act: keyof typeof ACTS,
  person: string,
  quotes: readonly PersonQuote[],
  rows: readonly PersonRow[],
  results: readonly string[],
): string {
  const notices = [...new Set(quotes.map(({ aviso }) => aviso ?? 'anterior a las versiones'))];
  return `${[
    `CONSTANCIA ${randomUUID().slice(0, 8)}`,
    `Acto: ${ACTS[act]}`,
    `Fecha: ${inTijuana(new Date().toISOString())} (Tijuana)`,
    `A petición de: ${masked(person)}`,
    `Cotizaciones: ${quotes.map(({ folio }) => folio).join(', ')}`,
    `Avisos de privacidad con que se recibieron: ${notices.join(', ')}`,
    `Registros: ${counted(rows)}`,
    ...results,
  ].join('\n')}\n`;
}

/** A file of whoever gave the command, where it was given. */
const writeHere = (file: string, text: string) => asOperator(() => writeWhole(fileAt(file), text));

function handOver(receipt: string, file: string | undefined): void {
  if (file === undefined) return void process.stdout.write(receipt);
  try {
    writeHere(file, receipt);
  } catch (error) {
    // What it is for was done, and of somebody who was erased there is no other.
    process.stdout.write(receipt);
    const { message } = error as Error;
    throw new Error(
      localize({
        es: `Está hecho, y ésta es la constancia: no se pudo escribir ${file} (${message}).`,
        en: `It was done, and this is the receipt: ${file} could not be written (${message}).`,
      }),
      { cause: error },
    );
  }
  // Data that are printed stay alone.
  console.error(
    localize({
      es: `Hecho. La constancia está en ${file}.`,
      en: `Done. The receipt is in ${file}.`,
    }),
  );
}

function counted(rows: readonly PersonRow[]): string {
  const places = Object.entries(byPlace(rows)).map(
    ([place, kept]) => `${place.replace(/^public\./, '')} ${kept.length}`,
  );
  return places.join(', ') || 'ninguno';
}

function masked(person: string): string {
  if (!person.includes('@')) return `•••${person.replaceAll(/\D/g, '').slice(-2)}`;
  const [name = '', domain = ''] = person.split('@');
  return `${name.slice(0, 1)}•••@${domain.slice(0, 1)}•••${domain.slice(domain.lastIndexOf('.'))}`;
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, '').slice(-10);

function isSame(way: string, person: string): boolean {
  return person.includes('@') ? way.toLowerCase() === person : !way.includes('@') && digitsOf(way) === digitsOf(person);
}

const parse = (args: string[]) =>
  parseOptions({
    args,
    allowPositionals: true,
    options: {
      name: TEXT,
      company: TEXT,
      email: TEXT,
      phone: TEXT,
      to: TEXT,
      receipt: TEXT,
      help: FLAG,
    },
  });

function readPerson(typed: string): string {
  const person = typed.trim().toLowerCase();
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(person)) return person;
  if (/^[\d\s().+-]+$/.test(person) && person.replaceAll(/\D/g, '').length >= 7) return person;
  throw new UsageError(
    localize({
      es: 'Diga de quién: un correo como maria@berries.mx, o un teléfono de siete dígitos o más.',
      en: 'Say whose data: an e-mail such as maria@berries.mx, or a phone of seven digits or more.',
    }),
  );
}

/** Before anything is done: each file where it can be written, and to be written by this action. */
function requirePlaces(action: Action, { to, receipt }: ReturnType<typeof parse>['values']): void {
  if (to !== undefined && action !== 'export')
    throw new UsageError(
      localize({
        es: '--to es sólo de "export".',
        en: '--to goes with "export" alone.',
      }),
    );
  if (receipt !== undefined && !(action in ACTS))
    throw new UsageError(
      localize({
        es: `De "${action}" no hay constancia.`,
        en: `Of "${action}" there is no receipt.`,
      }),
    );
  const files = [to, receipt].filter((file) => file !== undefined).map(fileAt);
  if (new Set(files).size < files.length)
    throw new UsageError(
      localize({
        es: '--to y --receipt son el mismo archivo: no se hizo nada.',
        en: '--to and --receipt are one file: nothing was done.',
      }),
    );
  for (const file of files) {
    if (asOperator(() => existsSync(file)))
      throw new UsageError(
        localize({
          es: `${file} ya existe: no se hizo nada.`,
          en: `${file} is there already: nothing was done.`,
        }),
      );
    if (!asOperator(() => existsSync(path.dirname(file))))
      throw new UsageError(
        localize({
          es: `No existe la carpeta ${path.dirname(file)}: no se hizo nada.`,
          en: `There is no folder ${path.dirname(file)}: nothing was done.`,
        }),
      );
  }
}

const COLUMNS = { name: 'nombre', company: 'empresa', email: 'email', phone: 'telefono' } as const;

function readCorrections(action: Action, values: ReturnType<typeof parse>['values']): Corrections {
  const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
  const given = names.filter((name) => values[name] !== undefined);
  if (action !== 'correct') {
    if (given.length > 0)
      throw new UsageError(
        localize({
          es: `--${given[0]} es sólo de "correct".`,
          en: `--${given[0]} goes with "correct" alone.`,
        }),
      );
    return {};
  }
  if (given.length === 0)
    throw new UsageError(
      localize({
        es: 'Diga qué se corrige: --name, --company, --email, --phone.',
        en: 'Say what is to be corrected: --name, --company, --email, --phone.',
      }),
    );
  return Object.fromEntries(
    given.map((name) => {
      const text = values[name]!.trim();
      const column = COLUMNS[name];
      const isRight = hasText(text) && fields[column].guard?.test(text) !== false;
      if (!isRight)
        throw new UsageError(
          localize({
            es: `--${name} no puede ser "${text}".`,
            en: `--${name} cannot be "${text}".`,
          }),
        );
      return [column, name === 'email' ? text.toLowerCase() : text];
    }),
  );
}

await runCommand(() => run(process.argv.slice(2)));
