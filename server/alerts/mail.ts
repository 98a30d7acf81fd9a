import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Outcome } from './message.ts';

/**
 * The library itself ends what takes longer: a mail that is still being sent would be sent by the next try as well. A
 * server that looks for viruses may take a while to accept one; the message is ours for two minutes.
 */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 };

export type Mailer = (mail: SendMailOptions) => Promise<Outcome>;

/** `url`: smtp:// or smtps://, with user and password if the server asks for them. */
export function createMailer({ url, from }: { readonly url: string; readonly from: string }): Mailer {
  const transport = createTransport({ url, ...PATIENCE }, { from, disableFileAccess: true, disableUrlAccess: true });
  return async (mail) => {
    try {
      const { accepted, rejected } = await transport.sendMail(mail);
      const all = accepted.length + rejected.length;
      return { kind: 'sent', why: rejected.length === 0 ? 'mailed' : `mailed; ${rejected.length} of ${all} refused` };
    } catch (error) {
      const { responseCode: code = 0, code: name = '' } = error as { responseCode?: number; code?: string };
      // 5xx is a mailbox or a password that is wrong: a person has to change something.
      return code >= 500 && code < 600
        ? { kind: 'failed', why: `the mail server says ${code}` }
        : { kind: 'again', why: `the mail server was not reached${name && ` (${name})`}` };
    }
  };
}
