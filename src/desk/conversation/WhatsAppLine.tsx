import { englishWords, mainWords } from '../../content/bilingual.ts';
import { dateInWords } from '../../content/dates.ts';
import { deskConversation } from '../../content/desk-conversation.ts';
import styles from './Conversation.module.css';

interface Props {
  readonly windowUntil: string | null;
  readonly now: number;
}

/** Line that says that the answer is also sent by WhatsApp, and until when WhatsApp allows free text. */
export function WhatsAppLine({ windowUntil, now }: Props) {
  const { open, closed } = deskConversation.alsoByWhatsApp;
  const until = windowUntil ? Date.parse(windowUntil) : 0;
  const text = until > now ? open(mainWords(dateInWords(until, now))) : closed;
  return (
    <p className={`${styles['line']} ${styles['whatsapp']}`} title={englishWords(text)}>
      {mainWords(text)}
    </p>
  );
}
