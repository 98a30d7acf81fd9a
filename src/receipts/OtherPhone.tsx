import { useEffect, useRef, useState } from 'react';
import { links as words } from '../content/links.ts';
import { handOff } from '../content/quote-states.ts';
import { messagesOfKind } from '../lead/messages.ts';
import { newId } from '../lead/quote.ts';
import { copy } from '../notices/copy.ts';
import { toast } from '../notices/toasts.ts';
import type { Entry } from '../outbox/entry.ts';
import { canLink, linkOf } from '../phone/link-of.ts';
import { ActionLabel } from './ActionLabel.tsx';
import { takeFocus } from '../ui/focus.ts';
import { Inline } from '../ui/Inline.tsx';
import styles from './OtherPhone.module.css';
import { Confirm } from './Confirm.tsx';
import { QrCode } from '../ui/QrCode.tsx';
import { Share } from './Share.tsx';
import { storeMessage } from './send-message.ts';

/** Share link and QR code that open the quote on another phone, until the exporter revokes the link. */
export function OtherPhone({ entry }: { readonly entry: Entry }) {
  const [isShown, setShown] = useState(false);
  if (!canLink()) return null;
  return (
    <div className={styles['other']}>
      <button className="button plain" type="button" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        <ActionLabel text={words.show} />
      </button>
      {isShown && <LinkKey entry={entry} />}
    </div>
  );
}

function LinkKey({ entry }: { readonly entry: Entry }) {
  const { id } = entry;
  const closing = messagesOfKind(entry.messages, 'cierre').at(-1);
  const closingState = closing?.state.kind;
  const [link, setLink] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  /** True while the visitor is asked to confirm; false after "no": the button then takes the focus again. */
  const [asking, setAsking] = useState<boolean>();
  const status = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let isObsolete = false;
    if (closingState !== 'waiting')
      void linkOf(entry).then((made) => {
        if (isObsolete) return;
        setLink(made);
        setFailed(!made);
      });
    return () => {
      isObsolete = true;
      setLink(undefined);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the link changes only when it is revoked
  }, [id, closing?.id, closingState]);

  async function close() {
    setAsking(undefined);
    status.current!.focus();
    await storeMessage(id, { id: newId(), kind: 'cierre' }).catch(() =>
      toast(words.notClosed, { type: 'error', about: id }),
    );
  }

  return (
    <div className={styles['key']}>
      <div ref={status} role="status" tabIndex={-1}>
        {closingState && (
          <p>
            <Inline text={words.closings[closingState]} />
          </p>
        )}
        {hasFailed && (
          <p>
            <Inline text={words.none} />
          </p>
        )}
      </div>
      {link && (
        <>
          <QrCode text={link} label={words.picture} />
          <p className={styles['link']} translate="no">
            {link}
          </p>
          <p>
            <Inline text={words.isKey} />
          </p>
        </>
      )}
      {link && !asking && (
        <div className={styles['buttons']}>
          <button className="button plain" type="button" onClick={() => void copy(link, words.copied)}>
            <ActionLabel text={handOff.copy} />
          </button>
          <Share data={() => ({ url: link })} />
          <button
            ref={asking === false ? takeFocus : undefined}
            className="button plain"
            type="button"
            onClick={() => setAsking(true)}
          >
            <ActionLabel text={words.close} />
          </button>
        </div>
      )}
      {link && asking && (
        <Confirm
          words={words}
          question={words.confirm}
          className={styles['buttons']}
          onYes={() => void close()}
          onNo={() => setAsking(false)}
        />
      )}
    </div>
  );
}
