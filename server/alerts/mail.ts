import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Outcome } from './message.ts';

/**
 * Timeouts of nodemailer, in milliseconds. Their sum is below the two minutes after which a message is due again, so
 * that no mail is sent twice. socketTimeout is long, because a mail server that scans for viruses is slow to accept a
 * mail.
 */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 };

export type Mailer = (mail: SendMailOptions) => Promise<Outcome>;

export function createMailer({ url, from }: { readonly url: string; readonly from: string }): Mailer {
  const transport = createTransport({ url, ...TIMEOUTS }, { from, disableFileAccess: true, disableUrlAccess: true });
  return async (mail) => {
    try {
      const { accepted, rejected } = await transport.sendMail(mail);
      const all = accepted.length + rejected.length;
      return { kind: 'sent', why: rejected.length === 0 ? 'mailed' : `mailed; ${rejected.length} of ${all} refused` };
    } catch (error) {
      const { responseCode: code = 0, code: name = '' } = error as { responseCode?: number; code?: string };
      // A status 5xx means a wrong mailbox or password, which only a person can correct.
      return code >= 500 && code < 600
        ? { kind: 'failed', why: `the mail server says ${code}` }
        : { kind: 'again', why: `the mail server was not reached${name && ` (${name})`}` };
    }
  };
}
