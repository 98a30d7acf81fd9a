import { QUOTES_ID } from '../agreements.ts';
import type { Bilingual } from '../content/bilingual.ts';
import { useState } from 'react';
import { myData, tray as words } from '../content/quote-states.ts';
import { whenGone, toast, withdraw } from '../notices/toasts.ts';
import { isWaiting, unsentIn, type Entry } from '../outbox/entry.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import { tabDraft } from '../phone/tab-draft.ts';
import { withWaitingMark } from '../phone/quote-marks.ts';
import { ActionLabel } from './ActionLabel.tsx';
import { passFocus } from '../ui/focus.ts';
import { describeEntry } from './describe-entry.ts';
import styles from './EntryActions.module.css';

interface ActionsProps {
  readonly entry: Entry;
  /** Called after a removal, to move the focus: the pressed button had the focus and has disappeared. */
  readonly onRemoved: () => void;
  readonly onRestored: () => void;
}

const passFocusOn = passFocus(() => document.getElementById(QUOTES_ID));

export function SendNow({ entry: { id } }: Pick<ActionsProps, 'entry'>) {
  /**
   * Shows a toast only if the quote still waits. keep-sending.ts announces deliveries, and the receipt shows refusals.
   */
  async function sendNow() {
    withdraw(id);
    await outbox.flush('person').catch(() => undefined);
    const current = (await outbox.entries().catch(() => [])).find((other) => other.id === id);
    if (!current || unsentIn([current]).length === 0) return;
    const next = isWaiting(current)
      ? describeEntry(current, Date.now(), navigator.onLine).next.slice(0, 2)
      : [words.restWaits];
    toast(words.tried(next), { about: id, duration: 8000 });
  }

  return (
    <button ref={passFocusOn} className="button" type="button" onClick={() => void sendNow()}>
      <ActionLabel text={words.sendNow} />
    </button>
  );
}

/** Buttons of a quote that are shown only in the list of quotes. */
export function EntryActions({ entry, onRemoved, onRestored }: ActionsProps) {
  const { id, state } = entry;

  async function remove() {
    const removed = await outbox.remove(id).catch(() => null);
    if (removed === null) return void toast(myData.notChanged, { type: 'error', about: id });
    if (!removed) return void toast(words.notRemoved, { about: id });
    onRemoved();
    const isRestored = offerUndo(removed, words.removed, { duration: 8000 });
    void isRestored.then((back) => {
      if (back) return;
      tabDraft('details', id).set(undefined);
      tabDraft('question', id).set(undefined);
    });
    if (removed.messages.some(({ kind }) => kind === 'archivo'))
      void import('../outbox/file-store.ts').then(
        ({ keepRemovedFiles: keepRemoved }) => keepRemoved(isRestored),
        () => undefined,
      );
  }

  /**
   * Shows a toast with 'undo'. Resolves with true once the quote is restored, or with false if the toast is gone
   * without a press. If restoring fails, another toast offers to undo the removal.
   */
  async function offerUndo(removed: Entry, text: Bilingual, options: Parameters<typeof toast>[1]): Promise<boolean> {
    let isBack: Promise<boolean> | undefined;
    const run = () => {
      onRestored();
      isBack = withWaitingMark(() => outbox.restore(removed)).then(
        () => true,
        () => offerUndo(removed, words.notUndone, { type: 'error', duration: Infinity }),
      );
    };
    await whenGone(toast(text, { ...options, action: { label: words.undo, run }, about: id }));
    return isBack ?? false;
  }

  return (
    <div className={styles['actions']}>
      <button className="button plain" type="button" onClick={() => void remove()}>
        <ActionLabel text={words.remove} />
      </button>
      {state.kind === 'waiting' && <NotifyMe />}
    </div>
  );
}

/** Button that allows notifications about the delivery, shown if the quote had to wait. */
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
      <ActionLabel text={words.notify} />
    </button>
  );
}
