import { useEffect, useLayoutEffect, useState } from 'react';
import { LINK_ADDRESS, QUOTES_ADDRESS, QUOTES_ID, SHARED_ADDRESS } from '../agreements.ts';
import { showBadge } from '../phone/badge.ts';
import { setBusy } from '../phone/busy.ts';
import { reportSends } from '../phone/connection.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { attentionIn, type Entry } from '../outbox/entry.ts';
import { startToaster } from '../notices/toaster.ts';
import { keepSending } from '../phone/keep-sending.ts';
import { isOnItsWay, isSending } from '../outbox/state.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import { forgetShared } from '../phone/shared-item.ts';
import { setQuotesMark } from '../phone/quote-marks.ts';
import { useNow } from '../ui/use-now.ts';
import { useOnline } from '../ui/use-online.ts';
import { useEntries } from '../phone/use-entries.ts';

const TrayDialog = lazyPart(() => import('./TrayDialog.tsx').then((module) => module.TrayDialog));

function showCount(count: number): void {
  const title = document.title.replace(/^\(\d+\) /, '');
  document.title = count > 0 ? `(${count}) ${title}` : title;
  void showBadge(count);
}

/**
 * Shows or hides the link above the hero that opens the list. Safari has no scroll anchoring, so the page is scrolled
 * by the link's height and does not appear to move.
 */
function toggleWayBack(isShown: boolean): void {
  const end = () => document.querySelector('footer')!.getBoundingClientRect().top;
  const endBefore = end();
  document.documentElement.toggleAttribute('data-quotes', isShown);
  if (scrollY > 0 && !CSS.supports('overflow-anchor', 'auto'))
    scrollBy({ top: end() - endBefore, behavior: 'instant' });
}

/**
 * Opens the list of quotes when the address names the list or the visitor presses the link above the hero. Returns the
 * state of the list, with a function that closes it.
 */
function useOpening() {
  /**
   * `opening`: number of the present opening of the list. If the list is opened again while it closes, the report of
   * the closing comes late. That report has an earlier number, and is ignored.
   */
  const [{ opening, opensFirst }, setOpening] = useState(CLOSED);
  /** Hash of an address that opens a quote of another phone; it contains the key of the share link. */
  const [link, setLink] = useState<string>();
  /** True if the list opens with an item that another app shared. */
  const [hasShared, setHasShared] = useState(false);

  useEffect(() => {
    const open = (first: boolean) => setOpening((last) => ({ opening: last.opening + 1, opensFirst: first }));
    const openByAddress = () => {
      const isLink = location.hash.startsWith(LINK_ADDRESS);
      if (isLink) setLink(location.hash);
      const isShared = location.hash === SHARED_ADDRESS;
      setHasShared(isShared);
      if (namesList()) open(false);
    };
    // The browser's back button closes the list.
    const goBack = () => namesList() || document.getElementById(QUOTES_ID)?.closest('dialog')?.close();
    // The link above the hero needs a click listener: while the list closes, the address still names the list, so the
    // link itself would not change the address.
    const press = (event: Event) => {
      event.preventDefault();
      // The address gets no hash of the list here. The button 'Ver' of a toast sets that hash, and only a change of the
      // hash opens the list again, with the news first.
      history.pushState(null, '');
      open(true);
    };
    openByAddress();
    const way = document.querySelector('.way');
    way?.addEventListener('click', press);
    addEventListener('hashchange', openByAddress);
    addEventListener('popstate', goBack);
    return () => {
      way?.removeEventListener('click', press);
      removeEventListener('hashchange', openByAddress);
      removeEventListener('popstate', goBack);
    };
  }, []);

  function close() {
    setOpening((last) => (last.opening === opening ? CLOSED : last));
    setLink(undefined);
    if (hasShared) forgetShared().catch(() => undefined);
    setHasShared(false);
    if (namesList()) history.replaceState(null, '', location.pathname + location.search);
    // The focus moves to the link above the hero, unless another element, such as the form, has it.
    if (document.activeElement?.matches('body, dialog *'))
      document.querySelector<HTMLElement>('.way')?.focus({ preventScroll: true });
  }
  return { opening, opensFirst, link, hasShared, close };
}

const namesList = () =>
  [QUOTES_ADDRESS, SHARED_ADDRESS].includes(location.hash) || location.hash.startsWith(LINK_ADDRESS);

const CLOSED = { opening: 0, opensFirst: false };

/** Keeps the link above the hero up to date. */
function useWayBack(isListOpen: boolean, entries: readonly Entry[], now: number, isOnline: boolean): void {
  /** True if this phone has quotes; undefined until the disk has been read. */
  const [hasQuotes, setHasQuotes] = useState<boolean>();

  useEffect(
    () =>
      outbox.watch((stored) => {
        const hasAny = stored.some(({ quote }) => quote);
        setQuotesMark(hasAny);
        setHasQuotes(hasAny);
      }),
    [],
  );

  useLayoutEffect(() => {
    // While the list is open, the link above the hero stays as it is, because the page behind would move.
    if (hasQuotes !== undefined && !isListOpen) toggleWayBack(hasQuotes);
  }, [hasQuotes, isListOpen]);

  useEffect(() => {
    if (!hasQuotes) return;
    void import('./way-back.ts').then(
      ({ showWayBack }) => showWayBack(entries, now, isOnline),
      () => undefined,
    );
  }, [hasQuotes, entries, now, isOnline]);
}

/**
 * Shows the list of quotes when it is open. Keeps the link above the hero, the tab's title and the number on the app's
 * icon up to date.
 */
export function Tray() {
  useEffect(() => {
    startToaster();
    keepSending();
  }, []);
  const entries = useEntries();
  const now = useNow();
  const isOnline = useOnline();
  const { opening, opensFirst, link, hasShared, close } = useOpening();
  // Quotes that are being sent are not counted, because they would be counted for only a second.
  const { count } = attentionIn(entries, (state) => isOnline && isOnItsWay(state, now));
  useWayBack(opening !== 0, entries, now, isOnline);

  useEffect(() => {
    setBusy(
      'sending',
      entries.some((entry) => isSending(entry, Date.now())),
    );
    reportSends(entries.some(({ state }) => state.kind === 'waiting' && state.trouble === 'unreachable'));
  }, [entries]);

  useEffect(() => showCount(count), [count]);

  if (opening === 0) return null;
  return (
    <TrayDialog
      key={opening}
      entries={entries}
      link={link}
      hasShared={hasShared}
      opensFirst={opensFirst}
      onClose={close}
    />
  );
}
