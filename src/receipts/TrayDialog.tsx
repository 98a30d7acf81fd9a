import { useEffect, useRef, useState } from 'react';
import { QUOTES_ADDRESS, QUOTES_ID } from '../agreements.ts';
import type { Bilingual } from '../content/bilingual.ts';
import { myData, tray as words } from '../content/quote-states.ts';
import { Toaster } from '../notices/Toaster.tsx';
import { dismiss, toast, toasts, withdraw } from '../notices/toasts.ts';
import { ActionLabel } from './ActionLabel.tsx';
import { takeFocus } from '../ui/focus.ts';
import { Inline } from '../ui/Inline.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { forgetAlerts } from '../phone/answer-alerts.ts';
import { forgetContact } from '../phone/contact.ts';
import { eraseDrafts } from '../phone/draft.ts';
import { forgetShared } from '../phone/shared-item.ts';
import { eraseFiles } from '../phone/erase-files.ts';
import { endTabDrafts } from '../phone/end-tab-drafts.ts';
import { useIsShared } from '../phone/use-entries.ts';
import { unsentIn, type Entry } from '../outbox/entry.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import choiceStyles from './Choice.module.css';
import { Confirm } from './Confirm.tsx';
import actionStyles from './EntryActions.module.css';
import { QuoteList } from './QuoteList.tsx';
import styles from './TrayDialog.module.css';

const SharedItem = lazyPart(() => import('./SharedItem.tsx').then((module) => module.SharedItem));
const OpenLink = lazyPart(() => import('./OpenLink.tsx').then((module) => module.OpenLink));

interface Props {
  readonly entries: readonly Entry[];
  /** Hash of an address that opens a quote of another phone; it contains the key of the share link. */
  readonly link: string | undefined;
  /** True if the list opens with an item that another app shared. */
  readonly hasShared: boolean;
  readonly opensFirst: boolean;
  readonly onClose: () => void;
}

/** Dialog 'Mis cotizaciones': all quotes on this phone, with their buttons. */
export function TrayDialog({ entries, link, hasShared, opensFirst, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // The list shows the new answers, so the toast about them is removed.
    withdraw('answers');
  }, []);
  const [isShared, setIsShared] = useState(hasShared);
  /** Ids of quotes that a share link has just brought to this phone. */
  const [opened, setOpened] = useState<readonly string[]>([]);
  const open = (ids: readonly string[], isAwaited: boolean) => {
    setOpened(ids);
    if (isAwaited) heading.current?.focus();
    // The address contains the link's key, which must not stay in the browser's history.
    history.replaceState(null, '', QUOTES_ADDRESS);
  };

  return (
    <dialog ref={dialog} className={styles['dialog']} aria-labelledby={QUOTES_ID} onClose={onClose}>
      <header>
        <h2 ref={heading} id={QUOTES_ID} tabIndex={-1}>
          <Inline text={words.title} />
        </h2>
        <button className="button plain" type="button" onClick={() => dialog.current?.close()}>
          <ActionLabel text={words.close} />
        </button>
      </header>
      {link && <OpenLink key={link} link={link} onOpened={open} />}
      {isShared && (
        <SharedItem
          entries={entries}
          onDone={(closes) => {
            setIsShared(false);
            if (closes) dialog.current?.close();
            else heading.current?.focus();
          }}
        />
      )}
      {entries.length === 0 && !link && !isShared && (
        <p>
          <Inline text={words.empty} />
        </p>
      )}
      <QuoteList
        entries={entries}
        opened={opened}
        opensFirst={opensFirst}
        onCorrect={() => dialog.current?.close()}
        onRemoved={() => heading.current?.focus()}
      />
      <OpenLink onOpened={open} />
      <MyData entries={entries} onErased={() => setIsShared(false)} />
      <Toaster />
    </dialog>
  );
}

interface MyDataProps {
  readonly entries: readonly Entry[];
  readonly onErased: () => void;
}

function MyData({ entries, onErased }: MyDataProps) {
  const isShared = useIsShared();
  /** Visitor's choice whether the phone is shared; undefined before a choice, and if the choice could not be stored. */
  const [chosenShared, setChosenShared] = useState<boolean>();
  /**
   * True while the visitor is asked to confirm; false once the visitor has answered: the button then takes the focus
   * again.
   */
  const [asking, setAsking] = useState<boolean>();
  const waiting = unsentIn(entries).length;

  const fail = (text: Bilingual) => toast(text, { type: 'error', about: 'erased' });

  function storeShared(wanted: boolean) {
    setChosenShared(wanted);
    if (wanted) {
      forgetContact();
      forgetAlerts();
      endTabDrafts();
      onErased();
      forgetShared().catch(() => undefined);
    }
    outbox.setShared(wanted).catch(() => {
      setChosenShared(undefined);
      fail(myData.notChanged);
    });
  }

  async function erase() {
    // The address may contain the key of a share link.
    history.replaceState(null, '', QUOTES_ADDRESS);
    // Data outside IndexedDB are erased first, because IndexedDB may never respond.
    forgetContact();
    eraseDrafts();
    endTabDrafts();
    forgetAlerts();
    try {
      await outbox.erase();
      setChosenShared(undefined);
      await eraseFiles();
      onErased();
      await forgetShared();
    } catch {
      return fail(myData.notErased);
    } finally {
      setAsking(false);
    }
    // Toasts with 'undo' are closed, because undo would bring back an erased quote.
    for (const { id, action } of toasts.read()) if (action?.label === words.undo) dismiss(id);
    return toast(myData.erased, { type: 'success', about: 'erased' });
  }

  return (
    <section className={styles['data']} aria-labelledby="mis-datos">
      <h3 id="mis-datos">
        <Inline text={myData.title} />
      </h3>
      <p>
        <Inline text={myData.what} />
      </p>
      <label className={choiceStyles['choice']}>
        <input
          type="checkbox"
          checked={chosenShared ?? isShared === true}
          onChange={({ target }) => storeShared(target.checked)}
        />
        <span>
          <Inline text={myData.shared} />
        </span>
      </label>
      {asking ? (
        <Confirm
          words={myData}
          question={myData.confirm(waiting)}
          className={actionStyles['actions']}
          onYes={() => void erase()}
          onNo={() => setAsking(false)}
        />
      ) : (
        <button
          ref={asking === false ? takeFocus : undefined}
          className="button plain"
          type="button"
          onClick={() => setAsking(true)}
        >
          <ActionLabel text={myData.erase} />
        </button>
      )}
    </section>
  );
}
