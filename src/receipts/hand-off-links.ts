import { config } from '../config.ts';
import { folioOf } from '../lead/folio.ts';
import { handOffText } from '../content/hand-off.ts';
import type { Quote } from '../lead/quote.ts';

const digits = (phone: string) => phone.replaceAll(/\D/g, '');

export function handOffLinks(quote: Quote): { readonly whatsapp: string; readonly sms: string; readonly mail: string } {
  const text = encodeURIComponent(handOffText(quote));
  const subject = encodeURIComponent(`Solicitud de cotización ${folioOf(quote.id)}`);
  return {
    whatsapp: `https://wa.me/${digits(config.company.whatsapp)}?text=${text}`,
    // The link works on both systems: Android reads the text after '?', iPhones read it after '&'.
    sms: `sms:+${digits(config.company.phone)}?&body=${text}`,
    mail: `mailto:${config.company.email}?subject=${subject}&body=${text.replaceAll('%0A', '%0D%0A')}`,
  };
}
