import { englishWords, mainWords, type Bilingual } from '../../src/content/bilingual.ts';
import { OperatorError } from '../language.ts';
import { isDay, isPrice, hasText, LONGEST } from '../../src/lead/bounds.ts';
import { isKilos } from '../../src/lead/fields.ts';
import { readFolio } from '../../src/lead/folio.ts';
import { CURRENCIES, PRICED_PER } from '../../src/lead/offer.ts';
import { oneRecordOf } from '../../src/lead/one-record.ts';
import { isId } from '../../src/lead/quote.ts';
import { asJson, howAnswered, inTijuana } from './lead-formats.ts';
import type { AnswerKind, Lead, Leads, Offer } from './leads.ts';
import { byPlace } from './personal-data.ts';
import { parseOptions, print, TEXT, UsageError } from './command.ts';
import { trackFile } from './track-command.ts';

type Command = (leads: Leads) => Promise<void>;

const OFFER_OPTIONS = { price: TEXT, for: TEXT, currency: TEXT, until: TEXT, kilos: TEXT };
const ANSWER_OPTIONS = { text: TEXT, as: TEXT, ...OFFER_OPTIONS };
const LONGEST_OF = { text: LONGEST.answer, as: LONGEST.colleague };

/** Reads a command for a single lead. Returns undefined if the first argument is not one of these commands. */
export function readCommand([name = '', ...words]: readonly string[]): Command | undefined {
  if (name === 'answer') return readAnswer(words);
  if (name === 'track') return readTrack(words);
  const act = ACTS.get(name);
  if (!act) return undefined;
  const { which } = parse(name, words, {});
  return (leads) => act(leads, which);
}

const ACTS = new Map<string, (leads: Leads, which: string) => Promise<void>>([
  ['block', (leads, which) => block(leads, which, true)],
  ['unblock', (leads, which) => block(leads, which, false)],
  ['purge', purge],
  ['export', exportLead],
  ['--one-record', printOneRecord],
]);

function readTrack(args: string[]): Command {
  const { positionals } = parseOptions({ args, allowPositionals: true, options: {} });
  const [file, extra] = positionals;
  if (!file || extra)
    throw new UsageError({
      es: 'track necesita un archivo CSV, como pasos.csv, o - para leer la entrada.',
      en: 'track needs a CSV file, such as pasos.csv, or - for the standard input.',
    });
  return (leads) => trackFile(leads, file);
}

async function exportLead(leads: Leads, which: string): Promise<void> {
  const lead = await leads.find(which);
  const tablas = byPlace(await leads.everythingOf(lead));
  process.stdout.write(asJson({ folio: lead.folio, exportado: new Date().toISOString(), tablas }));
}

async function printOneRecord(leads: Leads, which: string): Promise<void> {
  const lead = await leads.find(which);
  const offer = await leads.acceptedOffer(lead);
  if (!offer)
    throw new OperatorError({
      es: `${lead.folio} no tiene una oferta aceptada.`,
      en: `${lead.folio} has no accepted offer.`,
    });
  await leads.noteExport(1);
  process.stdout.write(asJson(oneRecordOf(offer)));
}

async function block(leads: Leads, which: string, blocks: boolean): Promise<void> {
  const lead = await leads.find(which);
  if (blocks && lead.blocked_at)
    return print({
      es: `${lead.folio} está bloqueada desde ${inTijuana(lead.blocked_at)} (Tijuana).`,
      en: `${lead.folio} has been blocked since ${inTijuana(lead.blocked_at)} (Tijuana).`,
    });
  if (!blocks && !lead.blocked_at)
    return print({ es: `${lead.folio} no está bloqueada.`, en: `${lead.folio} is not blocked.` });
  await leads.block(lead, blocks);
  print(
    blocks
      ? {
          es: `${lead.folio} quedó bloqueada: sólo esta orden la ve. "unblock" la desbloquea; "purge" la borra.`,
          en: `${lead.folio} is blocked now: only this command sees it. "unblock" brings it back, "purge" erases it.`,
        }
      : { es: `${lead.folio} ya no está bloqueada.`, en: `${lead.folio} is not blocked any more.` },
  );
}

/** Note for data in the operator's own PostgreSQL server, whose files AeroPuente cannot clean. */
const TRACES_ELSEWHERE = {
  es: 'Ya nadie puede leerla. Para que no quede en los archivos de PostgreSQL, su administrador debe hacer "vacuum full" y eliminar bitácoras, réplicas y respaldos anteriores.',
  en: 'Nobody can read it any more. To remove it from the files of PostgreSQL, its administrator has to run "vacuum full" and delete older logs, standbys and dumps.',
};

async function purge(leads: Leads, which: string): Promise<void> {
  const lead = await leads.find(which);
  await leads.erase(lead);
  print({
    es: `${lead.folio} se borró, con sus respuestas, mensajes y archivos. Quedan identificadores y códigos de lo ocurrido.`,
    en: `${lead.folio} is erased, with its answers, messages and files. Ids and codes of what happened stay.`,
  });
  if (!leads.ownsFiles) print(TRACES_ELSEWHERE);
}

function readAnswer(words: string[]): Command {
  const { values, which } = parse('answer', words, ANSWER_OPTIONS);
  const { as } = values;
  const body = values.text?.trim() ?? '';
  if (!hasText(body))
    throw new UsageError({
      es: 'answer necesita --text "…": el texto que lee el cliente.',
      en: 'answer needs --text "…": the text that the customer reads.',
    });
  requireShort('text', body);
  const author = as && hasText(as) ? { author_name: requireShort('as', as.trim()) } : {};
  const offer = readOffer(values);
  return async (leads) => {
    const lead = await leads.find(which);
    const answer: AnswerKind = offer ? { kind: 'oferta', ...offer, kilos: kilosOf(offer, lead) } : { kind: 'mensaje' };
    await leads.answer(lead, { ...answer, body, ...author });
    const promise = lead.open ? ` (${howAnswered(lead)})` : '';
    print({
      es: `${lead.folio} está respondida${promise}. El teléfono del cliente la mostrará en cuanto consulte.`,
      en: `${lead.folio} is answered${promise}. The customer's phone shows the answer when it next asks.`,
    });
  };
}

type OfferRequest = Omit<Offer, 'kilos'> & Partial<Pick<Offer, 'kilos'>>;

/**
 * Reads the options of an offer. Without any of them the answer is a plain message, and the result is undefined. Throws
 * if a required option is missing.
 */
function readOffer(values: Partial<Record<keyof typeof OFFER_OPTIONS, string>>): OfferRequest | undefined {
  const { price, for: price_for, currency, until, kilos } = values;
  if ([price, price_for, currency, until, kilos].every((value) => value === undefined)) return undefined;
  if (price === undefined || price_for === undefined || currency === undefined || until === undefined)
    throw new UsageError({
      es: 'Una oferta necesita --price, --for, --currency y --until; un mensaje, ninguno.',
      en: 'An offer needs --price, --for, --currency and --until; a message has none of them.',
    });
  if (!isPrice(price)) throw wrongValue('price', { es: 'un número como 4.10', en: 'a number such as 4.10' }, price);
  if (kilos !== undefined && !isKilos(kilos))
    throw wrongValue('kilos', { es: 'un número entero como 1200', en: 'a whole number such as 1200' }, kilos);
  return {
    price,
    price_for: requireOneOf('for', PRICED_PER, price_for),
    currency: requireOneOf('currency', CURRENCIES, currency.toUpperCase()),
    valid_until: readDay(until),
    ...(kilos !== undefined && { kilos }),
  };
}

/**
 * Returns the kilos of an offer: those of --kilos or, without this option, those of the quote. A price by the kilo
 * needs the quote's kilos a month, any other price the kilos of one shipment.
 */
function kilosOf({ price_for, kilos }: OfferRequest, lead: Lead): string {
  const weight = kilos ?? String((price_for === 'kilo' ? lead.peso : lead.embarque) ?? '');
  if (!isKilos(weight))
    throw new OperatorError({
      es: `${lead.folio} no dice los kilos ${price_for === 'kilo' ? 'al mes' : 'de un embarque'} y no se guardó nada: agregue --kilos.`,
      en: `${lead.folio} does not say the kilos of ${price_for === 'kilo' ? 'a month' : 'one shipment'} and nothing was stored: add --kilos.`,
    });
  return weight;
}

const wrongValue = (option: string, rule: Bilingual, value: string) =>
  new UsageError({
    es: `--${option} acepta ${mainWords(rule)}, no "${value}".`,
    en: `--${option} takes ${englishWords(rule)}, not "${value}".`,
  });

const listOf = (locale: string, words: readonly string[]) =>
  new Intl.ListFormat(locale, { type: 'disjunction' }).format(words);

function requireOneOf<Word extends string>(option: string, words: readonly Word[], typed: string): Word {
  const word = words.find((each) => each === typed);
  if (!word) throw wrongValue(option, { es: listOf('es', words), en: listOf('en-GB', words) }, typed);
  return word;
}

function readDay(text: string): string {
  const today = inTijuana(new Date().toISOString()).slice(0, 10);
  if (!isDay(text) || text < today)
    throw wrongValue(
      'until',
      { es: `un día desde hoy, como ${today}`, en: `a day from today on, such as ${today}` },
      text,
    );
  return text;
}

function requireShort(option: keyof typeof LONGEST_OF, text: string): string {
  const length = Array.from(text).length;
  if (length > LONGEST_OF[option])
    throw new UsageError({
      es: `--${option} acepta ${LONGEST_OF[option]} letras; éste tiene ${length}.`,
      en: `--${option} takes ${LONGEST_OF[option]} characters; this has ${length}.`,
    });
  return text;
}

function parse<Options extends Record<string, typeof TEXT>>(name: string, args: string[], options: Options) {
  const { values, positionals } = parseOptions({ args, allowPositionals: true, options });
  const typed = positionals.join(' ');
  const which = isId(typed) ? typed : readFolio(typed);
  if (!typed)
    throw new UsageError({
      es: `${name} necesita un folio, como AP-5D7E-JYAM.`,
      en: `${name} needs a folio, such as AP-5D7E-JYAM.`,
    });
  if (!which)
    throw new UsageError({
      es: `"${typed}" no es un folio: le falta una letra, o hay una equivocada o cambiada de lugar.`,
      en: `"${typed}" is not a folio: a character is missing, wrong or swapped.`,
    });
  return { values, which };
}
