import { useState } from 'react';
import { mainWords, type Bilingual as Text } from '../content/bilingual.ts';
import { desk } from '../content/desk.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Act } from './Act.tsx';
import { Dialog } from './Dialog.tsx';
import type { Lead } from './lead.ts';
import styles from './Paste.module.css';
import { putOnFile, type Pasted } from './paste-message.ts';
import { useUnfinished } from './unfinished.ts';

const words = desk.paste;

interface Props {
  readonly onClose: () => void;
  readonly onOpen: (lead: Lead, says: Text) => void;
}

export function Paste({ onClose, onOpen }: Props) {
  const [text, setText, end] = useUnfinished('paste', () => '');
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<Text>();

  async function send() {
    if (busy) return;
    setBusy(true);
    setWrong(undefined);
    const pasted = await putOnFile(text);
    setBusy(false);
    if (!('lead' in pasted)) return setWrong(whatIsWrong(pasted.kind));
    end();
    return onOpen(pasted.lead, words[pasted.kind](pasted.lead.folio));
  }

  return (
    <Dialog title={words.title} onClose={onClose}>
      <Bilingual text={words.what} />
      <textarea
        className={styles['message']}
        rows={9}
        value={text}
        aria-label={mainWords(words.what)}
        onChange={(event) => setText(event.target.value)}
      />
      <div role="alert" className={styles['wrong']}>
        {wrong && <Bilingual text={wrong} />}
      </div>
      <Act words={words.send} quiet={false} aria-busy={busy} onClick={() => void send()} />
    </Dialog>
  );
}

function whatIsWrong(kind: Exclude<Pasted['kind'], 'stored' | 'known'>): Text {
  switch (kind) {
    case 'unread':
      return words.unread;
    case 'repeated':
      return words.repeated;
    case 'unreachable':
      return desk.unreachable;
    case 'refused':
      return desk.failed;
  }
}
