import { mainWords, englishWords } from '../../src/content/bilingual.ts';
import { createTransport } from 'nodemailer';
import { tell, type Message, type Outcome } from './message.ts';

interface MailMeans {
  /** smtp:// or smtps://, with user and password where they are asked for. */
  readonly url: string;
  readonly to: string;
  readonly from: string;
}

/**
 * The library itself ends what takes longer: a mail that it was still sending would be sent by the next try as well. A
 * server that looks for viruses may take a while to accept one; the message is ours for two minutes.
 */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 };

/** Sends one alert to the mailbox of the team: folio, kind and link. */
export function createMail({ url, to, from }: MailMeans) {
  const transport = createTransport({ url, ...PATIENCE }, { from });
  return async (message: Message, site: string): Promise<Outcome> => {
    const { says, link } = tell(message, site);
    try {
      const { accepted, rejected } = await transport.sendMail({
        to,
        subject: mainWords(says),
        text: `${mainWords(says)}\n${englishWords(says)}\n\n${link}\n`,
        // The same mail twice, after a lost answer, is one to a mailbox that looks.
        messageId: `<${message.message_id}@aeropuente.invalid>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      const all = accepted.length + rejected.length;
      return { kind: 'sent', why: rejected.length === 0 ? 'mailed' : `mailed; ${rejected.length} of ${all} refused` };
    } catch (error) {
      const { responseCode: code = 0, code: name = '' } = error as { responseCode?: number; code?: string };
      // 5xx is a mailbox or a password that is wrong: somebody has to change the settings.
      return code >= 500 && code < 600
        ? { kind: 'failed', why: `the mail server says ${code}` }
        : { kind: 'again', why: `the mail server was not reached${name && ` (${name})`}` };
    }
  };
}
