import { useEffect, useLayoutEffect, useState } from 'react';
import { LINK_ADDRESS, QUOTES_ADDRESS, SHARED_ADDRESS } from '../agreements.ts';
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
 * Shows or hides the line above the hero, which opens the list. In Safari, which has no scroll anchoring, scrolls by
 * the line's height so that the page does not move.
 */
function toggleWayBack(isShown: boolean): void {
  const end = () => document.querySelector('footer')!.getBoundingClientRect().top;
  const endBefore = end();
  document.documentElement.toggleAttribute('data-quotes', isShown);
  if (scrollY > 0 && !CSS.supports('overflow-anchor', 'auto'))
    scrollBy({ top: end() - endBefore, behavior: 'instant' });
}

/** Opens the list when the address (hash) names it or the visitor presses the line above the hero; also closes it. */
function useOpening() {
  /**
   * `opening`: number of the current opening. A dialog may report its closing only after the list was opened again; the
   * old number then tells that the report is late.
   */
  const [{ opening, opensFirst }, setOpening] = useState(CLOSED);
  /** Address (hash) with the key of a quote from another phone. */
  const [link, setLink] = useState<string>();
  /** True if the list opens with what another app shared. */
  const [hasShared, setHasShared] = useState(false);

  useEffect(() => {
    const open = (first: boolean) => setOpening((last) => ({ opening: last.opening + 1, opensFirst: first }));
    const openByAddress = () => {
      const isLink = location.hash.startsWith(LINK_ADDRESS);
      if (isLink) setLink(location.hash);
      const isShared = location.hash === SHARED_ADDRESS;
      setHasShared(isShared);
      if (isLink || isShared || location.hash === QUOTES_ADDRESS) open(false);
    };
    // The line above the hero needs its own click listener: while the list closes, the hash still names the list, so a
    // press would not change it.
    const press = (event: Event) => {
      event.preventDefault();
      open(true);
    };
    openByAddress();
    const way = document.querySelector('.way');
    way?.addEventListener('click', press);
    addEventListener('hashchange', openByAddress);
    return () => {
      way?.removeEventListener('click', press);
      removeEventListener('hashchange', openByAddress);
    };
  }, []);

  function close() {
    setOpening((last) => (last.opening === opening ? CLOSED : last));
    setLink(undefined);
    if (hasShared) forgetShared().catch(() => undefined);
    setHasShared(false);
    if ([QUOTES_ADDRESS, SHARED_ADDRESS].includes(location.hash) || location.hash.startsWith(LINK_ADDRESS))
      history.replaceState(null, '', location.pathname + location.search);
    // The focus moves to the line above the hero only if no other element, such as the form, has it.
    if (document.activeElement?.matches('body, dialog *'))
      document.querySelector<HTMLElement>('.way')?.focus({ preventScroll: true });
  }
  return { opening, opensFirst, link, hasShared, close };
}

const CLOSED = { opening: 0, opensFirst: false };

/** Keeps the line above the hero up to date. */
function useWayBack(isListOpen: boolean, entries: readonly Entry[], now: number, isOnline: boolean): void {
  /** True if this phone has quotes; undefined until the disk was read. */
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
    // While the list is open, the line above the hero is not toggled, because the page behind would move.
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
 * Renders the open list of quotes, and keeps the line above the hero, the tab's title and the app's badge up to date.
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
  // Quotes that are being sent are not counted: the count would appear and disappear within a second.
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
