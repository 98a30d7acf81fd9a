import { useEffect, useRef, useState } from 'react';
import { QUOTES_ADDRESS, QUOTES_ID } from '../agreements.ts';
import type { Bilingual } from '../content/bilingual.ts';
import { myData, receipt, tray as words } from '../content/quote-states.ts';
import { Toaster } from '../notices/Toaster.tsx';
import { dismiss, gone, toast, toasts, withdraw } from '../notices/toasts.ts';
import { Apart } from '../ui/Apart.tsx';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { passFocus, takeFocus } from '../ui/focus.ts';
import { Inline } from '../ui/Inline.tsx';
import { later } from '../ui/later.tsx';
import { forgetAlerts } from '../phone/answer-alerts.ts';
import { forgetContact } from '../phone/contact.ts';
import { eraseDrafts } from '../phone/draft.ts';
import { eraseFiles } from '../phone/erase-files.ts';
import { endTabDrafts } from '../phone/end-tab-drafts.ts';
import { endTabDraft } from '../phone/tab-draft.ts';
import { useIsShared } from '../phone/use-entries.ts';
import { marked } from '../phone/waiting-mark.ts';
import { describeEntry } from './describe-entry.ts';
import { isWaiting, replacementOf, unsentIn, type Entry } from '../outbox/entry.ts';
import { folioOf } from '../lead/folio.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import { Receipt } from './Receipt.tsx';
import box from './Choice.module.css';
import { Confirm } from './Confirm.tsx';
import styles from './TrayDialog.module.css';

const OpenLink = later(() => import('./OpenLink.tsx').then((module) => module.OpenLink));

interface Props {
  readonly entries: readonly Entry[];
  /** The address of a quote that was sent from another phone. */
  readonly link: string | undefined;
  readonly onClose: () => void;
}

/** 'Mis cotizaciones': every quote this phone knows, and what its sender can do about it. */
export function TrayDialog({ entries, link, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  /** What was opened just now stands first. */
  const [opened, setOpened] = useState<readonly string[]>([]);
  /** A copy that was made here. */
  const [made, setMade] = useState<string>();
  /** What was deleted, and is brought back. */
  const [restored, setRestored] = useState<string>();
  const newestFirst = entries.toSorted(
    (a, b) => Number(opened.includes(b.id)) - Number(opened.includes(a.id)) || b.createdAt - a.createdAt,
  );
  const open = (ids: readonly string[], isAwaited: boolean) => {
    setOpened(ids);
    if (isAwaited) heading.current?.focus();
    // The key stays in no address: whoever looks at the history afterwards would have it.
    history.replaceState(null, '', QUOTES_ADDRESS);
  };

  return (
    <dialog ref={dialog} className={styles['dialog']} aria-labelledby={QUOTES_ID} onClose={onClose}>
      <header>
        <h2 ref={heading} id={QUOTES_ID} tabIndex={-1}>
          <Inline text={words.title} />
        </h2>
        <button className="button plain" type="button" onClick={() => dialog.current?.close()}>
          <ButtonWords text={words.close} />
        </button>
      </header>
      {link && <OpenLink key={link} given={link} onOpened={open} />}
      {newestFirst.length === 0 && !link && (
        <p>
          <Inline text={words.empty} />
        </p>
      )}
      <ul className={styles['list']}>
        {newestFirst.map((entry) => (
          <li key={entry.id} {...(entry.id === restored && { ref: comeBack, tabIndex: -1 })}>
            <Apart
              otherwise={
                <>
                  <Unshown id={entry.id} />
                  <Actions entry={entry} onRemoved={() => heading.current?.focus()} onRestored={setRestored} />
                </>
              }
            >
              <Receipt
                entry={entry}
                replacedBy={replacementOf(entry, entries)}
                isNew={entry.id === made}
                onCorrect={() => dialog.current?.close()}
                onMade={setMade}
                act={unsentIn([entry]).length > 0 && <SendNow entry={entry} />}
                acts={<Actions entry={entry} onRemoved={() => heading.current?.focus()} onRestored={setRestored} />}
              />
            </Apart>
          </li>
        ))}
      </ul>
      <OpenLink onOpened={open} />
      <MyData entries={entries} />
      <Toaster />
    </dialog>
  );
}

/** A quote with words that this release does not know: another one may. It is kept, and sent, all the same. */
function Unshown({ id }: { readonly id: string }) {
  return (
    <p>
      {folioOf(id)} · <Inline text={receipt.unshown} />
    </p>
  );
}

interface ActionsProps {
  readonly entry: Entry;
  /** The button that was pressed goes with its quote. */
  readonly onRemoved: () => void;
  readonly onRestored: (id: string) => void;
}

/** It stands where it stood, and that may be out of sight. */
function comeBack(item: HTMLElement | null): void {
  item?.scrollIntoView({ block: 'start' });
  item?.focus({ preventScroll: true });
}

const passFocusOn = passFocus(() => document.getElementById(QUOTES_ID));

function SendNow({ entry: { id } }: Pick<ActionsProps, 'entry'>) {
  /** A delivery is told by itself, and a refusal stands in the receipt: only what waits still is spoken of. */
  async function sendNow() {
    withdraw(id);
    await outbox.flush('person').catch(() => undefined);
    const after = (await outbox.entries().catch(() => [])).find((other) => other.id === id);
    if (!after || unsentIn([after]).length === 0) return;
    const next = isWaiting(after)
      ? describeEntry(after, Date.now(), navigator.onLine).next.slice(0, 2)
      : [words.restWaits];
    toast(words.tried(next), { about: id, duration: 8000 });
  }

  return (
    <button ref={passFocusOn} className="button" type="button" onClick={() => void sendNow()}>
      <ButtonWords text={words.sendNow} />
    </button>
  );
}

function Actions({ entry, onRemoved, onRestored }: ActionsProps) {
  const { id, state } = entry;

  async function remove() {
    const removed = await outbox.remove(id).catch(() => null);
    if (removed === null) return void toast(myData.notChanged, { type: 'error', about: id });
    if (!removed) return void toast(words.notRemoved, { about: id });
    onRemoved();
    const isBack = offerUndo(removed, words.removed, { duration: 8000 });
    void isBack.then((back) => {
      if (back) return;
      endTabDraft('details', id);
      endTabDraft('question', id);
    });
    if (removed.messages.some(({ kind }) => kind === 'archivo'))
      void import('../outbox/file-store.ts').then(
        ({ keepRemoved }) => keepRemoved(isBack),
        () => undefined,
      );
  }

  /** Once it cannot be undone any more: was it? A disk that refuses is asked again for as long as its sender wants. */
  async function offerUndo(removed: Entry, text: Bilingual, how: Parameters<typeof toast>[1]): Promise<boolean> {
    let isBack: Promise<boolean> | undefined;
    const run = () => {
      onRestored(id);
      isBack = marked(() => outbox.restore(removed)).then(
        () => true,
        () => offerUndo(removed, words.notUndone, { type: 'error', duration: Infinity }),
      );
    };
    await gone(toast(text, { ...how, action: { label: words.undo, run }, about: id }));
    return isBack ?? false;
  }

  return (
    <div className={styles['actions']}>
      <button className="button plain" type="button" onClick={() => void remove()}>
        <ButtonWords text={words.remove} />
      </button>
      {state.kind === 'waiting' && <NotifyMe />}
    </div>
  );
}

/** Asked for only once a quote had to wait, and only by the visitor. */
function NotifyMe() {
  const [permission, setPermission] = useState(() => ('Notification' in window ? Notification.permission : 'denied'));
  if (permission !== 'default') return null;
  return (
    <button
      ref={passFocusOn}
      className="button plain"
      type="button"
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      <ButtonWords text={words.notify} />
    </button>
  );
}

function MyData({ entries }: { readonly entries: readonly Entry[] }) {
  const isShared = useIsShared();
  /** What was pressed last, as far as it could be kept. */
  const [share, setShare] = useState<boolean>();
  /** Undefined until it was asked once: a button that comes back takes the focus back. */
  const [asking, setAsking] = useState<boolean>();
  const waiting = unsentIn(entries).length;

  const fail = (text: Bilingual) => toast(text, { type: 'error', about: 'erased' });

  function keepShare(wanted: boolean) {
    setShare(wanted);
    if (wanted) {
      forgetContact();
      forgetAlerts();
      endTabDrafts();
    }
    outbox.setShared(wanted).catch(() => {
      setShare(undefined);
      fail(myData.notChanged);
    });
  }

  async function erase() {
    // First what needs no disk that may be slow, or not answer at all. A link that was opened is a key to what it opened.
    history.replaceState(null, '', QUOTES_ADDRESS);
    forgetContact();
    eraseDrafts();
    endTabDrafts();
    forgetAlerts();
    try {
      await outbox.erase();
      setShare(undefined);
      await eraseFiles();
    } catch {
      return fail(myData.notErased);
    } finally {
      setAsking(false);
    }
    // Nothing that was erased comes back by an older notice.
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
      <label className={box['choice']}>
        <input
          type="checkbox"
          checked={share ?? isShared === true}
          onChange={({ target }) => keepShare(target.checked)}
        />
        <span>
          <Inline text={myData.shared} />
        </span>
      </label>
      {asking ? (
        <Confirm
          words={myData}
          question={myData.confirm(waiting)}
          className={styles['actions']}
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
          <ButtonWords text={myData.erase} />
        </button>
      )}
    </section>
  );
}
