import { englishWords, mainWords } from '../../src/content/bilingual.ts';
import type { Mailer } from './mail.ts';
import { textOf, type Messenger } from './message.ts';

/** Sends an alert to the team's mailbox: folio, kind and link. */
export const teamMail =
  (send: Mailer, to: string, site: () => string): Messenger =>
  (message) => {
    const { text, link } = textOf(message, site());
    return send({
      to,
      subject: mainWords(text),
      text: `${mainWords(text)}\n${englishWords(text)}\n\n${link}\n`,
      // The id lets mailboxes recognise a mail that is sent twice because the mail server's answer was lost.
      messageId: `<${message.message_id}@aeropuente.invalid>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  };
