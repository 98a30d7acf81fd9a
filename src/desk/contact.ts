import { config } from '../config.ts';
import { desk as words } from '../content/desk.ts';
import type { Lead } from './lead.ts';

/** Ten digits are a Mexican number without its country. */
function internationalOf(telephone: string): string {
  const digits = telephone.replaceAll(/\D/g, '');
  return !telephone.trim().startsWith('+') && digits.length === 10 ? `52${digits}` : digits;
}

/** The ways to who asked, with the folio and a text filled in: what was answered last, or a greeting. */
export function waysTo({ nombre, email, telefono, folio }: Lead, lastAnswer: string | undefined) {
  const { name } = config.company;
  const text = encodeURIComponent([words.greeting(nombre, folio, name), lastAnswer].filter(Boolean).join('\n\n'));
  const subject = encodeURIComponent(words.subject(folio, name));
  return {
    call: `tel:+${internationalOf(telefono)}`,
    whatsapp: `https://wa.me/${internationalOf(telefono)}?text=${text}`,
    // Other marks of an address than its @ would begin other parts of the link.
    mail: `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}?subject=${subject}&body=${text}`,
  };
}
