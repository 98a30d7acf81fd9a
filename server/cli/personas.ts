import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fields } from '../../src/lead/fields.ts';
import { hasText } from '../../src/lead/bounds.ts';
import { writeAtomically } from '../database/durable-files.ts';
import { readCommandSettings, type Access } from './access.ts';
import { asJson, inTijuana } from './lead-formats.ts';
import { noteExport, openSales, ownsFiles } from './leads.ts';
import { asOperator, fileAt } from './operator.ts';
import {
  byPlace,
  personalDataIn,
  type Corrections,
  type PersonalData,
  type PersonQuote,
  type PersonRow,
} from './personal-data.ts';
import { OperatorError, localize } from '../language.ts';
import {
  FLAG,
  messageOf,
  parseOptions,
  print,
  printable,
  printBeside,
  printData,
  runCommand,
  TEXT,
  UsageError,
} from './command.ts';

const HELP = {
  es: `aeropuente personas <acción> <correo o teléfono> [opciones]

Lo que la ley permite a una persona pedir sobre sus datos. Abarca todo lo guardado: cada cotización de ese correo, o de
ese teléfono como sea que se escriba, con sus respuestas, mensajes, detalles, archivos, notas, avisos e historial, y los
mensajes por correo o WhatsApp que nadie asignó a una cotización. Para datos de un colega: aeropuente staff.

  find maria@berries.mx       sus cotizaciones, y cuántos registros hay en cada tabla
  export maria@berries.mx     todo, en JSON; --to <archivo> lo escribe ahí
  correct maria@berries.mx    --name, --company, --email, --phone: lo que debe decir en sus cotizaciones
  block maria@berries.mx      sólo las ven esta orden y "aeropuente quotes"
  erase maria@berries.mx      borra para siempre lo ya bloqueado; quedan identificadores y códigos de lo ocurrido
  consents                    quién aceptó promociones, cuándo, con qué aviso, y quién lo retiró cuándo

  --receipt <archivo>         escribe la constancia en un archivo, para responder a la persona (si no, la imprime)

Con VITE_SUPABASE_URL (o SUPABASE_URL) y SUPABASE_SECRET_KEY es Supabase alojado; con DATABASE_URL, un PostgreSQL
propio; si no, DATA_DIR, esté AeroPuente en marcha o no.`,
  en: `aeropuente personas <action> <e-mail or phone> [options]

Requests that the law grants to a person about their data. They cover everything that is stored: each quote of this
e-mail, or of this phone in any spelling, with its answers, replies, details, files, notes, alerts and history, and the
messages by e-mail or WhatsApp that nobody assigned to a quote. For data of a colleague: aeropuente staff.

  find maria@berries.mx       lists their quotes, and the number of rows in each table
  export maria@berries.mx     prints everything as JSON; --to <file> writes it there
  correct maria@berries.mx    --name, --company, --email, --phone: new values for their quotes
  block maria@berries.mx      only this command and "aeropuente quotes" see them from then on
  erase maria@berries.mx      erases blocked quotes for good; ids and codes of what happened stay
  consents                    lists who agreed to promotions, when, under which notice, and who withdrew when

  --receipt <file>            writes the receipt for the person into a file (default: prints it)

With VITE_SUPABASE_URL (or SUPABASE_URL) and SUPABASE_SECRET_KEY it speaks to hosted Supabase, with DATABASE_URL
to a PostgreSQL of your own, otherwise to DATA_DIR, whether AeroPuente is running or not.`,
};

const ACTIONS = ['find', 'export', 'correct', 'block', 'erase', 'consents'] as const;
type Action = (typeof ACTIONS)[number];

/** Names of the actions in a receipt, which is in Spanish, because the person shows it to a Mexican authority. */
const ACTS = {
  correct: 'Rectificación',
  block: 'Bloqueo',
  erase: 'Cancelación (supresión)',
  export: 'Acceso',
} as const;

/** Tables that retain ids, codes and times of erased quotes. */
const REMAINING = new Set(['public.quote_events', 'public.quote_link_closings', 'public.desk_acts']);

async function run(words: string[]): Promise<void> {
  const { values, positionals } = parse(words);
  if (values.help) return print(HELP);
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
    const messages = await people.messagesOf(person);
    if (quotes.length + messages.length === 0)
      throw new OperatorError({
        es: 'No hay nada guardado de este correo o teléfono.',
        en: 'Nothing is stored of this e-mail or phone.',
      });
    const rows = [...(await people.rowsOf(quotes.map(({ quote_id: id }) => id))), ...messages];
    if (action === 'find') return show(person, quotes, rows);
    await carryOut({
      action,
      person,
      quotes,
      messages,
      rows,
      people,
      access,
      corrections,
      to: values.to,
      receipt: values.receipt,
    });
  } finally {
    await access.close();
  }
}

interface PersonRequest {
  readonly action: keyof typeof ACTS;
  readonly person: string;
  readonly quotes: readonly PersonQuote[];
  /** Messages that nobody assigned to a quote. */
  readonly messages: readonly PersonRow[];
  readonly rows: readonly PersonRow[];
  readonly people: PersonalData;
  readonly access: Access;
  readonly corrections: Corrections;
  /** Paths of the files for the export (`to`) and for the receipt. */
  readonly to: string | undefined;
  readonly receipt: string | undefined;
}

async function carryOut(request: PersonRequest) {
  const { action, person, quotes, rows, people, access, corrections, to, receipt } = request;
  const messages = request.messages.flatMap(({ place, contents }) =>
    place === 'public.received_messages' ? [String(contents['id'])] : [],
  );
  const ids = quotes.map(({ quote_id: id }) => id);
  const handOver = (...results: string[]) => handOverReceipt(receiptOf(action, person, quotes, rows, results), receipt);
  switch (action) {
    case 'export': {
      const text = asJson({ persona: person, exportado: new Date().toISOString(), tablas: byPlace(rows) });
      await noteExport(access, quotes.length);
      if (to === undefined) process.stdout.write(text);
      else writeHere(to, text);
      // The data are on stdout if no file is given, so nothing else may be printed.
      if (to === undefined && receipt === undefined) return;
      return handOver(`Copia de todo lo guardado en el archivo entregado (${rows.length} registros).`);
    }
    case 'correct': {
      const unchanged = await people.correct(ids, corrections);
      const folios = quotes.flatMap(({ quote_id: id, folio }) => (unchanged.includes(id) ? folio : [])).join(', ');
      const exception = folios && `; no en ${folios}, que quedaría igual a otra del mismo día`;
      handOver(`Se corrigió: ${Object.keys(corrections).join(', ')}${exception}.`);
      if (folios)
        throw new OperatorError({
          es: `${folios} no se corrigió: quedaría igual a otra del mismo día.`,
          en: `${folios} was not corrected: it would equal another quote of the same day.`,
        });
      return;
    }
    case 'block':
      await people.block(ids);
      await people.discardMessages(messages);
      return handOver('El equipo de ventas ya no ve estos datos; no se usan para nada más.');
    case 'erase':
      return handOver(...(await erase(people, person, quotes, messages, ownsFiles(access))));
  }
}

async function erase(
  people: PersonalData,
  person: string,
  quotes: readonly PersonQuote[],
  messages: readonly string[],
  isOurs: boolean,
): Promise<string[]> {
  const open = quotes.filter(({ blocked_at }) => !blocked_at).map(({ folio }) => folio);
  if (open.length > 0)
    throw new OperatorError({
      es: `No se borró nada: la ley pide bloquear antes, y falta bloquear ${open.join(', ')}: aeropuente personas block …`,
      en: `Nothing was erased: the law asks to block first, and these are not blocked: ${open.join(', ')}. aeropuente personas block …`,
    });
  const ids = quotes.map(({ quote_id: id }) => id);
  await people.erase(ids);
  await people.eraseMessages(messages);
  const left = [...(await people.rowsOf(ids)), ...(await people.messagesOf(person))];
  const data = left.filter(({ place }) => !REMAINING.has(place));
  if (data.length > 0) {
    process.exitCode = 1;
    return [`QUEDAN DATOS: ${counted(data)}.`];
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

function show(person: string, quotes: readonly PersonQuote[], rows: readonly PersonRow[]): void {
  for (const { folio, created_at, empresa, blocked_at, promociones, promociones_retirada, aviso } of quotes)
    printData(
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
  print({
    es: `${quotes.length} cotizaciones; registros: ${counted(rows)}`,
    en: `${quotes.length} quotes; rows: ${counted(rows)}`,
  });
  const others = new Set(
    quotes.flatMap(({ email, telefono }) => [email ?? '', telefono]).filter((way) => !isSame(way, person)),
  );
  others.delete('');
  const ways = [...others].map(printable).join(', ');
  if (ways)
    print({
      es: `Estas cotizaciones traen otros datos de contacto. Busque también con ellos: ${ways}`,
      en: `These quotes have other contact data. Search with them too: ${ways}`,
    });
}

async function listConsents(people: PersonalData): Promise<void> {
  const consents = await people.consents();
  for (const { folio, email, nombre, given_at, withdrawn_at, aviso } of consents.toSorted((one, other) =>
    one.given_at.localeCompare(other.given_at),
  ))
    printData(
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
    print({
      es: 'Nadie ha aceptado promociones.',
      en: 'Nobody has agreed to promotions.',
    });
}

/**
 * Writes the receipt for the person, with folios. E-mail and phone are masked, because a receipt may be filed or
 * forwarded.
 */
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

const writeHere = (file: string, text: string) => asOperator(() => writeAtomically(fileAt(file), text));

function handOverReceipt(receipt: string, file: string | undefined): void {
  if (file === undefined) return void process.stdout.write(receipt);
  try {
    writeHere(file, receipt);
  } catch (error) {
    // If the receipt cannot be written to a file, it is printed: the action is done, and the data for another receipt
    // may be erased.
    process.stdout.write(receipt);
    const message = messageOf(error);
    throw new OperatorError(
      {
        es: `La acción se hizo, pero no se pudo escribir ${file} (${message}). La constancia está arriba.`,
        en: `The action was done, but ${file} could not be written (${message}). The receipt is above.`,
      },
      { cause: error },
    );
  }
  printBeside({
    es: `Hecho. La constancia está en ${file}.`,
    en: `Done. The receipt is in ${file}.`,
  });
}

function counted(rows: readonly PersonRow[]): string {
  const places = Object.entries(byPlace(rows)).map(
    ([place, rowsThere]) => `${place.replace(/^public\./, '')} ${rowsThere.length}`,
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
  throw new UsageError({
    es: 'Indique de quién: un correo como maria@berries.mx, o un teléfono de siete dígitos o más.',
    en: 'Name the person: an e-mail such as maria@berries.mx, or a phone of seven digits or more.',
  });
}

/** Checks the options --to and --receipt before anything is done. */
function requirePlaces(action: Action, { to, receipt }: ReturnType<typeof parse>['values']): void {
  if (to !== undefined && action !== 'export')
    throw new UsageError({
      es: '--to es sólo de "export".',
      en: '--to goes only with "export".',
    });
  if (receipt !== undefined && !(action in ACTS))
    throw new UsageError({
      es: `"${action}" no tiene constancia.`,
      en: `"${action}" has no receipt.`,
    });
  const files = [to, receipt].filter((file) => file !== undefined).map(fileAt);
  if (new Set(files).size < files.length)
    throw new UsageError({
      es: '--to y --receipt son el mismo archivo: no se hizo nada.',
      en: '--to and --receipt name the same file: nothing was done.',
    });
  for (const file of files) {
    if (asOperator(() => existsSync(file)))
      throw new UsageError({
        es: `${file} ya existe: no se hizo nada.`,
        en: `${file} exists already: nothing was done.`,
      });
    if (!asOperator(() => existsSync(path.dirname(file))))
      throw new UsageError({
        es: `No existe la carpeta ${path.dirname(file)}: no se hizo nada.`,
        en: `There is no folder ${path.dirname(file)}: nothing was done.`,
      });
  }
}

const COLUMNS = { name: 'nombre', company: 'empresa', email: 'email', phone: 'telefono' } as const;

function readCorrections(action: Action, values: ReturnType<typeof parse>['values']): Corrections {
  const names = (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).filter((name) => values[name] !== undefined);
  if (action !== 'correct') {
    if (names.length > 0)
      throw new UsageError({
        es: `--${names[0]} es sólo de "correct".`,
        en: `--${names[0]} goes only with "correct".`,
      });
    return {};
  }
  if (names.length === 0)
    throw new UsageError({
      es: 'Indique qué se corrige: --name, --company, --email, --phone.',
      en: 'Name the correction: --name, --company, --email, --phone.',
    });
  return Object.fromEntries(
    names.map((name) => {
      const text = values[name]!.trim();
      const column = COLUMNS[name];
      const isRight = hasText(text) && fields[column].guard?.test(text) !== false;
      if (!isRight)
        throw new UsageError({
          es: `--${name} no puede ser "${text}".`,
          en: `--${name} cannot be "${text}".`,
        });
      return [column, name === 'email' ? text.toLowerCase() : text];
    }),
  );
}

await runCommand(() => run(process.argv.slice(2)));
