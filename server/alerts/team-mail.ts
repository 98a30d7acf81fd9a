import { englishWords, mainWords } from '../../src/content/bilingual.ts';
import type { Mailer } from './mail.ts';
import { tell, type Channel } from './message.ts';

/** Sends an alert to the mailbox of the team: folio, kind and link. */
export const teamMail =
  (send: Mailer, to: string, site: () => string): Channel =>
  (message) => {
    const { says, link } = tell(message, site());
    return send({
      to,
      subject: mainWords(says),
      text: `${mainWords(says)}\n${englishWords(says)}\n\n${link}\n`,
      // The same mail twice, after a lost answer, is one to a mailbox that looks.
      messageId: `<${message.message_id}@aeropuente.invalid>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  };
