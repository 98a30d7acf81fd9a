import { LINK_ADDRESS } from '../../src/agreements.ts';
import { englishWords, mainWords, type Bilingual } from '../../src/content/bilingual.ts';
import { answers } from '../../src/content/answers.ts';
import { customerMail as words, replyMarker } from '../../src/content/customer-mail.ts';
import { lineInWords, pesosInWords } from '../../src/content/charge-words.ts';
import { dayInWords } from '../../src/content/dates.ts';
import { joined } from '../../src/content/sentences.ts';
import { moneyInWords, priceInWords } from '../../src/content/prices.ts';
import { moreOf, shipmentWords, timeAtPlace } from '../../src/content/shipment.ts';
import { answerFromRow, type Answer } from '../../src/lead/answer.ts';
import { placeOf, readShipment, type Shipment } from '../../src/lead/shipment.ts';
import { waybillInWords } from '../../src/lead/waybill.ts';
import { readOfferFacts } from '../../src/lead/offer-lines.ts';
import type { Price } from '../../src/lead/offer.ts';
import { mailTag, taggedAddress } from '../../src/lead/mail-tag.ts';
import { linkCode } from '../../src/lead/quote-link.ts';
import { escapeHtml } from '../escape-html.ts';
import type { Mailer } from './mail.ts';
import type { Messenger, AlertMessage } from './message.ts';

export interface MailSender {
  /** Name of the company, as the sender of the mail. */
  readonly name: string;
  readonly address: string;
  /**
   * `readsReplies`: the server reads the customers' replies. `hasTags`: replies go to an address with a tag that names
   * the quote.
   */
  readonly readsReplies?: boolean;
  readonly hasTags?: boolean;
}

/** Mails a customer an offer, a question, a message, or the outcome of an offer. */
export const customerMail =
  (send: Mailer, { name, address, readsReplies, hasTags }: MailSender, site: () => string): Messenger =>
  async (message, now) => {
    const { customer, folio, quote_id, message_id } = message;
    const answer = answerFromRow(customer?.answer);
    if (!customer || !answer) return { kind: 'failed', why: 'the answer cannot be read' };
    const link = new URL(`/${LINK_ADDRESS}${await linkCode(quote_id, customer.closing ?? undefined)}`, site()).href;
    const closing = [words.isKey, words.stop].map((text): Part => ({ text, look: 'small' }));
    const marker: readonly Part[] = readsReplies ? [{ text: replyMarker, look: 'small' }] : [];
    const parts = [...marker, ...partsOf(message, answer, link, now, { next: words.next, closing })];
    const host = address.slice(address.indexOf('@') + 1);
    return send({
      from: { name, address },
      to: { name: customer.nombre, address: customer.email },
      ...(hasTags && { replyTo: { name, address: taggedAddress(address, await mailTag(quote_id)) } }),
      // Mail programs show mails with the same subject and `references` as one conversation.
      subject: mainWords(words.subject(folio, name)),
      messageId: `<${message_id}@${host}>`,
      references: `<${folio}@${host}>`,
      inReplyTo: `<${folio}@${host}>`,
      text: textOf(parts),
      html: htmlOf(parts),
    });
  };

export type Part = { readonly text: Bilingual; readonly look?: 'price' | 'body' | 'link' | 'small' };

interface Ending {
  /** Sentence above the link: what the customer can do on the linked page. */
  readonly next: Readonly<Record<'oferta' | 'pregunta' | 'other', Bilingual>>;
  readonly closing: readonly Part[];
}

/** Returns the paragraphs of a message to a customer. Only `ending` differs between mail and WhatsApp. */
export function partsOf(
  { customer, folio, kind }: AlertMessage,
  answer: Answer,
  link: string,
  now: number,
  ending: Ending,
): readonly Part[] {
  const { state, price, kilos, validUntil, reference, word, body } = answer;
  const shipment = kind === 'paso' || kind === 'papeles' ? readShipment(answer.track) : undefined;
  const asItIs = (text: string) => ({ es: text, en: '' });
  const isOutcome = kind === 'resultado' && (state === 'retirada' || state === 'reservada' || state === 'sinespacio');
  const about = kind === 'paso' || kind === 'papeles' ? kind : isOutcome ? state : (answer.kind ?? 'mensaje');
  const next = about === 'oferta' || about === 'pregunta' ? about : 'other';
  const facts = readOfferFacts(answer.offer);
  const isOffer = price && kilos !== undefined && about === 'oferta';
  const pesos = isOffer && pesosInWords(facts, price.currency);
  const lines = (isOffer && facts.lines) || [];
  const parts: readonly (Part | false | '' | undefined)[] = [
    { text: words.greeting(customer!.nombre) },
    { text: words[about](folio) },
    price && about === 'oferta' && { text: priceInWords(price), look: 'price' },
    isOffer && { text: weightInWords(price, kilos) },
    ...lines.map((line) => ({ text: lineInWords(line, price!, kilos!), look: 'small' as const })),
    pesos && { text: pesos, look: 'small' },
    validUntil && about === 'oferta' && { text: words.validUntil(dayInWords(validUntil, now)) },
    isOutcome && reference && { text: words.reference(reference) },
    !shipment && (isOutcome ? word : body) && { text: asItIs((isOutcome ? word : body)!), look: 'body' },
    ...(customer!.corrected ?? []).map((step) => ({ text: words.corrected(shipmentWords.steps[step]) })),
    ...(shipment ? shipmentParts(shipment) : []),
    { text: ending.next[next] },
    { text: asItIs(link), look: 'link' },
    ...ending.closing,
  ];
  return parts.filter((part): part is Part => Boolean(part));
}

/** Lists the milestones of a shipment, the latest first, then flight, waybill and cut-off. */
function shipmentParts(shipment: Shipment): readonly Part[] {
  const { flight, waybill, origin = 'TIJ', cutoff, steps } = shipment;
  const fact = (name: Bilingual, value: Bilingual) => ({ text: joined([name, value], ': ') });
  const asItIs = (text: string) => ({ es: text, en: text });
  return [
    ...steps.toReversed().map((step) => ({
      text: joined(
        [shipmentWords.steps[step.step], timeAtPlace(step.at, placeOf(step, shipment)), ...moreOf(step)],
        ' · ',
      ),
    })),
    ...(flight ? [fact(shipmentWords.flight, asItIs(flight))] : []),
    ...(waybill ? [fact(shipmentWords.waybill, asItIs(waybillInWords(waybill)))] : []),
    ...(cutoff === undefined ? [] : [fact(shipmentWords.times.cutoff, timeAtPlace(cutoff, origin))]),
  ];
}

/** Weight of an offer, with the total if the price is by the kilo. */
function weightInWords({ amount, currency, per }: Price, kilos: number): Bilingual {
  const weight = kilos.toLocaleString('es-MX');
  return per === 'kilo' ? answers.comesTo(moneyInWords(amount * kilos, currency), weight) : answers.forShipment(weight);
}

export const linesOf = ({ text }: Part) => [...new Set([mainWords(text), englishWords(text)])].filter(Boolean);

const textOf = (parts: readonly Part[]) => `${parts.map((part) => linesOf(part).join('\n')).join('\n\n')}\n`;

const STYLES = {
  price: 'font-size:24px;font-weight:bold;margin:16px 0 0',
  link: 'overflow-wrap:anywhere;margin:12px 0',
  body: 'white-space:pre-wrap;border-left:3px solid #cbd5e1;padding-left:12px;margin:16px 0',
  small: 'font-size:13px;color:#475569;margin:8px 0',
  plain: 'margin:12px 0',
};

/** Content in HTML. It has no pictures, because loading a picture would tell the sender that the mail was opened. */
function htmlOf(parts: readonly Part[]): string {
  const paragraphs = parts.map((part) => {
    const [spanish = '', english] = linesOf(part).map(escapeHtml);
    const main = part.look === 'link' ? `<a href="${spanish}">${spanish}</a>` : spanish;
    const size = part.look === 'small' ? 12 : 14;
    const beneath =
      english && `<br><span lang="en" style="color:#475569;font-size:${size}px;font-weight:normal">${english}</span>`;
    const style = STYLES[part.look ?? 'plain'];
    return `<p style="${style}">${main}${beneath ?? ''}</p>`;
  });
  return `<!doctype html><html lang="es"><meta name="viewport" content="width=device-width"><body style="font:16px/1.5 sans-serif;color:#0f172a;max-width:36em">${paragraphs.join('')}</body></html>`;
}
