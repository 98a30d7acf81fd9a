import { englishWords, mainWords } from '../../content/bilingual.ts';
import { deskReceived as words } from '../../content/desk-received.ts';
import { useStore } from '../../ui/store.ts';
import { LinkButton } from '../../ui/Button.tsx';
import { received } from './received.ts';
import styles from './Received.module.css';

/** Line with the number of received messages that belong to no request yet. Pressed, it opens the messages. */
export function ReceivedLine({ onOpen }: { readonly onOpen: () => void }) {
  const { length } = useStore(received);
  if (length === 0) return null;
  const text = words.waiting(length);
  return (
    <div className={styles['waiting']} role="status">
      <LinkButton title={englishWords(text)} onClick={onOpen}>
        {mainWords(text)}
      </LinkButton>
    </div>
  );
}
