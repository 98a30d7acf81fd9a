import { quoteForm } from '../content/quote-form.ts';
import { config } from '../config.ts';
import { folioOf } from './folio.ts';
import type { Quote } from './quote.ts';

/** The very same quote as a message that a person sends, with its folio so that sales can match the two. */
export function handOffText(quote: Quote): string {
  return [
    `Cotización ${folioOf(quote.id)}`,
    `Nombre: ${quote.nombre}`,
    `Empresa: ${quote.empresa}`,
    `Email: ${quote.email}`,
    `Teléfono: ${quote.telefono}`,
    `Peso: ${quote.peso} kg por mes`,
    `Tipo de carga: ${quoteForm.cargo[quote.tipo_carga].es}`,
  ].join('\n');
}

const digits = (phone: string) => phone.replaceAll(/\D/g, '');

export function handOffLinks(quote: Quote): { readonly whatsapp: string; readonly sms: string; readonly mail: string } {
  const text = encodeURIComponent(handOffText(quote));
  const subject = encodeURIComponent(`Cotización ${folioOf(quote.id)}`);
  return {
    whatsapp: `https://wa.me/${digits(config.company.whatsapp)}?text=${text}`,
    // '?&': Android reads what follows '?', iOS what follows '&'.
    sms: `sms:+${digits(config.company.phone)}?&body=${text}`,
    mail: `mailto:${config.company.email}?subject=${subject}&body=${text.replaceAll('%0A', '%0D%0A')}`,
  };
}
