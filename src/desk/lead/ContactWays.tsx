import { englishWords, mainWords } from '../../content/bilingual.ts';
import { deskLead as words } from '../../content/desk-lead.ts';
import { notices } from '../../content/notices.ts';
import { Button } from '../../ui/Button.tsx';
import type { Word } from '../api/conversation.ts';
import { DONE } from '../api/action-result.ts';
import { announceResult } from '../announcements.ts';
import { useDesk } from '../context.ts';
import { contactLinks } from './contact.ts';
import type { Lead } from './lead.ts';
import { isOver, stateNow } from './offer.ts';
import styles from './SheetHead.module.css';

interface Props {
  readonly lead: Lead;
  readonly answer: (Word & { kind: 'answer' }) | undefined;
  readonly link: string | undefined;
  /** Starts a message in the desk's conversation, which the server also sends to the customer by WhatsApp. */
  readonly onWhatsApp: (() => void) | undefined;
}

/** Links to call the customer and to write by WhatsApp or mail, and a button that copies the message. */
export function ContactLinks({ lead, answer, link, onWhatsApp }: Props) {
  const { now } = useDesk();
  const state = answer?.offer && stateNow(answer.offer, answer.answer, now);
  // The message does not repeat an offer that is withdrawn, expired or without space.
  const isPast = state && (isOver(state) || state === 'sinespacio');
  const ways = contactLinks(lead, isPast ? undefined : answer?.answer, link, now, (state ?? 'vigente') === 'vigente');
  async function copy() {
    try {
      // Browsers offer the clipboard only on https pages; elsewhere this throws.
      await navigator.clipboard.writeText(ways.message);
      announceResult(lead, DONE, words.copied);
    } catch {
      announceResult(lead, { kind: 'refused', says: notices.notCopied });
    }
  }
  return (
    <div className={styles['ways']} title={mainWords(words.courtesy)}>
      <a href={ways.call} title={`${mainWords(words.call)} · ${englishWords(words.call)}`} translate="no">
        <span className="hidden">{mainWords(words.call)} </span>
        {lead.telefono}
      </a>
      {ways.mail && (
        <a href={ways.mail} title={`${mainWords(words.mail)} · ${englishWords(words.mail)}`} translate="no">
          <span className="hidden">{mainWords(words.mail)} </span>
          {lead.email}
        </a>
      )}
      {onWhatsApp ? (
        <Button words={words.whatsapp} onClick={onWhatsApp} />
      ) : (
        <a href={ways.whatsapp} title={englishWords(words.whatsapp)} target="_blank" rel="noopener noreferrer">
          {mainWords(words.whatsapp)}
        </a>
      )}
      <Button words={words.copy} onClick={() => void copy()} />
    </div>
  );
}
