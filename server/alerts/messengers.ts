import { customerMail } from './customer-mail.ts';
import { createMailer } from './mail.ts';
import type { Messengers } from './message.ts';
import type { AlertSettings } from './settings.ts';
import { teamMail } from './team-mail.ts';
import { whatsApp } from './whatsapp.ts';

/** Returns the messengers that the settings turn on: mail and WhatsApp. */
export function messengersFor(
  { mail, customers, whatsapp }: AlertSettings,
  site: () => string,
  fetch: Parameters<typeof whatsApp>[2],
): Messengers {
  return {
    ...(mail && { mail: teamMail(createMailer(mail), mail.to, site) }),
    ...(customers && {
      customer: customerMail(createMailer(customers), { ...customers, address: customers.from }, site),
    }),
    ...(whatsapp && { whatsapp: whatsApp(whatsapp, site, fetch) }),
  };
}
