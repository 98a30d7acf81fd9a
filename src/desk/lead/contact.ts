import { config } from '../../config.ts';
import { deskLead as words } from '../../content/desk-lead.ts';
import type { AnswerRow } from '../../lead/rows.ts';
import type { Lead } from './lead.ts';
import { offerOf } from './offer.ts';

/** Returns the number with its country code. Ten digits without a code are taken for a Mexican number. */
function internationalOf(telephone: string): string {
  const digits = telephone.replaceAll(/\D/g, '');
  return !telephone.trim().startsWith('+') && digits.length === 10 ? `52${digits}` : digits;
}

/**
 * Makes the links to call or write to the customer. The message has a greeting, the last answer, how to accept its
 * offer, and a link that opens the quote on the customer's phone.
 */
export function contactLinks(
  { nombre, email, telefono, folio }: Lead,
  answer: AnswerRow | undefined,
  link: string | undefined,
  now: number,
  /** True if the offer in the answer can still be accepted. */
  isStanding: boolean,
) {
  const { name } = config.company;
  const message = [
    words.greeting(nombre, folio, name),
    answer && [offerOf(answer, now), answer.body].filter(Boolean).join('\n'),
    isStanding && answer?.kind === 'oferta' && words.howToAccept(folio),
    link && words.seeIt(link),
  ]
    .filter(Boolean)
    .join('\n\n');
  const text = encodeURIComponent(message);
  const subject = encodeURIComponent(words.subject(folio, name));
  return {
    message,
    call: `tel:+${internationalOf(telefono)}`,
    whatsapp: `https://wa.me/${internationalOf(telefono)}?text=${text}`,
    // The address is encoded, except for the @, because a ? or & in an address would begin the parameters of the link.
    mail: email && `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}?subject=${subject}&body=${text}`,
  };
}
