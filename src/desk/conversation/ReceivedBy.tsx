import { mainWords } from '../../content/bilingual.ts';
import { deskReceived as words } from '../../content/desk-received.ts';
import type { ReceivedRow } from '../../lead/rows.ts';
import section from '../SheetSection.module.css';
import styles from './Conversation.module.css';

/** Channel and sender of a reply. If it is not certain that this sender wrote the reply, the line says so. */
export function ReceivedBy({ message }: { readonly message: ReceivedRow }) {
  const { channel, sender, whole, unproven, unstored_files } = message;
  return (
    <>
      <p className={styles['line']}>
        {mainWords(words.channels[channel])} {mainWords(words.from(sender))}
        {unproven && <em> · {mainWords(words.unproven)}</em>}
        {unstored_files > 0 && ` · ${mainWords(words.unstored(unstored_files, channel))}`}
      </p>
      {whole && (
        <details>
          <summary>{mainWords(words.whole)}</summary>
          <p className={section['body']} translate="no" dir="auto">
            {whole}
          </p>
        </details>
      )}
    </>
  );
}
