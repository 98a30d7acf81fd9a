import { useEffect, useLayoutEffect, useState } from 'react';
import { LINK_ADDRESS, QUOTES_ADDRESS } from '../agreements.ts';
import { showBadge } from '../phone/badge.ts';
import { setBusy } from '../phone/busy.ts';
import { reportSends } from '../phone/connection.ts';
import { later } from '../ui/later.tsx';
import { attentionIn } from '../outbox/entry.ts';
import { startToaster } from '../notices/toaster.ts';
import { keepSending } from '../phone/keep-sending.ts';
import { isOnItsWay, isSending } from '../outbox/state.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import { leaveQuotesMark } from '../phone/waiting-mark.ts';
import { useNow } from '../ui/use-now.ts';
import { useOnline } from '../ui/use-online.ts';
import { useEntries } from '../phone/use-entries.ts';

const TrayDialog = later(() => import('./TrayDialog.tsx').then((module) => module.TrayDialog));

function showCount(count: number): void {
  const title = document.title.replace(/^\(\d+\) /, '');
  document.title = count > 0 ? `(${count}) ${title}` : title;
  void showBadge(count);
}

/** Shows or hides the way back above the hero. Scrolls in Safari, which has no scroll anchoring. */
function toggleWayBack(isShown: boolean): void {
  const end = () => document.querySelector('footer')!.getBoundingClientRect().top;
  const endBefore = end();
  document.documentElement.toggleAttribute('data-quotes', isShown);
  if (scrollY > 0 && !CSS.supports('overflow-anchor', 'auto'))
    scrollBy({ top: end() - endBefore, behavior: 'instant' });
}

/** The list of quotes, and the line that leads to it. */
export function Tray() {
  const entries = useEntries();
  /** `opening`: number of the opening, because a dialog reports its closing after the next opening may have begun. */
  const [{ opening, byWay: opensFirst }, setOpening] = useState({ opening: 0, byWay: false });
  /** Address of a quote from another phone. */
  const [link, setLink] = useState<string>();
  /** Undefined until the disk was read. */
  const [hasQuotes, setHasQuotes] = useState<boolean>();
  const now = useNow();
  const isOnline = useOnline();
  // Quotes on their way are not counted: the count would come and go within a second.
  const { count } = attentionIn(entries, (state) => isOnline && isOnItsWay(state, now));

  useEffect(() => {
    startToaster();
    keepSending();
    const show = (byLine: boolean) => setOpening((last) => ({ opening: last.opening + 1, byWay: byLine }));
    const byAddress = () => {
      const isLink = location.hash.startsWith(LINK_ADDRESS);
      if (isLink) setLink(location.hash);
      if (isLink || location.hash === QUOTES_ADDRESS) show(false);
    };
    // A press needs its own listener: the address still names the list while it closes.
    const press = (event: Event) => {
      event.preventDefault();
      show(true);
    };
    byAddress();
    const way = document.querySelector('.way');
    way?.addEventListener('click', press);
    addEventListener('hashchange', byAddress);
    return () => {
      way?.removeEventListener('click', press);
      removeEventListener('hashchange', byAddress);
    };
  }, []);

  useEffect(
    () =>
      outbox.watch((stored) => {
        const hasAny = stored.some(({ quote }) => quote);
        leaveQuotesMark(hasAny);
        setHasQuotes(hasAny);
      }),
    [],
  );

  useEffect(() => {
    setBusy(
      'sending',
      entries.some((entry) => isSending(entry, Date.now())),
    );
    reportSends(entries.some(({ state }) => state.kind === 'waiting' && state.trouble === 'unreachable'));
  }, [entries]);

  useEffect(() => showCount(count), [count]);

  useLayoutEffect(() => {
    // The page must not move behind the open list.
    if (hasQuotes !== undefined && opening === 0) toggleWayBack(hasQuotes);
  }, [hasQuotes, opening]);

  useEffect(() => {
    if (!hasQuotes) return;
    void import('./way-back.ts').then(
      ({ showWayBack }) => showWayBack(entries, now, isOnline),
      () => undefined,
    );
  }, [hasQuotes, entries, now, isOnline]);

  if (opening === 0) return null;
  return (
    <TrayDialog
      key={opening}
      entries={entries}
      link={link}
      opensFirst={opensFirst}
      onClose={() => {
        setOpening((last) => (last.opening === opening ? { opening: 0, byWay: false } : last));
        setLink(undefined);
        if (location.hash === QUOTES_ADDRESS || location.hash.startsWith(LINK_ADDRESS))
          history.replaceState(null, '', location.pathname + location.search);
        // The form may already have the focus.
        if (document.activeElement?.matches('body, dialog *'))
          document.querySelector<HTMLElement>('.way')?.focus({ preventScroll: true });
      }}
    />
  );
}
