import { config } from '../../config.ts';
import { deskLead as words } from '../../content/desk-lead.ts';
import type { AnswerRow } from '../../lead/rows.ts';
import type { Lead } from './lead.ts';
import { offerOf } from './offer.ts';

/** Ten digits are a Mexican number without its country. */
function internationalOf(telephone: string): string {
  const digits = telephone.replaceAll(/\D/g, '');
  return !telephone.trim().startsWith('+') && digits.length === 10 ? `52${digits}` : digits;
}

/**
 * The ways to who asked, with the folio and a text filled in: a greeting, and what was answered last. An offer goes with
 * its price, its last day and how it is accepted; the link opens the quote on that person's phone.
 */
export function contactLinks(
  { nombre, email, telefono, folio }: Lead,
  answer: AnswerRow | undefined,
  link: string | undefined,
  now: number,
  /** The offer can be accepted now. */
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
    // Other characters than the @ would start parts of the link.
    mail: email && `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}?subject=${subject}&body=${text}`,
  };
}
