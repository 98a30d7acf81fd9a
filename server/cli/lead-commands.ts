import { isDay, isPrice, hasText, LONGEST } from '../../src/lead/bounds.ts';
import { isKilos } from '../../src/lead/fields.ts';
import { readFolio } from '../../src/lead/folio.ts';
import { CURRENCIES, PRICED_PER } from '../../src/lead/offer.ts';
import { isId } from '../../src/lead/quote.ts';
import { asJson, howAnswered, inTijuana } from './lead-formats.ts';
import type { Answer, Lead, Leads, Offer } from './leads.ts';
import { byPlace } from './personal-data.ts';
import { localize } from '../language.ts';
import { parseOptions, TEXT, UsageError } from './command.ts';

type Command = (leads: Leads) => Promise<void>;

const OFFER_OPTIONS = { price: TEXT, for: TEXT, currency: TEXT, until: TEXT, kilos: TEXT };
const ANSWER_OPTIONS = { text: TEXT, as: TEXT, ...OFFER_OPTIONS };
const LONGEST_OF = { text: LONGEST.answer, as: LONGEST.colleague };

/** The command for one lead; undefined where the words are none of its commands. */
export function readCommand([name = '', ...words]: readonly string[]): Command | undefined {
  if (name === 'answer') return readAnswer(words);
  const act = ACTS.get(name);
  if (!act) return undefined;
  const { which } = parse(name, words, {});
  return (leads) => act(leads, which);
}

const ACTS = new Map<string, (leads: Leads, which: string) => Promise<void>>([
  ['block', (leads, which) => block(leads, which, true)],
  ['unblock', (leads, which) => block(leads, which, false)],
  ['purge', purge],
  ['export', print],
]);

async function print(leads: Leads, which: string): Promise<void> {
  const lead = await leads.find(which);
  const tablas = byPlace(await leads.everythingOf(lead));
  process.stdout.write(asJson({ folio: lead.folio, exportado: new Date().toISOString(), tablas }));
}

async function block(leads: Leads, which: string, wanted: boolean): Promise<void> {
  const lead = await leads.find(which);
  if (wanted && lead.blocked_at)
    return console.log(
      localize({
        es: `${lead.folio} está bloqueada desde ${inTijuana(lead.blocked_at)} (Tijuana).`,
        en: `${lead.folio} is blocked since ${inTijuana(lead.blocked_at)} (Tijuana).`,
      }),
    );
  if (!wanted && !lead.blocked_at)
    return console.log(localize({ es: `${lead.folio} no está bloqueada.`, en: `${lead.folio} is not blocked.` }));
  await leads.block(lead, wanted);
  console.log(
    localize(
      wanted
        ? {
            es: `${lead.folio} está bloqueada: sólo la ve esta orden. "unblock" la regresa, "purge" la borra.`,
            en: `${lead.folio} is blocked: nobody sees it but this command. "unblock" brings it back, "purge" erases it.`,
          }
        : { es: `${lead.folio} ya no está bloqueada.`, en: `${lead.folio} is not blocked any more.` },
    ),
  );
}

/** What holds on a server that is not ours alone. */
const ELSEWHERE =
  'Nobody can ask for it any more. Its bytes leave the tables of PostgreSQL with "vacuum full", the log once its segments are used again, and standbys and dumps as their administrator lets them go.';

async function purge(leads: Leads, which: string): Promise<void> {
  const lead = await leads.find(which);
  await leads.erase(lead);
  console.log(
    localize({
      es: `${lead.folio} se borró, con todo lo que se dijo sobre ella. Quedan identificadores y códigos de lo ocurrido.`,
      en: `${lead.folio} is erased, with all that was said about it. Ids and codes of what happened stay.`,
    }),
  );
  if (!leads.ownsFiles) console.log(ELSEWHERE);
}

function readAnswer(words: string[]): Command {
  const { values, which } = parse('answer', words, ANSWER_OPTIONS);
  const { as } = values;
  const body = values.text?.trim() ?? '';
  if (!hasText(body))
    throw new UsageError(
      localize({
        es: 'answer necesita --text "…": lo que lee el cliente.',
        en: 'answer needs --text "…": what the customer reads.',
      }),
    );
  requireShort('text', body);
  const author = as && hasText(as) ? { author_name: requireShort('as', as.trim()) } : {};
  const offer = readOffer(values);
  return async (leads) => {
    const lead = await leads.find(which);
    const answer: Answer = offer ? { kind: 'oferta', ...offer, kilos: kilosOf(offer, lead) } : { kind: 'mensaje' };
    await leads.answer(lead, { ...answer, body, ...author });
    const kept = lead.open ? ` (${howAnswered(lead)})` : '';
    console.log(
      localize({
        es: `${lead.folio} está respondida${kept}. Su teléfono muestra la respuesta cuando vuelva a preguntar.`,
        en: `${lead.folio} is answered${kept}. Its phone shows the answer when it next asks.`,
      }),
    );
  };
}

type OfferRequest = Omit<Offer, 'kilos'> & Partial<Pick<Offer, 'kilos'>>;

/** An offer has all parts, as at the desk; an answer with none of them is a message. */
function readOffer(values: Partial<Record<keyof typeof OFFER_OPTIONS, string>>): OfferRequest | undefined {
  const { price, for: price_for, currency, until, kilos } = values;
  if ([price, price_for, currency, until, kilos].every((value) => value === undefined)) return undefined;
  if (price === undefined || price_for === undefined || currency === undefined || until === undefined)
    throw new UsageError(
      localize({
        es: 'Una oferta necesita --price, --for, --currency y --until; un mensaje, ninguno.',
        en: 'An offer needs --price, --for, --currency and --until; a message has none of them.',
      }),
    );
  if (!isPrice(price)) throw new UsageError(`--price takes a number such as 4.10, not "${price}".`);
  if (kilos !== undefined && !isKilos(kilos))
    throw new UsageError(`--kilos takes a whole number such as 1200, not "${kilos}".`);
  return {
    price,
    price_for: requireOneOf('for', PRICED_PER, price_for),
    currency: requireOneOf('currency', CURRENCIES, currency.toUpperCase()),
    valid_until: readDay(until),
    ...(kilos !== undefined && { kilos }),
  };
}

/** Weight of an offer: kilos a month, or of one shipment if the quote has a measured one. */
function kilosOf({ price_for, kilos }: OfferRequest, lead: Lead): string {
  const weight = kilos ?? String((price_for === 'kilo' ? lead.peso : lead.embarque) ?? '');
  if (!isKilos(weight))
    throw new Error(`${lead.folio} does not say its weight in whole kilos: nothing was stored. Add --kilos.`);
  return weight;
}

function requireOneOf<Word extends string>(option: string, words: readonly Word[], typed: string): Word {
  const word = words.find((each) => each === typed);
  if (!word)
    throw new UsageError(`--${option} takes ${words.join(', ').replace(/, (?=\w+$)/, ' or ')}, not "${typed}".`);
  return word;
}

function readDay(text: string): string {
  const today = inTijuana(new Date().toISOString()).slice(0, 10);
  if (!isDay(text) || text < today)
    throw new UsageError(`--until takes a day from today on, such as ${today}, not "${text}".`);
  return text;
}

function requireShort(option: keyof typeof LONGEST_OF, text: string): string {
  const length = Array.from(text).length;
  if (length > LONGEST_OF[option])
    throw new UsageError(`--${option} takes ${LONGEST_OF[option]} characters; this has ${length}.`);
  return text;
}

function parse<Options extends Record<string, typeof TEXT>>(name: string, args: string[], options: Options) {
  const { values, positionals } = parseOptions({ args, allowPositionals: true, options });
  const typed = positionals.join(' ');
  const which = isId(typed) ? typed : readFolio(typed);
  if (!typed)
    throw new UsageError(
      localize({
        es: `${name} necesita un folio, como AP-5D7E-JYAM.`,
        en: `${name} needs a folio, such as AP-5D7E-JYAM.`,
      }),
    );
  if (!which)
    throw new UsageError(
      localize({
        es: `"${typed}" no es un folio: falta una letra, o está equivocada o cambiada de lugar.`,
        en: `"${typed}" is not a folio: a character is missing, wrong or swapped.`,
      }),
    );
  return { values, which };
}
