import { isDay, isPrice, isSeen, LONGEST } from '../../src/lead/bounds.ts';
import { readFolio } from '../../src/lead/folio.ts';
import { CURRENCIES, PRICED_PER } from '../../src/lead/offer.ts';
import { isId } from '../../src/lead/quote.ts';
import { asJson, howAnswered, inTijuana } from './lead-formats.ts';
import type { Answer, Leads } from './leads.ts';
import { byPlace } from './people.ts';
import { parseWords, TEXT, WrongUse } from './words.ts';

type Command = (leads: Leads) => Promise<void>;

const ANSWER_OPTIONS = { text: TEXT, price: TEXT, for: TEXT, currency: TEXT, until: TEXT, as: TEXT };
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
    return console.log(`${lead.folio} is blocked since ${inTijuana(lead.blocked_at)} (Tijuana).`);
  if (!wanted && !lead.blocked_at) return console.log(`${lead.folio} is not blocked.`);
  await leads.block(lead, wanted);
  console.log(
    wanted
      ? `${lead.folio} is blocked: nobody sees it but this command. "unblock" brings it back, "purge" erases it.`
      : `${lead.folio} is not blocked any more.`,
  );
}

/** What holds on a server that is not ours alone. */
const ELSEWHERE =
  'Nobody can ask for it any more. Its bytes leave the tables of PostgreSQL with "vacuum full", the log once its segments are used again, and standbys and dumps as their administrator lets them go.';

async function purge(leads: Leads, which: string): Promise<void> {
  const lead = await leads.find(which);
  await leads.erase(lead);
  console.log(`${lead.folio} is erased, with all that was said about it. Ids and codes of what happened stay.`);
  if (!leads.ownsFiles) console.log(ELSEWHERE);
}

function readAnswer(words: string[]): Command {
  const { values, which } = parse('answer', words, ANSWER_OPTIONS);
  const { price, for: price_for, currency = '', until, as } = values;
  const body = values.text?.trim() ?? '';
  if (!isSeen(body)) throw new WrongUse('answer needs --text "…": what the customer reads.');
  requireShort('text', body);
  const answer: Answer = {
    body,
    ...(price !== undefined || price_for !== undefined || currency
      ? readPrice(price, price_for, currency.toUpperCase())
      : {}),
    ...(until === undefined ? {} : { valid_until: readDay(until) }),
    ...(as && isSeen(as) ? { author_name: requireShort('as', as.trim()) } : {}),
  };
  return async (leads) => {
    const lead = await leads.find(which);
    await leads.answer(lead, answer);
    const kept = lead.open && !lead.backlog ? ` (${howAnswered(lead)})` : '';
    console.log(`${lead.folio} is answered${kept}. Its phone shows the answer when it next asks.`);
  };
}

function readPrice(price: string | undefined, price_for: string | undefined, currency: string) {
  if (price === undefined || price_for === undefined || !currency)
    throw new WrongUse('Say all of --price, --for and --currency, or none of them.');
  if (!isPrice(price)) throw new WrongUse(`--price takes a number such as 4.10, not "${price}".`);
  requireOneOf('for', PRICED_PER, price_for);
  requireOneOf('currency', CURRENCIES, currency);
  return { price, price_for, currency };
}

function requireOneOf(option: string, words: readonly string[], typed: string): void {
  if (!words.includes(typed))
    throw new WrongUse(`--${option} takes ${words.join(', ').replace(/, (?=\w+$)/, ' or ')}, not "${typed}".`);
}

function readDay(text: string): string {
  const today = inTijuana(new Date().toISOString()).slice(0, 10);
  if (!isDay(text) || text < today)
    throw new WrongUse(`--until takes a day from today on, such as ${today}, not "${text}".`);
  return text;
}

function requireShort(option: keyof typeof LONGEST_OF, text: string): string {
  const length = Array.from(text).length;
  if (length > LONGEST_OF[option])
    throw new WrongUse(`--${option} takes ${LONGEST_OF[option]} characters; this has ${length}.`);
  return text;
}

function parse<Options extends Record<string, typeof TEXT>>(name: string, args: string[], options: Options) {
  const { values, positionals } = parseWords({ args, allowPositionals: true, options });
  const typed = positionals.join(' ');
  const which = isId(typed) ? typed : readFolio(typed);
  if (!typed) throw new WrongUse(`${name} needs a folio, such as AP-5D7E-JYAM.`);
  if (!which) throw new WrongUse(`"${typed}" is not a folio: a character is missing, wrong or swapped.`);
  return { values, which };
}
