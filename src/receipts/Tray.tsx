import { useEffect, useRef, useState } from 'react';
import { LINK_ADDRESS, QUOTES_ADDRESS } from '../agreements.ts';
import { tray as words } from '../content/quote-states.ts';
import { Inline } from '../ui/Inline.tsx';
import { showBadge } from '../phone/badge.ts';
import { setBusy } from '../phone/busy.ts';
import { reportSends } from '../phone/connection.ts';
import { later } from '../ui/later.tsx';
import { attentionIn } from '../outbox/entry.ts';
import { startToaster } from '../notices/toaster.ts';
import { keepSending } from '../phone/keep-sending.ts';
import { isOnItsWay, isSending } from '../outbox/state.ts';
import styles from './Tray.module.css';
import { useNow } from '../ui/use-now.ts';
import { useOnline } from '../ui/use-online.ts';
import { useEntries } from '../phone/use-entries.ts';

const TrayDialog = later(() => import('./TrayDialog.tsx').then((module) => module.TrayDialog));

function showCount(count: number): void {
  const title = document.title.replace(/^\(\d+\) /, '');
  document.title = count > 0 ? `(${count}) ${title}` : title;
  void showBadge(count);
}

/** Always on screen while anything waits or needs correction. */
export function Tray() {
  const entries = useEntries();
  /** Each opening has a number, because a dialog tells of its closing late: the next opening may have come before. */
  const [opening, setOpening] = useState(0);
  /** The address of a quote that was sent from another phone. */
  const [link, setLink] = useState<string>();
  const chip = useRef<HTMLButtonElement>(null);
  const now = useNow();
  const isOnline = useOnline();
  // Quotes on their way make no chip: it would come and go within a second.
  const { waiting, correction, unseen, count } = attentionIn(entries, (state) => isOnline && isOnItsWay(state, now));

  useEffect(() => {
    startToaster();
    keepSending();
    const show = () => setOpening((last) => last || 1);
    const byAddress = () => {
      const isLink = location.hash.startsWith(LINK_ADDRESS);
      if (isLink) setLink(location.hash);
      if (isLink || location.hash === QUOTES_ADDRESS) show();
    };
    byAddress();
    addEventListener('hashchange', byAddress);
    return () => removeEventListener('hashchange', byAddress);
  }, []);

  useEffect(() => {
    setBusy(
      'sending',
      entries.some((entry) => isSending(entry, Date.now())),
    );
    reportSends(entries.some(({ state }) => state.kind === 'waiting' && state.trouble === 'unreachable'));
  }, [entries]);

  useEffect(() => showCount(count), [count]);

  return (
    <>
      {count > 0 && (
        <button
          ref={chip}
          className={`${styles['chip']} ${waiting + correction === 0 ? styles['news'] : ''}`}
          type="button"
          onClick={() => setOpening(opening + 1)}
        >
          <Inline text={words.chip(waiting, correction, unseen)} />
        </button>
      )}
      {opening > 0 && (
        <TrayDialog
          key={opening}
          entries={entries}
          link={link}
          onClose={() => {
            setOpening((last) => (last === opening ? 0 : last));
            setLink(undefined);
            if (location.hash === QUOTES_ADDRESS || location.hash.startsWith(LINK_ADDRESS))
              history.replaceState(null, '', location.pathname + location.search);
            // A form that was left for has it already; the closed dialog has it still, where nothing had it before.
            if (document.activeElement?.matches('body, dialog *')) chip.current?.focus();
          }}
        />
      )}
    </>
  );
}
