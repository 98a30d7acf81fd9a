import { customerMail } from './customer-mail.ts';
import { createMailer } from './mail.ts';
import type { Channels } from './message.ts';
import type { AlertSettings } from './settings.ts';
import { teamMail } from './team-mail.ts';

/** Mail channels that the settings turn on. */
export function mailChannels({ mail, customers }: AlertSettings, site: () => string): Channels {
  return {
    ...(mail && { mail: teamMail(createMailer(mail), mail.to, site) }),
    ...(customers && {
      customer: customerMail(createMailer(customers), { name: customers.name, address: customers.from }, site),
    }),
  };
}
